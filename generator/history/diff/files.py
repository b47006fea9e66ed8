"""Which files of a skill were added, removed, renamed or changed, and the lines of the texts among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from generator.history.diff.lines import Room, TextDiff, diff_texts
from generator.judge.powers import is_script
from generator.model import Package, PackageFile, PackagePath, Sha256
from generator.read.package import is_manifest_name

MAX_TEXT: Final = 200_000
"""Bytes of a text whose lines are compared."""
MAX_TEXTS: Final = 4_000_000
"""Bytes of all texts of one skill, old and new, whose lines are compared."""


class FileStatus(StrEnum):
    """What became of a file. RENAMED: the same bytes under another path."""

    ADDED = "added"
    REMOVED = "removed"
    RENAMED = "renamed"
    CHANGED = "changed"


class Unshown(StrEnum):
    """Why the lines of a changed file are not compared."""

    BINARY = "binary"
    TOO_LONG = "too-long"
    TOO_MUCH = "too-much"


@dataclass(frozen=True, slots=True)
class FileSide:
    """A file before or after. ``size`` in bytes."""

    path: PackagePath
    size: int
    sha256: Sha256
    executable: bool


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file that differs.

    ``text`` is None where the bytes are the same (renamed, or only the executable bit differs), for a removed
    file, and where ``unshown`` says why.
    """

    status: FileStatus
    old: FileSide | None
    new: FileSide | None
    text: TextDiff | None = None
    unshown: Unshown | None = None

    @property
    def path(self) -> PackagePath:
        """The path after, or the last one where the file was removed."""
        side = self.new or self.old
        assert side is not None
        return side.path


def compare_files(old: Package, new: Package) -> tuple[FileChange, ...]:
    """Every file that differs, sorted by path (code points)."""
    before = {file.path: file for file in old.files}
    after = {file.path: file for file in new.files}
    renamed = _find_renames(
        [file for file in old.files if file.path not in after],
        [file for file in new.files if file.path not in before],
    )
    pairs: list[tuple[PackageFile | None, PackageFile | None]] = []
    for file in new.files:
        same_path = before.get(file.path)
        earlier = before[renamed[file.path]] if file.path in renamed else same_path
        if earlier is None or earlier is not same_path or not _is_same(earlier, file):
            pairs.append((earlier, file))
    gone = set(renamed.values())
    pairs.extend((lost, None) for lost in old.files if lost.path not in after and lost.path not in gone)
    room, left = Room(), MAX_TEXTS
    changes: list[FileChange] = []
    # Programs first: what a reader should see before all else must not fall to the limits.
    for was, now in sorted(pairs, key=_urgency):
        change, left = _compare(was, now, room, left)
        changes.append(change)
    return tuple(sorted(changes, key=lambda change: change.path))


def _is_same(old: PackageFile, new: PackageFile) -> bool:
    return old.sha256 == new.sha256 and old.executable == new.executable


def _find_renames(gone: Iterable[PackageFile], come: Iterable[PackageFile]) -> Mapping[str, PackagePath]:
    """Old paths by new path, where the bytes are the same. A file that kept its name goes first."""
    by_content: dict[Sha256, list[PackagePath]] = {}
    for file in gone:
        by_content.setdefault(file.sha256, []).append(file.path)
    found: dict[str, PackagePath] = {}
    # Many equal files need not be told apart by name.
    fits = [file for file in come if file.size and file.sha256 in by_content]
    for by_name in (True, False):
        waiting: dict[tuple[Sha256, str], list[PackagePath]] = {}
        for digest, paths in by_content.items():
            for path in reversed(paths):
                waiting.setdefault((digest, _name(path) if by_name else ""), []).append(path)
        for file in fits:
            paths = waiting.get((file.sha256, _name(file.path) if by_name else ""), [])
            if file.path not in found and paths:
                found[file.path] = paths.pop()
        taken = set(found.values())
        by_content = {
            digest: [path for path in paths if path not in taken] for digest, paths in by_content.items()
        }
    return found


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _urgency(pair: tuple[PackageFile | None, PackageFile | None]) -> tuple[bool, bool, str]:
    old, new = pair
    file = new or old
    assert file is not None
    program = file.executable or is_script(file.path)
    return not program, not is_manifest_name(file.path), file.path


def _compare(
    old: PackageFile | None, new: PackageFile | None, room: Room, left: int
) -> tuple[FileChange, int]:
    """One pair, and the bytes that the other texts may still have."""
    sides = (_side(old), _side(new))
    if new is None:
        return FileChange(FileStatus.REMOVED, *sides), left
    if old is None:
        status = FileStatus.ADDED
    else:
        status = FileStatus.CHANGED if old.path == new.path else FileStatus.RENAMED
        if old.sha256 == new.sha256:
            return FileChange(status, *sides), left
    texts = _text(old.data if old is not None else b""), _text(new.data)
    size = (old.size if old is not None else 0) + new.size
    if texts[0] is None or texts[1] is None:
        return FileChange(status, *sides, unshown=Unshown.BINARY), left
    if max(old.size if old is not None else 0, new.size) > MAX_TEXT:
        return FileChange(status, *sides, unshown=Unshown.TOO_LONG), left
    if size > left:
        return FileChange(status, *sides, unshown=Unshown.TOO_MUCH), left
    return FileChange(status, *sides, text=diff_texts(texts[0], texts[1], room)), left - size


def _side(file: PackageFile | None) -> FileSide | None:
    return FileSide(file.path, file.size, file.sha256, file.executable) if file is not None else None


def _text(data: bytes) -> str | None:
    """The text, None for what is none: no UTF-8, or with a NUL."""
    if b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None
