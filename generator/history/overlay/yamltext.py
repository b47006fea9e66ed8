"""Changes one entry of a YAML text and leaves every other byte as it is: comments, order, blank lines, line ends.

The text is cut and filled at the places the parser names. Whatever came out is read again and must say exactly
what was meant, or nothing is changed: a layout that this module does not understand is an error, never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import yaml

from generator.history.overlay.yamlwriting import (
    STEP,
    Value,
    block_lines,
    flow_entry,
    flow_mapping,
    write_scalar,
)
from generator.read.nodes import LINE_BREAK, MappingNode, Node, ScalarNode
from generator.read.yamlnodes import YamlProblem, parse_yaml

Path = Sequence[str]
"""Keys from the top of the document down."""
Plain: TypeAlias = "str | list[Plain] | dict[str, Plain] | None"
"""A document without places; None where nothing is written."""


class UneditableError(Exception):
    """The text's layout does not allow the change to be made by a program."""


def put_entry(text: str, path: Path, value: Value) -> str:
    """The text with the entry at ``path`` set to ``value``; mappings on the way are made where they are missing.

    Raises:
        UneditableError: it cannot be done without touching anything else.
    """
    return _checked(text, _Text(text).put(list(path), value), path, value)


def drop_entry(text: str, path: Path) -> str:
    """The text without the lines of the entry at ``path``, which is there; mappings that it leaves empty go too,
    unless a comment stands in them.

    Raises:
        UneditableError: it cannot be done without touching anything else.
    """
    return _checked(text, _Text(text).drop(list(path)), path, None)


def _checked(before: str, after: str, path: Path, value: Value | None) -> str:
    meant = plain_of(parse_yaml(before))
    if value is None:
        _unset(meant, path)
    else:
        meant = _set(meant, path, value)
    try:
        came = plain_of(parse_yaml(after))
    except YamlProblem as problem:
        raise UneditableError(str(problem)) from None
    if _without_empty(came, path) != _without_empty(meant, path):
        raise UneditableError("another entry would change")
    return after


# --- what a text says ------------------------------------------------------------------------------


def plain_of(node: Node | None) -> Plain:
    """A tree without places."""
    if node is None:
        return None
    if isinstance(node, ScalarNode):
        return None if node.is_null else node.value
    if isinstance(node, MappingNode):
        return {key.value: plain_of(value) for key, value in node.entries}
    return [plain_of(item) for item in node.items]


def _set(plain: Plain, path: Path, value: Value) -> Plain:
    if not path:
        return value if isinstance(value, str) else dict(value)
    inside = dict(plain) if isinstance(plain, dict) else {}
    inside[path[0]] = _set(inside.get(path[0]), path[1:], value)
    return inside


def _unset(plain: Plain, path: Path) -> None:
    for key in path[:-1]:
        plain = plain[key] if isinstance(plain, dict) else None
    if isinstance(plain, dict):
        plain.pop(path[-1], None)


def _without_empty(plain: Plain, path: Path) -> Plain:
    """The document without those mappings on the way to an entry that hold nothing: they say nothing."""
    if not isinstance(plain, dict):
        return plain
    inside = dict(plain)
    if len(path) > 1 and path[0] in inside:
        below = _without_empty(inside.pop(path[0]), path[1:])
        if below is not None:
            inside[path[0]] = below
    return inside or None


# --- cutting and filling ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Entry:
    """A key and its value, as PyYAML places them."""

    key: yaml.Node
    value: yaml.Node


class _Text:
    """A text with its lines and its tree."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(match.end() for match in LINE_BREAK.finditer(text))]
        found = LINE_BREAK.search(text)
        self._newline = found[0] if found else "\n"
        # The pure Python loader counts in characters of this very text; parse_yaml has bounded the text before.
        loader = yaml.SafeLoader(text)
        try:
            self._root = loader.get_single_node()
        finally:
            loader.dispose()

    def put(self, path: list[str], value: Value) -> str:
        """Set an entry."""
        entries = self._walk(path)
        if len(entries) == len(path):
            above = entries[-2].value if len(entries) > 1 else self._root
            return self._replace(entries[-1], value, flow=bool(_mapping(above).flow_style))
        rest = path[len(entries) :]
        holder = entries[-1].value if entries else self._root
        if entries and _is_empty(holder):
            return self._fill(entries, rest, value)
        if isinstance(holder, yaml.MappingNode) and holder.flow_style:
            at = holder.start_mark.index + 1
            inside = flow_entry(rest, value) + (", " if holder.value else "")
            return self._text[:at] + inside + self._text[at:]
        if isinstance(holder, yaml.MappingNode) and holder.value:
            last = _Entry(*holder.value[-1])
            line = None if not entries and not self._is_closed() else self._last_line(last) + 1
            return self._insert(self._text, line, holder.start_mark.column, rest, value)
        if not entries and self._root is None:
            return self._insert(self._text, None, 0, rest, value)
        raise UneditableError("there is no mapping to write into")

    def drop(self, path: list[str]) -> str:
        """Remove an entry, and what it leaves empty."""
        entries = self._walk(path)
        assert len(entries) == len(path), path
        holders = [_mapping(self._root), *(_mapping(entry.value) for entry in entries[:-1])]
        depth = len(path) - 1
        while (
            depth > 0 and len(holders[depth].value) == 1 and self._is_bare(entries[depth - 1], entries[depth])
        ):
            depth -= 1
        entry, holder = entries[depth], holders[depth]
        if holder.flow_style:
            return self._cut_flow(entry, holder)
        first, last = entry.key.start_mark.line, self._last_line(entry)
        if self._line(first)[: entry.key.start_mark.column].strip():
            raise UneditableError("the entry does not start its line")
        end = self._starts[last + 1] if last + 1 < len(self._starts) else len(self._text)
        return self._text[: self._starts[first]] + self._text[end:]

    # --- finding places ---

    def _walk(self, path: list[str]) -> list[_Entry]:
        """The entries on the way to ``path``, as far as there are any."""
        found: list[_Entry] = []
        node = self._root
        for key in path:
            if not isinstance(node, yaml.MappingNode):
                break
            entry = next((_Entry(*pair) for pair in node.value if pair[0].value == key), None)
            if entry is None:
                break
            found.append(entry)
            node = entry.value
        return found

    def _line(self, number: int) -> str:
        end = self._starts[number + 1] if number + 1 < len(self._starts) else len(self._text)
        return self._text[self._starts[number] : end]

    def _last_line(self, entry: _Entry) -> int:
        """The last line that belongs to an entry."""
        value = entry.value
        while isinstance(value, yaml.CollectionNode) and not value.flow_style and value.value:
            last = value.value[-1]
            value = last[1] if isinstance(value, yaml.MappingNode) else last
        end = int(value.end_mark.line)
        if isinstance(value, yaml.ScalarNode) and value.style in ("|", ">"):
            if not self._line(end)[: value.end_mark.column].strip():
                end -= 1
            header = self._line(value.start_mark.line)[value.start_mark.column :]
            while "+" not in header.partition("#")[0] and not self._line(end).strip():
                end -= 1
        return end

    def _is_closed(self) -> bool:
        """Whether a line ``...`` ends the document, so that nothing may follow."""
        return any(line.startswith("...") for line in LINE_BREAK.split(self._text))

    def _is_bare(self, holder: _Entry, only: _Entry) -> bool:
        """Whether the lines of a block mapping from its key to its only entry hold nothing but them."""
        if _mapping(holder.value).flow_style:
            return False
        first, last = holder.key.start_mark.line, only.key.start_mark.line
        after = self._text[holder.key.end_mark.index : self._starts[last]]
        return last > first and not after.strip().removeprefix(":").strip()

    # --- changing ---

    def _replace(self, entry: _Entry, value: Value, *, flow: bool) -> str:
        old = entry.value
        if isinstance(old, yaml.ScalarNode) and old.value == value and not _is_empty(old):
            return self._text
        start, end = old.start_mark.index, old.end_mark.index
        if isinstance(old, yaml.CollectionNode) and not old.flow_style:
            raise UneditableError("the entry has a block of lines as its value")
        if isinstance(old, yaml.ScalarNode) and old.style in ("|", ">"):
            line = self._line(self._last_line(entry))
            end = self._starts[self._last_line(entry)] + len(line.rstrip("\r\n\x85\u2028\u2029"))
        gap = " " if start == end or self._text[start - 1] == ":" else ""
        written = write_scalar(value, flow=flow) if isinstance(value, str) else flow_mapping(value)
        return self._text[:start] + gap + written + self._text[end:]

    def _fill(self, entries: list[_Entry], rest: list[str], value: Value) -> str:
        """Write the first entry of a mapping that is there and empty."""
        entry = entries[-1]
        start, end = entry.value.start_mark.index, entry.value.end_mark.index
        holder = self._root if len(entries) == 1 else entries[-2].value
        if _mapping(holder).flow_style:
            inside = f"{{{flow_entry(rest, value)}}}"
            gap = " " if self._text[start - 1] == ":" else ""
            return self._text[:start] + gap + inside + self._text[end:]
        # An empty `{}` or `~` makes room for lines below; what stands behind it stays.
        before = self._text[:start].rstrip(" ") if end > start else self._text[:start]
        column = entry.key.start_mark.column + self._step(entries)
        return self._insert(before + self._text[end:], entry.key.start_mark.line + 1, column, rest, value)

    def _step(self, entries: list[_Entry]) -> int:
        """How much deeper a level is than the one above, as the text has it elsewhere."""
        if len(entries) < 2:
            return STEP
        return max(1, entries[-1].key.start_mark.column - entries[-2].key.start_mark.column)

    def _insert(self, text: str, line: int | None, column: int, rest: list[str], value: Value) -> str:
        """Put lines before a line of a text (counted from 0), or at its end."""
        starts = [0, *(match.end() for match in LINE_BREAK.finditer(text))]
        at = starts[line] if line is not None and line < len(starts) else len(text)
        gap = self._newline if at and at == len(text) and starts[-1] != at else ""
        lines = self._newline.join(block_lines(rest, value, column))
        return f"{text[:at]}{gap}{lines}{self._newline}{text[at:]}"

    def _cut_flow(self, entry: _Entry, holder: yaml.MappingNode) -> str:
        start, end = entry.key.start_mark.index, entry.value.end_mark.index
        number = next(index for index, pair in enumerate(holder.value) if pair[0] is entry.key)
        comma = re.compile(r"\s*,[ \t]*").match(self._text, end)
        if comma is not None:
            end = comma.end()
        elif number:
            start = holder.value[number - 1][1].end_mark.index
        return self._text[:start] + self._text[end:]


def _mapping(node: yaml.Node | None) -> yaml.MappingNode:
    assert isinstance(node, yaml.MappingNode)
    return node


def _is_empty(node: yaml.Node | None) -> bool:
    """Nothing, ``~``, ``null`` or ``{}``."""
    if isinstance(node, yaml.ScalarNode):
        return node.style is None and node.value in ("", "~", "null", "Null", "NULL")
    return isinstance(node, yaml.MappingNode) and bool(node.flow_style) and not node.value
