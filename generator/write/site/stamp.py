"""Pages with slots: split once, then joined for every skill."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_TOKEN = re.compile(rb"SKILLPRESS_[A-Z]+(?:_[A-Z]+)*")


@dataclass(frozen=True, slots=True)
class Stamp:
    """A page cut at its slots: ``constants[0] slot[0] constants[1] slot[1] ... constants[-1]``.

    A slot's value is inserted as it is and never looked at again, so a value that happens to look like a
    slot stays text.
    """

    constants: tuple[bytes, ...]
    slots: tuple[str, ...]

    def fill(self, values: Mapping[str, bytes]) -> bytes:
        """The page with every slot filled. ``values`` are HTML already; a missing slot is a KeyError."""
        pieces = [self.constants[0]]
        for slot, constant in zip(self.slots, self.constants[1:], strict=True):
            pieces.append(values[slot])
            pieces.append(constant)
        return b"".join(pieces)


def split_stamp(html: bytes) -> Stamp:
    """Cut ``html`` at its ``SKILLPRESS_*`` words; the slot's name is the word without that prefix."""
    constants: list[bytes] = []
    slots: list[str] = []
    start = 0
    for match in _TOKEN.finditer(html):
        constants.append(html[start : match.start()])
        slots.append(match.group().removeprefix(b"SKILLPRESS_").decode())
        start = match.end()
    constants.append(html[start:])
    return Stamp(tuple(constants), tuple(slots))


def fill_known(html: bytes, values: Mapping[str, bytes]) -> bytes:
    """Replace the ``SKILLPRESS_*`` words that ``values`` names, in one pass; leave the others as slots."""

    def value(match: re.Match[bytes]) -> bytes:
        return values.get(match.group().removeprefix(b"SKILLPRESS_").decode(), match.group())

    return _TOKEN.sub(value, html)
