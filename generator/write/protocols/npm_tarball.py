"""The npm tarball of a release: a ``.tgz`` whose every byte depends on what goes into it alone.

USTAR (POSIX.1-1988) with a PAX record only where a name fits no USTAR header: readers of PAX that lose long or
non-ASCII names exist (``skills`` 1.5.18). The gzip frame (RFC 1952) holds stored blocks, because deflaters differ
between builds of zlib, and the digest of these bytes is what npm's lock files remember for ever: **nothing here may
change**; a test holds the bytes of a sample.
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from hashlib import sha1, sha512
from itertools import pairwise
from typing import Final
from zlib import crc32

from generator.errors import SkillpressError

_TOP: Final = b"package/"
_FIRST: Final = b"package/package.json"
_BLOCK: Final = 512
_NAME: Final = 100
_PREFIX: Final = 155
_MODE: Final = b"0000644\0"
_PROGRAM_MODE: Final = b"0000755\0"
_LARGEST: Final = 8**11 - 1
_STORED: Final = 0xFFFF
_GZIP: Final = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"  # deflate, no flags, no time, no level, no system


class TarballError(SkillpressError):
    """Files that fit no tarball."""


@dataclass(frozen=True, slots=True)
class Tarball:
    """What a registry says of a tarball: ``integrity`` as npm writes it, ``shasum`` for npm before 5, bytes."""

    integrity: str
    shasum: str
    size: int


def digest_tarball(data: bytes) -> Tarball:
    """The identities of a tarball."""
    digest = base64.b64encode(sha512(data).digest()).decode("ascii")
    return Tarball(f"sha512-{digest}", sha1(data, usedforsecurity=False).hexdigest(), len(data))


def pack_tarball(members: Iterable[tuple[str, bytes]], executables: Collection[str] = ()) -> bytes:
    """The tarball of these paths and contents, below ``package/``: the same bytes in any order, on any machine.

    ``package.json`` comes first, the others by the bytes of their paths: npm 11.19 may leave behind what it still
    writes when the digest at the end turns out wrong, and Claude Code 2.1.197 takes a left ``package.json`` of the
    right version for a package that was checked. Files have mode 0644, those of the paths in ``executables`` 0755, so
    that a hook finds its program; the time is 0, and npm makes the folders.

    Raises :class:`TarballError` for two members of one path and for one of 8 GiB.
    """
    named = sorted(((_TOP + path.encode("utf-8"), data) for path, data in members), key=_place)
    for (before, _), (name, _) in pairwise(named):
        if before == name:
            raise TarballError(f"two files have the path {name.decode()!r}; a package holds each path once")
    blocks: list[bytes] = []
    programs = {_TOP + path.encode("utf-8") for path in executables}
    for name, data in named:
        mode = _PROGRAM_MODE if name in programs else _MODE
        blocks += (*_headers(name, len(data), mode), data, _padding(len(data)))
    blocks.append(bytes(2 * _BLOCK))
    return _frame(b"".join(blocks))


def _place(member: tuple[bytes, bytes]) -> tuple[bool, bytes]:
    return member[0] != _FIRST, member[0]


def _headers(name: bytes, size: int, mode: bytes) -> Iterable[bytes]:
    if size > _LARGEST:
        raise TarballError(f"{name.decode()!r} has {size:,} bytes; a file of a tarball holds less than 8 GiB")
    fitting = _fit(name)
    if fitting is None:
        record = _pax_record(b"path", name)
        yield from (_header(b"PaxHeader", b"", len(record), b"x", _MODE), record, _padding(len(record)))
        fitting = name[:_NAME], b""
    yield _header(*fitting, size, b"0", mode)


def _fit(name: bytes) -> tuple[bytes, bytes] | None:
    """The name and the prefix of a header; None where no slash divides it so that both fit."""
    if len(name) <= _NAME:
        return name, b""
    slash = name.find(b"/", len(name) - _NAME - 1, _PREFIX + 1)
    return None if slash <= 0 else (name[slash + 1 :], name[:slash])


def _header(name: bytes, prefix: bytes, size: int, kind: bytes, mode: bytes) -> bytes:
    before = b"%b%b%b%b%011o\0%011o\0" % (
        name.ljust(_NAME, b"\0"),
        mode,
        b"0000000\0",
        b"0000000\0",
        size,
        0,
    )
    after = b"%b%b%b%b" % (kind, bytes(_NAME), b"ustar\x0000", bytes(80) + prefix.ljust(_PREFIX + 12, b"\0"))
    total = sum(before) + sum(after) + 8 * ord(" ")
    return b"%b%06o\0 %b" % (before, total, after)


def _pax_record(key: bytes, value: bytes) -> bytes:
    rest = b" %b=%b\n" % (key, value)
    length = len(rest)
    while len(b"%d" % length) + len(rest) != length:
        length = len(b"%d" % length) + len(rest)
    return b"%d%b" % (length, rest)


def _padding(size: int) -> bytes:
    return bytes(-size % _BLOCK)


def _frame(data: bytes) -> bytes:
    pieces = [_GZIP]
    for at in range(0, len(data), _STORED):
        part = data[at : at + _STORED]
        last = at + _STORED >= len(data)
        pieces += (struct.pack("<BHH", last, len(part), len(part) ^ 0xFFFF), part)
    pieces.append(struct.pack("<II", crc32(data), len(data) & 0xFFFFFFFF))
    return b"".join(pieces)
