"""Mends of values that have another shape than their readers expect: lists, flags, systems, tools."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from generator.judge.mends.hosts import Hosts
from generator.judge.mends.keys import TEXT_KEYS
from generator.judge.mends.manuscript import Manuscript, colon_after, quoted_end
from generator.judge.mends.model import Mend
from generator.judge.mends.quoting import node_at, written_plain
from generator.model import Finding
from generator.read.fields import fold
from generator.read.nodes import LINE_BREAK, MappingNode, Node, ScalarNode, SequenceNode, walk_scalars
from generator.read.requirements import split_tools

_FLAGS: Final = frozenset({"always", "disable-model-invocation", "user-invocable", "secrets-autonomous"})
_WORDS: Final = {
    **dict.fromkeys(("true", "yes", "on"), "true"),
    **dict.fromkeys(("false", "no", "off"), "false"),
}
_SYSTEMS: Final = {"mac": "darwin", "macos": "darwin", "osx": "darwin", "windows": "win32"}
_TOOLS: Final = "allowed-tools"
_REST: Final = re.compile(r"[ \t]*(?:[ \t]#.*)?")


def straighten_gate(script: Manuscript, front: MappingNode, found: Finding) -> Iterator[Mend]:
    """A quoted yes or no without quotes, and a text where a list belongs as a list."""
    pair = node_at(front, found)
    span = script.span(pair[1]) if pair is not None else None
    if pair is None or span is None or not isinstance(pair[1], ScalarNode):
        return
    key, value = pair[0], pair[1]
    if key.value in _FLAGS:
        word = _WORDS.get(value.value.strip().lower())
        if word is not None:
            yield script.mend(
                found.code, value.line, f"Write {key.value}: {word} without quotes", (*span, word)
            )
        return
    words = [fold(part) for part in re.split("[,，]", value.value)]
    yield from to_list(script, found, key, value, list(dict.fromkeys(word for word in words if word)))


def to_list(
    script: Manuscript, found: Finding, key: ScalarNode, value: Node, words: Sequence[str]
) -> Iterator[Mend]:
    """A scalar as a list: in block style where its key stands on its line, in brackets inside brackets."""
    span = script.span(value)
    if span is None or not words or not isinstance(value, ScalarNode):
        return
    what = f"Write {key.value[:40]} as a list"
    if value.flow:
        # Inside brackets the texts keep the quotes that JSON wants.
        items = [
            f'"{word}"' if value.style == "quoted" and '"' not in word else written_plain(word)
            for word in words
        ]
        yield script.mend(found.code, value.line, what, (*span, f"[{', '.join(items)}]"))
        return
    yield from _as_block(script, found, what, key, span[1], [written_plain(word) for word in words])


def _as_block(
    script: Manuscript, found: Finding, what: str, key: ScalarNode, end: int, items: Sequence[str]
) -> Iterator[Mend]:
    """Remove what stands from the key's colon to ``end``; the items follow below the line, comments stay."""
    colon = colon_after(script, key)
    if colon is None or colon > end:
        return
    last = script.line_of(end)
    line_end = script.line_end(last)
    if not _REST.fullmatch(script.text, end, line_end):
        return
    indent = " " * (key.column + 1)
    block = "".join(f"{script.newline}{indent}- {item}" for item in items)
    yield script.mend(found.code, key.line, what, (colon, end, ""), (line_end, line_end, block))


def unfold_flow(script: Manuscript, front: MappingNode, found: Finding, hosts: Hosts) -> Iterator[Mend]:
    """Lists of texts in brackets, as lists with a line for each; mappings and what lies in brackets stay."""
    if not hosts.any_of("agentskills"):
        return
    for key, value in _block_pairs(front):
        if key.value in TEXT_KEYS or not isinstance(value, SequenceNode) or not value.items:
            continue
        if _is_flow(script, key, value):
            yield from _unfold(script, found, key, value)


def _unfold(script: Manuscript, found: Finding, key: ScalarNode, value: SequenceNode) -> Iterator[Mend]:
    start = script.offset(value.line, value.column)
    parsed = _flow_items(script.text, start, script.end) if start is not None else None
    if parsed is None or len(parsed[0]) != len(value.items):
        return
    yield from _as_block(
        script, found, f"Write {key.value[:40]} with a line for each", key, parsed[1], parsed[0]
    )


def _block_pairs(node: Node) -> Iterator[tuple[ScalarNode, Node]]:
    if isinstance(node, MappingNode):
        for key, value in node.entries:
            if not key.flow:
                yield key, value
                yield from _block_pairs(value)
    elif isinstance(node, SequenceNode):
        for item in node.items:
            yield from _block_pairs(item)


def _is_flow(script: Manuscript, key: ScalarNode, value: SequenceNode) -> bool:
    start = script.offset(value.line, value.column)
    return start is not None and value.line == key.line and script.text.startswith("[", start)


def _flow_items(text: str, start: int, limit: int) -> tuple[list[str], int] | None:
    """The items of a flow list of scalars as written, and the index after it; None where it holds more."""
    items: list[str] = []
    at = begin = start + 1
    while at < limit:
        char = text[at]
        if char in "'\"" and not text[begin:at].strip():
            closing = quoted_end(text, at, limit)
            if closing == at or LINE_BREAK.search(text, at, closing):
                return None
            at = closing - 1
        elif char in "[{}\r\n#":
            return None
        elif char in ",]":
            item = text[begin:at].strip()
            if item:
                items.append(item)
            if char == "]":
                return items, at + 1
            begin = at + 1
        at += 1
    return None


def name_systems(script: Manuscript, front: MappingNode, found: Finding) -> Iterator[Mend]:
    """``macos`` and ``windows`` under ``os`` as hosts compare them."""
    pair = node_at(front, found)
    if pair is None or pair[0].value != "os":
        return
    changes = []
    for node in walk_scalars(pair[1]):
        span, name = script.span(node), _SYSTEMS.get(node.value.strip().lower())
        if span is not None and name is not None:
            changes.append((*span, script.text[slice(*span)].replace(node.value, name)))
    if changes:
        yield script.mend(
            found.code, found.line, "Write darwin and win32, the names that hosts compare", *changes
        )


def shape_tools(script: Manuscript, front: MappingNode, found: Finding, hosts: Hosts) -> Iterator[Mend]:
    """``allowed-tools`` in the form the hosts accept: a list in block style suits DeerFlow and the reference
    validator, a text with blanks is what the specification names."""
    key, value = front.key(_TOOLS), front.get(_TOOLS)
    if key is None or value is None or key.flow:
        return
    flow = isinstance(value, SequenceNode) and _is_flow(script, key, value)
    if hosts.any_of("deerflow"):
        if isinstance(value, ScalarNode) and not value.is_null:
            yield from to_list(script, found, key, value, split_tools(value.value))
        elif isinstance(value, SequenceNode) and flow:
            yield from _unfold(script, found, key, value)
    elif hosts.any_of("agentskills") and isinstance(value, SequenceNode) and flow:
        yield from _as_text(script, found, key, value)


def _as_text(script: Manuscript, found: Finding, key: ScalarNode, value: SequenceNode) -> Iterator[Mend]:
    start = script.offset(value.line, value.column)
    parsed = _flow_items(script.text, start, script.end) if start is not None else None
    tools = tuple(item.value for item in value.items if isinstance(item, ScalarNode))
    text = " ".join(tools)
    # A text that splits into other tools (a blank inside a name) would say something else.
    if start is not None and parsed is not None and tools and split_tools(text) == tools:
        yield script.mend(
            found.code, key.line, f"Write {_TOOLS} as one text", (start, parsed[1], written_plain(text))
        )
