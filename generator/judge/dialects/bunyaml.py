"""Bun's YAML parser, which Claude Code uses (Bun.YAML.parse, Bun 1.4): npm ``yaml``'s grammar, more lenient.

Facts measured on Bun 1.4.5 against npm ``yaml`` 2.9, text by text (tests/live/yaml_libraries.py): repeated and long
keys pass, a lone CR ends a line, a flow collection needs no indentation, merge keys are merged, a second document
makes the whole a list, an unknown tag without a value is null, and NUL is refused.
"""

from __future__ import annotations

import re
from typing import Final

from generator.judge.dialects.faults import Refused, fault_at
from generator.judge.dialects.jstags import key_text
from generator.judge.dialects.npmcompose import NpmDocument, compose_npm
from generator.judge.dialects.npmnodes import NpmNode
from generator.judge.dialects.npmyaml import FAULT_KINDS, NpmValues
from generator.judge.dialects.values import Entries, Items, Null, Text, Value, YamlReading

_PASSES: Final = frozenset({"DUPLICATE_KEY", "KEY_OVER_1024_CHARS"})
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_LONE_CR: Final = re.compile("\r(?!\n)")


def read_bun(text: str) -> YamlReading:
    """What ``Bun.YAML.parse`` makes of a text."""
    text = _LONE_CR.sub("\n", _SURROGATE.sub("\ufffd", text))
    nul = text.find("\0")
    if nul >= 0:
        return YamlReading(
            None, fault_at(text, Refused("control-character", nul, "A NUL stands in the text"))
        )
    document = compose_npm(text, lenient=True)
    several = False
    for fault in document.faults:
        if fault.code == "MULTIPLE_DOCS":
            several = True
        elif fault.code not in _PASSES:
            kind = FAULT_KINDS.get(fault.code, "syntax")
            return YamlReading(None, fault_at(text, Refused(kind, min(fault.at, len(text)), fault.words)))
    if document.root is None:
        return YamlReading(None)
    try:
        value = _BunValues(document).value(document.root)
    except Refused as refused:
        return YamlReading(None, fault_at(text, refused))
    return YamlReading(Items((value,)) if several else value)


class _BunValues(NpmValues):
    def __init__(self, document: NpmDocument) -> None:
        super().__init__(document, most_aliases=None)

    def _entries(self, node: NpmNode) -> Value:
        entries: dict[str, Value] = {}
        for key, item in node.pairs:
            value = self.value(item) if item is not None else Null("")
            merges = key.kind == "scalar" and key.value == Text("<<") and key.tag is None
            if merges and isinstance(value, (Items, Entries)):
                for source in reversed(value.items) if isinstance(value, Items) else (value,):
                    entries = {**_own(source), **entries}
            else:
                entries[_key(self.value(key))] = value
        return Entries(tuple((Text(name), value) for name, value in entries.items()))


def _own(source: Value) -> dict[str, Value]:
    return {_key(key): value for key, value in source.entries} if isinstance(source, Entries) else {}


def _key(key: Value) -> str:
    return key_text(key) or ""
