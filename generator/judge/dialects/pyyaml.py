"""PyYAML's ``safe_load``, with its own parser or libyaml's: types, tags, keys, and what escapes as no YAMLError.

Facts of PyYAML 6.0 lib/yaml/constructor.py: scalars of one level are built before what lies deeper, a repeated
key keeps its last value, a list or mapping as a key is refused, ``<<`` merges, and a value that looks like a
date, number or boolean but is none raises ValueError, KeyError, IndexError or AttributeError.
"""

from __future__ import annotations

import binascii
import datetime
import math
import re
from collections import deque
from typing import Final

from generator.judge.dialects.faults import Stopped
from generator.judge.dialects.rawtree import Raw, RawItems, RawMap, RawScalar, compose
from generator.judge.dialects.scalartypes import PY_DATE, bool_yaml11, float_yaml11, int_yaml11, type_yaml11
from generator.judge.dialects.values import (
    Binary,
    Boolean,
    Date,
    Entries,
    Fault,
    Items,
    Null,
    Number,
    Text,
    Value,
    YamlReading,
)

_YAML: Final = "tag:yaml.org,2002:"
_DATE_PARTS: Final = re.compile(
    r"(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.\d*)?"
    r"(?:[ \t]*(?:Z|([-+])(\d\d?)(?::(\d\d))?))?)?",
    re.ASCII,
)
_KEY_ROOM: Final = 10_000
"""Most pairs that merge keys may add up to; the library itself would go on."""


def read_pyyaml(text: str, pure: bool) -> YamlReading:
    """What ``yaml.safe_load`` (``pure``) or ``yaml.load(..., CSafeLoader)`` makes of a text."""
    try:
        root = compose(text, pure)
        return YamlReading(None if root is None else _Builder().build(root))
    except Stopped as stopped:
        return YamlReading(None, stopped.fault)


class _Builder:
    def __init__(self) -> None:
        self._scalars: dict[int, Value] = {}
        self._pairs: dict[int, list[tuple[Raw, Raw]]] = {}
        self._done: dict[int, Value] = {}
        self._left = _KEY_ROOM

    def build(self, root: Raw) -> Value:
        self._check(root)
        return self._freeze(root)

    def _check(self, root: Raw) -> None:
        """Visit level by level, as the library does, so that of several faults the first is reported."""
        queue = deque([root])
        seen = set()
        while queue:
            node = queue.popleft()
            if id(node) in seen:
                continue
            seen.add(id(node))
            if isinstance(node, RawScalar):
                self._scalars[id(node)] = _scalar(node)
            elif isinstance(node, RawItems):
                self._check_items(node, queue)
            else:
                self._check_map(node, queue)

    def _check_items(self, node: RawItems, queue: deque[Raw]) -> None:
        name = _name(node.tag)
        if name not in {"", "seq", "omap", "pairs"}:
            raise _stop("tag", node, f"A list cannot be {_shown(node.tag)}")
        if name in {"omap", "pairs"}:
            for item in node.items:
                if not isinstance(item, RawMap) or len(item.pairs) != 1:
                    raise _stop("tag", node, "Expected a mapping of length 1")
        for item in node.items:
            self._child(item, queue)

    def _check_map(self, node: RawMap, queue: deque[Raw]) -> None:
        if _name(node.tag) not in {"", "map", "set"}:
            raise _stop("tag", node, f"A mapping cannot be {_shown(node.tag)}")
        pairs = self._flatten(node, ())
        self._pairs[id(node)] = pairs
        for key, value in pairs:
            self._child(key, queue)
            if not isinstance(key, RawScalar):
                raise _stop("complex-key", key, "Found unhashable key")
            self._child(value, queue)

    def _child(self, node: Raw, queue: deque[Raw]) -> None:
        if isinstance(node, RawScalar):
            self._scalars[id(node)] = _scalar(node)
        else:
            queue.append(node)

    def _flatten(self, node: RawMap, above: tuple[int, ...]) -> list[tuple[Raw, Raw]]:
        merged: dict[object, tuple[Raw, Raw]] = {}
        own: list[tuple[Raw, Raw]] = []
        for key, value in node.pairs:
            if not _is_merge(key):
                own.append((_value_key(key), value))
                continue
            sources = value.items if isinstance(value, RawItems) else [value]
            for source in sources:
                if not isinstance(source, RawMap):
                    raise _stop("merge-key", source, "Expected a mapping for merging")
                if id(source) in above or id(source) == id(node):
                    fault = Fault("too-deep", key.line, key.column, "A mapping merges itself", escapes=True)
                    raise Stopped(fault)
                part = self._flatten(source, (*above, id(node)))
                self._left -= len(part) + 1
                if self._left < 0 or len(above) > 50:
                    raise _stop("too-large", key, "Merge keys add up to too much")
                for pair in part:
                    merged.setdefault(_same_object(pair[0]), pair)
        return [*merged.values(), *own]

    def _freeze(self, node: Raw) -> Value:
        if isinstance(node, RawScalar):
            return self._scalars[id(node)]
        known = self._done.get(id(node))
        if known is not None:
            return known
        self._done[id(node)] = Null("")
        value: Value
        if isinstance(node, RawItems):
            items = tuple(self._freeze(item) for item in node.items)
            value = Items(tuple(map(_pair, items)) if _name(node.tag) in {"omap", "pairs"} else items)
        else:
            value = entries_of([(self._freeze(k), self._freeze(v)) for k, v in self._pairs[id(node)]])
        self._done[id(node)] = value
        return value


def entries_of(pairs: list[tuple[Value, Value]]) -> Entries:
    """A mapping as a Python dict would hold it: the first of equal keys, the last of their values."""
    keys: dict[object, Value] = {}
    values: dict[object, Value] = {}
    repeated: dict[str, None] = {}
    for key, value in pairs:
        mark = _identity(key)
        if mark in keys and isinstance(key, Text):
            repeated[key.value] = None
        keys.setdefault(mark, key)
        values[mark] = value
    return Entries(tuple((keys[mark], values[mark]) for mark in keys), tuple(repeated))


def _same_object(key: Raw) -> object:
    # The library tells merged keys apart by the identity of their strings, of which CPython shares short ones.
    return key.value if isinstance(key, RawScalar) and len(key.value) < 2 else id(key)


def _pair(item: Value) -> Value:
    return Items(item.entries[0]) if isinstance(item, Entries) and item.entries else item


def _identity(key: Value) -> object:
    if isinstance(key, (Number, Boolean)):
        number = key.value
        return ("nan", id(key)) if isinstance(number, float) and math.isnan(number) else number
    if isinstance(key, Text):
        return ("text", key.value)
    return (type(key).__name__, "" if isinstance(key, Null) else getattr(key, "written", id(key)))


def _name(tag: str | None) -> str:
    return "" if tag is None else tag[len(_YAML) :] if tag.startswith(_YAML) else "?"


def _is_merge(key: Raw) -> bool:
    if not isinstance(key, RawScalar):
        return False
    return _name(key.tag) == "merge" or (key.tag is None and key.plain and key.value == "<<")


def _value_key(key: Raw) -> Raw:
    if isinstance(key, RawScalar) and (
        _name(key.tag) == "value" or (key.tag is None and key.plain and key.value == "=")
    ):
        return RawScalar(key.value, plain=False, tag=None, line=key.line, column=key.column)
    return key


def _scalar(node: RawScalar) -> Value:
    if node.tag is not None:
        return _tagged(node, _name(node.tag))
    if not node.plain:
        return Text(node.value)
    if node.value in {"=", "<<"}:
        raise _stop("tag", node, f"Could not determine a constructor for {node.value}")
    try:
        value = type_yaml11(node.value)
    except ValueError as error:
        raise _escape("number", node, error) from None
    if isinstance(value, Date):
        _check_date(node)
    return value


def _tagged(node: RawScalar, name: str) -> Value:
    text = node.value
    if name == "null":
        return Null(text)
    if name == "str":
        return Text(text)
    try:
        if name == "bool":
            return Boolean(bool_yaml11(text), text)
        if name == "int":
            return Number(int_yaml11(text) if text.replace("_", "") else int(""), text)
        if name == "float":
            return Number(float_yaml11(text) if text.replace("_", "") else float(""), text)
    except (ValueError, KeyError, OverflowError) as error:
        raise _escape("number", node, error) from None
    if name == "timestamp":
        if not PY_DATE.fullmatch(text):
            raise _escape("date", node, ValueError("no date"))
        _check_date(node)
        return Date(text)
    if name == "binary":
        try:
            binascii.a2b_base64(text.encode("ascii"))
        except ValueError:
            raise _stop("tag", node, "Failed to decode base64 data") from None
        return Binary(text)
    raise _stop("tag", node, f"Could not determine a constructor for the tag {_shown(node.tag)}")


def _check_date(node: RawScalar) -> None:
    found = _DATE_PARTS.match(node.value)
    assert found is not None
    year, month, day, hour, minute, second, sign, hours, minutes = found.groups()
    try:
        datetime.datetime(  # only its checks are wanted
            int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0)
        )
        if sign:
            datetime.timezone(datetime.timedelta(hours=int(hours), minutes=int(minutes or 0)))
    except ValueError as error:
        raise _escape("date", node, error) from None


def _escape(kind: str, node: RawScalar, error: Exception) -> Stopped:
    message = f"The value {_shown(node.value)} is no {kind} ({type(error).__name__})"
    return Stopped(Fault(kind, node.line, node.column, message, escapes=True))


def _stop(kind: str, node: Raw, message: str) -> Stopped:
    return Stopped(Fault(kind, node.line, node.column, message))


def _shown(text: str | None) -> str:
    text = text or ""
    return repr(text if len(text) <= 60 else text[:59] + "…")
