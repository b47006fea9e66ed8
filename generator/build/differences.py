"""What differs between the versions of one skill: which pages it gets, and which lie there already.

Only the newest pairs have pages: a page of the site links to no more, and a repository read with its history can bring
hundreds of versions of one skill at once. ``skillpress diff`` compares any two.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from generator.hidden import without_hidden
from generator.history.decision import SkillKey
from generator.history.diff.skills import choose_pairs, compare_skills
from generator.model import Hub, Package, Release, Route, SkillFolder, Version
from generator.read.guarded import read_guarded
from generator.write.archive import read_archive
from generator.write.layout import archive_file, diff_folder
from generator.write.publish import Publisher
from generator.write.site.diffs import DiffPlace, diff_document_path, diff_path, diff_routes
from generator.write.site.shell import Shell

MOST_PAIRS: Final = 20
"""Pairs of versions of one skill that have a page, the last published ones."""
_KEPT: Final = 2


@dataclass(frozen=True, slots=True)
class Differences:
    """The pairs of versions that have a page, in the order they were published, and the pages to write."""

    pairs: tuple[tuple[Version, Version], ...]
    routes: tuple[Route, ...]


def compare_releases(
    publisher: Publisher,
    shell: Shell,
    hub: Hub,
    key: SkillKey,
    releases: Sequence[Release],
    offered: Collection[Version],
    archives: Mapping[Version, bytes],
    *,
    renew: bool,
    replaced: Version | None,
) -> Differences:
    """Compare each of the newest releases with its predecessor, where the archives of both are served.

    Args:
        releases: oldest first.
        offered: versions whose archive may be given out.
        archives: those that are not on the hub yet.
        renew: make every page, also those that lie there.
        replaced: a version whose content this build may have replaced.

    Pages of pairs that are not to be shown any more are removed.
    """
    shelf = _Shelf(publisher.root, key, {release.version: release for release in releases}, offered, archives)
    pairs: list[tuple[Version, Version]] = []
    routes: list[Route] = []
    for old, new in choose_pairs(releases)[-MOST_PAIRS:]:
        if not renew and replaced not in (old, new) and _is_made(publisher.root, key, old, new):
            if shelf.has(old) and shelf.has(new):
                pairs.append((old, new))
            continue
        before, after = shelf.folder(old), shelf.folder(new)
        if before is None or after is None:
            continue
        title = without_hidden(after.manifest.display_name) if after.manifest is not None else ""
        place = DiffPlace(hub, *key, title or key[1])
        routes += diff_routes(shell.diff, place, compare_skills(old, before, new, after))
        pairs.append((old, new))
    _sweep(publisher, key, pairs)
    return Differences(tuple(pairs), tuple(routes))


@dataclass(slots=True)
class _Shelf:
    """The releases of one skill as folders; the last ones read are kept, since most pairs share one."""

    root: str
    key: SkillKey
    releases: Mapping[Version, Release]
    offered: Collection[Version]
    archives: Mapping[Version, bytes]
    kept: dict[Version, SkillFolder] = field(default_factory=dict)

    def has(self, version: Version) -> bool:
        """Whether the archive is served."""
        return version in self.offered and (version in self.archives or os.path.isfile(self._path(version)))

    def folder(self, version: Version) -> SkillFolder | None:
        """The content of a release; None where its archive is not served, or is not the ledger's."""
        if version not in self.kept:
            folder = self._read(version)
            if folder is None:
                return None
            while len(self.kept) >= _KEPT:
                del self.kept[next(iter(self.kept))]
            self.kept[version] = folder
        return self.kept[version]

    def _read(self, version: Version) -> SkillFolder | None:
        if not self.has(version):
            return None
        release, data = self.releases[version], self.archives.get(version)
        if data is None:
            with open(self._path(version), "rb") as file:
                data = file.read()
        if hashlib.sha256(data).hexdigest() != release.archive.sha256:
            return None
        return read_guarded(Package(release.source, release.folder, read_archive(data)), ())

    def _path(self, version: Version) -> str:
        return f"{self.root}/{archive_file(*self.key, version)}"


def _is_made(root: str, key: SkillKey, old: Version, new: Version) -> bool:
    page, document = diff_path(*key, old, new), diff_document_path(*key, old, new)
    return os.path.isfile(f"{root}{page}index.html") and os.path.isfile(f"{root}{document}")


def _sweep(publisher: Publisher, key: SkillKey, pairs: Sequence[tuple[Version, Version]]) -> None:
    folder = diff_folder(*key)
    wanted = {name for old, new in pairs for name in (f"{old}...{new}", f"{old}...{new}.json")}
    try:
        names = os.listdir(f"{publisher.root}/{folder}")
    except OSError:
        return
    for name in sorted(set(names) - wanted):
        publisher.remove(f"{folder}/{name}")
