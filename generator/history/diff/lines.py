"""The difference of two texts by lines, in bounded time and space whatever the texts are.

Lines that stand once in each text are the anchors (patience diff), between them the shortest edit is looked
for (E. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986). Both stop at a number of steps, never
at a time, so the same texts give the same difference everywhere. What is left when the steps are used up is
shown as removed and added as a whole: coarser, but never wrong.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

CONTEXT: Final = 3
"""Equal lines shown before and after a change."""
MAX_LINE: Final = 400
"""Characters shown of a line; of a longer one those around its first difference."""
_LEAD: Final = 60
_MAX_EDITS: Final = 250
"""Edits between two anchors that are looked for; their number is squared in time and space."""


class Mark(StrEnum):
    """What became of a line."""

    SAME = " "
    REMOVED = "-"
    ADDED = "+"


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line without its line feed. ``before`` and ``after`` count its characters that are left out."""

    mark: Mark
    text: str
    before: int = 0
    after: int = 0


@dataclass(frozen=True, slots=True)
class Hunk:
    """Changed lines with their context. Numbers count from 1; ``hidden`` changed lines of it are not shown."""

    old_line: int
    old_count: int
    new_line: int
    new_count: int
    lines: tuple[DiffLine, ...]
    hidden: int = 0


@dataclass(frozen=True, slots=True)
class TextDiff:
    """The difference of two texts.

    ``removed`` and ``added`` count all changed lines, ``hidden`` those in hunks that are not shown at all.
    ``coarse`` is true where lines may be shown as changed that are equal in both. ``old_open`` and ``new_open``
    say which text does not end with a line feed.
    """

    hunks: tuple[Hunk, ...]
    removed: int
    added: int
    hidden: int = 0
    coarse: bool = False
    old_open: bool = False
    new_open: bool = False


@dataclass(slots=True)
class Room:
    """What the texts of one skill may still cost: steps of comparing, and lines that are shown.

    Removed and added lines have room of their own, so that the one cannot crowd out the other.
    """

    steps: int = 1_500_000
    removed: int = 1_500
    added: int = 3_000


class Block(NamedTuple):
    """``old[old_start:old_end]`` became ``new[new_start:new_end]``."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def diff_texts(old: str, new: str, room: Room) -> TextDiff:
    """The difference of two texts; ``room`` shrinks by what it took. Never raises."""
    if _is_dos(old) and _is_dos(new):
        old, new = old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
    old_open, new_open = bool(old) and not old.endswith("\n"), bool(new) and not new.endswith("\n")
    old_lines, new_lines = _split(old), _split(new)
    if old_open != new_open:
        # The last lines differ by their line feed alone, which no line holds.
        old_keys, new_keys = [*old_lines], [*new_lines]
        (old_keys if old_open else new_keys)[-1] += "\n"
        blocks, coarse = find_blocks(old_keys, new_keys, room)
    else:
        blocks, coarse = find_blocks(old_lines, new_lines, room)
    hunks: list[Hunk] = []
    hidden = 0
    for group in _group(blocks):
        hunk = _hunk(group, old_lines, new_lines, room)
        changed = sum(block.old_end - block.old_start + block.new_end - block.new_start for block in group)
        if hunk.hidden == changed:
            hidden += changed
        else:
            hunks.append(hunk)
    return TextDiff(
        tuple(hunks),
        sum(block.old_end - block.old_start for block in blocks),
        sum(block.new_end - block.new_start for block in blocks),
        hidden, coarse, old_open, new_open,
    )  # fmt: skip


def find_blocks(old: Sequence[str], new: Sequence[str], room: Room) -> tuple[list[Block], bool]:
    """Where two lists of lines differ, in order, and whether the steps ran out on the way."""
    numbers: dict[str, int] = {}
    a = [numbers.setdefault(line, len(numbers)) for line in old]
    b = [numbers.setdefault(line, len(numbers)) for line in new]
    blocks: list[Block] = []
    coarse = False
    stack = [Block(0, len(a), 0, len(b))]
    while stack:
        part = _trim(a, b, stack.pop())
        if part.old_start == part.old_end or part.new_start == part.new_end:
            if part.old_start != part.old_end or part.new_start != part.new_end:
                blocks.append(part)
            continue
        room.steps -= part.old_end - part.old_start + part.new_end - part.new_start
        matches = _anchors(a, b, part) if room.steps > 0 else []
        if not matches:
            found = _shortest_edit(a, b, part, room)
            coarse |= found is None
            matches = found or []
        if not matches:
            blocks.append(part)
            continue
        stack.extend(reversed(list(_between(part, matches))))
    return _join(blocks), coarse


def _is_dos(text: str) -> bool:
    return text.count("\r\n") == text.count("\n") == text.count("\r")


def _split(text: str) -> list[str]:
    # Not splitlines(): a form feed or U+2028 ends no line, and a lone CR is what a reader should see.
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


# --- comparing -------------------------------------------------------------------------------------


def _trim(a: Sequence[int], b: Sequence[int], part: Block) -> Block:
    i, i_end, j, j_end = part
    while i < i_end and j < j_end and a[i] == b[j]:
        i, j = i + 1, j + 1
    while i < i_end and j < j_end and a[i_end - 1] == b[j_end - 1]:
        i_end, j_end = i_end - 1, j_end - 1
    return Block(i, i_end, j, j_end)


def _anchors(a: Sequence[int], b: Sequence[int], part: Block) -> list[tuple[int, int]]:
    """Pairs of lines that stand once in each part, the most that are in the same order in both."""
    old_counts = Counter(a[part.old_start : part.old_end])
    new_counts = Counter(b[part.new_start : part.new_end])
    at_new = {b[j]: j for j in range(part.new_start, part.new_end) if new_counts[b[j]] == 1}
    pairs = [
        (i, at_new[a[i]])
        for i in range(part.old_start, part.old_end)
        if old_counts[a[i]] == 1 and a[i] in at_new
    ]
    # The longest rising row of second places: patience sorting.
    tops: list[int] = []
    piles: list[int] = []
    below: list[int] = []
    for index, (_, j) in enumerate(pairs):
        pile = bisect_left(tops, j)
        below.append(piles[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(j)
            piles.append(index)
        else:
            tops[pile] = j
            piles[pile] = index
    row: list[tuple[int, int]] = []
    index = piles[-1] if piles else -1
    while index >= 0:
        row.append(pairs[index])
        index = below[index]
    return row[::-1]


def _shortest_edit(
    a: Sequence[int], b: Sequence[int], part: Block, room: Room
) -> list[tuple[int, int]] | None:
    """The lines that a shortest edit keeps, as pairs; None where it is not found in time."""
    n, m = part.old_end - part.old_start, part.new_end - part.new_start
    reach = {1: 0}
    trace: list[dict[int, int]] = []
    for edits in range(min(n + m, _MAX_EDITS) + 1):
        if room.steps <= 0:
            return None
        trace.append(dict(reach))
        for k in range(-edits, edits + 1, 2):
            down = k == -edits or (k != edits and reach[k - 1] < reach[k + 1])
            x = reach[k + 1] if down else reach[k - 1] + 1
            start, y = x, x - k
            while x < n and y < m and a[part.old_start + x] == b[part.new_start + y]:
                x, y = x + 1, y + 1
            room.steps -= 1 + x - start
            reach[k] = x
            if x >= n and y >= m:
                return _retrace(trace, part, n, m)
    return None


def _retrace(trace: Sequence[dict[int, int]], part: Block, x: int, y: int) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for edits in range(len(trace) - 1, -1, -1):
        reach, k = trace[edits], x - y
        down = k == -edits or (k != edits and reach[k - 1] < reach[k + 1])
        from_k = k + 1 if down else k - 1
        from_x = reach[from_k] if edits else 0
        from_y = from_x - from_k if edits else 0
        while x > from_x and y > from_y:
            x, y = x - 1, y - 1
            kept.append((part.old_start + x, part.new_start + y))
        x, y = from_x, from_y
    return kept[::-1]


def _between(part: Block, matches: Sequence[tuple[int, int]]) -> Iterator[Block]:
    i, j = part.old_start, part.new_start
    for x, y in matches:
        if x > i or y > j:
            yield Block(i, x, j, y)
        i, j = x + 1, y + 1
    if i < part.old_end or j < part.new_end:
        yield Block(i, part.old_end, j, part.new_end)


def _join(blocks: Sequence[Block]) -> list[Block]:
    """Blocks that touch as one."""
    joined: list[Block] = []
    for block in blocks:
        if joined and joined[-1].old_end == block.old_start and joined[-1].new_end == block.new_start:
            last = joined.pop()
            block = Block(last.old_start, block.old_end, last.new_start, block.new_end)
        joined.append(block)
    return joined


# --- showing ---------------------------------------------------------------------------------------


def _group(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Blocks whose contexts touch."""
    group: list[Block] = []
    for block in blocks:
        if group and block.old_start - group[-1].old_end > 2 * CONTEXT:
            yield group
            group = []
        group.append(block)
    if group:
        yield group


def _hunk(group: Sequence[Block], old: Sequence[str], new: Sequence[str], room: Room) -> Hunk:
    before = min(CONTEXT, group[0].old_start)
    after = min(CONTEXT, len(old) - group[-1].old_end)
    old_start, new_start = group[0].old_start - before, group[0].new_start - before
    old_end, new_end = group[-1].old_end + after, group[-1].new_end + after
    lines: list[DiffLine] = []
    hidden, at = 0, old_start
    for block in group:
        removed = min(block.old_end - block.old_start, max(room.removed, 0))
        added = min(block.new_end - block.new_start, max(room.added, 0))
        room.removed -= removed
        room.added -= added
        hidden += block.old_end - block.old_start - removed + block.new_end - block.new_start - added
        if removed or added:
            # Context of what is not shown would be without end.
            lines.extend(
                _plain(line) for line in old[max(at, block.old_start - 2 * CONTEXT) : block.old_start]
            )
            gone = old[block.old_start : block.old_start + removed]
            come = new[block.new_start : block.new_start + added]
            starts = [_first_shown(one, other) for one, other in zip(gone, come, strict=False)]
            lines.extend(_lines(Mark.REMOVED, gone, starts))
            lines.extend(_lines(Mark.ADDED, come, starts))
        at = block.old_end
    if not hidden:
        lines.extend(_plain(line) for line in old[at:old_end])
    # An empty side is named by the line before it, as every other program does.
    return Hunk(
        old_start + (old_end > old_start), old_end - old_start,
        new_start + (new_end > new_start), new_end - new_start,
        tuple(lines), hidden,
    )  # fmt: skip


def _plain(line: str) -> DiffLine:
    return DiffLine(Mark.SAME, line[:MAX_LINE], 0, max(len(line) - MAX_LINE, 0))


def _lines(mark: Mark, lines: Sequence[str], starts: Sequence[int]) -> Iterator[DiffLine]:
    for index, line in enumerate(lines):
        start = starts[index] if index < len(starts) and len(line) > MAX_LINE else 0
        shown = line[start : start + MAX_LINE]
        yield DiffLine(mark, shown, start, len(line) - start - len(shown))


def _first_shown(old: str, new: str) -> int:
    """Where to start showing two long lines, so that their first difference is seen."""
    if len(old) <= MAX_LINE and len(new) <= MAX_LINE:
        return 0
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old[:middle] == new[:middle]:
            low = middle
        else:
            high = middle - 1
    return max(low - _LEAD, 0)
