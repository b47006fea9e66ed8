"""npm ``yaml`` 2, core schema: ``parseDocument`` and ``toJS`` as its hosts call them."""

from __future__ import annotations

from typing import Final

from generator.judge.dialects.faults import Refused, fault_at
from generator.judge.dialects.jstags import number_text
from generator.judge.dialects.npmcompose import NpmDocument, compose_npm
from generator.judge.dialects.npmnodes import NpmNode
from generator.judge.dialects.values import (
    Boolean,
    Entries,
    Items,
    Null,
    Number,
    Text,
    Value,
    YamlReading,
)

FAULT_KINDS: Final = {
    "ALIAS_PROPS": "alias",
    "BAD_ALIAS": "alias",
    "BAD_DIRECTIVE": "directive",
    "BAD_DQ_ESCAPE": "escape",
    "BAD_INDENT": "indentation",
    "BAD_SCALAR_START": "indicator",
    "BLOCK_AS_IMPLICIT_KEY": "colon",
    "BLOCK_IN_FLOW": "flow",
    "DUPLICATE_KEY": "duplicate-key",
    "MULTIPLE_ANCHORS": "anchor",
    "MULTIPLE_DOCS": "documents",
    "MULTIPLE_TAGS": "tag",
    "RESOURCE_EXHAUSTION": "too-deep",
    "TAB_AS_INDENT": "tab",
    "TAG_RESOLVE_FAILED": "tag",
}
_MOST_ALIASES: Final = 100
"""Most uses of aliases that ``toJS`` accepts (option maxAliasCount), weighed by what lies below them."""


def read_npm(text: str) -> YamlReading:
    """What npm ``yaml`` 2 makes of a text."""
    document = compose_npm(text)
    if document.faults:
        first = document.faults[0]
        kind = FAULT_KINDS.get(first.code, "syntax")
        return YamlReading(None, fault_at(text, Refused(kind, min(first.at, len(text)), first.words)))
    if document.root is None:
        return YamlReading(None)
    try:
        return YamlReading(NpmValues(document, _MOST_ALIASES).value(document.root))
    except Refused as refused:
        return YamlReading(None, fault_at(text, refused))


class NpmValues:
    """Nodes as JavaScript values: keys are texts, aliases shared."""

    def __init__(self, document: NpmDocument, most_aliases: int | None) -> None:
        self._most_aliases = most_aliases
        assert document.root is not None
        self._order: dict[int, int] = {}
        self._anchored: dict[str, list[NpmNode]] = {}
        self._number(document.root)
        self._done: dict[int, Value] = {}
        self._uses: dict[int, int] = {}
        self._weights: dict[int, int] = {}

    def _number(self, node: NpmNode) -> None:
        self._order[id(node)] = len(self._order)
        if node.anchor:
            self._anchored.setdefault(node.anchor, []).append(node)
        for item in node.items:
            self._number(item)
        for key, value in node.pairs:
            self._number(key)
            if value is not None:
                self._number(value)

    def value(self, node: NpmNode) -> Value:
        if node.kind == "alias":
            return self._alias(node)
        if node.anchor:
            self._uses[id(node)] = self._uses.get(id(node), 1)
        known = self._done.get(id(node))
        if known is not None:
            return known
        if node.kind == "scalar":
            value = node.value
        else:
            self._done[id(node)] = Null("")
            value = self._items(node) if node.kind == "seq" else self._entries(node)
        self._done[id(node)] = value
        return value

    def _items(self, node: NpmNode) -> Value:
        return Items(tuple(self.value(item) for item in node.items))

    def _entries(self, node: NpmNode) -> Value:
        entries: dict[str, Value] = {}
        for key, value in node.pairs:
            name = _key_text(self.value(key))
            entries[name] = self.value(value) if value is not None else Null("")
        return Entries(tuple((Text(name), value) for name, value in entries.items()))

    def _alias(self, node: NpmNode) -> Value:
        place = self._order[id(node)]
        targets = [t for t in self._anchored.get(node.name, ()) if self._order[id(t)] < place]
        if not targets:
            raise Refused("alias", node.at, f"Unresolved alias: {node.name[:60]}")
        target = targets[-1]
        value = self.value(target)
        self._uses[id(target)] = self._uses.get(id(target), 1) + 1
        if id(target) not in self._weights:
            self._weights[id(target)] = self._weight(target)
        used = self._uses[id(target)] * self._weights[id(target)]
        if self._most_aliases is not None and used > self._most_aliases:
            raise Refused("alias", node.at, "Excessive alias count indicates a resource exhaustion attack")
        return value

    def _weight(self, node: NpmNode) -> int:
        if node.kind == "alias":
            place = self._order[id(node)]
            targets = [t for t in self._anchored.get(node.name, ()) if self._order[id(t)] < place]
            if not targets:
                return 0
            target = targets[-1]
            return self._uses.get(id(target), 1) * self._weights.get(id(target), 0)
        below = [*node.items, *(key for key, _ in node.pairs), *(v for _, v in node.pairs if v is not None)]
        if node.kind == "scalar":
            return 1
        return max(map(self._weight, below), default=0)


def _key_text(key: Value) -> str:
    if isinstance(key, Text):
        return key.value
    if isinstance(key, Null):
        return ""
    if isinstance(key, Boolean):
        return "true" if key.value else "false"
    if isinstance(key, Number):
        return number_text(key.value)
    if isinstance(key, Items):
        return f"[ {', '.join(map(_key_text, key.items))} ]"
    if isinstance(key, Entries):
        pairs = (f"{_key_text(k)}: {_key_text(v)}".removesuffix(" ") for k, v in key.entries)
        return f"{{ {', '.join(pairs)} }}"
    return key.written
