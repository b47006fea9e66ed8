"""The tokens of our lexers are Pygments' own, for every language, on real code, mutilated code and hostile code."""

from __future__ import annotations

import json
import re
import time
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pygments.lexer import Lexer, RegexLexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Token

from generator.write.site.highlight import _LEXERS, highlight_code
from generator.write.site.lexing import LazyPattern, MergedLexer, Rule, Segment, make_lexer, merge_rules

SKILLS = Path(__file__).parents[2] / "skills"
FENCE = re.compile(r"^ *```([\w+-]+)[^\n]*\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
SNIPPETS: dict[str, str] = json.loads((Path(__file__).parent / "data" / "snippets.json").read_text("utf-8"))
"""A few lines in every language that is coloured, with what is hard to read in it."""
OWN_LOOP = frozenset(
    (
        *("c", "console", "cpp", "elixir", "hcl", "http", "json", "lua", "make"),
        *("objective-c", "php", "ruby", "swift", "terraform", "yaml"),
    )
)
"""Their Pygments lexers do something else around the loop, or have another one."""


@cache
def both_lexers(name: str) -> tuple[Lexer, Lexer]:
    return get_lexer_by_name(name), make_lexer(name)


def assert_same_tokens(name: str, text: str) -> None:
    theirs, ours = both_lexers(name)
    assert list(ours.get_tokens_unprocessed(text)) == list(theirs.get_tokens_unprocessed(text))


def test_there_is_a_snippet_for_every_language() -> None:
    assert SNIPPETS.keys() == _LEXERS


@pytest.mark.parametrize("name", SNIPPETS)
def test_tokens_of_a_snippet(name: str) -> None:
    assert_same_tokens(name, SNIPPETS[name])
    assert len(list(both_lexers(name)[1].get_tokens_unprocessed(SNIPPETS[name]))) > 8


@pytest.mark.parametrize("name", SNIPPETS)
def test_tokens_of_other_languages(name: str) -> None:
    for text in SNIPPETS.values():
        assert_same_tokens(name, text)


def test_tokens_of_our_own_skills() -> None:
    blocks = {
        (language, code)
        for file in sorted(SKILLS.rglob("*.md"))
        for language, code in FENCE.findall(file.read_text("utf-8"))
        if language in SNIPPETS
    }
    assert len(blocks) > 20
    for language, code in sorted(blocks):
        assert_same_tokens(language, code)


@pytest.mark.parametrize("name", SNIPPETS)
def test_which_languages_are_merged(name: str) -> None:
    assert isinstance(make_lexer(name), MergedLexer) is (name not in OWN_LOOP)


MERGED = sorted(SNIPPETS.keys() - OWN_LOOP)


@given(
    st.sampled_from(MERGED),
    st.lists(
        st.sampled_from("ab_1é \n\t\"'`\\/()[]{}<>#$@&|!?:;=+-*%^~.,") | st.text(max_size=4), max_size=30
    ),
)
@settings(max_examples=600, deadline=None)
def test_tokens_of_any_text(name: str, pieces: list[str]) -> None:
    assert_same_tokens(name, "".join(pieces))


@given(st.sampled_from(MERGED), st.data())
@settings(max_examples=600, deadline=None)
def test_tokens_of_mutilated_code(name: str, data: st.DataObject) -> None:
    code = SNIPPETS[name]
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(code)))
        end = min(len(code), start + data.draw(st.integers(0, 12)))
        code = (
            code[:start]
            + data.draw(st.sampled_from(["", '"', "'", "\n", "{", ")", "é", "<<", "\\"]))
            + code[end:]
        )
    assert_same_tokens(name, code)


HOSTILE = (
    "a",
    " ",
    "\n",
    '"',
    "\\",
    "(",
    "[",
    "{",
    "<",
    "#",
    "0",
    "é",
    "/*",
    "${",
    "<a ",
    "a\n",
    "'a",
    "\na ",
)


@pytest.mark.parametrize("name", MERGED)
def test_hostile_code_takes_no_longer_than_in_pygments(name: str) -> None:
    theirs, ours = both_lexers(name)
    spent = [0.0, 0.0]
    for piece in HOSTILE:
        text = (piece * 1500)[:1500]
        list(ours.get_tokens_unprocessed(text))  # what is compiled once is no matter of the text
        for index, lexer in enumerate((theirs, ours)):
            start = time.process_time()
            tokens = list(lexer.get_tokens_unprocessed(text))
            spent[index] += time.process_time() - start
            assert "".join(value for _, _, value in tokens) == text
    assert spent[1] < 3 * spent[0] + 0.5


def segments_of(*patterns: str) -> list[Segment]:
    rules: list[Rule] = [(LazyPattern(pattern, re.MULTILINE), Token, None) for pattern in patterns]
    state = merge_rules(rules)
    return [Segment(state.match, state.rules), *state.others]


@pytest.mark.parametrize(
    ("patterns", "segments"),
    [
        (("a", "b(c)", "(?:d|e)f"), 1),
        ((r"(a|b)\1", r"(c)(d)\2\1", "e"), 1),
        (("a", "(?s)b.", "(?i)c"), 1),
        ((r"[(\]\1]", r"[]()]", r"\((a)\)"), 1),
        (("a", "(?x) b # (", "c"), 3),
        (("a", r"(b)?(?(1)c|d)", "e"), 3),
        (("a", r"(?P<q>b)(?P=q)", "c"), 3),
        (("a", "[" + "é" * 300 + "]", "b"), 3),
        (("(?a)a", r"\w"), 2),
        (("a",), 1),
        ((), 1),
    ],
    ids=[
        "groups",
        "references",
        "flags",
        "classes",
        "verbose",
        "condition",
        "name",
        "wide",
        "ascii",
        "one",
        "none",
    ],
)
def test_what_is_merged(patterns: tuple[str, ...], segments: int) -> None:
    assert len(segments_of(*patterns)) == segments


RULES = (
    (r"(a|b)\1", "(?s)A.", "(?i)b(c)", "(?x) d # (", r"[(\]\1]", r"(c)(d)\2\1", "", r"\w"),
    ("(?is)a.", "b.", "(?i)c.", "(?s)D.", ""),
    ("(?x) a # (", "(?x) b  c # )", "(?x) b", "(?i)(c)", ""),
)


@given(st.sampled_from(RULES), st.text(alphabet="abcdefABCD()[]1\\\n é", max_size=12))
@settings(max_examples=500)
def test_the_first_rule_that_matches_is_taken(patterns: tuple[str, ...], text: str) -> None:
    compiled = [re.compile(pattern, re.MULTILINE) for pattern in patterns]
    number, expected = next((n, m) for n, one in enumerate(compiled) if (m := one.match(text)))
    for match, rules in segments_of(*patterns):
        found = match(text, 0)
        if found is not None:
            rule = rules[found.lastindex or 0]
            assert isinstance(rule[0], LazyPattern)
            assert (rule[0].source, found.end()) == (patterns[number], expected.end())
            return
    pytest.fail("nothing matched")


def test_a_jump_beyond_the_first_state_stays_in_it() -> None:
    class Jumping(RegexLexer):
        tokens = {  # noqa: RUF012
            "root": [("a", Token.A, ("one", "two")), ("p", Token.P, "#push"), ("z", Token.Z, "#pop:5")],
            "one": [("b", Token.B, "#pop"), ("c", Token.C, ("#pop", "#push", "two"))],
            "two": [("d", Token.D, "#pop:2"), ("e", Token.E, "#pop"), ("x", Token.X, "#push")],
        }

    class Merged(Jumping, MergedLexer):
        _merged = {}  # noqa: RUF012

    for text in ("adza", "aebp", "axxezzb", "aecec\nab", "zzpa\n", "aeccd?a", ""):
        assert list(Merged().get_tokens_unprocessed(text)) == list(Jumping().get_tokens_unprocessed(text))
    assert list(Merged().get_tokens_unprocessed("d", ("root", "two"))) == [(0, Token.D, "d")]


def test_unknown_text_is_coloured_without_a_loss() -> None:
    assert highlight_code("go", "\x00€\n") == "\x00€\n"
