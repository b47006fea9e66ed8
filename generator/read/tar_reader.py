"""The entries of somebody else's tar, plain or gzipped, read as strictly as zips are.

Nothing is written to disk. The rules are those of ``security.md`` section 4, translated: POSIX or GNU headers with
true checksums, each entry named and sized in one way, only regular files and folders, no sparse or multi-volume
forms, zeros alone as filling, one end and nothing behind it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from generator.findings import finding
from generator.model import Finding
from generator.read.package import Limits
from generator.read.paths import printable
from generator.read.tarbytes import TarBytes
from generator.read.tarheaders import (
    BLOCK,
    LONGEST_EXTENSION,
    TAR_AGAIN,
    ZEROS,
    Extension,
    Header,
    decode,
    parse_header,
    parse_long_name,
    parse_pax,
)
from generator.read.zipdirectory import RefusedError
from generator.read.zipentries import Entries, Entry

_FILES: Final = (b"0", b"\0")
_FOLDER: Final = b"5"
_LINKS: Final = (b"1", b"2")
_SPECIAL: Final = (b"3", b"4", b"6")
_EXTENSIONS: Final = (b"x", b"g", b"L", b"K")
_SET_IDS: Final = 0o6000


def read_tar(data: bytes, limits: Limits) -> Entries:
    """The files of a tar or gzipped tar, in memory; never raises for what the bytes hold.

    ``limits`` are those of the whole archive. Names lose a leading ``./``, which ``tar .`` writes. The archive is
    refused (``entries`` is None) at the first thing that makes it ambiguous or too large.
    """
    reader = _Reader(limits)
    try:
        reader.read(TarBytes(data))
    except RefusedError as refused:
        return Entries(None, (), (*reader.notes, refused.finding))
    return Entries(tuple(reader.entries), tuple(reader.folders), tuple(reader.notes))


@dataclass(slots=True)
class _Pending:
    """What extended headers said of the next entry."""

    pax: Extension | None = None
    long_name: bytes | None = None
    long_link: bool = False

    def __bool__(self) -> bool:
        return self.pax is not None or self.long_name is not None or self.long_link


@dataclass(slots=True)
class _Reader:
    """One pass over one archive; one use."""

    limits: Limits
    entries: list[Entry] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)
    _headers: int = 0
    _bytes: int = 0

    def read(self, source: TarBytes) -> None:
        pending = _Pending()
        while (block := source.take(BLOCK)) != ZEROS:
            header = parse_header(block)
            self._count(header)
            content = _content(source, header) if header.kind in (*_FILES, *_EXTENSIONS) else b""
            if header.kind in _EXTENSIONS:
                self._extend(pending, header, content)
                continue
            self._add(_named(header, pending), content)
            pending = _Pending()
        if pending:
            raise _mismatch("", "The archive ends with an extended header that belongs to no entry")
        if source.take(BLOCK) != ZEROS:
            message = "There are bytes after the end of the archive"
            raise RefusedError("archive-extra-data", "", message, TAR_AGAIN)
        source.finish()

    def _count(self, header: Header) -> None:
        """Refuse what is over the limits before its content is unpacked."""
        self._headers += 1
        shown = printable(header.name)
        fix = "Remove files that the skill does not need."
        # An honest entry has at most three extended headers.
        if self._headers > 4 * self.limits.max_files or len(self.entries) > self.limits.max_files:
            message = f"The archive has over {self.limits.max_files:,} entries, which is the limit"
            raise RefusedError("package-too-many-files", "", message, fix)
        if header.kind in _EXTENSIONS and header.size > LONGEST_EXTENSION:
            raise _mismatch(header.name, f"{shown} has an extended header of {header.size:,} bytes")
        if header.size > self.limits.max_file_bytes:
            message = f"The file has {header.size:,} bytes; the limit is {self.limits.max_file_bytes:,}"
            raise RefusedError("package-file-too-large", header.name, message, "Shrink it or link to it.")
        self._bytes += header.size
        if self._bytes > self.limits.max_package_bytes:
            message = (
                f"The archive unpacks to over {self.limits.max_package_bytes:,} bytes, which is the limit"
            )
            raise RefusedError("package-too-large", "", message, fix)

    def _extend(self, pending: _Pending, header: Header, content: bytes) -> None:
        name = header.name
        twice = _mismatch(name, f"{printable(name)} is named or described twice before it begins")
        if header.kind == b"g":
            if pending:
                raise twice
            parse_pax(content, name, for_all=True)
        elif header.kind == b"x":
            if pending.pax is not None or pending.long_name is not None:
                raise twice
            pending.pax = parse_pax(content, name, for_all=False)
        elif header.kind == b"L":
            if pending.pax is not None or pending.long_name is not None:
                raise twice
            pending.long_name = parse_long_name(content, name)
        else:
            # Where a link leads matters to nobody: links are left out.
            if pending.long_link:
                raise twice
            pending.long_link = True

    def _add(self, header: Header, content: bytes) -> None:
        name, kind = header.name, header.kind
        is_folder = kind == _FOLDER or (kind in _FILES and name.endswith("/"))
        if kind not in _FILES and header.size:
            # Some programs skip a content here and some read it as the next header.
            raise _mismatch(name, f"{printable(name)} is no file and yet has {header.size:,} bytes")
        if kind not in (*_FILES, _FOLDER, *_LINKS, *_SPECIAL):
            message = f"{printable(name)} is of a kind ({printable(decode(kind))}) that few programs know"
            raise RefusedError("archive-unsupported", name, message, TAR_AGAIN)
        if kind in _FILES and is_folder and content:
            raise _mismatch(name, f"{printable(name)} is named as a folder and has a content")
        plain = name.removeprefix("./").rstrip("/") if is_folder else name.removeprefix("./")
        if is_folder and plain in ("", "."):
            return
        if plain in self._seen:
            message = f"{printable(plain)} is there more than once"
            fix = "Pack the skill again with each file once."
            raise RefusedError("archive-duplicate-entry", plain, message, fix)
        self._seen.add(plain)
        shown = printable(plain)
        if kind in _LINKS:
            what = "a hard link" if kind == b"1" else "a symbolic link"
            message = f"{shown} is {what} and is left out"
            self.notes.append(finding("archive-link", shown, message, "Put a regular file in its place."))
        elif kind in _SPECIAL or (not is_folder and header.mode & _SET_IDS):
            message = f"{shown} is neither a plain file nor a folder and is left out"
            fix = "Remove the entry and pack again."
            self.notes.append(finding("archive-special-entry", shown, message, fix))
        elif is_folder:
            self.folders.append(plain)
        else:
            self.entries.append(Entry(plain, content, bool(header.mode & 0o111)))


def _content(source: TarBytes, header: Header) -> bytes:
    content = source.take(header.size)
    if source.take(-header.size % BLOCK).strip(b"\0"):
        message = f"The filling behind {printable(header.name)} is not empty"
        raise RefusedError("archive-extra-data", header.name, message, TAR_AGAIN)
    return content


def _named(header: Header, pending: _Pending) -> Header:
    """The header with the name that the extended headers before it give."""
    pax, raw = pending.pax or Extension(), header.raw
    if pax.size is not None and pax.size != header.size:
        raise _mismatch(header.name, f"{printable(header.name)} has two sizes")
    if pax.path is not None:
        raw = pax.path
    elif pending.long_name is not None:
        raw = pending.long_name
    return Header(raw, header.kind, header.size, header.mode)


def _mismatch(name: str, message: str) -> RefusedError:
    return RefusedError("archive-header-mismatch", name, message, TAR_AGAIN)
