"""js-yaml's tags: what it makes of an explicit one, and how a key becomes the text JavaScript knows.

Facts of js-yaml 3.14 and 4.1 (lib/type/*.js, lib/schema/*.js), safe schema.
"""

from __future__ import annotations

import math
import re
from typing import Final

from generator.judge.dialects.scalartypes import is_js_float, is_js_int, type_js3, type_js4
from generator.judge.dialects.shares import Draft, DraftItems, DraftMap
from generator.judge.dialects.values import Binary, Boolean, Date, Entries, Items, Null, Number, Text, Value

YAML: Final = "tag:yaml.org,2002:"
MERGE: Final = "tag:yaml.org,2002:merge"

_BASE64: Final = re.compile("[A-Za-z0-9+/=\n\r]*")


def type_plain(text: str, old: bool) -> Value:
    """The implicit type of a plain scalar."""
    return type_js3(text) if old else type_js4(text)


def construct(tag: str, kind: str | None, value: Draft, old: bool) -> Draft | None:
    """The value under an explicit tag, or None where the library refuses it.

    ``kind`` is "scalar", "sequence", "mapping", or None where nothing stands behind the tag.
    """
    name = tag[len(YAML) :] if tag.startswith(YAML) else ""
    if name in {"seq", "omap", "pairs"}:
        return _sequence(name, kind, value)
    if name in {"map", "set"}:
        return _mapping(name, kind, value)
    if kind not in {None, "scalar"}:
        return None
    if isinstance(value, Text):
        return _scalar(name, value.value, old)
    if name == "str":
        return Text("") if isinstance(value, Null) else value
    return Null("") if name in {"null", "merge"} and isinstance(value, Null) else None


def _sequence(name: str, kind: str | None, value: Draft) -> Draft | None:
    if kind is None:
        return DraftItems()
    if kind != "sequence" or not isinstance(value, DraftItems):
        return None
    if name == "seq":
        return value
    pairs = [item for item in value.items if isinstance(item, DraftMap) and len(item.entries) == 1]
    if len(pairs) != len(value.items):
        return None
    if name == "pairs":
        return DraftItems([DraftItems([Text(k), v]) for pair in pairs for k, v in pair.entries.items()])
    keys = [key for pair in pairs for key in pair.entries]
    return value if len(set(keys)) == len(keys) else None


def _mapping(name: str, kind: str | None, value: Draft) -> Draft | None:
    if kind is None:
        return DraftMap()
    if kind != "mapping" or not isinstance(value, DraftMap):
        return None
    if name == "set" and not all(isinstance(item, Null) for item in value.entries.values()):
        return None
    return value


def _scalar(name: str, text: str, old: bool) -> Value | None:
    if name == "str":
        return Text(text)
    typed = type_plain(text, old)
    if name == "binary":
        found = _BASE64.fullmatch(text)
        return Binary(text) if found and len(re.sub("[\n\r]", "", text)) * 6 % 8 == 0 else None
    if name == "merge":
        return Text(text) if text == "<<" else None
    if name == "int":
        return typed if is_js_int(text, old) else None
    if name == "float":
        return _float(typed) if is_js_float(text, old) else None
    if name == "null":
        return typed if isinstance(typed, Null) and text else None
    if name == "bool":
        return typed if isinstance(typed, Boolean) else None
    if name == "timestamp":
        return typed if isinstance(typed, Date) else None
    return None


def _float(typed: Value) -> Value | None:
    return typed if isinstance(typed, Number) else None


def key_text(key: Draft) -> str | None:
    """The text JavaScript makes of a key; None where the library refuses it (a list in a list)."""
    if isinstance(key, DraftItems):
        if any(isinstance(item, DraftItems) for item in key.items):
            return None
        return ",".join("" if isinstance(i, Null) else (key_text(i) or "") for i in key.items)
    if isinstance(key, Text):
        return key.value
    if isinstance(key, Null):
        return "null"
    if isinstance(key, Boolean):
        return "true" if key.value else "false"
    if isinstance(key, Number):
        return number_text(key.value)
    if isinstance(key, (Date, Binary)):
        return key.written
    if isinstance(key, Items):
        return ",".join(key_text(item) or "" for item in key.items)
    assert isinstance(key, (DraftMap, Entries))
    return "[object Object]"


def number_text(value: int | float) -> str:
    """A number as JavaScript writes it (exact for what front matter holds: integers and short decimals)."""
    if isinstance(value, int):
        return str(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == int(value) and abs(value) < 1e21:
        return str(int(value))
    if 1e-7 <= abs(value) < 1e-4:
        return _fixed(value)
    text = repr(value)
    mantissa, e, exponent = text.partition("e")
    if not e:
        return text
    mantissa = mantissa.removesuffix(".0")
    return f"{mantissa}e{'-' if exponent[0] == '-' else '+'}{exponent.lstrip('+-').lstrip('0')}"


def _fixed(value: float) -> str:
    digits, _, exponent = repr(abs(value)).partition("e")
    plain = digits.replace(".", "")
    plain = plain[:-1] if digits.endswith(".0") else plain
    zeros = "0" * (-int(exponent or "0") - 1)
    return ("-" if value < 0 else "") + (f"0.{zeros}{plain}" if exponent else repr(abs(value)))
