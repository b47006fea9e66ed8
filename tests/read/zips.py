"""Zips made byte by byte, so that each may lie in one way."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field, replace

SKILL = b"---\nname: pdf\ndescription: Reads PDF files. Use when one must be read.\n---\n\nRead it.\n"


@dataclass(frozen=True)
class Member:
    """One entry; everything but name and data is what an honest program would write unless said otherwise.

    ``local`` overrides fields of the entry's own header (``name``, ``crc``, ``packed``, ``size``, ``flags``,
    ``method``, ``needs``); ``stored`` are the bytes that really lie there; ``after`` follows them.
    """

    name: bytes
    data: bytes = b""
    method: int = 8
    flags: int = 0
    needs: int = 20
    mode: int = 0o100644
    crc: int | None = None
    size: int | None = None
    packed: int | None = None
    extra: bytes = b""
    comment: bytes = b""
    disk: int = 0
    stored: bytes | None = None
    after: bytes = b""
    start: int | None = None
    local: dict[str, object] = field(default_factory=dict)


def deflate(data: bytes) -> bytes:
    stream = zlib.compressobj(9, zlib.DEFLATED, -15)
    return stream.compress(data) + stream.flush()


def make_zip(*members: Member, prefix: bytes = b"", gap: bytes = b"", comment: bytes = b"", tail: bytes = b"",
             count: int | None = None, shift: int = 0, disk: int = 0) -> bytes:  # fmt: skip
    body = bytearray(prefix)
    central = bytearray()
    for member in members:
        stored = member.stored
        if stored is None:
            stored = deflate(member.data) if member.method == 8 else member.data
        crc = zlib.crc32(member.data) if member.crc is None else member.crc
        size = len(member.data) if member.size is None else member.size
        packed = len(stored) if member.packed is None else member.packed
        told = {"name": member.name, "flags": member.flags, "method": member.method, "crc": crc,
                "packed": packed, "size": size, "extra": member.extra, "needs": member.needs,
                **member.local}  # fmt: skip
        start = len(body) if member.start is None else member.start
        body += struct.pack(
            "<4s5H3I2H", b"PK\3\4", told["needs"], told["flags"], told["method"], 0, 0x21, told["crc"], told["packed"],
            told["size"], len(told["name"]), len(told["extra"]),  # type: ignore[arg-type]
        ) + told["name"] + told["extra"] + stored + member.after  # type: ignore[operator]  # fmt: skip
        central += struct.pack(
            "<4s6H3I5H2I", b"PK\1\2", 0x0314, member.needs, member.flags, member.method, 0, 0x21, crc, packed, size,
            len(member.name), len(member.extra), len(member.comment), member.disk, 0, member.mode << 16, start,
        ) + member.name + member.extra + member.comment  # fmt: skip
    body += gap
    number = len(members) if count is None else count
    end = struct.pack(
        "<4s4H2IH", b"PK\5\6", disk, disk, number, number, len(central), len(body) + shift, len(comment)
    )
    return bytes(body + central + end + comment + tail)


def skill(**changes: object) -> Member:
    """The entry SKILL.md, with changes."""
    return replace(Member(b"SKILL.md", SKILL), **changes)  # type: ignore[arg-type]


def described_later(member: Member, *, signed: bool = True, lie: int = 0) -> Member:
    """The entry as a program writes it that cannot go back: zeros first, sizes behind the content."""
    stored = deflate(member.data) if member.method == 8 else member.data
    tail = struct.pack("<3I", zlib.crc32(member.data), len(stored), len(member.data) + lie)
    return replace(
        member,
        flags=member.flags | 8,
        after=(b"PK\7\x08" if signed else b"") + tail,
        local={"crc": 0, "packed": 0, "size": 0},
    )
