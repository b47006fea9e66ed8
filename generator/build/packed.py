"""Archives as a source of a build: their skills, and several archives of one skill as its versions.

Archives in one folder whose skills have one address are versions of one skill, published oldest first. A skill's
version is what its files state, else what the ``_meta.json`` of a registry states, else what stands behind its name in
the name of its folder or archive: ``pdf-1.2.0.zip``. Packages are kept in memory for the build.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from generator.build.gathering import Gathered, Present, Read
from generator.findings import bars
from generator.history.decision import Past
from generator.model import Finding, Slug, TimeMs, Version
from generator.read.guarded import read_guarded
from generator.read.metajson import Declared
from generator.read.package import Limits, join
from generator.read.sources.archive import (
    ArchivedSkill,
    ArchiveFile,
    archive_skills,
    find_archives,
    read_archive_file,
    stem_of,
)
from generator.sources import ArchiveSource
from generator.versions import parse_version, precedence

_NAMED: Final = re.compile(
    r"(?P<name>.*[^-_.@])[-_@.]v?(?P<version>[0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z.-]+)?)"
)


@dataclass(frozen=True, slots=True)
class PackedReader:
    """Hands out packages that were read already, by folder or locator."""

    packages: Mapping[str, Read]

    def read(self, folder: str, _limits: Limits) -> Read:
        """See :class:`~generator.build.gathering.Reader`."""
        return self.packages[folder]

    def read_past(self, past: Past, _limits: Limits) -> Read:
        """See :class:`~generator.build.gathering.Reader`."""
        return self.packages[past.locator]


@dataclass(frozen=True, slots=True)
class _Packed:
    """One skill of one archive. ``place`` is unique, ``folder`` the same without versions; ``group`` is the folder that
    the archive lies in. ``slug`` is None where the skill cannot be published."""

    archive: str
    place: str
    folder: str
    group: str
    read: Read
    declared: Declared | None
    slug: Slug | None
    version: Version | None


def gather_archives(source: ArchiveSource, limits: Limits) -> Gathered:
    """The skills of one archive, or of every archive in a folder.

    Raises:
        SourceError: there is nothing of the kind, or it cannot be read.
    """
    root = os.fspath(source.root)
    found: list[_Packed] = []
    findings: list[Finding] = []
    for file in find_archives(root):
        path = f"{root}/{file.path}" if file.path else root
        contents = archive_skills(read_archive_file(path), source.label, limits, include=source.include)
        findings += [replace(one, path=join(file.stem, one.path).rstrip("/")) for one in contents.findings]
        name = stem_of(os.path.basename(path))
        found += [_look_at(file, skill, name, len(contents.skills) == 1) for skill in contents.skills]
    packages: dict[str, Read] = {}
    present: dict[str, Present] = {}
    places = {one.place for one in found}
    for versions in _group(found):
        *earlier, now = versions
        taken = now.folder in packages or now.folder in places - {one.place for one in versions}
        folder = now.place if taken else now.folder
        packages[folder] = _placed(now, folder)
        packages.update((_locator(one), _placed(one, folder)) for one in earlier)
        present[folder] = Present(
            slug=now.slug,
            version=now.version,
            time=_time(now, versions),
            past=tuple(Past(one.version, _time(one, versions), folder, _locator(one)) for one in earlier),
        )
    return Gathered(
        source.label, source.owner, tuple(sorted(present)), tuple(findings), PackedReader(packages), present
    )


def split_version(name: str) -> tuple[str, Version | None]:
    """A name without the version that stands behind it, and that version: ``pdf-1.2.0`` is ``pdf`` and ``1.2.0``."""
    match = _NAMED.fullmatch(name)
    parsed = parse_version(match["version"]) if match is not None else None
    if match is None or parsed is None or not parsed.exact:
        return name, None
    return match["name"], parsed.version


def _look_at(file: ArchiveFile, skill: ArchivedSkill, name: str, alone: bool) -> _Packed:
    above, _, last = skill.folder.rpartition("/")
    last, hint = split_version(last)
    short, of_archive = split_version(name)
    if alone and hint is None:
        hint = of_archive
    group, _, stem = file.stem.rpartition("/")
    folder = "/".join(part for part in (group, short if stem else "", above, last) if part)
    place = f"{file.stem}/{skill.folder}".strip("/")
    notes = tuple(replace(one, path=join(file.stem, one.path)) for one in skill.findings)
    if skill.package is None:
        return _Packed(file.path, place, folder, group, (None, notes), skill.declared, None, None)
    # Loaded only where there are archives.
    from generator.judge.identity import identify

    package = replace(skill.package, folder=folder)
    read = read_guarded(package, notes)
    identity = identify(read, read.manifest) if read.manifest is not None else None
    if identity is None or bars((*read.findings, *identity.findings)):
        return _Packed(file.path, place, folder, group, (package, notes), skill.declared, None, None)
    stated = skill.declared.latest if skill.declared is not None else None
    return _Packed(
        file.path, place, folder, group, (package, notes), skill.declared,
        (skill.declared.slug if skill.declared is not None else None) or identity.slug,
        identity.version or (stated.version if stated is not None else None) or hint,
    )  # fmt: skip


def _group(found: Sequence[_Packed]) -> list[list[_Packed]]:
    """The skills with their versions, oldest first; what cannot be a version of another stands alone, and last."""
    groups: dict[tuple[str, Slug], list[_Packed]] = {}
    alone: list[list[_Packed]] = []
    for one in found:
        if one.slug is None:
            alone.append([one])
            continue
        members = groups.setdefault((one.group, one.slug), [])
        taken = any(one.version in (None, other.version) or one.archive == other.archive for other in members)
        if taken or any(other.version is None for other in members):
            alone.append([one])
        else:
            members.append(one)
    versions = [
        sorted(members, key=lambda one: precedence(one.version) if one.version is not None else ())
        for members in groups.values()
    ]
    return [*versions, *alone]


def _locator(one: _Packed) -> str:
    # No folder has such a name: it begins with a slash.
    return f"/{one.place}"


def _placed(one: _Packed, folder: str) -> Read:
    package, notes = one.read
    return (replace(package, folder=folder) if package is not None else None), notes


def _time(one: _Packed, versions: Sequence[_Packed]) -> TimeMs | None:
    """When a registry says that it published a version: in that version's own archive, else in another's history."""
    for other in (one, *reversed(versions)):
        declared = other.declared
        if declared is None:
            continue
        for stated in (declared.latest, *declared.history):
            if stated is not None and stated.version == one.version and stated.published_at is not None:
                return stated.published_at
    return None
