"""strictyaml 1.7 without a schema: every scalar is a text, and much of YAML is refused.

Facts of strictyaml 1.7.3 (parser.py; its scanner is a fork of PyYAML's): no flow collection, tag, anchor, alias
or repeated key; mappings that are values of one mapping must start in one column; a document that is no
mapping and no list is the whole text. A control character escapes as AttributeError.
"""

from __future__ import annotations

import re
from typing import Final

from generator.judge.dialects.faults import Stopped
from generator.judge.dialects.rawtree import Raw, RawItems, RawMap, RawScalar, compose
from generator.judge.dialects.values import Binary, Entries, Fault, Items, Text, Value, YamlReading

_HIDE: Final = {0x85: 0xE085, 0x2028: 0xE228, 0x2029: 0xE229}
"""These end a line for PyYAML's scanner and not for the fork's: stood in for by private characters."""
_SHOW: Final = {private: shown for shown, private in _HIDE.items()}
_BREAK: Final = re.compile("(\r\n|[\r\n])")
_MOST_EMPTY_KEYS: Final = 8


def read_strictyaml(text: str) -> YamlReading:
    """What ``strictyaml.load(text).data`` is."""
    try:
        root = _compose(text)
        if root is None or isinstance(root, RawScalar):
            if isinstance(root, RawScalar):
                _build(root)
            return YamlReading(Text(text))
        return YamlReading(_build(root))
    except Stopped as stopped:
        fault = stopped.fault
        if fault.kind == "control-character":
            fault = Fault(fault.kind, fault.line, fault.column, fault.message, escapes=True)
        return YamlReading(None, fault)


def _compose(text: str) -> Raw | None:
    source = text.translate(_HIDE)
    for _ in range(_MOST_EMPTY_KEYS):
        try:
            return compose(source, pure=True)
        except Stopped as stopped:
            fault = stopped.fault
            if "block end" not in fault.message or "':'" not in fault.message:
                raise
            # The fork takes a colon without a key for an empty key.
            at = _index(source, fault.line, fault.column)
            source = f'{source[:at]}""{source[at:]}'
    return compose(source, pure=True)


def _index(text: str, line: int, column: int) -> int:
    lines = _BREAK.split(text)
    return sum(map(len, lines[: 2 * (line - 1)])) + column - 1


def _build(node: Raw) -> Value:
    if node.marked == "tag":
        raise _stop("tag", node, "Found disallowed tag tokens")
    if node.marked == "anchor":
        raise _stop("anchor", node, "Found confusing disallowed anchor token")
    if isinstance(node, RawScalar):
        if node.plain and node.value in {"=", "<<"}:
            return Binary(node.value)
        return Text(_shown(node.value))
    if node.flow:
        raise _stop("flow", node, "Found ugly disallowed JSONesque flow mapping")
    if isinstance(node, RawItems):
        return Items(tuple(_build(item) for item in node.items))
    return _mapping(node)


def _shown(value: str) -> str:
    # A next-line character ends no line of the text, and yet is folded like one.
    first, *more = value.translate(_SHOW).split("\x85")
    for part in more:
        first = f"{first.rstrip(' ')} {part.lstrip(' ')}"
    return first


def _mapping(node: RawMap) -> Value:
    found: dict[str, Value] = {}
    for key, value in node.pairs:
        if isinstance(key, RawScalar) and key.plain and key.value == "<<":
            if not isinstance(value, RawMap):
                raise _stop("merge-key", key, "Expected a mapping or list of mappings for merging")
            # What is merged in does not reach the data.
            _build(value)
            continue
        _build(key)
        if not isinstance(key, RawScalar):
            message = "A list or a mapping is used as a key"
            raise Stopped(
                Fault("complex-key", key.line, key.column, message, escapes=isinstance(key, RawItems))
            )
        name = Text(_shown(key.value))
        if name.value in found:
            raise _stop("duplicate-key", key, f"Duplicate key {name.value[:60]!r} found")
        found[name.value] = _build(value)
    columns = {value.column for _, value in node.pairs if isinstance(value, RawMap)}
    if len(columns) > 1:
        raise _stop("indentation", node, "Found mapping with indentation inconsistent with previous mapping")
    return Entries(tuple((Text(name), value) for name, value in found.items()))


def _stop(kind: str, node: Raw, message: str) -> Stopped:
    return Stopped(Fault(kind, node.line, node.column, message))
