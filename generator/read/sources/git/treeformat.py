"""The bytes of a tree object: names, modes and ids, nothing interpreted."""

from __future__ import annotations

import re
import stat
from dataclasses import dataclass
from typing import Final

_MODE: Final = re.compile(rb"[0-7]{5,6}")
GITLINK: Final = 0o160000


class TreeFormatError(ValueError):
    """A tree holds what git never writes; the message is the rest of a sentence that begins with the tree's name."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a tree. Bytes of the name that are not UTF-8 are surrogate escapes, as from a file system."""

    name: str
    mode: int
    object_id: str

    @property
    def is_tree(self) -> bool:
        """A folder."""
        return stat.S_IFMT(self.mode) == stat.S_IFDIR

    @property
    def is_file(self) -> bool:
        """A regular file."""
        return stat.S_IFMT(self.mode) == stat.S_IFREG

    @property
    def is_link(self) -> bool:
        """A symbolic link."""
        return stat.S_IFMT(self.mode) == stat.S_IFLNK

    @property
    def is_submodule(self) -> bool:
        """A commit of another repository."""
        return self.mode == GITLINK

    @property
    def executable(self) -> bool:
        """As git decides it: by the owner's bit alone."""
        return bool(self.mode & 0o100)


def parse_tree(data: bytes, id_bytes: int) -> tuple[Entry, ...]:
    """The entries of a tree object, in its order.

    Raises:
        TreeFormatError: cut off, a mode that is no number, a name twice, or a name no folder can hold.
    """
    entries: list[Entry] = []
    names: set[bytes] = set()
    at = 0
    while at < len(data):
        blank = data.find(b" ", at, at + 8)
        end = data.find(b"\0", blank + 1) if blank > 0 else -1
        after = end + 1 + id_bytes
        if end < 0 or after > len(data) or not _MODE.fullmatch(data, at, blank):
            raise TreeFormatError("is a folder that is cut off or no list of names")
        name = data[blank + 1 : end]
        if not name or name in (b".", b"..") or b"/" in name:
            raise TreeFormatError(
                f"holds an entry with the impossible name {name.decode('utf-8', 'replace')!r}"
            )
        if name in names:
            raise TreeFormatError(f"holds two entries named {name.decode('utf-8', 'replace')!r}")
        names.add(name)
        entries.append(
            Entry(
                name.decode("utf-8", "surrogateescape"), int(data[at:blank], 8), data[end + 1 : after].hex()
            )
        )
        at = after
    return tuple(entries)
