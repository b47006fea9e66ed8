"""serde_yaml: libyaml's grammar, YAML 1.2 types, no merge keys; duplicates are for the caller to refuse.

Facts of serde_yaml 0.9 (src/loader.rs, src/de.rs): anchors may be redefined, a tag changes no text, and a caller
that reads a struct refuses a list or a mapping as one of its keys.
"""

from __future__ import annotations

from typing import Final

from generator.judge.dialects.faults import Stopped
from generator.judge.dialects.rawtree import Raw, RawItems, RawMap, RawScalar, compose
from generator.judge.dialects.scalartypes import type_serde
from generator.judge.dialects.values import Entries, Fault, Items, Null, Text, Value, YamlReading

MAX_DEPTH: Final = 127
"""Deepest nesting of a value the library keeps."""
_ANY_DEPTH: Final = 1_000_000

_CORE_TAGS: Final = frozenset({"bool", "int", "float", "null"})
_YAML: Final = "tag:yaml.org,2002:"


def read_serde(text: str, struct: bool = True) -> YamlReading:
    """What serde_yaml makes of a text, for a caller that reads a ``struct``, or else any value.

    What a struct does not ask for may be nested as deep as it likes.
    """
    try:
        root = compose(text, pure=False, redefine=True)
        if struct and isinstance(root, RawMap):
            _refuse_complex_keys(root)
        return YamlReading(None if root is None else _build(root, {}, 0 if not struct else -_ANY_DEPTH))
    except Stopped as stopped:
        return YamlReading(None, stopped.fault)


def _refuse_complex_keys(root: RawMap) -> None:
    for key, _ in root.pairs:
        if not isinstance(key, RawScalar):
            message = "A list or a mapping is used as a key"
            raise Stopped(Fault("complex-key", key.line, key.column, message))


def _build(node: Raw, done: dict[int, Value], depth: int) -> Value:
    known = done.get(id(node))
    if known is not None:
        return known
    if depth > MAX_DEPTH:
        raise Stopped(Fault("too-deep", node.line, node.column, "Recursion limit exceeded"))
    value: Value
    if isinstance(node, RawScalar):
        value = _scalar(node)
    else:
        done[id(node)] = Null("")
        value = _items(node, done, depth) if isinstance(node, RawItems) else _entries(node, done, depth)
    done[id(node)] = value
    return value


def _scalar(node: RawScalar) -> Value:
    tag = node.tag or ""
    name = tag[len(_YAML) :] if tag.startswith(_YAML) else ""
    if (node.plain and node.tag is None) or name in _CORE_TAGS:
        return type_serde(node.value)
    return Text(node.value)


def _items(node: RawItems, done: dict[int, Value], depth: int) -> Value:
    return Items(tuple(_build(item, done, depth + 1) for item in node.items))


def _entries(node: RawMap, done: dict[int, Value], depth: int) -> Value:
    entries: list[tuple[Value, Value]] = []
    places: dict[str, int] = {}
    repeated: dict[str, None] = {}
    for raw_key, raw_value in node.pairs:
        key = Text(raw_key.value) if isinstance(raw_key, RawScalar) else _build(raw_key, done, depth + 1)
        value = _build(raw_value, done, depth + 1)
        if isinstance(key, Text) and key.value in places:
            repeated[key.value] = None
            entries[places[key.value]] = (key, value)
            continue
        if isinstance(key, Text):
            places[key.value] = len(entries)
        entries.append((key, value))
    return Entries(tuple(entries), tuple(repeated))
