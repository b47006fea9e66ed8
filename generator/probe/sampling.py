"""The skill that a probe asks about: one that is offered, found through the hub's own list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from generator.errors import SkillpressError
from generator.probe.asking import Asker
from generator.probe.model import Sample
from generator.write.layout import archive_file

_TRIED = 5


class ProbeError(SkillpressError):
    """There is no hub at the address, or nothing in it that could be asked for."""


def find_sample(asker: Asker, wanted: str | None) -> Sample:
    """The skill ``wanted`` (``owner/slug``), or the first of the list that can be installed.

    Raises:
        ProbeError: the hub has no list, no such skill, or none that is offered.
    """
    heard = asker.follow("/api/v1/skills", "application/json")
    document = heard.json()
    rows = document.get("items") if isinstance(document, dict) else None
    if heard.status != 200 or not isinstance(rows, list):
        what = heard.tell() if heard.status != 200 else "is no list of skills"
        raise ProbeError(
            f"{heard.url} {what}. Give the address of the hub itself, with its base path and without /api/v1."
        )
    found = list(_offered(rows, wanted))
    for row in found[:_TRIED]:
        if (sample := _read(asker, row)) is not None:
            return sample
    if wanted is not None and not found:
        raise ProbeError(f"{asker.base} lists no skill {wanted} that is offered. Write it as owner/slug.")
    raise ProbeError(
        f"{asker.base} lists {len(rows)} skills, but of none that was tried could the documents be read. "
        "Build the hub again, and publish all of it."
    )


def _offered(rows: list[Any], wanted: str | None) -> Iterator[Mapping[str, Any]]:
    """Rows of skills that have a version to install; first those that the scan allows and whose slug no other has."""
    slugs = Counter(
        row.get("slug") for row in rows if isinstance(row, dict) and isinstance(row.get("slug"), str)
    )
    usable = [
        row
        for row in rows
        if isinstance(row, dict)
        and all(isinstance(row.get(key), str) for key in ("slug", "ownerHandle"))
        and isinstance(row.get("latestVersion"), dict)
        and isinstance(row["latestVersion"].get("version"), str)
        and (wanted is None or f"{row['ownerHandle']}/{row['slug']}" == wanted)
    ]
    return iter(sorted(usable, key=lambda row: (slugs[row["slug"]], not _is_allowed(row))))


def _is_allowed(row: Mapping[str, Any]) -> bool:
    own = row.get("skillpress")
    return isinstance(own, dict) and own.get("verdict") == "allow"


def _read(asker: Asker, row: Mapping[str, Any]) -> Sample | None:
    owner, slug, version = row["ownerHandle"], row["slug"], row["latestVersion"]["version"]
    # The hub's words become part of addresses, so only what can be a name goes on.
    if any(quote(word, safe="") != word for word in (owner, slug, version)):
        return None
    bare, owned = f"/api/v1/skills/{slug}", f"/api/v1/owners/{owner}/skills/{slug}"
    holds = _owner_of(asker.follow(bare, "application/json").json()) == owner
    api = bare if holds else owned
    files = _files(asker.follow(f"{api}/versions/{version}", "application/json").json())
    listed = asker.follow(f"{api}/versions", "application/json").json()
    items = listed.get("items") if isinstance(listed, dict) else None
    versions = [item.get("version") for item in items or () if isinstance(item, dict)]
    verified = asker.follow(f"{api}/versions/{version}/verify", "application/json").json()
    archive = asker.follow(f"/{archive_file(owner, slug, version)}")
    if not files:
        return None
    return Sample(
        owner, slug, version,
        tuple(one for one in versions if isinstance(one, str) and quote(one, safe="") == one) or (version,),
        files, archive.body if archive.status == 200 else b"", _fingerprint(verified), holds,
    )  # fmt: skip


def _files(document: Any) -> tuple[tuple[str, str], ...]:
    release = document.get("version") if isinstance(document, dict) else None
    files = release.get("files") if isinstance(release, dict) else None
    return tuple(
        (one["path"], one["sha256"])
        for one in files or ()
        if isinstance(one, dict) and isinstance(one.get("path"), str) and isinstance(one.get("sha256"), str)
    )


def _fingerprint(document: Any) -> str:
    artifact = document.get("artifact") if isinstance(document, dict) else None
    found = artifact.get("sourceFingerprint") if isinstance(artifact, dict) else None
    return found if isinstance(found, str) else ""


def _owner_of(document: Any) -> object:
    owner = document.get("owner") if isinstance(document, dict) else None
    return owner.get("handle") if isinstance(owner, dict) else None
