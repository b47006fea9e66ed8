"""What npm ``yaml`` 2 makes of explicit tags (core schema, known tags resolved).

Facts of yaml 2.9 (dist/compose/compose-scalar.js, dist/schema/tags.js, dist/schema/yaml-1.1/*.js): a tag that it
does not know, or that fits no test, is a warning and leaves a text.
"""

from __future__ import annotations

import re
from typing import Final

from generator.judge.dialects.npmnodes import NpmNode
from generator.judge.dialects.scalartypes import type_core
from generator.judge.dialects.values import Binary, Boolean, Date, Null, Number, Text, Value

_YAML: Final = "tag:yaml.org,2002:"
_TIMESTAMP: Final = re.compile(
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:t|T|[ \t]+)[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:\.[0-9]+)?"
    r"(?:[ \t]*(?:Z|[-+][012]?[0-9](?::[0-9]{2})?))?)?"
)


def tag_scalar(tag: str, text: str) -> Value | None:
    """A scalar under a tag (its long form); None where that is a fault."""
    name = tag[len(_YAML) :] if tag.startswith(_YAML) else ""
    if name == "binary":
        return Binary(text)
    if name == "timestamp":
        return Date(text) if _TIMESTAMP.fullmatch(text) else None
    typed = type_core(text)
    if name == "null" and isinstance(typed, Null):
        return typed
    if name == "bool" and isinstance(typed, Boolean):
        return typed
    if name in ("int", "float") and isinstance(typed, Number):
        return typed if isinstance(typed.value, int) == (name == "int") else Text(text)
    return Text(text)


def tag_seq_or_map(tag: str, node: NpmNode) -> bool:
    """Whether a list or mapping may have a tag; notes it in the node."""
    name = tag[len(_YAML) :] if tag.startswith(_YAML) else ""
    node.tag = tag
    if name == "set" and node.kind == "map":
        return all(v is None or (v.kind == "scalar" and isinstance(v.value, Null)) for _, v in node.pairs)
    if name in ("omap", "pairs") and node.kind == "seq":
        if any(item.kind == "map" and len(item.pairs) > 1 for item in node.items):
            return False
        keys = [item.pairs[0][0].value for item in node.items if item.kind == "map" and item.pairs]
        return name == "pairs" or len({repr(key) for key in keys}) == len(keys)
    return True


def tag_bun(tag: str, text: str, kind: str) -> Value:
    """A scalar under a tag in Bun's parser, where no tag is a fault; ``kind`` is the scalar's."""
    if kind == "scalar" and text == "" and tag not in (_YAML + "str", "!"):
        return Null("")
    name = tag[len(_YAML) :] if tag.startswith(_YAML) else ""
    typed = type_core(text)
    if name == "null" and isinstance(typed, Null):
        return typed
    if name == "bool" and isinstance(typed, Boolean):
        return typed
    if name in ("int", "float") and isinstance(typed, Number):
        return typed
    return Text(text)
