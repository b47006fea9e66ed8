"""The ``.skill`` archive: the files of a release in one folder named after the skill, in a zip.

Installed from a local file by DeerFlow, Gemini CLI and the Claude apps; Anthropic's ``package_skill.py`` writes
this form. It is derived from the release's own zip, byte for byte the same on any machine, so it needs no entry
in the ledger and lies wherever that zip lies.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from generator.model import Cache, PackageFile, PackagePath, Route
from generator.write.archive import pack_archive, read_archive

MEDIA_TYPE: Final = "application/zip"


def skill_archive_file(owner: str, slug: str, version: str) -> str:
    """Where the archive lies, in both layouts; also its route without the leading slash."""
    return f"dl/{owner}/{slug}-{version}.skill"


def pack_skill(slug: str, files: Iterable[PackageFile]) -> bytes:
    """The archive of these files.

    Raises :class:`~generator.write.archive.ArchiveError` as the release's own archive would.
    """
    inside = [replace(file, path=PackagePath(f"{slug}/{file.path}")) for file in files]
    return pack_archive(inside).data


def derive_route(owner: str, slug: str, version: str, archive: bytes) -> Route:
    """The archive of a release, made from its own zip.

    Raises :class:`~generator.write.archive.ArchiveError` where ``archive`` is not one of ours.
    """
    data = pack_skill(slug, read_archive(archive))
    return Route(f"/{skill_archive_file(owner, slug, version)}", data, MEDIA_TYPE, Cache.IMMUTABLE)
