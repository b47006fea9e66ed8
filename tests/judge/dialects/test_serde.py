"""serde_yaml as Codex calls it; each case was seen in Codex 0.171.0's list of skills."""

from __future__ import annotations

import math

import pytest

from generator.judge.dialects.libraries import read_yaml
from generator.judge.dialects.values import Boolean, Entries, Null, Number, Text, Value

TYPES: dict[str, Value] = {
    "text": Text("text"),
    "yes": Text("yes"),
    "1_000": Text("1_000"),
    "0123": Text("0123"),
    "12:30": Text("12:30"),
    "2026-02-30": Text("2026-02-30"),
    "42": Number(42, "42"),
    "-7": Number(-7, "-7"),
    "0x1F": Number(31, "0x1F"),
    "0o17": Number(15, "0o17"),
    "1.50": Number(1.5, "1.50"),
    ".inf": Number(math.inf, ".inf"),
    "true": Boolean(True, "true"),
    "~": Null("~"),
    '"42"': Text("42"),
    "!custom 42": Text("42"),
    "!!str 42": Text("42"),
}

REFUSED = {
    "colon": "a: b: c",
    "tab": "a:\n\tb: c",
    "asterisk": "a: *b",
    "at": "a: @b",
    "two documents": "a: b\n---\nc: d",
    "list as a key": "[a]: b",
    "control character": "a: b\x01",
}


ACCEPTED = {
    "nested 200 deep": "a: " + "[" * 200 + "]" * 200,
    "nested 2,000 deep": "a: " + "[" * 2_000 + "]" * 2_000,
    "redefined anchor": "a: &x 1\nb: &x 2\n",
    "unknown tag": "a: !!python/name:os.system\n",
    "bad date": "a: 2026-02-30\n",
}


@pytest.mark.parametrize(("written", "value"), TYPES.items(), ids=TYPES.keys())
def test_types(written: str, value: Value) -> None:
    reading = read_yaml("serde-yaml", f"key: {written}\n")
    assert isinstance(reading.value, Entries)
    assert reading.value.get("key") == value


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED.keys())
def test_refuses(text: str) -> None:
    assert read_yaml("serde-yaml", text).fault is not None


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_accepts(text: str) -> None:
    assert read_yaml("serde-yaml", text).fault is None


def test_repeated_keys_are_told_and_the_last_one_wins() -> None:
    value = read_yaml("serde-yaml", "a: 1\nb: {c: 1, c: 2}\na: 2\n").value
    assert isinstance(value, Entries)
    assert value.duplicates == ("a",)
    assert value.get("a") == Number(2, "2")
    inner = value.get("b")
    assert isinstance(inner, Entries)
    assert inner.duplicates == ("c",)


def test_merge_keys_are_plain_keys() -> None:
    value = read_yaml("serde-yaml", "x: &x {a: 1}\n<<: *x\n").value
    assert isinstance(value, Entries)
    assert value.get("a") is None
    assert isinstance(value.get("<<"), Entries)
