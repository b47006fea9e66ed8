"""The entries of somebody else's zip, read strictly: what two programs could read in two ways is refused.

Nothing is written to disk and no member is looked up by name. The rules are those of ``security.md`` section
4: one directory exactly at the end, every entry described alike in both places, entries side by side without
gap or overlap (:mod:`generator.read.zipdirectory`), plain or deflated, regular files and folders only, sizes
and checksums true.
"""

from __future__ import annotations

import stat
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from generator.findings import finding
from generator.model import Finding
from generator.read.package import Limits
from generator.read.paths import printable
from generator.read.zipdirectory import (
    ENCRYPTED,
    PACK_AGAIN,
    Record,
    RefusedError,
    find_spans,
    read_directory,
)

MAX_RATIO: Final = 100
"""Most times that an entry may grow when it is unpacked."""
_RATIO_FREE_BYTES: Final = 1024
"""Entries up to this size may grow as they like: a short text of one letter is no attack."""

_STORED, _DEFLATED = 0, 8


@dataclass(frozen=True, slots=True)
class Entry:
    """A regular file of an archive. ``name`` is as written: it may be unsafe, or hold surrogate escapes."""

    name: str
    data: bytes
    executable: bool


@dataclass(frozen=True, slots=True)
class Entries:
    """What an archive holds, in its own order, and what is wrong with it.

    ``entries`` is None where the archive must not be used at all. Paths of ``findings`` are entry names made
    printable, ``""`` for the archive itself. ``folders`` are the names of its folder entries, without ``/``.
    """

    entries: tuple[Entry, ...] | None
    folders: tuple[str, ...]
    findings: tuple[Finding, ...]


def read_entries(data: bytes, limits: Limits) -> Entries:
    """The files of a zip, unpacked in memory; never raises for what the bytes hold."""
    notes: list[Finding] = []
    try:
        records = list(read_directory(data, 2 * limits.max_files, notes))
    except RefusedError as refused:
        return Entries(None, (), (*notes, refused.finding))
    refusals = [*_limit_problems(records, limits), *_record_problems(records)]
    spans, span_problems = find_spans(data, records)
    refusals.extend(span_problems)
    if refusals:
        return Entries(None, (), (*notes, *refusals))
    entries: list[Entry] = []
    folders: list[str] = []
    for record, content in zip(records, spans, strict=True):
        problem = _kind_problem(record)
        if problem is not None:
            notes.append(problem)
            continue
        if record.is_folder:
            folders.append(record.name[:-1])
            continue
        try:
            unpacked = _unpack(record, data[content : content + record.packed])
        except RefusedError as refused:
            refusals.append(refused.finding)
            continue
        if record.size > _RATIO_FREE_BYTES and record.size > MAX_RATIO * record.packed:
            notes.append(_ratio(record))
        entries.append(Entry(record.name, unpacked, bool(record.mode & 0o111)))
    if refusals:
        return Entries(None, (), (*notes, *refusals))
    return Entries(tuple(entries), tuple(folders), tuple(notes))


def _limit_problems(records: list[Record], limits: Limits) -> Iterator[Finding]:
    files = [record for record in records if not record.is_folder]
    if len(files) > limits.max_files:
        message = f"The archive has {len(files):,} files; the limit is {limits.max_files:,}"
        fix = "Remove files that the skill does not need."
        yield finding("package-too-many-files", "", message, fix)
    for record in records:
        if record.size > limits.max_file_bytes:
            message = f"The file has {record.size:,} bytes; the limit is {limits.max_file_bytes:,}"
            yield finding(
                "package-file-too-large", printable(record.name), message, "Shrink it or link to it."
            )
    if sum(record.size for record in records) > limits.max_package_bytes:
        message = f"The archive unpacks to over {limits.max_package_bytes:,} bytes, which is the limit"
        yield finding("package-too-large", "", message, "Remove files that the skill does not need.")


def _record_problems(records: list[Record]) -> Iterator[Finding]:
    seen: set[bytes] = set()
    for record in records:
        shown = printable(record.name)
        if record.flags & ENCRYPTED:
            fix = "Pack the skill again without a password."
            yield finding("archive-encrypted", shown, f"{shown} is encrypted", fix)
        if record.method not in (_STORED, _DEFLATED):
            message = f"{shown} is compressed with method {record.method}, which few programs know"
            yield finding("archive-unsupported", shown, message, PACK_AGAIN)
        if record.raw in seen:
            message = f"{shown} is there more than once"
            yield finding(
                "archive-duplicate-entry", shown, message, "Pack the skill again with each file once."
            )
        seen.add(record.raw)


def _kind_problem(record: Record) -> Finding | None:
    """Why an entry is left out although the archive can be used, or None."""
    shown = printable(record.name)
    kind = stat.S_IFMT(record.mode)
    if kind == stat.S_IFLNK:
        message = f"{shown} is a symbolic link and is left out"
        return finding("archive-link", shown, message, "Put a regular file in its place.")
    expected = stat.S_IFDIR if record.is_folder else stat.S_IFREG
    odd = kind not in (0, expected) or record.mode & (stat.S_ISUID | stat.S_ISGID)
    if odd or (record.is_folder and record.size):
        message = f"{shown} is neither a plain file nor a folder and is left out"
        return finding("archive-special-entry", shown, message, "Remove the entry and pack again.")
    return None


def _unpack(record: Record, packed: bytes) -> bytes:
    shown = printable(record.name)
    if record.method == _STORED:
        content, rest = packed, b""
    else:
        stream = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            # One byte more than promised is enough to know that the promise is false.
            content = stream.decompress(packed, record.size + 1)
        except zlib.error:
            message = f"{shown} is damaged and cannot be unpacked"
            raise RefusedError("archive-content-mismatch", record.name, message) from None
        rest = stream.unused_data
        if not stream.eof and len(content) <= record.size:
            content += stream.flush(1)
    if len(content) != record.size or rest:
        message = f"{shown} does not unpack to the {record.size:,} bytes that the archive states"
        raise RefusedError("archive-content-mismatch", record.name, message)
    if zlib.crc32(content) != record.crc:
        message = f"{shown} does not have the checksum that the archive states"
        raise RefusedError("archive-content-mismatch", record.name, message)
    return content


def _ratio(record: Record) -> Finding:
    shown = printable(record.name)
    message = (
        f"{shown} unpacks from {record.packed:,} to {record.size:,} bytes, over {MAX_RATIO} times as much"
    )
    return finding(
        "archive-ratio", shown, message, "Remove the file, or pack the archive without compression."
    )
