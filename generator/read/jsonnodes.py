"""A bounded JSON reader that makes the same nodes as the YAML reader, with places.

The standard library's ``json.loads`` takes NaN, keeps the last of two equal keys in silence, recurses
as deep as the text says and cannot name the line of a value. Side files need the opposite.
"""

from __future__ import annotations

import re
from json.decoder import scanstring  # type: ignore[attr-defined]  # the C scanner json itself is made of
from typing import Final

from generator.read.nodes import (
    CONTROL,
    MAX_BYTES,
    MAX_DEPTH,
    MAX_NODES,
    DocumentProblem,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
)

_BLANK: Final = re.compile(r"[ \t\n\r]*")
_WORD: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)")
_FIX: Final = "Correct the file so that it is plain JSON."


class JsonProblem(DocumentProblem):
    """A JSON text that cannot be read; its code is always ``side-file-invalid``."""


def parse_json(text: str, first_line: int = 1, first_column: int = 1) -> Node:
    """Read one JSON value. Numbers, ``true``, ``false`` and ``null`` become plain scalars with their text.

    Bounded like YAML (:mod:`generator.read.nodes`). Raises :class:`JsonProblem` and nothing else.
    """
    return _Reader(text, first_line, first_column).document()


class _Reader:
    """One pass over the text; one use. Depth is bounded, so recursion is."""

    def __init__(self, text: str, first_line: int, first_column: int) -> None:
        self._text = text
        self._at = 0
        self._left = MAX_NODES
        # Places are counted onwards from the last one asked for: linear over the whole text.
        self._line, self._line_start, self._counted = first_line, 1 - first_column, 0

    def document(self) -> Node:
        if len(self._text) > MAX_BYTES or len(self._text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
            raise JsonProblem(
                "side-file-invalid",
                f"The file is over {MAX_BYTES // 1024} kB",
                "Shorten the file.",
                self._line,
                1,
            )
        if self._text.startswith("\ufeff"):
            self._at = 1
        node = self._value(1)
        self._skip()
        if self._at < len(self._text):
            raise self._refuse("Text follows the end of the JSON value")
        return node

    def _skip(self) -> None:
        found = _BLANK.match(self._text, self._at)
        assert found is not None
        self._at = found.end()

    def _peek(self) -> str:
        self._skip()
        return self._text[self._at : self._at + 1]

    def _value(self, depth: int) -> Node:
        start = self._peek()
        self._left -= 1
        if self._left < 0:
            raise self._refuse(f"The file holds more than {MAX_NODES:,} values")
        if start == '"':
            return self._string()
        if start in ("{", "["):
            if depth > MAX_DEPTH:
                raise self._refuse(f"The file is nested deeper than {MAX_DEPTH} levels")
            return self._mapping(depth) if start == "{" else self._sequence(depth)
        word = _WORD.match(self._text, self._at)
        if word is None:
            raise self._refuse("This is not a JSON value" if start else "The JSON text ends too early")
        line, column = self._place()
        self._at = word.end()
        return ScalarNode(word[0], "plain", line, column, True)

    def _string(self) -> ScalarNode:
        line, column = self._place()
        try:
            value, end = scanstring(self._text, self._at + 1, True)
        except ValueError:
            raise self._refuse("This JSON text is not closed, or holds a bad escape") from None
        if CONTROL.search(value):
            raise self._refuse("This JSON text spells out a control character or half a character")
        self._at = end
        return ScalarNode(value, "quoted", line, column, True)

    def _sequence(self, depth: int) -> SequenceNode:
        line, column = self._place()
        items: list[Node] = []
        self._at += 1
        if self._peek() == "]":
            self._at += 1
            return SequenceNode((), line, column)
        while True:
            items.append(self._value(depth + 1))
            if self._comma_or("]"):
                return SequenceNode(tuple(items), line, column)

    def _mapping(self, depth: int) -> MappingNode:
        line, column = self._place()
        entries: list[tuple[ScalarNode, Node]] = []
        index: dict[str, Node] = {}
        self._at += 1
        if self._peek() == "}":
            self._at += 1
            return MappingNode((), line, column, index)
        while True:
            if self._peek() != '"':
                raise self._refuse("A key in double quotes is missing here")
            self._left -= 1
            key = self._string()
            if key.value in index:
                raise JsonProblem(
                    "side-file-invalid",
                    f"The key {key.value[:40]!r} is written twice",
                    "Keep one of the two.",
                    key.line,
                    key.column,
                )
            if self._peek() != ":":
                raise self._refuse("A colon is missing here")
            self._at += 1
            value = self._value(depth + 1)
            index[key.value] = value
            entries.append((key, value))
            if self._comma_or("}"):
                return MappingNode(tuple(entries), line, column, index)

    def _comma_or(self, end: str) -> bool:
        found = self._peek()
        if found not in (",", end) or not found:
            raise self._refuse(f"A comma or {end} is missing here")
        self._at += 1
        return found == end

    def _place(self) -> tuple[int, int]:
        breaks = self._text.count("\n", self._counted, self._at)
        if breaks:
            self._line += breaks
            self._line_start = self._text.rindex("\n", self._counted, self._at) + 1
        self._counted = self._at
        return self._line, self._at - self._line_start + 1

    def _refuse(self, message: str) -> JsonProblem:
        line, column = self._place()
        return JsonProblem("side-file-invalid", message, _FIX, line, column)
