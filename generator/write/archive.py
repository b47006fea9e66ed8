"""The archive of a release: a zip whose every byte depends on the files alone.

Flat, stored, sorted by the UTF-8 bytes of the path, dated 1980-01-01, made "by Unix" with mode 0644 or 0755,
no extra fields, no folder entries, no comment. Stored, because deflaters differ between machines, because
clients refuse high compression ratios, and because a file's bytes can then be served as a slice of the
archive. Written by hand (the standard library's ``zipfile`` is the oracle in the tests, byte for byte): it is
faster and tells where each file's bytes start. Format: PKWARE APPNOTE 6.3, sections 4.3.7, 4.3.12, 4.3.16.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import Final
from zlib import crc32

from generator.errors import SkillpressError
from generator.model import PackageFile, PackagePath, Sha256

# Shared by local and central headers: version, flags, method, time, date, crc, two sizes, name, extra.
_COMMON: Final = struct.Struct("<5H3I2H")
_LOCAL_SIGN: Final = b"PK\3\4"
_LOCAL_SIZE: Final = len(_LOCAL_SIGN) + _COMMON.size
# Comment length, disk, internal attributes, external attributes, offset of the local header.
_CENTRAL_TAIL: Final = struct.Struct("<3H2I")
_END: Final = struct.Struct("<4s4H2IH")
_VERSION: Final = 20  # 2.0: the lowest that every reader knows
# Made by 3, Unix, so that the mode counts.
_CENTRAL_SIGN: Final = b"PK\1\2" + bytes((_VERSION, 3))
_CENTRAL_SIZE: Final = len(_CENTRAL_SIGN) + _COMMON.size + _CENTRAL_TAIL.size
_UTF8_NAME: Final = 0x800
_DATE: Final = (1980 - 1980) << 9 | 1 << 5 | 1
_PLAIN: Final = 0o100644 << 16
_EXECUTABLE: Final = 0o100755 << 16
_MAX_FILES: Final = 0xFFFF - 1
_MAX_BYTES: Final = 0xFFFFFFFF - 1


class ArchiveError(SkillpressError):
    """Files that fit no plain zip, or bytes that are no archive of ours."""


@dataclass(frozen=True, slots=True)
class PackedArchive:
    """An archive, and for every path the offset in ``data`` at which that file's bytes start."""

    data: bytes
    offsets: Mapping[PackagePath, int]


def pack_archive(files: Sequence[PackageFile]) -> PackedArchive:
    """The archive of ``files``, the same bytes for the same files in any order, on any machine.

    Raises :class:`ArchiveError` for two files of one path and for more than a zip without zip64 can hold.
    """
    named = _sorted(files)
    if len(named) > _MAX_FILES or sum(len(f.data) + 2 * len(n) + 76 for n, f in named) + 22 > _MAX_BYTES:
        raise ArchiveError(
            f"an archive of {len(named)} files, the first {named[0][1].path!r}, is too large for a plain "
            "zip; keep a skill under 65,534 files and 4 GB"
        )
    body: list[bytes] = []
    central: list[bytes] = []
    offsets: dict[PackagePath, int] = {}
    at = 0
    for name, file in named:
        data = file.data
        size, checksum, length = len(data), crc32(data), len(name)
        flags = 0 if name.isascii() else _UTF8_NAME
        common = _COMMON.pack(_VERSION, flags, 0, 0, _DATE, checksum, size, size, length, 0)
        mode = _EXECUTABLE if file.executable else _PLAIN
        central += (_CENTRAL_SIGN, common, _CENTRAL_TAIL.pack(0, 0, 0, mode, at), name)
        body += (_LOCAL_SIGN, common, name, data)
        at += _LOCAL_SIZE + length
        offsets[file.path] = at
        at += size
    directory = b"".join(central)
    count = len(named)
    body += (directory, _END.pack(b"PK\5\6", 0, 0, count, count, len(directory), at, 0))
    return PackedArchive(b"".join(body), offsets)


def read_archive(data: bytes) -> tuple[PackageFile, ...]:
    """The files of an archive that :func:`pack_archive` wrote, sorted by path (code points).

    Raises :class:`ArchiveError` for anything that is not byte for byte what ``pack_archive`` makes of the
    same files, and for paths that would leave a folder. It is no reader for other people's zips.
    """
    try:
        files = tuple(sorted(_read_files(data), key=lambda file: file.path))
        same = pack_archive(files).data == data
    except (struct.error, IndexError, UnicodeError, ArchiveError):
        same = False
    if not same:
        raise ArchiveError(
            "this zip was not written by Skillpress, or was changed since; restore it from a copy of the hub"
        )
    return files


def _sorted(files: Sequence[PackageFile]) -> list[tuple[bytes, PackageFile]]:
    named = sorted(((file.path.encode("utf-8"), file) for file in files), key=lambda pair: pair[0])
    for (before, _), (name, file) in pairwise(named):
        if before == name:
            raise ArchiveError(f"two files have the path {file.path!r}; a package holds each path once")
    return named


def _read_files(data: bytes) -> list[PackageFile]:
    _, _, _, count, _, _, at, _ = _END.unpack(data[-_END.size :])
    files = []
    for _ in range(count):
        common = _COMMON.unpack_from(data, at + len(_CENTRAL_SIGN))
        size, length = common[7], common[8]
        *_, mode, local = _CENTRAL_TAIL.unpack_from(data, at + _CENTRAL_SIZE - _CENTRAL_TAIL.size)
        at += _CENTRAL_SIZE
        path = data[at : at + length].decode("utf-8")
        at += length
        if "\\" in path or any(part in ("", ".", "..") for part in path.split("/")):
            raise ArchiveError(f"the path {path!r} is not safe")
        start = local + _LOCAL_SIZE + length
        content = data[start : start + size]
        digest = Sha256(sha256(content).hexdigest())
        files.append(PackageFile(PackagePath(path), content, digest, mode == _EXECUTABLE))
    return files
