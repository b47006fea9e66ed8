"""Any text in, a reading out, soon: random texts, broken YAML, and texts made to blow up."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.judge.dialects.libraries import LIBRARIES, read_yaml
from generator.judge.dialects.lines import LINE_READERS, read_lines
from generator.judge.dialects.repairs import REPAIRS, repair_text
from generator.judge.dialects.simpletext import is_simple
from generator.judge.dialects.values import YamlReading
from generator.read.nodes import MappingNode
from generator.read.yamlnodes import YamlProblem, parse_yaml
from tests.judge.dialects.record import read_record

SECONDS = 2.0
"""Most time for one text of 20 kB in one library; the slowest takes a fifth of it on a quiet machine."""

_PIECES = st.sampled_from(
    [
        *(
            "name: x",
            "description: a",
            "a:",
            "b",
            "- ",
            "-",
            "? ",
            ": ",
            ":",
            "\n",
            "\n  ",
            "\n\t",
            "  ",
            " ",
        ),
        *("[", "]", "{", "}", ",", '"', "'", "|", ">", ">-", "|2", "&a ", "*a", "!t ", "!!str ", "!!set "),
        *(
            "%YAML 1.1",
            "---\n",
            "...\n",
            "#",
            " # c",
            "@",
            "`",
            "<<: ",
            "~",
            "1_0",
            "0x",
            "2026-02-30",
            "=",
            "\\",
        ),
        *(
            "\r",
            "\r\n",
            "\x00",
            "\x01",
            "\x7f",
            "\x85",
            "\u2028",
            "\ufeff",
            "\ud800",
            "\U0001f600",
            "\\ud800",
        ),
    ]
)
TEXTS = st.one_of(
    st.text(st.characters(codec=None), max_size=80),
    st.lists(_PIECES, max_size=40).map("".join),
)

N = 20 * 1024
HOSTILE = {
    "one line": "a: " + "x " * (N // 2),
    "opening brackets": "[" * N,
    "opening braces": "{" * N,
    "brackets 1,000 deep": "a: " + "[" * 1_000 + "]" * 1_000,
    "brackets 9,000 deep": "a: " + "[" * 9_000 + "]" * 9_000,
    "blocks 340 deep": "".join(" " * depth + "a:\n" for depth in range(340)),
    "lists 340 deep": "".join(" " * depth + "-\n" for depth in range(340)),
    "double quotes": '"' * N,
    "single quotes": "'" * N,
    "backslashes in quotes": 'a: "' + "\\" * N,
    "blanks in quotes": 'a: "' + " " * N + '"',
    "escapes": 'a: "' + "\\n" * (N // 2) + '"',
    "keys": "".join(f"k{number}: v\n" for number in range(2_000)),
    "one key again": "a: b\n" * 4_000,
    "hyphens": "- " * (N // 2),
    "question marks": "? " * (N // 2),
    "colons": ": " * (N // 2),
    "tabs": "\t" * N,
    "documents": "---\n" * 5_000,
    "directives": "%x\n" * 6_000,
    "anchors": "".join(f"&a{number} " for number in range(3_000)),
    "aliases": "a: &x 1\nb:\n" + "- *x\n" * 3_000,
    "aliases of aliases": "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 20)),
    "merges of merges": "b0: &b0 {x: 1}\n"
    + "".join(f"b{n}: &b{n}\n  <<: [{', '.join([f'*b{n - 1}'] * 9)}]\n" for n in range(1, 12)),
    "a list of commas": "a: [" + "x," * 9_000 + "]",
    "braces of pairs": "a: {" + "".join(f"k{number}: v, " for number in range(2_000)) + "}",
    "next lines": "a: b" + " \x85" * 9_000,
    "block of empty lines": "a: |\n" + "  \n" * 6_000,
    "folded lines": "a: >\n" + " x\n\n" * 5_000,
    "broken lines": "k: [a\n" * 3_000,
}


@given(TEXTS)
@settings(max_examples=120, deadline=None)
def test_every_reader_takes_any_text(text: str) -> None:
    for library in LIBRARIES:
        reading = read_yaml(library, text)
        assert isinstance(reading, YamlReading)
        if reading.fault is not None:
            assert reading.value is None
            assert reading.fault.line >= 1
            assert reading.fault.column >= 1
            assert reading.fault.message[:1] == reading.fault.message[:1].upper()
    for name in REPAIRS:
        repaired = repair_text(name, text)
        assert repaired is None or repaired != text
    for name in LINE_READERS:
        read_lines(name, text)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_no_text_takes_long(text: str) -> None:
    tasks = [(library, lambda library=library: read_yaml(library, text)) for library in LIBRARIES]
    tasks += [(name, lambda name=name: repair_text(name, text)) for name in REPAIRS]
    tasks += [(name, lambda name=name: read_lines(name, text)) for name in LINE_READERS]
    for name, task in tasks:
        start = time.process_time()
        task()
        assert time.process_time() - start < SECONDS, name


_KEYS = st.sampled_from(["name", "description", "license", "tags", "a-b", "yes", "x1", "null"])
_VALUES = st.sampled_from(
    [
        *(
            "text",
            "two words",
            "1.10",
            "0x1F",
            "010",
            "yes",
            "no",
            "~",
            "null",
            "true",
            "2026-01-01",
            ".5",
            "1e3",
        ),
        *(
            '"quoted"',
            "'it is'",
            "[a, b]",
            '["a", b]',
            "[]",
            "{}",
            "http://x/y:z",
            "a#b",
            "a: b",
            "-x",
            "é 中",
            "",
        ),
        *("|\n  one\n  two", ">-\n  one\n\n  two", ">\n  one\n    two", "\n  - a\n  - b", "\n  k: v\n  l: 1"),
        *("\n- a\n- b", "<<", "=", "a b ", "1_000", "12:30:00", "(x)", "a, b", "a\n  b", "+1", "~x", "$x"),
    ]
)
FRONTS = st.lists(st.tuples(_KEYS, _VALUES), min_size=1, max_size=5, unique_by=lambda pair: pair[0]).flatmap(
    lambda pairs: st.sampled_from(["", "\n"]).map(
        lambda end: "\n".join(f"{key}: {value}" for key, value in pairs) + end
    )
)


@given(FRONTS)
@settings(max_examples=200, deadline=None)
def test_the_shortcut_changes_no_answer(text: str) -> None:
    _check_shortcut(text)


def test_the_shortcut_changes_no_answer_of_the_record() -> None:
    for case in read_record():
        _check_shortcut(case.text)


def test_the_shortcut_is_taken_for_ordinary_front_matter() -> None:
    assert is_simple(
        "name: pdf-tools\ndescription: Fill forms (A4, B5). Use it for PDF files; see http://x/y.\n"
    )
    assert is_simple(
        "name: a\nmetadata:\n  author: b\n  version: '1.0'\nallowed-tools:\n  - Read\n  - Write\n"
    )
    assert is_simple("name: a\ndescription: >-\n  One line\n  and another.\nlicense: MIT")
    assert not is_simple("description: a: b\n")
    assert not is_simple("description: |\n  a")


def _check_shortcut(text: str) -> None:
    try:
        tree = parse_yaml(text)
    except YamlProblem:
        return
    if isinstance(tree, MappingNode):
        for library in LIBRARIES:
            assert read_yaml(library, text, tree) == read_yaml(library, text), library
