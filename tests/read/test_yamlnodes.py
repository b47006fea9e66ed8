"""The YAML reader: what it accepts, what it refuses and where, and that it never does anything else."""

from __future__ import annotations

import time

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from generator.read import yamlnodes
from generator.read.nodes import MAX_BYTES, MAX_DEPTH, MAX_NODES, place_of, walk_scalars
from generator.read.yamladvice import quoted
from generator.read.yamlnodes import MappingNode, Node, ScalarNode, SequenceNode, YamlProblem, parse_yaml


def plain(node: Node | None) -> object:
    if node is None or isinstance(node, ScalarNode):
        return node and node.value
    if isinstance(node, SequenceNode):
        return [plain(i) for i in node.items]
    return {k.value: plain(v) for k, v in node.entries}


def outcome(text: str, first_line: int = 1) -> Node | YamlProblem | None:
    """Any other exception fails the test."""
    try:
        return parse_yaml(text, first_line)
    except YamlProblem as problem:
        return problem


def problem(text: str, first_line: int = 1) -> YamlProblem:
    found = outcome(text, first_line)
    assert isinstance(found, YamlProblem), found
    return found


@pytest.mark.parametrize(
    "written",
    ["2026-01-05", "2026-02-30", "1.0", "1.10", "1_0", "0x10", "12:30:45", "on", "no", "007", "1e3", "~", "null",
     ".inf", ".nan", "true", "9" * 5000, "0b11", "=", "a: b".replace(": ", ":")],
)  # fmt: skip
def test_scalars_stay_text(written: str) -> None:
    assert plain(parse_yaml(f"key: {written}")) == {"key": written}


@pytest.mark.parametrize(
    ("text", "style", "value"),
    [
        ("k: word", "plain", "word"),
        ("k: 'it''s'", "quoted", "it's"),
        ('k: "a\\tb"', "quoted", "a\tb"),
        ("k: >-\n  one\n  two", "block", "one two"),
        ("k: |\n  one\n  two\n", "block", "one\ntwo\n"),
        ("k: one\n  two", "plain", "one two"),
        ("k:", "plain", ""),
    ],
    ids=["plain", "single", "double", "folded", "literal", "continued", "nothing"],
)
def test_styles(text: str, style: str, value: str) -> None:
    root = parse_yaml(text)
    assert isinstance(root, MappingNode)
    node = root.get("k")
    assert isinstance(node, ScalarNode)
    assert (node.style, node.value) == (style, value)


def test_every_node_knows_its_place() -> None:
    root = parse_yaml("a: 1\n中文:\n  - x\n  - {é: [y]}\n", first_line=10)
    assert root is not None
    places = {s.value: (s.line, s.column) for s in walk_scalars(root)}
    assert places == {
        "a": (10, 1),
        "1": (10, 4),
        "中文": (11, 1),
        "x": (12, 5),
        "é": (13, 6),
        "y": (13, 10),
    }


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "---\n"])
def test_nothing_is_none(text: str) -> None:
    assert parse_yaml(text) is None


def test_null_is_told_from_quoted_nothing() -> None:
    root = parse_yaml("a:\nb: ''\nc: ~\nd: null\ne: 'null'")
    assert isinstance(root, MappingNode)
    assert [v.is_null for _, v in root.entries if isinstance(v, ScalarNode)] == [
        True,
        False,
        True,
        True,
        False,
    ]
    assert root.get("missing") is None
    key = root.key("b")
    assert key is not None
    assert key.line == 2
    assert root.key("missing") is None


# text -> code, line, column, a piece of the fix
REFUSED: dict[str, tuple[str, str, int, int, str]] = {
    "colon": ("description: Use when: x", "yaml-unquoted-colon", 1, 22, 'description: "Use when: x"'),
    "colon in a list item": ("a:\n  - b: c: d", "yaml-unquoted-colon", 2, 9, '- b: "c: d"'),
    "colon and quotes": ('d: say "x": y', "yaml-unquoted-colon", 1, 11, 'd: "say \\"x\\": y"'),
    "colon at the end": ("d: use when:", "yaml-unquoted-colon", 1, 12, 'd: "use when:"'),
    "colon in a continued line": ("d: one\n  two: three", "yaml-unquoted-colon", 2, 6, "d: >-"),
    "a tab": ("metadata:\n\tauthor: x", "yaml-stray-syntax", 2, 1, "spaces"),
    "at": ("d: @scope/pkg", "yaml-indicator-start", 1, 4, 'd: "@scope/pkg"'),
    "at, in a list": ("d:\n  - @scope", "yaml-indicator-start", 2, 5, '"@scope"'),
    "backtick": ("d: `code` first", "yaml-indicator-start", 1, 4, 'd: "`code` first"'),
    "percent": ("d: %x", "yaml-indicator-start", 1, 4, 'd: "%x"'),
    "star": ("d: *bold* helper", "yaml-indicator-start", 1, 4, 'd: "*bold* helper"'),
    "bracket and a tail": ("d: [Beta] helper", "yaml-indicator-start", 1, 4, 'd: "[Beta] helper"'),
    "brace and a tail": ("d: {x} helper", "yaml-indicator-start", 1, 4, 'd: "{x} helper"'),
    "quote and a tail": ('d: "Foo" and more', "yaml-indicator-start", 1, 4, "in double quotes"),
    "fold and a tail": ("d: > x", "yaml-indicator-start", 1, 4, 'd: "> x"'),
    "two brackets": ("h: [file] [mode]", "yaml-bracketed-argument-hint", 1, 4, 'h: "[file] [mode]"'),
    "an open double quote": ('a: b\nd: "open\nx: y\n', "yaml-unterminated-quote", 2, 4, 'missing "'),
    "an open single quote": ("d: 'open", "yaml-unterminated-quote", 1, 4, "missing '"),
    "a conflict": ("<<<<<<< HEAD\na: b\n=======\na: c\n", "yaml-stray-syntax", 1, 1, "conflict"),
    "a duplicate": ("a: 1\nb: 2\na: 3", "yaml-duplicate-key", 3, 1, "one of the two"),
    "a nested duplicate": ("m:\n  a: 1\n  a: 3", "yaml-duplicate-key", 3, 3, "one of the two"),
    "an anchor": ("a: &x 1", "yaml-anchor", 1, 4, ""),
    "an anchored list": ("a: &x [1]", "yaml-anchor", 1, 4, ""),
    "an alias": ("a: *x", "yaml-anchor", 1, 4, 'a: "*x"'),
    "a merge": ("<<: {a: b}", "yaml-merge-key", 1, 1, "out"),
    "a python tag": ("a: !!python/name:os.system", "yaml-stray-syntax", 1, 4, "tag"),
    "a tagged list": ("a: !!set {x}", "yaml-stray-syntax", 1, 4, "tag"),
    "an exclamation mark": ("a: !important", "yaml-stray-syntax", 1, 4, "quote"),
    "a directive": ("%YAML 1.1\n---\na: b", "yaml-indicator-start", 1, 1, "%"),
    "two documents": ("a: b\n---\nc: d", "yaml-multiple-documents", 2, 1, "---"),
    "a list as a key": ("? [a]\n: b", "yaml-complex-key", 1, 3, "word"),
    "NUL": ("a: b\x00", "encoding-not-utf8-or-control-char", 1, 5, "Remove"),
    "a bell on a later line": ("a: b\r\nc: \x07", "encoding-not-utf8-or-control-char", 2, 4, "Remove"),
    "an escaped NUL": ('a: "x\\0"', "encoding-not-utf8-or-control-char", 1, 4, "Remove"),
    "a lone surrogate": ("a: \ud800", "encoding-not-utf8-or-control-char", 1, 4, "Remove"),
    "an inner BOM": ("a: x\ufeff", "encoding-not-utf8-or-control-char", 1, 5, "Remove"),
    "an unknown escape": ('a: "\\d+"', "yaml-syntax", 1, 5, "single quotes"),
    "a line that is neither": ("a: b\nand more", "yaml-syntax", 2, 1, "Indent"),
    "an open list": ("a: [b", "yaml-syntax", 2, 1, ""),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("loader", ["c", "python"])
def test_refused(name: str, loader: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, code, line, column, fix = REFUSED[name]
    if loader == "python":
        monkeypatch.setattr(yamlnodes, "_Loader", yaml.SafeLoader)
    found = problem(text, first_line=5)
    if loader == "c":
        assert (found.code, found.line - 4, found.column) == (code, line, column)
        assert fix in found.fix
    else:
        # The pure Python parser stops at other places; what it stops for is the same kind.
        assert found.code == code or found.code.startswith("yaml-")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a: " + "x" * MAX_BYTES, "yaml-too-large"),
        ("a: " + "中" * (MAX_BYTES // 3 + 1), "yaml-too-large"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "yaml-too-deep"),
        ("[" * 20_000, "yaml-too-deep"),
        ("{a: " * 16_000, "yaml-too-deep"),
        ("- " * 30_000, "yaml-too-deep"),
        ("? " * 30_000, "yaml-too-deep"),
        ("[" + "x," * MAX_NODES + "]", "yaml-too-many-nodes"),
        ("\n".join(f"k{i}: v" for i in range(MAX_NODES)), "yaml-too-many-nodes"),
        ("a: &a [x]\n" + "\n".join(f"b{i}: [{'*a,' * 9}]" for i in range(9)), "yaml-anchor"),
        ("a: &a " + "x" * 60_000 + "\nb: [" + "*a," * 500 + "]", "yaml-anchor"),
    ],
    ids=["bytes", "bytes-not-characters", "depth", "flow", "braces", "dashes", "questions", "items", "keys",
         "billion-laughs", "big-anchor"],
)  # fmt: skip
def test_bounds(text: str, code: str) -> None:
    started = time.process_time()
    assert problem(text).code == code
    assert time.process_time() - started < 0.5


def test_just_within_the_bounds() -> None:
    assert parse_yaml("[" * MAX_DEPTH + "]" * MAX_DEPTH) is not None
    assert parse_yaml("a: " + "x" * (MAX_BYTES - 3)) is not None
    assert parse_yaml("[" + "x," * (MAX_NODES - 1) + "]") is not None


@pytest.mark.parametrize(
    "text",
    ["!!int x", "!!bool x", "a: 0o9", "a: 2026-99-99", "a: 1:2:3:4", "? ?", "&a [*a]", "- -\n-", ",", "}", "]",
     "key: - b", "\t", "a:\tb", ":", "-", "?", "|", ">", "%", "@", "`", "&", "*", "!", "'", '"', "{[}]", "a: {b",
     "\x85", "\u2028a: b: c", "\ufeff", "--- |\n", "a: |9\n  x", "a: |x", "... x", "%TAG ! tag:x,2000:\n--- !a b",
     "a: 'x'y", "[a]: b: c", "{a: b}: c",
     "#" * 60_000, "a: " + "'" * 60_000, '"\\U00110000"', '"\\ud800"', "a" * 2000 + ": b"],
)  # fmt: skip
@pytest.mark.parametrize("loader", ["c", "python"])
def test_awkward_inputs_end_in_a_value_or_one_kind_of_error(
    text: str, loader: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if loader == "python":
        monkeypatch.setattr(yamlnodes, "_Loader", yaml.SafeLoader)
    found = outcome(text)
    if isinstance(found, YamlProblem):
        assert found.line >= 1
        assert found.column >= 1
        assert len(found.message) + len(found.fix) < 1500


yaml_text = st.text(
    st.sampled_from(list("ab:- \n\t'\"[]{},#&*!|>%@`?~.0\\\r\ufeff\u2028é中\x00")) | st.characters(),
    max_size=80,
)


@given(yaml_text)
def test_any_text_ends_in_a_value_or_one_kind_of_error(text: str) -> None:
    found = outcome(text)
    if isinstance(found, YamlProblem):
        assert found.line >= 1
        assert found.column >= 1


@given(yaml_text)
def test_what_we_accept_pyyaml_accepts_and_means_the_same(text: str) -> None:
    """BaseLoader resolves nothing either, so values must agree text for text."""
    ours = outcome(text)
    if isinstance(ours, YamlProblem):
        return
    theirs = yaml.load(text, Loader=yaml.CBaseLoader)
    assert plain(ours) == theirs or (ours is None and theirs in (None, ""))


tree = st.recursive(
    st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufeff\ufffe\uffff"), max_size=12),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(st.characters(codec="ascii", categories=["L"]), min_size=1), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


@given(tree, st.booleans(), st.booleans())
def test_what_pyyaml_writes_comes_back(value: object, flow: bool, unicode: bool) -> None:
    text = yaml.safe_dump(value, default_flow_style=flow, allow_unicode=unicode, width=50)
    ours = outcome(text)
    if isinstance(ours, YamlProblem):
        # Depth is ours; anchors are written for equal empty collections; the rest must be readable.
        assert ours.code in ("yaml-too-deep", "yaml-anchor", "encoding-not-utf8-or-control-char")
        return
    got = plain(ours)
    assert got == value or (ours is None and value == "")


@given(
    st.text(
        st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"], exclude_characters="\ufeff\ufffe\uffff")
    )
)
def test_the_line_to_paste_means_what_the_author_wrote(value: str) -> None:
    root = parse_yaml(f"key: {quoted(value)}")
    assert plain(root) == {"key": value}


@pytest.mark.parametrize(
    ("text", "index", "place"),
    [
        ("abc", 0, (1, 1)),
        ("a\nb", 2, (2, 1)),
        ("a\r\nbc", 4, (2, 2)),
        ("a\rb", 2, (2, 1)),
        ("中é", 1, (1, 2)),
    ],
)
def test_places_in_code_points(text: str, index: int, place: tuple[int, int]) -> None:
    assert place_of(text, index) == place
