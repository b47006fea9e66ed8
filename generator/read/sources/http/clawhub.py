"""The documents of a ClawHub-shaped API, as far as a mirror needs them: pure, from bytes to proven values.

Shapes: contract/clawhub.md section 5 (ClawHub's server and CLI 0.23.3). What is missing is None; what breaks a rule
is left out and told; a document without its required parts is an :class:`AnswerError`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, urlsplit

from generator.model import Owner, Sha256, Slug, TimeMs, Version
from generator.read.sources.http.fields import (
    AnswerError,
    inner,
    list_of,
    object_of,
    owner_of,
    read_object,
    sha256_of,
    slug_of,
    text_of,
    time_of,
    version_of,
)

MOST_LIST_BYTES: Final = 64 * 2**20
"""Largest list; one of ours holds every skill, at about 1.5 kB each."""
MOST_DOCUMENT_BYTES: Final = 8 * 2**20
_MOST_LIST_VALUES: Final = 3_000_000
_LONGEST_CURSOR: Final = 4096


@dataclass(frozen=True, slots=True)
class ListedSkill:
    """A row of the list. ``owner`` is None where the row does not say it.

    ``mark`` stays while nothing of the skill changes; empty where the row says too little to tell.
    """

    slug: Slug
    owner: Owner | None
    mark: str = ""


@dataclass(frozen=True, slots=True)
class ListedVersion:
    """A row of a skill's versions."""

    version: Version
    created_at: TimeMs | None
    changelog: str


@dataclass(frozen=True, slots=True)
class StatedFile:
    """A file as a version's document states it. ``path`` is only ever compared."""

    path: str
    sha256: Sha256


@dataclass(frozen=True, slots=True)
class StatedRelease:
    """What a hub states of one version; None where it states nothing.

    ``withheld`` says why the hub gives no archive, empty where it does. ``archive`` is the sha256 of the archive that
    this address serves. ``scanned`` is that of one which the hub once
    examined: ClawHub does not promise to serve the same bytes. ``fingerprint`` is over the files that were published.
    """

    version: Version
    created_at: TimeMs | None = None
    changelog: str = ""
    archive: Sha256 | None = None
    scanned: Sha256 | None = None
    fingerprint: Sha256 | None = None
    files: tuple[StatedFile, ...] | None = None
    withheld: str = ""


@dataclass(frozen=True, slots=True)
class SkillsPage:
    """One page of the list; ``unusable`` describes rows that were left out."""

    skills: tuple[ListedSkill, ...]
    unusable: tuple[str, ...]
    cursor: str | None


@dataclass(frozen=True, slots=True)
class VersionsPage:
    """One page of a skill's versions; ``unusable`` describes rows that were left out."""

    versions: tuple[ListedVersion, ...]
    unusable: tuple[str, ...]
    cursor: str | None


def parse_discovery(data: bytes) -> str | None:
    """The address of the registry that ``/.well-known/clawhub.json`` names; None where it names none."""
    document = read_object(data, 64 * 1024)
    for key in ("apiBase", "registry"):
        value = document.get(key)
        if isinstance(value, str) and urlsplit(value).scheme in ("http", "https"):
            return value
    return None


def parse_skills(data: bytes) -> SkillsPage:
    """A page of ``GET /skills``; DeepTutor's other spellings of the list are understood too."""
    document = read_object(data, MOST_LIST_BYTES, _MOST_LIST_VALUES)
    skills: list[ListedSkill] = []
    unusable: list[str] = []
    for row in list_of(document.get("items", document.get("skills")), "items"):
        slug = slug_of(inner(row, "slug"))
        handle = _handle(row)
        owner = owner_of(handle)
        if slug is None or (handle is not None and owner is None):
            unusable.append(_named(handle, inner(row, "slug")))
        else:
            skills.append(ListedSkill(slug, owner, _mark(row)))
    return SkillsPage(tuple(skills), tuple(unusable), _cursor(document))


def parse_owner_of(data: bytes) -> Owner | None:
    """The owner that a skill's own document names, None where it names none that is usable."""
    document = read_object(data, MOST_DOCUMENT_BYTES)
    return owner_of(_handle(document) or _handle(document.get("skill")))


def parse_mark_of(data: bytes) -> str:
    """What :attr:`ListedSkill.mark` was when the skill's own document was read; empty where it cannot be told."""
    try:
        document = read_object(data, MOST_DOCUMENT_BYTES)
    except AnswerError:
        return ""
    skill = document.get("skill")
    if not isinstance(skill, dict):
        return ""
    return _mark({**skill, "latestVersion": document.get("latestVersion")})


def parse_versions(data: bytes) -> VersionsPage:
    """A page of ``GET /skills/{slug}/versions``."""
    document = read_object(data, MOST_DOCUMENT_BYTES, 500_000)
    versions: list[ListedVersion] = []
    unusable: list[str] = []
    for row in list_of(document.get("items", document.get("versions")), "items"):
        version = version_of(inner(row, "version"))
        if version is None:
            unusable.append(_shown(inner(row, "version")))
        else:
            versions.append(
                ListedVersion(version, time_of(inner(row, "createdAt")), text_of(inner(row, "changelog")))
            )
    return VersionsPage(tuple(versions), tuple(unusable), _cursor(document))


def parse_release(data: bytes, asked: ListedVersion) -> StatedRelease:
    """``GET /skills/{slug}/versions/{version}``. Raises :class:`AnswerError` where it describes another version."""
    document = read_object(data, MOST_DOCUMENT_BYTES, 500_000)
    stated = object_of(document.get("version"), "version")
    if version_of(stated.get("version")) != asked.version:
        raise AnswerError(f"version.version is {_shown(stated.get('version'))}, not {asked.version}")
    return StatedRelease(
        version=asked.version,
        created_at=time_of(stated.get("createdAt")) or asked.created_at,
        changelog=text_of(stated.get("changelog")) or asked.changelog,
        archive=sha256_of(inner(stated.get("archive"), "sha256")),
        scanned=sha256_of(inner(stated.get("security"), "sha256hash")),
        fingerprint=sha256_of(stated.get("fingerprint")),
        files=parse_files(stated["files"]) if isinstance(stated.get("files"), list) else None,
    )


def parse_files(rows: Sequence[Any]) -> tuple[StatedFile, ...] | None:
    """The files of a version, None where a row lacks its path or checksum, or a path comes twice."""
    files: dict[str, StatedFile] = {}
    for row in rows:
        path, digest = inner(row, "path"), sha256_of(inner(row, "sha256"))
        if not isinstance(path, str) or digest is None or path in files:
            return None
        files[path] = StatedFile(path, digest)
    return tuple(files.values())


def parse_elsewhere(data: bytes) -> str | None:
    """The repository that a download of a GitHub-backed skill names instead of an archive; None for anything else."""
    try:
        return _repository(read_object(data, 64 * 1024))
    except AnswerError:
        return None


def parse_install(data: bytes) -> str | None:
    """The repository that ``GET /skills/{slug}/install`` hands over to; None for anything else."""
    try:
        return _repository(read_object(data, 64 * 1024).get("github"))
    except AnswerError:
        return None


def _repository(value: object) -> str | None:
    repository, commit, path = inner(value, "repo"), inner(value, "commit"), inner(value, "path")
    if not isinstance(repository, str) or not isinstance(commit, str):
        return None
    inside = f", folder {text_of(path)[:100]}" if isinstance(path, str) and path else ""
    return f"{text_of(repository)[:100]}{inside}, commit {text_of(commit)[:40]}"


def query_url(address: str, **query: str | None) -> str:
    """``address`` with a query of what is not None, in the order given."""
    asked = "&".join(f"{key}={quote(value, safe='')}" for key, value in query.items() if value is not None)
    return f"{address}?{asked}" if asked else address


def _handle(row: object) -> object:
    """The owner's handle, wherever the known hubs write it."""
    for value in (
        inner(row, "ownerHandle"),
        inner(inner(row, "owner"), "handle"),
        inner(inner(row, "publisher"), "handle"),
    ):
        if value is not None:
            return value
    return None


def _mark(row: object) -> str:
    """When the skill changed, with its latest version, as the row says both: hubs count downloads in other fields."""
    changed = time_of(inner(row, "updatedAt"))
    latest = version_of(inner(inner(row, "latestVersion"), "version") or inner(inner(row, "tags"), "latest"))
    return f"{changed} {latest}" if changed is not None and latest is not None else ""


def _cursor(document: dict[str, Any]) -> str | None:
    value = document.get("nextCursor")
    if value is None or value == "":
        return None
    if not isinstance(value, str) or len(value) > _LONGEST_CURSOR:
        raise AnswerError("nextCursor is no text")
    return value


def _named(owner: object, slug: object) -> str:
    return f"{_shown(owner)}/{_shown(slug)}" if owner is not None else _shown(slug)


def _shown(value: object) -> str:
    return (text_of(value) or "nothing")[:100] if isinstance(value, str) else type(value).__name__
