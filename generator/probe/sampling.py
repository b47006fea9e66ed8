"""The skill that a probe asks about: one that is offered, found through what every hub has, whatever it speaks.

The list is the search index that the hub's own pages read; what a release's files must be is what its ledger says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from generator.errors import SkillpressError
from generator.jsondata import load_json
from generator.model import Listing, ScanVerdict
from generator.probe.asking import Asker
from generator.probe.model import Sample
from generator.search.index import INDEX_ROUTE, SearchIndexError, read_index
from generator.write.layout import archive_file, ledger_file

_JSON = "application/json"
_TRIED = 5
_MOST_SKILLS = 1_000_000


class ProbeError(SkillpressError):
    """There is no hub at the address, or nothing in it that could be asked for."""


def find_sample(asker: Asker, wanted: str | None) -> Sample:
    """The skill ``wanted`` (``owner/slug``), or the first of the index that can be installed.

    Raises:
        ProbeError: the hub has no index, no such skill, or none that is offered.
    """
    entries = _read_entries(asker)
    found = [one for one in entries if one.offered and wanted in (None, f"{one.owner}/{one.slug}")]
    if wanted is not None and not found:
        raise ProbeError(f"{asker.base} lists no skill {wanted} that is offered. Write it as owner/slug.")
    # First those that the scan allows and whose slug alone names them: most clients ask so.
    found.sort(key=lambda one: (not one.holds_slug, one.verdict is not ScanVerdict.ALLOW))
    for one in found[:_TRIED]:
        if (sample := _read(asker, one)) is not None:
            return sample
    raise ProbeError(
        f"{asker.base} lists {len(entries)} skills, but of none that was tried could the ledger be read. "
        "Build the hub again, and publish all of it."
    )


def _read_entries(asker: Asker) -> tuple[Listing, ...]:
    heard = asker.follow(INDEX_ROUTE, _JSON)
    if heard.status != 200:
        raise ProbeError(
            f"{heard.url} {heard.tell()}. Give the address of the hub itself, with its base path and without /api/v1."
        )
    document = heard.json()
    count = document.get("skills") if isinstance(document, dict) else None
    if not isinstance(count, int) or not 0 <= count <= _MOST_SKILLS:
        raise ProbeError(f"{heard.url} is no index of skills. Give the address of the hub itself.")

    def get(route: str) -> bytes | None:
        part = asker.follow(route, _JSON)
        return part.body if part.status == 200 else None

    try:
        return read_index(get).entries
    except SearchIndexError as error:
        raise ProbeError(f"{asker.base}{error}") from None


def _read(asker: Asker, entry: Listing) -> Sample | None:
    owner, slug, version = entry.owner, entry.slug, entry.version
    # The hub's words become part of addresses, so only what can be a name goes on.
    if any(quote(word, safe="") != word for word in (owner, slug, version)):
        return None
    release = _find_release(asker.follow(f"/{ledger_file(owner, slug)}").body, version)
    files = _files(release)
    if not files:
        return None
    api = f"/api/v1/skills/{slug}" if entry.holds_slug else f"/api/v1/owners/{owner}/skills/{slug}"
    listed = asker.follow(f"{api}/versions", _JSON).json()
    items = listed.get("items") if isinstance(listed, dict) else None
    versions = [item.get("version") for item in _dicts(items)]
    archive = asker.follow(f"/{archive_file(owner, slug, version)}")
    return Sample(
        owner, slug, version,
        tuple(one for one in versions if isinstance(one, str) and quote(one, safe="") == one) or (version,),
        files, archive.body if archive.status == 200 else b"", _fingerprint(release), entry.holds_slug,
    )  # fmt: skip


def _find_release(ledger: bytes, version: str) -> Mapping[str, Any]:
    """The line of a ledger that says what a version is; empty where there is none."""
    for line in reversed(ledger.split(b"\n")):
        try:
            document = load_json(line) if line else None
        except ValueError:
            continue
        release = document.get("release") if isinstance(document, dict) else None
        if isinstance(release, dict) and release.get("version") == version:
            return release
    return {}


def _files(release: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (one["path"], one["sha256"])
        for one in _dicts(release.get("files"))
        if isinstance(one.get("path"), str) and isinstance(one.get("sha256"), str)
    )


def _dicts(values: object) -> Iterator[Mapping[str, Any]]:
    return (one for one in values if isinstance(one, dict)) if isinstance(values, list) else iter(())


def _fingerprint(release: Mapping[str, Any]) -> str:
    hashes = release.get("hashes")
    found = hashes.get("fingerprint") if isinstance(hashes, dict) else None
    return found if isinstance(found, str) else ""
