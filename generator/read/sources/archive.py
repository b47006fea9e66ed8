"""Archives as sources: ``.zip``, ``.skill``, ``.tar``, ``.tar.gz`` and ``.tgz``, one file or a folder of them.

An archive gives the packages that its unpacked folder would give, with or without a folder around them; nothing
is unpacked to disk. What a ``_meta.json`` of a registry declares of a skill comes beside its package.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from dataclasses import dataclass
from typing import Final

from generator.errors import SourceError
from generator.findings import finding
from generator.model import Finding, Package
from generator.read.archivetree import find_skills
from generator.read.metajson import Declared, read_declared
from generator.read.package import Limits, is_cache
from generator.read.paths import printable
from generator.read.tar_reader import read_tar
from generator.read.zipentries import Entries, read_entries

SUFFIXES: Final = (".tar.gz", ".tgz", ".tar", ".skill", ".zip")
"""What a file must end in to be taken for an archive, in any case of letters."""

_OPEN_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_ZIP_SIGNS: Final = (b"PK\3\4", b"PK\5\6")


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """The most that one archive may hold, all of its skills together. Sizes in bytes, unpacked but for
    ``max_archive_bytes``."""

    max_archive_bytes: int = 128 * 2**20
    max_entries: int = 20_000
    max_unpacked_bytes: int = 256 * 2**20


@dataclass(frozen=True, slots=True)
class ArchivedSkill:
    """One skill of an archive.

    ``folder`` is its folder in the archive, ``""`` at the top; ``package`` is None where a limit of a package is passed
    or a file cannot be used. Paths of ``findings`` are relative to the archive.
    """

    folder: str
    package: Package | None
    declared: Declared | None
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class ArchiveContents:
    """The skills of an archive, sorted by folder, and what to say about the archive itself."""

    skills: tuple[ArchivedSkill, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class ArchiveFile:
    """An archive below a source's root. ``stem`` stands for the folder it would unpack to, and is unique."""

    path: str
    stem: str


def archive_skills(
    data: bytes,
    label: str,
    limits: Limits,
    *,
    archive_limits: ArchiveLimits = ArchiveLimits(),
    include: tuple[str, ...] = (),
) -> ArchiveContents:
    """The skills of one archive, zip or tar by its first bytes; never raises for what the bytes hold.

    ``label`` is the packages' source. ``include`` are globs on a skill's folder in the archive.
    """
    skills, findings = find_skills(read_any(data, archive_limits), label, limits, include)
    told: list[ArchivedSkill] = []
    for one in skills:
        declared, notes = read_declared(one.package) if one.package is not None else (None, ())
        told.append(ArchivedSkill(one.folder, one.package, declared, (*one.findings, *notes)))
    return ArchiveContents(tuple(told), findings)


def read_any(data: bytes, limits: ArchiveLimits) -> Entries:
    """The entries of a zip or a tar, whichever the first bytes say."""
    if len(data) > limits.max_archive_bytes:
        message = f"The archive has {len(data):,} bytes; the limit is {limits.max_archive_bytes:,}"
        fix = "Split it, or raise the limit."
        return Entries(None, (), (finding("package-too-large", "", message, fix),))
    whole = Limits(
        max_files=limits.max_entries,
        max_file_bytes=limits.max_unpacked_bytes,
        max_package_bytes=limits.max_unpacked_bytes,
    )
    # Bytes before a zip are refused by its reader; they must not make a tar of it.
    if data.startswith(_ZIP_SIGNS) or _ends_as_zip(data):
        return read_entries(data, whole)
    return read_tar(data, whole)


def find_archives(root: str) -> tuple[ArchiveFile, ...]:
    """The archives of a source: ``root`` itself, or every archive at or below it, sorted by path.

    Dot names, caches and symbolic links are passed over. A stem is the path without its suffix; with it where two
    archives have the same. Raises :class:`~generator.errors.SourceError` where there is none to read.
    """
    if os.path.isfile(root):
        return (ArchiveFile("", ""),)
    if not os.path.isdir(root):
        raise SourceError(
            f"The source {root} does not exist. Name an archive, or a folder that holds archives."
        )
    paths: list[str] = []
    stack = [""]
    while stack:
        folder = stack.pop()
        try:
            with os.scandir(f"{root}/{folder}" if folder else root) as entries:
                for entry in entries:
                    path = f"{folder}/{entry.name}" if folder else entry.name
                    if entry.name[0] == "." or is_cache(entry.name):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        stack.append(path)
                    elif entry.is_file(follow_symlinks=False) and _suffix(path):
                        paths.append(path)
        except OSError as error:
            reason = error.strerror or str(error)
            raise SourceError(f"The folder {root}/{printable(folder)} cannot be listed: {reason}.") from None
    stems = [stem_of(path) for path in paths]
    times = Counter(stems)
    return tuple(
        sorted(
            (
                ArchiveFile(path, stem if times[stem] == 1 else path)
                for path, stem in zip(paths, stems, strict=True)
            ),
            key=lambda one: one.path,
        )
    )


def stem_of(name: str) -> str:
    """An archive's name without its suffix."""
    return name[: len(name) - len(_suffix(name))]


def read_archive_file(path: str, limits: ArchiveLimits = ArchiveLimits()) -> bytes:
    """The bytes of an archive on disk, never through a symbolic link and never more than the limit.

    Raises :class:`~generator.errors.SourceError` where it is no regular file, too large, or cannot be read.
    """
    try:
        fd = os.open(path, _OPEN_FLAGS)
        with os.fdopen(fd, "rb") as file:
            status = os.fstat(fd)
            if not stat.S_ISREG(status.st_mode):
                raise SourceError(f"The archive {printable(path)} is not a regular file.")
            if status.st_size > limits.max_archive_bytes:
                raise SourceError(
                    f"The archive {printable(path)} has {status.st_size:,} bytes; the limit is "
                    f"{limits.max_archive_bytes:,}. Split it, or raise the limit."
                )
            return file.read(limits.max_archive_bytes + 1)
    except OSError as error:
        raise SourceError(
            f"The archive {printable(path)} cannot be read: {error.strerror or error}."
        ) from None


def _suffix(path: str) -> str:
    lower = path.lower()
    return next((suffix for suffix in SUFFIXES if lower.endswith(suffix)), "")


def _ends_as_zip(data: bytes) -> bool:
    """True where a zip's directory ends in the last bytes, so that zip programs would read the file."""
    return data.rfind(b"PK\5\6", max(0, len(data) - 22 - 0xFFFF)) >= 0
