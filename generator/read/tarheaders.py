"""One header of a tar archive, and the extended headers that POSIX and GNU put before it.

What two programs could read in two ways is refused. Formats: POSIX.1-2017, ``pax`` (ustar and extended
headers); GNU tar manual, "Basic Tar Format".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from generator.read.paths import printable
from generator.read.zipdirectory import RefusedError

BLOCK: Final = 512
ZEROS: Final = bytes(BLOCK)
TAR_AGAIN: Final = "Pack the skill's folder again with an ordinary tar program."
LONGEST_EXTENSION: Final = 64 * 1024
"""Most bytes of one extended header: a thousand times what an honest one needs."""

_POSIX, _GNU = b"ustar\x0000", b"ustar  \x00"
_OCTAL: Final = re.compile(rb" *([0-7]{1,11})[ \0]*|([0-7]{12})")
_CHECKSUM: Final = re.compile(rb" *([0-7]{1,7})[ \0]*")
_COUNT: Final = re.compile(rb"([1-9][0-9]{0,5}) ")
_SIZE: Final = re.compile(r"[0-9]{1,11}", re.ASCII)

_HARMLESS: Final = frozenset({"comment", "mtime", "atime", "ctime", "uid", "gid", "uname", "gname"})
_HARMLESS_FAMILIES: Final = (
    "SCHILY.xattr.", "SCHILY.acl.", "SCHILY.fflags", "SCHILY.dev", "SCHILY.ino", "SCHILY.nlink",
    "LIBARCHIVE.", "RHT.security.", "MSWINDOWS.",
)  # fmt: skip
"""Keywords that say nothing of an entry's name, size, kind or content. Any other may, and is refused."""


@dataclass(frozen=True, slots=True)
class Header:
    """One header as it stands. ``kind`` is the type flag, ``mode`` the permission bits with set-uid and such."""

    raw: bytes
    kind: bytes
    size: int
    mode: int

    @property
    def name(self) -> str:
        """The name in text; bytes that are not UTF-8 are surrogate escapes."""
        return decode(self.raw)


@dataclass(frozen=True, slots=True)
class Extension:
    """What an extended header says of the entry after it; None where it says nothing."""

    path: bytes | None = None
    size: int | None = None


def parse_header(block: bytes) -> Header:
    """One header block of 512 bytes; raises :class:`RefusedError` where it is none or can be read in two ways."""
    raw = block[:100].rstrip(b"\0")
    name = decode(raw)
    stated = _CHECKSUM.fullmatch(block[148:156])
    if stated is None or int(stated[1], 8) != sum(block) - sum(block[148:156]) + 8 * 0x20:
        message = "The file is no tar archive, or a header in it is damaged"
        raise RefusedError("archive-unreadable", "", message, TAR_AGAIN)
    magic = block[257:265]
    if magic not in (_POSIX, _GNU):
        message = f"{printable(name)} is described in a form of tar that is neither POSIX nor GNU"
        raise RefusedError("archive-unsupported", name, message, TAR_AGAIN)
    # After the prefix POSIX has nothing; star and GNU keep times, sparse maps and continuations there, which
    # other programs take for a part of the name.
    if block[500:].strip(b"\0") or (magic == _GNU and block[345:500].strip(b"\0")):
        message = f"{printable(name)} carries fields that programs read in different ways"
        raise RefusedError("archive-unsupported", name, message, TAR_AGAIN)
    prefix = block[345:500].rstrip(b"\0")
    if prefix:
        raw = prefix + b"/" + raw
    return Header(raw, block[156:157], _number(block[124:136], name), _number(block[100:108], name) & 0o7777)


def parse_pax(content: bytes, name: str, *, for_all: bool) -> Extension:
    """The records of a POSIX extended header; ``for_all``: a global one, which may not name or size entries.

    Raises :class:`RefusedError` for records that are malformed, repeated, or could change what is unpacked.
    """
    path: bytes | None = None
    size: int | None = None
    seen: set[str] = set()
    at = 0
    while at < len(content):
        counted = _COUNT.match(content, at)
        end = at + int(counted[1]) if counted else 0
        key, equals, value = content[counted.end() : end - 1].partition(b"=") if counted else (b"", b"", b"")
        if not counted or end > len(content) or content[end - 1 : end] != b"\n" or not equals:
            raise _refuse(name, "has an extended header that is damaged")
        at = end
        keyword = decode(key)
        if keyword in seen:
            raise _refuse(name, f"says {printable(keyword)} twice in its extended header")
        seen.add(keyword)
        if keyword in _HARMLESS or keyword.startswith(_HARMLESS_FAMILIES):
            continue
        if for_all or keyword not in ("path", "linkpath", "size"):
            message = f"{printable(name)} uses the extended header {printable(keyword)[:60]}, which few programs know"
            raise RefusedError("archive-unsupported", name, message, TAR_AGAIN)
        if keyword == "path":
            path = value
        elif keyword == "size":
            text = decode(value)
            if not _SIZE.fullmatch(text):
                raise _refuse(name, "has a size in its extended header that is no number")
            size = int(text)
    return Extension(path, size)


def parse_long_name(content: bytes, name: str) -> bytes:
    """The name in a GNU long-name entry, which ends in one NUL."""
    if not content.endswith(b"\0") or not content[:-1]:
        raise _refuse(name, "has a long name that is damaged")
    return content[:-1]


def decode(raw: bytes) -> str:
    """Bytes of a name as text, those that are not UTF-8 as surrogate escapes."""
    return raw.decode("utf-8", "surrogateescape")


def _number(field: bytes, name: str) -> int:
    found = _OCTAL.fullmatch(field)
    if found is None:
        message = f"{printable(name)} has a size or mode that is not written as tar writes numbers"
        raise RefusedError("archive-header-mismatch", name, message, TAR_AGAIN)
    return int(found[1] or found[2], 8)


def _refuse(name: str, what: str) -> RefusedError:
    return RefusedError("archive-header-mismatch", name, f"{printable(name)} {what}", TAR_AGAIN)
