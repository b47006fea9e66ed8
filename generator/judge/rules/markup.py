"""Where a Markdown text has links: destinations of links, images and reference definitions, with places.

A scanner, not a parser: the build looks at every body, and nearly every body can be settled by one regular
expression. Code blocks, code spans and comments are only looked for once a link is suspect
(:class:`Masks`). What it finds is tested against markdown-it-py over public collections.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

_GAP: Final = r"[ \t]{0,100}\n?[ \t]{0,100}"
_INLINE: Final = re.compile(
    rf"\]\({_GAP}(?:<([^<>\n]{{1,1000}})>|"
    r"((?:[^\s()<\\]|\\.|\([^\s()]{0,200}\))[^\s()]{0,1000}(?:\([^\s()]{0,200}\)[^\s()]{0,1000}){0,3}))"
    r"(?:[ \t\n]{1,100}(?:\"[^\"]{0,500}\"|'[^']{0,500}'|\([^()]{0,500}\)))?"
    rf"{_GAP}\)"
)
_DEFINITION: Final = re.compile(
    rf"^ {{0,3}}\[(?!\^)((?:[^\[\]\\\n]|\\.){{1,200}})\]:{_GAP}(?:<([^<>\n]{{1,1000}})>|(\S{{1,1000}}))"
    r"[ \t]{0,100}(?:\"[^\"\n]{0,500}\"|'[^'\n]{0,500}'|\([^()\n]{0,500}\))?[ \t]{0,100}$",
    re.MULTILINE,
)
_FENCE: Final = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)")
_BLOCK_START: Final = re.compile(r"#{1,6}(?:\s|\Z)|[|]|[ \t>]*(?:[-*+]|\d{1,9}[.)])(?:\s|\Z)")
"""A heading, a row of a table or a list item: code spans do not reach over it."""
_LIST_ITEM: Final = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_TICKS: Final = re.compile(r"\\?`+")
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FARTHEST_OPENING: Final = 600
"""Characters before a ``](`` in which its ``[`` is looked for."""


@dataclass(frozen=True, slots=True)
class Destination:
    """Where one link leads, as written. ``start`` is its index in the text."""

    raw: str
    start: int


def find_destinations(text: str) -> Iterator[Destination]:
    """Destinations of everything that looks like a link, in code or not, in no certain order.

    ``text`` has LF line ends. Whether a link is really one says :meth:`Masks.hide`, which is dearer.
    """
    if "](" in text:
        for match in _INLINE.finditer(text):
            group = 1 if match[1] is not None else 2
            yield Destination(match[group], match.start(group))
    if "]:" in text:
        for match in _DEFINITION.finditer(text):
            group = 2 if match[2] is not None else 3
            yield Destination(match[group], match.start(group))


class Masks:
    """What of a text is code or a comment, and where its lines start; made once a link is suspect."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._code = self._find_code_lines()
        self._paragraphs: dict[int, tuple[int, _Regions]] = {}
        comments = [m.span() for m in _COMMENT.finditer(text)] if "<!--" in text else []
        self._comments = _Regions([span for span in comments if not self.is_code_line(span[0])])

    def place(self, at: int) -> tuple[int, int]:
        """Line (from 0) and column (from 1) of an index."""
        line = bisect_right(self._starts, at) - 1
        return line, at - self._starts[line] + 1

    def is_code_line(self, at: int) -> bool:
        """True where an index lies in a fenced or indented block."""
        return self._code[self.place(at)[0]]

    def in_span(self, at: int) -> bool:
        """True where an index lies in a code span of a paragraph."""
        return at in self._paragraph(self.place(at)[0])[1]

    def hide(self, at: int) -> bool:
        """True where a destination that starts at ``at`` is no link: in code, in a comment, or without a text
        in brackets before it."""
        line = self.place(at)[0]
        if self._code[line] or at in self._comments:
            return True
        first, spans = self._paragraph(line)
        return at in spans or not self._has_opening(at, self._starts[first], spans)

    def _line(self, number: int) -> str:
        start = self._starts[number]
        end = self._starts[number + 1] - 1 if number + 1 < len(self._starts) else len(self._text)
        return self._text[start:end]

    def _find_code_lines(self) -> list[bool]:
        code: list[bool] = []
        fence = ""
        in_list = False
        after_blank = True  # an indented block cannot interrupt a paragraph
        for number in range(len(self._starts)):
            line = self._line(number)
            if fence:
                code.append(True)
                bare = line.lstrip(" \t>").rstrip()
                if bare.startswith(fence) and not bare.strip(fence[0]):
                    fence, after_blank = "", True
                continue
            opening = _FENCE.match(line) if "```" in line or "~~~" in line else None
            if opening is not None and not (opening[1][0] == "`" and "`" in opening[2]):
                fence = opening[1]
                code.append(True)
                continue
            blank = not line.strip()
            indented = line.startswith(("    ", "\t")) and not blank
            code.append(indented and after_blank and not in_list)
            if _LIST_ITEM.match(line) and not code[-1]:
                in_list = True
            elif not blank and not line.startswith((" ", "\t")) and after_blank:
                in_list = False
            after_blank = blank or code[-1] or line.startswith("#")
        return code

    def _paragraph(self, line: int) -> tuple[int, _Regions]:
        """First line of the run of text lines around ``line``, and the code spans of that run."""
        if line not in self._paragraphs:
            first = last = line
            while first > 0 and not self._ends_paragraph(first - 1) and not self._starts_block(first):
                first -= 1
            while last + 1 < len(self._starts) and not self._ends_paragraph(last + 1):
                if self._starts_block(last + 1):
                    break
                last += 1
            end = self._starts[last + 1] if last + 1 < len(self._starts) else len(self._text)
            found = (first, _Regions(_find_code_spans(self._text, self._starts[first], end)))
            self._paragraphs.update(dict.fromkeys(range(first, last + 1), found))
        return self._paragraphs[line]

    def _ends_paragraph(self, line: int) -> bool:
        return self._code[line] or not self._line(line).strip(" \t>")

    def _starts_block(self, line: int) -> bool:
        return _BLOCK_START.match(self._text, self._starts[line]) is not None

    def _has_opening(self, at: int, floor: int, spans: _Regions) -> bool:
        text = self._text
        close = text.rfind("]", max(floor, at - 220), at)
        if close < 0:
            return False
        if text.startswith("]:", close):
            # A definition cannot interrupt a paragraph.
            return _DEFINITION.match(text, floor) is not None
        depth = 0
        for index in range(close, max(floor, at - _FARTHEST_OPENING) - 1, -1):
            char = text[index]
            if char in "[]" and index not in spans and not _escaped(text, index):
                depth += 1 if char == "]" else -1
                if depth == 0:
                    return True
        return False


class _Regions:
    """Stretches of a text in written order, none over another."""

    __slots__ = ("_ends", "_starts")

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        self._starts = [start for start, _ in spans]
        self._ends = [end for _, end in spans]

    def __contains__(self, at: int) -> bool:
        number = bisect_right(self._starts, at) - 1
        return number >= 0 and at < self._ends[number]


def _escaped(text: str, at: int) -> bool:
    start = at
    while start > 0 and text[start - 1] == "\\":
        start -= 1
    return (at - start) % 2 == 1


def _find_code_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    runs = list(_TICKS.finditer(text, start, end))
    by_length: dict[int, list[int]] = {}
    for number in range(len(runs) - 1, -1, -1):
        # Inside code a backslash is a backslash, so any run may close a span.
        by_length.setdefault(len(runs[number].group().lstrip("\\")), []).append(number)
    spans = []
    number = 0
    while number < len(runs):
        ticks = runs[number].group()
        opening = runs[number].start()
        number += 1
        if ticks.startswith("\\"):
            continue
        later = by_length[len(ticks)]
        while later and later[-1] < number:
            later.pop()
        if later:
            spans.append((opening, runs[later[-1]].end()))
            number = later[-1] + 1
    return spans
