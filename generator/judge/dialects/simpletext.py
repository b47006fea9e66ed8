"""Texts so plain that every library reads the same tree in them, and that tree's values for each library.

Most front matter is a few lines of ``key: value``. Our own strict reader has read it already; where the text is
plain in the sense of :func:`is_simple`, the libraries differ in the types of its scalars only. A property test
holds the shortcut against the real readers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from generator.judge.dialects.scalartypes import type_core, type_js3, type_js4, type_serde, type_yaml11
from generator.judge.dialects.values import Date, Entries, Items, Text, Value
from generator.read.nodes import MappingNode, Node, ScalarNode, SequenceNode

_ODD: Final = re.compile(
    "[^\n\x20-\x7e\xa1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_KEY: Final = "[A-Za-z][A-Za-z0-9_-]*:"
_PLAIN: Final = "[A-Za-z0-9($/.+~\x80-\U0010ffff](?:[^\n:#]++|:(?=[^ \n])|(?<! )#)*+"
_QUOTED: Final = "\"[^\"\\\\\n]*\"|'[^'\n]*'"
_ITEM: Final = f"(?:[A-Za-z][A-Za-z0-9_./-]*|{_QUOTED})"
_FLOW: Final = f"\\[{_ITEM}(?:, {_ITEM})*\\]"
_LINE: Final = re.compile(
    f"( *)(?:- )?(?:{_KEY}(?: (?:{_PLAIN}|{_QUOTED}|{_FLOW}|([|>]-?)))?|{_QUOTED}|{_PLAIN})"
)
_RESERVED: Final = re.compile(
    "(?:^|\n) *(?:- )?(?:true|false|yes|no|on|off|null|y|n):", re.IGNORECASE | re.MULTILINE
)
_BLANK_END: Final = re.compile(" (?:\n|\\Z)")
_Text = Callable[[str], Value]


# One text is asked about once for each library, one after the other.
@lru_cache(maxsize=8)
def is_simple(text: str) -> bool:
    """Whether all libraries read the same tree in a text (that our strict reader has accepted)."""
    if _ODD.search(text) or _RESERVED.search(text) or _BLANK_END.search(text):
        return False
    block = -1
    width = 0
    for line in text.split("\n"):
        if block >= 0:
            indent = len(line) - len(line.lstrip(" "))
            if width == 0 and line:
                width = indent
            if width > block and (line == "" or (indent == width and line != " " * indent)):
                continue
            if indent > block or width <= block:
                return False
            block = -1
        if line == "":
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            return False
        if found[2]:
            block, width = len(found[1]) + (2 if line.lstrip(" ").startswith("- ") else 0), 0
    # Where the text ends inside a block scalar, some libraries end its last line and some do not.
    return block < 0 or text.endswith("\n")


def value_of(library: str, tree: MappingNode, flow: bool) -> Value | None:
    """The tree's value in a library, or None where the shortcut is not sure; ``flow``: the text has brackets."""
    if library == "strictyaml":
        return None if flow else _strict(tree)
    kind = _TYPES.get(library)
    try:
        return _value(tree, kind) if kind is not None else None
    except _Unsure:
        return None


class _Unsure(Exception):  # noqa: N818  # it only ends the attempt
    pass


def _value(node: Node, kind: _Text) -> Value:
    if isinstance(node, ScalarNode):
        if node.style != "plain":
            return Text(node.value)
        try:
            value = kind(node.value)
        except ValueError:
            raise _Unsure from None
        if isinstance(value, Date):
            # Whether it is a day that exists is for the real reader to say.
            raise _Unsure
        return value
    if isinstance(node, SequenceNode):
        return Items(tuple(_value(item, kind) for item in node.items))
    return Entries(tuple((Text(key.value), _value(item, kind)) for key, item in node.entries))


def _strict(node: Node) -> Value | None:
    if isinstance(node, ScalarNode):
        return Text(node.value)
    if isinstance(node, SequenceNode):
        items = [_strict(item) for item in node.items]
        known = [item for item in items if item is not None]
        return Items(tuple(known)) if len(known) == len(items) else None
    if len({item.column for _, item in node.entries if isinstance(item, MappingNode)}) > 1:
        return None
    pairs = [(Text(key.value), _strict(item)) for key, item in node.entries]
    sure = [(key, value) for key, value in pairs if value is not None]
    return Entries(tuple(sure)) if len(sure) == len(pairs) else None


_TYPES: Final[Mapping[str, _Text]] = MappingProxyType(
    {
        "pyyaml": type_yaml11,
        "libyaml": type_yaml11,
        "js-yaml-3": type_js3,
        "js-yaml-4": type_js4,
        "yaml-2": type_core,
        "claude-code": type_core,
        "vscode": type_core,
        "serde-yaml": type_serde,
    }
)
