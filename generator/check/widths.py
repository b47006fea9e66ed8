"""How wide text is on a terminal, and how a source line looks there."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final

from generator.visible import make_visible

TAB_STOP: Final = 4
_ELLIPSIS: Final = "…"
_BEFORE: Final = 24
"""Cells of context that a window keeps before the place it is about."""


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A source line as printed: ``text``, and the cells at which the marked part starts and how many it has."""

    text: str
    start: int
    cells: int


def cell_width(text: str) -> int:
    """Cells that printable text takes on a terminal."""
    return len(text) if text.isascii() else sum(_char_width(char) for char in text)


def show_line(line: str, column: int, length: int, room: int) -> ShownLine:
    """A line with the part from ``column`` (code points, from 1) of ``length`` marked, in ``room`` cells.

    Tabs become spaces and invisible characters escapes. A line that is too long is cut around the mark.
    """
    first = min(max(column - 1, 0), len(line))
    last = min(first + max(length, 1), len(line))
    # What is far outside the window need not be measured: a line may have a million characters.
    skipped = max(0, first - room)
    cut_after = len(line) > last + room
    pieces: list[str] = []
    at = 0
    start = end = 0
    for index, char in enumerate(line[skipped : last + room], skipped):
        if index == first:
            start = at
        if index == last:
            end = at
        piece = " " * (TAB_STOP - at % TAB_STOP) if char == "\t" else make_visible(char)
        pieces.append(piece)
        at += cell_width(piece)
    if first >= skipped + len(pieces):
        start = at
    if last >= skipped + len(pieces):
        end = at
    text = "".join(pieces)
    left = start - _BEFORE if skipped or at > room else 0
    text, start, end = _cut_left(text, start, end, left) if left > 0 or skipped else (text, start, end)
    text, end = _cut_right(text, end, room, more=cut_after)
    return ShownLine(text, start, max(1, end - start))


def _cut_left(text: str, start: int, end: int, cells: int) -> tuple[str, int, int]:
    gone = kept = 0
    while kept < len(text) and gone < cells:
        gone += _char_width(text[kept])
        kept += 1
    return _ELLIPSIS + text[kept:], start - gone + 1, end - gone + 1


def _cut_right(text: str, end: int, room: int, *, more: bool) -> tuple[str, int]:
    if not more and cell_width(text) <= room:
        return text, end
    at = 0
    for index, char in enumerate(text):
        if at + _char_width(char) > room - 1:
            return text[:index] + _ELLIPSIS, min(end, at + 1)
        at += _char_width(char)
    return text + _ELLIPSIS, end


def _char_width(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.category(char) in ("Mn", "Me") or "\u1160" <= char <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
