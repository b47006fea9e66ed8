"""The tree that YAML and JSON texts are read into: text with places, no types guessed.

A scalar stays the text its author wrote (``1.10`` is "1.10", ``no`` is "no"); what a field means is the
business of the field. Every node knows its line and column, so that every finding can name them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

MAX_BYTES: Final = 64 * 1024
"""Longest text read, in UTF-8 bytes."""
MAX_DEPTH: Final = 8
"""Deepest nesting of lists and mappings."""
MAX_NODES: Final = 2_000
"""Most scalars (keys too), lists and mappings together."""

CONTROL: Final = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What neither YAML 1.1 nor we accept in a text: control characters and lone surrogates."""

LINE_BREAK: Final = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
"""What YAML 1.1 counts as the end of a line, so that our lines are the parser's lines."""

Style = Literal["plain", "quoted", "block"]

_NULL: Final = frozenset({"", "~", "null", "Null", "NULL"})


class DocumentProblem(Exception):  # noqa: N818  # it becomes a finding, not an error
    """A text that cannot be read, as one error: a finding code, the place, and words for the author.

    ``line`` and ``column`` count from 1. It never leaves the read layer as an exception for a skill; for
    ``hub.yml`` the configuration turns it into an error of its own.
    """

    def __init__(self, code: str, message: str, fix: str, line: int, column: int) -> None:
        super().__init__(f"{message} (line {line}, column {column})")
        self.code = code
        self.message = message
        self.fix = fix
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class ScalarNode:
    """A text. ``flow`` is true inside ``[...]`` or ``{...}``."""

    value: str
    style: Style
    line: int
    column: int
    flow: bool = False

    @property
    def is_null(self) -> bool:
        """True where the author wrote nothing, ``~`` or ``null``, without quotes."""
        return self.style == "plain" and self.value in _NULL


@dataclass(frozen=True, slots=True)
class SequenceNode:
    """A list."""

    items: tuple[Node, ...]
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class MappingNode:
    """Keys and values in written order; keys are texts and unique."""

    entries: tuple[tuple[ScalarNode, Node], ...]
    line: int
    column: int
    index: Mapping[str, Node] = field(repr=False, compare=False)

    def get(self, key: str) -> Node | None:
        """The value under exactly ``key``, or None."""
        return self.index.get(key)

    def key(self, name: str) -> ScalarNode | None:
        """The key itself, for its place."""
        return next((k for k, _ in self.entries if k.value == name), None)


Node: TypeAlias = ScalarNode | SequenceNode | MappingNode


def kind_of(node: Node) -> str:
    """What a node is, in a word an author understands."""
    if isinstance(node, ScalarNode):
        return "nothing" if node.is_null else "text"
    return "a list" if isinstance(node, SequenceNode) else "a mapping"


def walk_scalars(node: Node) -> Iterator[ScalarNode]:
    """Every scalar below ``node``, keys included, in written order."""
    if isinstance(node, ScalarNode):
        yield node
    elif isinstance(node, SequenceNode):
        for item in node.items:
            yield from walk_scalars(item)
    else:
        for key, value in node.entries:
            yield key
            yield from walk_scalars(value)


def place_inside(text: str, node: ScalarNode, part: str, first_line: int) -> tuple[int, int]:
    """Line and column of the first ``part`` at or after a node, in the text the node was read from.

    ``first_line`` is the number of the text's first line. The node's own place where the part is not written
    there as such (an escape in quotes, a word across two lines).
    """
    lines = LINE_BREAK.split(text)
    start = node.column - 1
    for number in range(max(0, node.line - first_line), len(lines)):
        at = lines[number].find(part, start)
        if at >= 0:
            return number + first_line, at + 1
        start = 0
    return node.line, node.column


def place_of(text: str, index: int) -> tuple[int, int]:
    """Line and column (both from 1, in code points) of ``text[index]``; CR, LF and CRLF end a line."""
    before = text[:index].replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n") + 1, len(before) - before.rfind("\n")
