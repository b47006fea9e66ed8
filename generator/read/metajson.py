"""What a registry wrote about a skill into its ``_meta.json``: owner, slug, versions.

Two shapes are known (contract/clawhub.md, section 4; the public archive of ClawHub's skills): the archive's,
``{owner, slug, displayName, latest: {version, publishedAt, commit}, history: [...]}``, and the one that ClawHub's
server puts into every zip, ``{ownerId, slug, version, publishedAt}``. Whoever packs an archive writes it, so these
are declarations, proven nowhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from generator.findings import finding
from generator.model import Finding, Owner, Package, Slug, TimeMs, Version
from generator.names import InvalidNameError, parse_owner, parse_slug
from generator.read.jsonbounds import JsonBoundError, load_bounded
from generator.read.package import join
from generator.read.sidefiles import META_JSON
from generator.versions import parse_version

T = TypeVar("T")

_MOST_BYTES = 256 * 1024
_MOST_VALUES = 20_000
_LATEST_TIME = 253_402_300_799_999  # the last millisecond of the year 9999
_LONGEST_COMMIT = 200


@dataclass(frozen=True, slots=True)
class DeclaredVersion:
    """One version that a registry says it published. ``commit`` is an address or an id, as written."""

    version: Version
    published_at: TimeMs | None = None
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Declared:
    """What a ``_meta.json`` declares; None where it says nothing usable.

    ``history`` are earlier versions in written order, ``latest`` not among them: an archive holds the files of
    the latest alone.
    """

    owner: Owner | None = None
    slug: Slug | None = None
    display_name: str | None = None
    latest: DeclaredVersion | None = None
    history: tuple[DeclaredVersion, ...] = ()


def read_declared(package: Package) -> tuple[Declared | None, tuple[Finding, ...]]:
    """What the package's ``_meta.json`` declares, None where there is none of a registry's shape.

    A file that is no JSON is the manifest reader's finding, not one here.
    """
    file = package.file(META_JSON)
    if file is None:
        return None, ()
    try:
        document = load_bounded(file.data, _MOST_BYTES, _MOST_VALUES)
    except JsonBoundError:
        return None, ()
    if not isinstance(document, dict) or not document.keys() & {"owner", "ownerId", "latest", "publishedAt"}:
        return None, ()
    notes: list[Finding] = []
    place = join(package.folder, META_JSON)
    latest = document.get("latest") if "latest" in document else document
    past = document.get("history")
    history = [_version(one) for one in past] if isinstance(past, list) else []
    newest = _version(latest)
    if newest is None:
        notes.append(_unusable(place, "latest.version", "a semantic version"))
    name = document.get("displayName")
    declared = Declared(
        owner=_proven(notes, place, document, "owner", parse_owner),
        slug=_proven(notes, place, document, "slug", parse_slug),
        display_name=name if isinstance(name, str) and name.strip() else None,
        latest=newest,
        history=_once(history, newest),
    )
    return declared, tuple(notes)


def _proven(
    notes: list[Finding], place: str, document: dict[str, Any], key: str, parse: Callable[[str], T]
) -> T | None:
    value = document.get(key)
    if value is None:
        return None
    try:
        return parse(value if isinstance(value, str) else repr(value)[:100])
    except InvalidNameError:
        notes.append(_unusable(place, key, f"a usable {key}"))
        return None


def _version(value: object) -> DeclaredVersion | None:
    if not isinstance(value, dict) or not isinstance(text := value.get("version"), str):
        return None
    parsed = parse_version(text) if len(text) <= 200 else None
    if parsed is None:
        return None
    at, commit = value.get("publishedAt"), value.get("commit")
    timed = isinstance(at, int) and not isinstance(at, bool) and 0 < at <= _LATEST_TIME
    return DeclaredVersion(
        parsed.version,
        TimeMs(at) if timed and isinstance(at, int) else None,
        commit if isinstance(commit, str) and 0 < len(commit) <= _LONGEST_COMMIT else None,
    )


def _once(
    history: list[DeclaredVersion | None], newest: DeclaredVersion | None
) -> tuple[DeclaredVersion, ...]:
    seen = {newest.version} if newest else set()
    kept: list[DeclaredVersion] = []
    for one in history:
        if one is not None and one.version not in seen:
            seen.add(one.version)
            kept.append(one)
    return tuple(kept)


def _unusable(place: str, key: str, what: str) -> Finding:
    message = f"{key} in _meta.json is not {what} and is not used"
    return finding("meta-declaration-unusable", place, message, f"Write {what} there, or remove the key.")
