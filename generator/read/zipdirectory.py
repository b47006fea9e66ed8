"""Where the entries of somebody else's zip lie: its directory, and each entry's own header beside it.

One directory exactly at the end, every entry described alike in both places, entries side by side without
gap or overlap; anything else is refused. Format: PKWARE APPNOTE 6.3, sections 4.3.7, 4.3.9, 4.3.12, 4.3.16
and 4.4.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from generator.findings import finding
from generator.model import Finding
from generator.read.paths import printable

PACK_AGAIN: Final = "Pack the skill's folder again with an ordinary zip program."
ENCRYPTED: Final = 0x1 | 0x40 | 0x2000
"""Flags of an entry that is encrypted, in any of three ways."""

_LOCAL: Final = struct.Struct("<4s5H3I2H")
_CENTRAL: Final = struct.Struct("<4s6H3I5H2I")
_END: Final = struct.Struct("<4s4H2IH")
_DESCRIPTOR: Final = struct.Struct("<3I")
_DESCRIPTOR_SIGN: Final = b"PK\7\x08"
_END_SIGN: Final = b"PK\5\6"
_ZIP64_LOCATOR: Final = b"PK\6\7"
_ZIP64_LOCATOR_SIZE: Final = 20
_LONGEST_COMMENT: Final = 0xFFFF
_GIT_COMMENT: Final = re.compile(rb"[0-9a-f]{40}")
_DESCRIBED_LATER: Final = 0x8
_UTF8: Final = 0x800
_NEWEST_VERSION: Final = 63
_UNICODE_PATH: Final = 0x7075
_ZIP64_EXTRA: Final = 1


class RefusedError(Exception):
    """The archive cannot be used; carries the finding that says why."""

    def __init__(self, code: str, name: str, message: str, fix: str = PACK_AGAIN) -> None:
        super().__init__(message)
        self.finding = finding(code, printable(name), message, fix)


@dataclass(frozen=True, slots=True)
class Record:
    """One line of the directory."""

    raw: bytes
    name: str
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    mode: int
    start: int

    @property
    def is_folder(self) -> bool:
        return self.raw.endswith(b"/")


def read_directory(data: bytes, most: int, notes: list[Finding]) -> Iterator[Record]:
    """The lines of the directory in its own order; what is no reason to refuse the archive goes into ``notes``.

    Raises :class:`RefusedError` where the directory cannot be trusted, and at the first line over ``most``.
    """
    at, end, count = _find_directory(data)
    while at < end:
        if most == 0:
            message = "The archive has far more entries than a skill may have files"
            fix = "Remove files that the skill does not need."
            raise RefusedError("package-too-many-files", "", message, fix)
        most -= 1
        if end - at < _CENTRAL.size:
            raise RefusedError("archive-unreadable", "", "The archive's directory is cut off")
        (sign, _, needed, flags, method, _, _, crc, packed, size, named, extra, comment, disk, _, mode, start) = (
            _CENTRAL.unpack_from(data, at)
        )  # fmt: skip
        after = at + _CENTRAL.size + named + extra + comment
        if sign != b"PK\1\2" or after > end:
            raise RefusedError("archive-unreadable", "", "The archive's directory is damaged")
        raw = data[at + _CENTRAL.size : at + _CENTRAL.size + named]
        name = _name_of(raw, flags, notes)
        extras = data[at + _CENTRAL.size + named : at + _CENTRAL.size + named + extra]
        _check_version(needed, name)
        fields = _extra_fields(extras, name)
        if disk or 0xFFFFFFFF in (packed, size, start) or any(kind == _ZIP64_EXTRA for kind, _ in fields):
            raise RefusedError(
                "archive-unsupported", name, f"{printable(name)} uses zip64 or lies in another part"
            )
        _check_second_names(fields, raw, name)
        yield Record(raw, name, flags, method, crc, packed, size, mode >> 16, start)
        count -= 1
        at = after
    if count:
        raise RefusedError("archive-unreadable", "", "The archive's directory has another number of entries")


def _find_directory(data: bytes) -> tuple[int, int, int]:
    """Where the directory starts and ends, and how many entries it claims."""
    at = data.rfind(_END_SIGN, max(0, len(data) - _END.size - _LONGEST_COMMENT))
    if at < 0 or len(data) - at < _END.size:
        raise RefusedError("archive-unreadable", "", "The file has no zip directory at its end")
    _, disk, first_disk, here, count, size, start, commented = _END.unpack_from(data, at)
    locator = data[max(0, at - _ZIP64_LOCATOR_SIZE) : at]
    if (
        disk or first_disk or here != count or count == 0xFFFF
        or 0xFFFFFFFF in (size, start) or locator.startswith(_ZIP64_LOCATOR)
    ):  # fmt: skip
        raise RefusedError("archive-unsupported", "", "The archive uses zip64 or is one of several parts")
    comment = data[at + _END.size :]
    if len(comment) != commented:
        message = (
            f"{abs(len(comment) - commented):,} bytes follow the end of the archive, or are missing there"
        )
        raise RefusedError("archive-extra-data", "", message)
    # What `git archive` leaves: the commit. Anything else could be another archive.
    if comment and not _GIT_COMMENT.fullmatch(comment):
        message = f"The archive carries a comment of {len(comment):,} bytes"
        raise RefusedError("archive-extra-data", "", message, "Pack it again without a comment.")
    if start + size != at:
        message = "There are bytes before the archive's start, or between its directory and its end"
        raise RefusedError("archive-extra-data", "", message)
    return start, at, count


def _name_of(raw: bytes, flags: int, notes: list[Finding]) -> str:
    name = _decode(raw)
    if not flags & _UTF8 and not raw.isascii() and not any("\ud800" <= c <= "\udfff" for c in name):
        message = f"{printable(name)} is not marked as UTF-8"
        fix = "Pack again with a program that marks UTF-8 names, or use ASCII names."
        notes.append(finding("archive-name-encoding", printable(name), message, fix))
    return name


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _check_version(needed: int, name: str) -> None:
    """Raises :class:`RefusedError` where an entry asks for a newer program than there is (APPNOTE 4.4.3)."""
    if needed & 0xFF > _NEWEST_VERSION:
        message = f"{printable(name)} asks for version {(needed & 0xFF) / 10} of zip, which no program knows"
        raise RefusedError("archive-unsupported", name, message)


def _extra_fields(extras: bytes, name: str) -> list[tuple[int, bytes]]:
    """Kind and content of each extra field of an entry; up to three bytes after the last one are padding.

    Raises :class:`RefusedError` where a field ends after them all: some programs then refuse the archive, others
    read what is left.
    """
    fields: list[tuple[int, bytes]] = []
    at = 0
    while at + 4 <= len(extras):
        kind, size = struct.unpack_from("<2H", extras, at)
        at += 4 + size
        if at > len(extras):
            raise RefusedError("archive-unreadable", name, f"An extra field of {printable(name)} is cut off")
        fields.append((kind, extras[at - size : at]))
    return fields


def _check_second_names(fields: list[tuple[int, bytes]], raw: bytes, name: str) -> None:
    """Raises :class:`RefusedError` where a Unicode path is another one than the entry's own name."""
    for kind, content in fields:
        if kind == _UNICODE_PATH and content[5:] != raw:
            message = f"{printable(name)} carries a second name, {printable(_decode(content[5:]))}"
            raise RefusedError("archive-header-mismatch", name, message)


def find_spans(data: bytes, records: list[Record]) -> tuple[list[int], list[Finding]]:
    """Where each record's content starts, and every problem of the entries' own headers.

    The entries must fill the bytes from the start to the directory, each beginning where another ended.
    """
    starts = [0] * len(records)
    problems: list[Finding] = []
    at = 0
    directory = _find_directory(data)[0]
    for index in sorted(range(len(records)), key=lambda index: records[index].start):
        record = records[index]
        shown = printable(record.name)
        if record.start < at:
            message = f"{shown} overlaps another entry"
            problems.append(finding("archive-overlap", shown, message, PACK_AGAIN))
            return starts, problems
        if record.start > at:
            message = f"{record.start - at:,} bytes before {shown} belong to no entry"
            problems.append(finding("archive-extra-data", shown, message, PACK_AGAIN))
        try:
            starts[index], at = _match_header(data, record, directory)
        except RefusedError as refused:
            # Where this entry ends is unknown, so nothing can be said of the next ones.
            return starts, [*problems, refused.finding]
    if at != directory:
        message = f"{abs(directory - at):,} bytes before the directory belong to no entry"
        problems.append(finding("archive-extra-data", "", message, PACK_AGAIN))
    return starts, problems


def _match_header(data: bytes, record: Record, directory: int) -> tuple[int, int]:
    """Start of the content and end of the entry, once its own header says what the directory says."""
    shown = printable(record.name)
    if record.start + _LOCAL.size > directory:
        raise RefusedError("archive-unreadable", record.name, f"{shown} lies outside the archive")
    sign, needed, flags, method, _, _, crc, packed, size, named, extra = _LOCAL.unpack_from(
        data, record.start
    )
    if sign != b"PK\3\4":
        raise RefusedError("archive-unreadable", record.name, f"{shown} has no header of its own")
    _check_version(needed, record.name)
    start = record.start + _LOCAL.size + named + extra
    raw = data[record.start + _LOCAL.size : record.start + _LOCAL.size + named]
    if raw != record.raw:
        message = f"{shown} is called {printable(_decode(raw))} in its own header"
        raise RefusedError("archive-header-mismatch", record.name, message)
    _check_second_names(_extra_fields(data[start - extra : start], record.name), raw, record.name)
    told, known = (crc, packed, size), (record.crc, record.packed, record.size)
    later = bool(flags & _DESCRIBED_LATER)
    same_kind = (
        method == record.method and (flags ^ record.flags) & (ENCRYPTED | _DESCRIBED_LATER | _UTF8) == 0
    )
    # Before a descriptor each of the three may still be 0.
    fits = all(a == b or (later and a == 0) for a, b in zip(told, known, strict=True))
    if not same_kind or not fits:
        message = f"{shown} has other sizes, checksum or flags in its own header than in the directory"
        raise RefusedError("archive-header-mismatch", record.name, message)
    end = start + record.packed
    if later:
        expected = _DESCRIPTOR.pack(*known)
        for descriptor in (_DESCRIPTOR_SIGN + expected, expected):
            if data.startswith(descriptor, end):
                end += len(descriptor)
                break
        else:
            message = f"{shown} is followed by other sizes or another checksum than the directory's"
            raise RefusedError("archive-header-mismatch", record.name, message)
    if end > directory:
        raise RefusedError("archive-unreadable", record.name, f"{shown} is cut off")
    return start, end
