"""A ``SKILL.md`` as something to write in: its text, its front matter, and where everything stands in bytes."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

from generator.judge.mends.model import Edit, Mend
from generator.read.nodes import LINE_BREAK, MappingNode, Node, ScalarNode

_OPEN: Final = re.compile(r"\ufeff?(---)([ \t]*)(?:\r\n|\n|\r|\Z)")
_CLOSE: Final = re.compile(r"(?:\A|(?<=[\r\n]))(---|\.\.\.)([ \t]*)(?=[\r\n]|\Z)")
_LINE_END: Final = re.compile(r"\r\n|\n|\r")


class Manuscript:
    """One file to mend; nothing in it changes.

    ``text`` is the file's text, bytes that are not UTF-8 kept as surrogates; indices count its characters.
    The front matter is ``text[start:end]``; ``opening`` and ``closing`` are its fences (None where missing).
    """

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.text = data.decode("utf-8", "surrogateescape")
        self.opening = _OPEN.match(self.text)
        self.start = self.opening.end() if self.opening is not None else 0
        # The search starts where the block starts, so that \\A is no place in it.
        self.closing = _CLOSE.search(self.text, self.start) if self.opening is not None else None
        self.end = self.closing.start() if self.closing is not None else self.start
        first = _LINE_END.search(self.text)
        self.newline = first[0] if first is not None else "\n"
        breaks = LINE_BREAK.finditer(self.text, self.start, self.end)
        self._starts = [self.start, *(found.end() for found in breaks)]

    @property
    def front(self) -> str:
        """The text between the fences."""
        return self.text[self.start : self.end]

    @property
    def last_line(self) -> int:
        """The number of the front matter's last line in the file."""
        # A line end before the closing fence starts an empty last line.
        return (
            len(self._starts)
            if self._starts[-1] == self.end and len(self._starts) > 1
            else len(self._starts) + 1
        )

    def offset(self, line: int, column: int) -> int | None:
        """The index of a place of the front matter; None where the line is none of its lines."""
        if not 0 <= line - 2 < len(self._starts):
            return None
        return min(self._starts[line - 2] + column - 1, self.end)

    def line_of(self, index: int) -> int:
        """The number in the file of the line of the front matter that holds an index."""
        return bisect_right(self._starts, index) + 1

    def line_start(self, line: int) -> int:
        """Where a line of the front matter starts."""
        return self._starts[line - 2]

    def line_end(self, line: int) -> int:
        """Where a line ends, its line end not included."""
        following = self.next_line(line)
        found = LINE_BREAK.search(self.text, self._starts[line - 2], following)
        return found.start() if found is not None else following

    def next_line(self, line: int) -> int:
        """Where the line after this one starts."""
        return self._starts[line - 1] if line - 1 < len(self._starts) else self.end

    def line(self, line: int) -> str:
        """A line of the front matter without its line end; "" where there is none of that number."""
        if not 0 <= line - 2 < len(self._starts):
            return ""
        return self.text[self.line_start(line) : self.line_end(line)]

    def span(self, node: Node) -> tuple[int, int] | None:
        """Where a scalar of one line stands, quotes included; None for anything else."""
        start = self.offset(node.line, node.column)
        if start is None or not isinstance(node, ScalarNode):
            return None
        if node.style == "plain":
            end = start + len(node.value)
            return (start, end) if node.value and self.text.startswith(node.value, start) else None
        if node.style == "quoted":
            end = quoted_end(self.text, start, self.line_end(node.line))
            return (start, end) if end > start else None
        return None

    def edit(self, start: int, end: int, replacement: str) -> Edit:
        """An edit of characters as one of bytes."""
        before = len(self.text[:start].encode("utf-8", "surrogateescape"))
        inside = len(self.text[start:end].encode("utf-8", "surrogateescape"))
        return Edit(before, before + inside, replacement.encode("utf-8", "surrogateescape"))

    def mend(self, code: str, line: int | None, description: str, *changes: tuple[int, int, str]) -> Mend:
        """A mend of this file made of changes of characters (start, end, replacement)."""
        return Mend(code, self.path, line, description, tuple(self.edit(*change) for change in changes))


def colon_after(script: Manuscript, key: ScalarNode) -> int | None:
    """The index after the colon that follows a key; None where it is not found beside it."""
    span = script.span(key)
    if span is None:
        return None
    found = re.compile(r"[ \t]*:").match(script.text, span[1])
    return found.end() if found is not None else None


def block_entries(script: Manuscript, root: MappingNode) -> list[tuple[ScalarNode, Node, int, int]]:
    """Keys and values of a mapping in block style, with the first and the last line of each.

    Comments and empty lines before the next key belong to none. Empty where the mapping is not written one
    key a line, all at one column.
    """
    keys = [key for key, _ in root.entries]
    lines = [key.line for key in keys]
    if any(key.flow or key.column != root.column for key in keys) or len(set(lines)) < len(lines):
        return []
    found = []
    for number, (key, value) in enumerate(root.entries):
        last = lines[number + 1] - 1 if number + 1 < len(lines) else _last_line(script, root)
        while last > key.line and _says_nothing(script.line(last), root.column):
            last -= 1
        found.append((key, value, key.line, last))
    return found


def _last_line(script: Manuscript, root: MappingNode) -> int:
    if root.column == 1:
        return script.last_line
    last = root.entries[-1][0].line
    while last < script.last_line:
        line = script.line(last + 1)
        if line.strip() and len(line) - len(line.lstrip(" ")) < root.column:
            break
        last += 1
    return last


def _says_nothing(line: str, column: int) -> bool:
    bare = line.lstrip(" \t")
    return not bare or (bare.startswith("#") and len(line) - len(bare) < column)


def quoted_end(text: str, start: int, limit: int) -> int:
    """The index after the closing quote of the text that starts at ``start``; ``start`` where it is not there."""
    quote = text[start : start + 1]
    at = start + 1
    while quote in ("'", '"') and at < limit:
        if quote == '"' and text[at] == "\\":
            at += 2
        elif text[at] != quote:
            at += 1
        elif quote == "'" and text[at + 1 : at + 2] == quote:
            at += 2
        else:
            return at + 1
    return start
