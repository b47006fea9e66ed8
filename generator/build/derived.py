"""Files that are made from a release's own archive for installers that read no zip of ours.

Each is a function of that archive alone, so no ledger holds it: it is made again wherever it is missing or damaged, and
lies where the archive lies and nowhere else.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from generator.model import Hub, Protocol, Release, Route, Version
from generator.write.archive import read_archive
from generator.write.layout import archive_file, skill_archive_file, tarball_file
from generator.write.publish import Publisher

if TYPE_CHECKING:
    from generator.history.decision import SkillKey
    from generator.write.protocols.npm_tarball import Tarball


@dataclass(frozen=True, slots=True)
class Derived:
    """The routes of the derived files, and the digests of every tarball."""

    routes: tuple[Route, ...]
    tarballs: Mapping[Version, Tarball]


def derive_files(
    publisher: Publisher,
    hub: Hub,
    key: SkillKey,
    releases: Sequence[Release],
    archives: Mapping[Version, bytes],
) -> Derived:
    """Make the files of every release whose archive is given out, and remove those of others.

    ``archives`` holds those that are not on the hub yet.
    """
    from generator.write.protocols.claude_code_package import skill_tarball
    from generator.write.protocols.npm_packument import tarball_route
    from generator.write.protocols.npm_tarball import digest_tarball
    from generator.write.protocols.skill_archive import derive_route

    routes: list[Route] = []
    tarballs: dict[Version, Tarball] = {}
    for release in releases:
        data = archives.get(release.version) or _published(publisher.root, key, release)
        if data is not None and hub.speaks(Protocol.SKILL_ARCHIVES):
            routes.append(derive_route(*key, release.version, data))
        else:
            publisher.remove(skill_archive_file(*key, release.version))
        if data is not None and hub.speaks(Protocol.CLAUDE_CODE):
            tarball = skill_tarball(*key, release, read_archive(data))
            tarballs[release.version] = digest_tarball(tarball)
            routes.append(tarball_route(*key, release.version, tarball))
        else:
            publisher.remove(tarball_file(*key, release.version))
    return Derived(tuple(routes), tarballs)


def remove_derived(publisher: Publisher, key: SkillKey, releases: Sequence[Release]) -> None:
    """Remove the derived files of releases that are not given out at the address ``key``: a former one, or one whose
    archive is gone. Another machine, which has the archive alone, would not make them either."""
    for release in releases:
        publisher.remove(skill_archive_file(*key, release.version))
        publisher.remove(tarball_file(*key, release.version))


def _published(root: str, key: SkillKey, release: Release) -> bytes | None:
    """The archive as it lies on the hub; None where it does not, or is not what the ledger knows."""
    path = f"{root}/{archive_file(*key, release.version)}"
    if not os.path.isfile(path):
        return None
    with open(path, "rb") as file:
        data = file.read()
    return data if sha256(data).hexdigest() == release.archive.sha256 else None
