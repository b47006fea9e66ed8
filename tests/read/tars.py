"""Tars made block by block, so that each may lie in one way."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, replace

from tests.read.zips import SKILL

BLOCK = 512
END = bytes(2 * BLOCK)
POSIX, GNU = b"ustar\x0000", b"ustar  \x00"


@dataclass(frozen=True)
class Part:
    """One header and what follows it; everything but name and data is what an honest program would write.

    ``size`` is written as given; ``filling`` follows the data up to the next block.
    """

    name: bytes
    data: bytes = b""
    kind: bytes = b"0"
    mode: bytes = b"0000644\0"
    size: bytes | None = None
    magic: bytes = POSIX
    prefix: bytes = b""
    tail: bytes = b""
    target: bytes = b""
    checksum: bytes | None = None
    filling: bytes = b"\0"

    def pack(self) -> bytes:
        size = b"%011o\0" % len(self.data) if self.size is None else self.size
        head = bytearray(BLOCK)
        for start, value in (
            (0, self.name), (100, self.mode), (108, b"0000000\0" * 2), (124, size), (136, b"00000000000\0"),
            (148, b" " * 8), (156, self.kind), (157, self.target), (257, self.magic), (345, self.prefix),
            (500, self.tail),
        ):  # fmt: skip
            head[start : start + len(value)] = value
        head[148:156] = b"%06o\0 " % sum(head) if self.checksum is None else self.checksum
        return bytes(head) + self.data + self.filling * (-len(self.data) % BLOCK)


def make_tar(*parts: Part, end: bytes = END) -> bytes:
    return b"".join(part.pack() for part in parts) + end


def skill(**changes: object) -> Part:
    """The entry SKILL.md, with changes."""
    return replace(Part(b"SKILL.md", SKILL), **changes)  # type: ignore[arg-type]


def record(key: bytes, value: bytes) -> bytes:
    """One record of a POSIX extended header, which counts its own length."""
    rest = len(b" %s=%s\n" % (key, value))
    length = next(n for n in range(rest, rest + 9) if n == rest + len(str(n)))
    return b"%d %s=%s\n" % (length, key, value)


def pax(*records: tuple[bytes, bytes], kind: bytes = b"x", raw: bytes | None = None) -> Part:
    content = b"".join(record(*one) for one in records) if raw is None else raw
    return Part(b"PaxHeaders/SKILL.md", content, kind)


def long_name(name: bytes, kind: bytes = b"L") -> Part:
    return Part(b"././@LongLink", name, kind, magic=GNU)


def packed(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)
