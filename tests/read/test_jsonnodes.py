"""The JSON reader of side files: agrees with the standard library, but for what must be refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.read.jsonnodes import JsonProblem, parse_json
from generator.read.nodes import MAX_BYTES, MAX_DEPTH, MAX_NODES, MappingNode, Node, ScalarNode, SequenceNode


def value(node: Node) -> object:
    if isinstance(node, ScalarNode):
        return node.value if node.style == "quoted" else json.loads(node.value)
    if isinstance(node, SequenceNode):
        return [value(i) for i in node.items]
    return {k.value: value(v) for k, v in node.entries}


def outcome(text: str) -> Node | JsonProblem:
    """Any other exception fails the test."""
    try:
        return parse_json(text)
    except JsonProblem as problem:
        return problem


leaf = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
text = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=10)
documents = st.recursive(
    leaf | text, lambda i: st.lists(i, max_size=4) | st.dictionaries(text, i, max_size=4), max_leaves=20
)


@given(documents, st.sampled_from([None, 2, "\t"]), st.booleans())
def test_what_json_writes_comes_back(document: object, indent: int | str | None, ascii_only: bool) -> None:
    written = json.dumps(document, indent=indent, ensure_ascii=ascii_only)
    found = outcome(written)
    if isinstance(found, JsonProblem):
        assert "deeper" in found.message
    else:
        assert value(found) == document


@given(st.text(st.sampled_from(list('{}[]",: \n\\u0truefalsn1-.eE+ab')) | st.characters(), max_size=60))
def test_any_text_ends_in_a_value_that_json_reads_too(written: str) -> None:
    found = outcome(written)
    if isinstance(found, JsonProblem):
        assert found.line >= 1
        assert found.column >= 1
    else:
        assert json.loads(written.removeprefix("\ufeff")) == value(found)


def test_places() -> None:
    root = parse_json('{\n  "a": [1,\n    "中", true]\n}', first_line=3)
    assert isinstance(root, MappingNode)
    items = root.get("a")
    assert isinstance(items, SequenceNode)
    assert [(i.line, i.column) for i in items.items] == [(4, 9), (5, 5), (5, 10)]


def test_places_inside_a_line() -> None:
    assert isinstance(node := parse_json('{"a": 1}', 7, 12), MappingNode)
    assert [(k.line, k.column) for k, _ in node.entries] == [(7, 13)]


@pytest.mark.parametrize(
    ("written", "line", "column"),
    [
        ("", 1, 1),
        ("{", 1, 2),
        ('{"a" 1}', 1, 6),
        ('{"a": 1,}', 1, 9),
        ('{"a": 1 "b": 2}', 1, 9),
        ("[1 2]", 1, 4),
        ("[1,]", 1, 4),
        ("NaN", 1, 1),
        ("-Infinity", 1, 1),
        ("01", 1, 1),
        ("1.", 1, 1),
        ("tru", 1, 1),
        ("truex", 1, 1),
        ("'a'", 1, 1),
        ("{a: 1}", 1, 2),
        ('"open', 1, 1),
        ('"tab\there"', 1, 1),
        ('"\\x"', 1, 1),
        ('"\\ud800"', 1, 1),
        ('"\\u0000"', 1, 1),
        ('{"a": 1,\n "a": 2}', 2, 2),
        ("1 2", 1, 3),
        ("// comment\n{}", 1, 1),
    ],
)
def test_refused(written: str, line: int, column: int) -> None:
    with pytest.raises(JsonProblem) as caught:
        parse_json(written)
    assert (caught.value.code, caught.value.line, caught.value.column) == ("side-file-invalid", line, column)


@pytest.mark.parametrize(
    "written",
    [
        "[" * 100_000,
        "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1),
        '{"a":' * 5_000,
        json.dumps(list(range(MAX_NODES))),
        json.dumps({str(i): i for i in range(MAX_NODES // 2 + 1)}),
        '"' + "x" * MAX_BYTES + '"',
    ],
    ids=["open brackets", "depth", "open braces", "items", "keys", "bytes"],
)
def test_bounds(written: str) -> None:
    with pytest.raises(JsonProblem):
        parse_json(written)


def test_a_byte_order_mark_is_accepted() -> None:
    assert value(parse_json('\ufeff{"a": 1}')) == {"a": 1}


def test_numbers_keep_their_text() -> None:
    assert [i.value for i in parse_json("[1.10, 1e999, -0]").items] == ["1.10", "1e999", "-0"]  # type: ignore[union-attr]
