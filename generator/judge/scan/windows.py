"""Where a rule's patterns are tried: short pieces of text around its literals, at a bounded cost.

Everything here is linear in the file, whatever the file holds: a literal is found by a plain byte search, the
piece around it is at most :data:`LINE_LIMIT` bytes or the rule's span, and a package may
spend only so much on patterns altogether.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

LINE_LIMIT: Final = 4000
"""Bytes of one line that patterns see at once."""
WORK_LIMIT: Final = 1_500_000
"""Bytes times patterns that one package may cost. The dearest of 746 real packages cost 80,000."""
_OVERLAP: Final = 800


class WorkExceededError(Exception):
    """A package that would take too long: our deterministic time-out."""


class Budget:
    """What is left of a package's work limit."""

    __slots__ = ("left",)

    def __init__(self, left: int = WORK_LIMIT) -> None:
        self.left = left

    def spend(self, amount: int) -> None:
        """Take ``amount`` off; raises :class:`WorkExceededError` when nothing is left."""
        self.left -= amount
        if self.left < 0:
            raise WorkExceededError(f"more than {WORK_LIMIT:,} bytes of suspicious-looking text")


def find_windows(lowered: bytes, literal: bytes, span: int, first: int = 0) -> Iterator[tuple[int, int]]:
    """Start and end of each piece of ``lowered`` to examine because ``literal`` stands in it, in order.

    Nothing is looked for before ``first``.
    """
    at = lowered.find(literal, first)
    while at >= 0:
        if span:
            start, end = max(0, at - span), at + span + span // 2
            resume = at + max(len(literal), span // 2)
        else:
            start, end, cut = _line_around(lowered, at)
            # A line cut short goes on in the next piece, which overlaps so that no match falls between.
            resume = max(at + len(literal), end - _OVERLAP) if cut else end
        yield start, min(end, len(lowered))
        at = lowered.find(literal, resume)


def _line_around(text: bytes, at: int) -> tuple[int, int, bool]:
    half = LINE_LIMIT // 2
    floor = max(0, at - half)
    start = text.rfind(b"\n", floor, at) + 1 or floor
    end = text.find(b"\n", at, at + half)
    if end >= 0:
        return start, end, False
    return start, min(at + half, len(text)), at + half < len(text)
