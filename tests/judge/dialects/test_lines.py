"""Each host's line reader, as its released program reads."""

from __future__ import annotations

import pytest

from generator.judge.dialects.lines import LINE_READERS, read_lines

CASES = {
    "gemini reads both keys": ("gemini", "name: a\ndescription: b: c", {"name": "a", "description": "b: c"}),
    "gemini reads indented keys": ("gemini", "  name: a", {"name": "a"}),
    "gemini joins indented lines": ("gemini", "description: a\n  b\n\tc\nd", {"description": "a b c"}),
    "gemini stops at an empty line": ("gemini", "description: a\n\n  b", {"description": "a"}),
    "gemini keeps quotes": ("gemini", 'name: "a"', {"name": '"a"'}),
    "gemini keeps block signs": ("gemini", "description: >\n  a", {"description": "> a"}),
    "gemini takes the last": ("gemini", "name: a\nname: b", {"name": "b"}),
    "gemini needs no blank": ("gemini", "name:a", {"name": "a"}),
    "gemini knows CRLF": ("gemini", "name: a\r\ndescription: b\r\n", {"name": "a", "description": "b"}),
    "gemini ignores other keys": ("gemini", "Name: a\nversion: 1", {}),
    "hermes cuts at the first colon": ("hermes", "a: b: c\nd", {"a": "b: c"}),
    "hermes keeps quotes and comments": ("hermes", 'a: "b" # c', {"a": '"b" # c'}),
    "hermes flattens": ("hermes", "a:\n  b: c", {"a": "", "b": "c"}),
    "hermes takes the last": ("hermes", "a: b\na: c", {"a": "c"}),
    "openclaw strips quotes": ("openclaw", "a: 'b'", {"a": "b"}),
    "openclaw leaves out what is empty": ("openclaw", "a:\nb: c", {"b": "c"}),
    "openclaw takes indented lines": ("openclaw", "a:\n  b\n\n  c\nd: e", {"a": "b\n\n  c", "d": "e"}),
    "openclaw takes null as it is written": ("openclaw", "a: ~\nb: null", {"a": "~", "b": "null"}),
    "openclaw needs the key first": ("openclaw", " a: b\nc d: e", {}),
}


@pytest.mark.parametrize(("name", "text", "found"), CASES.values(), ids=CASES.keys())
def test_reads_lines(name: str, text: str, found: dict[str, str]) -> None:
    assert dict(read_lines(name, text)) == found


def test_every_reader_has_cases() -> None:
    assert {name for name, _, _ in CASES.values()} == set(LINE_READERS)
