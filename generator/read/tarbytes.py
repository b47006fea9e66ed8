"""The bytes of a tar archive one after another, unpacked on the way where it is gzipped; never more than asked for."""

from __future__ import annotations

import zlib
from typing import Final

from generator.read.tarheaders import TAR_AGAIN
from generator.read.zipdirectory import RefusedError
from generator.read.zipentries import MAX_RATIO

GZIP_SIGN: Final = b"\x1f\x8b"
_FREE_BYTES: Final = 2**20
"""A tar up to this size may grow as it likes: most of a small one is zeros."""
_CHUNK: Final = 64 * 1024
_MOST_PADDING: Final = 2**20
"""Zeros after the end: tar fills up to its record, of 10 kB unless told otherwise."""
_OTHER_SIGNS: Final = {
    b"BZh": "bzip2", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "zstd", b"\x1f\x9d": "compress",
    b"\x04\x22\x4d\x18": "lz4", b"LZIP": "lzip", b"PK\3\4": "zip", b"Rar!": "rar", b"7z\xbc\xaf": "7z",
}  # fmt: skip


class TarBytes:
    """Reads a tar from its start to its end; one use."""

    def __init__(self, data: bytes) -> None:
        for sign, kind in _OTHER_SIGNS.items():
            if data.startswith(sign):
                message = f"The archive is compressed with {kind}; only plain and gzipped tar files are read"
                raise RefusedError("archive-unsupported", "", message, "Pack it with tar and gzip.")
        self._data = data
        self._fed = 0
        self._made = 0
        # 31: with gzip's header and its checksum, which zlib then compares.
        self._stream = zlib.decompressobj(31) if data.startswith(GZIP_SIGN) else None
        self._held = bytearray()

    def take(self, size: int) -> bytes:
        """Exactly ``size`` bytes. Raises :class:`RefusedError` where there are not so many, or they are damaged."""
        while len(self._held) < size:
            more = self._more(size - len(self._held))
            if not more:
                raise RefusedError("archive-unreadable", "", "The archive is cut off", TAR_AGAIN)
            self._held += more
        taken = bytes(memoryview(self._held)[:size])
        del self._held[:size]
        return taken

    def finish(self) -> None:
        """Check that nothing but zeros follows, and that the gzip stream is whole and the only one."""
        padding = 0
        # Asked once more even where nothing is left: only then does zlib compare gzip's checksum.
        rest = bytes(self._held) or self._more(_CHUNK)
        while rest:
            padding += len(rest)
            if rest.strip(b"\0") or padding > _MOST_PADDING:
                message = "There are bytes after the end of the archive"
                raise RefusedError("archive-extra-data", "", message, TAR_AGAIN)
            rest = self._more(_CHUNK)
        if self._stream is None:
            return
        if not self._stream.eof:
            raise RefusedError("archive-unreadable", "", "The archive's gzip stream is cut off", TAR_AGAIN)
        if self._stream.unused_data or self._fed < len(self._data):
            message = "Bytes, or another gzip stream, follow the archive's gzip stream"
            raise RefusedError("archive-extra-data", "", message, TAR_AGAIN)

    def _more(self, wanted: int) -> bytes:
        """Some more bytes, at most ``wanted`` or one chunk; none at the end."""
        if self._stream is None:
            start, self._fed = self._fed, min(len(self._data), self._fed + wanted)
            return self._data[start : self._fed]
        made, tail = b"", b"more"
        while not made and tail and not self._stream.eof:
            tail = self._stream.unconsumed_tail
            if not tail:
                # With nothing left to feed, zlib may still hold something back from the last time.
                tail = self._data[self._fed : self._fed + _CHUNK]
                self._fed += len(tail)
            try:
                made = self._stream.decompress(tail, min(wanted, _CHUNK))
            except zlib.error:
                message = "The archive's gzip stream is damaged"
                raise RefusedError("archive-content-mismatch", "", message, TAR_AGAIN) from None
        self._made += len(made)
        if self._made > _FREE_BYTES and self._made > MAX_RATIO * len(self._data):
            message = f"The archive unpacks to over {MAX_RATIO} times its {len(self._data):,} bytes"
            raise RefusedError(
                "archive-ratio", "", message, "Remove what makes it so even, or pack it as a plain tar."
            )
        return made
