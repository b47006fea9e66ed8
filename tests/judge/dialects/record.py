"""The record of what the real libraries made of a table of texts, and our own readings in the same shape."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.judge.dialects.jstags import number_text
from generator.judge.dialects.libraries import read_yaml
from generator.judge.dialects.values import (
    Binary,
    Boolean,
    Date,
    Entries,
    Items,
    Null,
    Number,
    Text,
    Value,
)

RECORD = Path(__file__).resolve().parent / "readings.json"
_PYTHON = {Number: "number", Boolean: "bool", Null: "NoneType", Date: "date", Binary: "bytes"}


@dataclass(frozen=True, slots=True)
class Case:
    """One text, what each library makes of it, and the libraries our reader is known to differ from."""

    text: str
    readings: dict[str, Any]
    differs: frozenset[str]


def read_record() -> list[Case]:
    """All cases, in order."""
    cases = []
    for item in json.loads(RECORD.read_text("utf-8")):
        readings = {name: group["reading"] for group in item["readings"] for name in group["libraries"]}
        cases.append(Case(item["text"], readings, frozenset(item.get("differs", ()))))
    return cases


def write_record(texts: list[str], readings: list[dict[str, Any]]) -> None:
    """Write the cases anew; where our reader differs is noted, to be reviewed."""
    items = []
    for text, reading in zip(texts, readings, strict=True):
        groups: list[dict[str, Any]] = []
        for name in sorted(reading):
            same = next((group for group in groups if group["reading"] == reading[name]), None)
            if same is None:
                groups.append({"libraries": [name], "reading": reading[name]})
            else:
                same["libraries"].append(name)
        item = {"text": text, "readings": groups}
        differs = [name for name in sorted(reading) if shown_reading(name, text) != reading[name]]
        items.append(item | ({"differs": differs} if differs else {}))
    lines = ",\n".join(json.dumps(item, ensure_ascii=True) for item in items)
    RECORD.write_text(f"[\n{lines}\n]\n", "utf-8")


def shown_reading(library: str, text: str) -> dict[str, Any]:
    """What our reader makes of a text."""
    reading = read_yaml(library, text)
    if reading.fault is None:
        # JSON joins two halves of a character, in the record too.
        return json.loads(json.dumps({"value": None if reading.value is None else _shown(reading.value)}))
    return {"refused": True, "escapes": True} if reading.fault.escapes else {"refused": True}


def _shown(value: Value) -> Any:
    if isinstance(value, Text):
        return value.value
    if isinstance(value, Boolean):
        return value.value
    if isinstance(value, Null):
        return None
    if isinstance(value, Number):
        return {"number": number_text(value.value)}
    if isinstance(value, (Date, Binary)):
        return {"date": True} if isinstance(value, Date) else {"binary": True}
    if isinstance(value, Items):
        return {"list": [_shown(item) for item in value.items]}
    assert isinstance(value, Entries)
    pairs = [[_key(key), _shown(item)] for key, item in value.entries]
    return {"map": sorted(pairs, key=lambda pair: pair[0])}


def _key(key: Value) -> str:
    if isinstance(key, Text):
        return key.value
    if isinstance(key, Number):
        return f"?{type(key.value).__name__}"
    return f"?{_PYTHON.get(type(key), 'list')}"
