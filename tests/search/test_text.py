"""Folding and words; the same in Python and in JavaScript."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.search.letters import letter_class
from generator.search.text import STOP_WORDS, fold, forgives, is_spaceless, one_edit, stem, units, words
from tests.search.node import NodeSearch

FOLDED = {
    "lower case": ("PDF Forms", "pdf forms"),
    "blanks": ("\t a  b\n", "a b"),
    "ASCII punctuation stays": ("C++/C# @a", "c++/c# @a"),
    "full width": ("ＥＸＣＥＬ　（表）", "excel 表"),
    "accents": ("Résumé naïve", "resume naive"),
    "decomposed accents": ("Re\u0301sume\u0301", "resume"),
    "Turkish": ("İstanbul ılık", "istanbul ilik"),
    "Vietnamese": ("Điện tử", "dien tu"),
    "German": ("Straße STRASSE ẞ", "strasse strasse ss"),
    "Greek final sigma": ("ΟΔΟΣ οδος", "οδοσ οδοσ"),
    "Cyrillic": ("ТЕСТ Ёлка", "тест елка"),
    "voiced kana keep their mark": ("ガ が ｶﾞ", "ガ が ガ"),
    "Korean stays composed": ("한국어", "한국어"),
    "ligature": ("ﬁle", "file"),
    "fraction": ("½", "1 2"),
    "symbols are blanks": ("a™b✓c", "a b c"),
    "emoji": ("🎉 go", "go"),
    "unassigned in Unicode 14": ("a\U0001ccd6b", "a b"),
    "lone surrogate": ("a\ud800b", "a b"),
    "Hindi keeps its vowels": ("हिन्दी", "हिन्दी"),
}
SPLIT = {
    "punctuation": ("pdf-forms_and/more.v2", ["pdf", "forms", "and", "more", "v2"]),
    "capitals do not split": ("GitHub PowerPoint", ["github", "powerpoint"]),
    "a script without spaces ends a word": ("pdf转换工具v2", ["pdf", "转换工具", "v2"]),
    "kana and Han are one run": ("テスト駆動開発", ["テスト駆動開発"]),
    "Chinese punctuation": ("数据、分析。", ["数据", "分析"]),
    "Hindi": ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
    "Russian": ("анализ-данных", ["анализ", "данных"]),
    "nothing": ("!!! ——", []),
}
STEMS = {
    "tests": "test", "testing": "test", "translations": "translation", "queries": "quer", "debugging": "debug",
    "findings": "find", "copied": None, "readers": "read", "reader": "read", "parsed": "pars", "boxes": None,
    "queried": "quer", "indexes": "index", "story": "stor", "translate": "translat", "code": None,
    "class": None, "pass": None, "apis": None, "selling": "sell", "测试s": None,
}  # fmt: skip
EDITS = {
    "left out": ("secrity", "security", True),
    "added": ("securrity", "security", True),
    "replaced": ("sekurity", "security", True),
    "exchanged": ("secuirty", "security", True),
    "exchanged at the start": ("escurity", "security", True),
    "exchanged at the end": ("securiyt", "security", True),
    "added at the end": ("securitys", "security", True),
    "left out at the start": ("ecurity", "security", True),
    "two": ("sekuritty", "security", False),
    "exchanged over a distance": ("cesurity", "security", False),
    "the same": ("security", "security", False),
    "empty": ("", "a", True),
}


@pytest.mark.parametrize(("text", "folded"), FOLDED.values(), ids=FOLDED)
def test_fold(node: NodeSearch, text: str, folded: str) -> None:
    assert fold(text) == folded
    assert node.ask("fold", texts=[text]) == [folded]


@pytest.mark.parametrize(("text", "split"), SPLIT.values(), ids=SPLIT)
def test_words(node: NodeSearch, text: str, split: list[str]) -> None:
    assert words(fold(text)) == split
    assert node.ask("words", texts=[text]) == [split]


@pytest.mark.parametrize(
    ("word", "pairs"),
    [
        ("数据分析", ["数据", "据分", "分析"]),
        ("译", ["译"]),
        ("pdf", ["pdf"]),
        ("𠀀𠀁𠀂", ["𠀀𠀁", "𠀁𠀂"]),
        ("ไทย", ["ไท", "ทย"]),
    ],
)
def test_units(node: NodeSearch, word: str, pairs: list[str]) -> None:
    assert units(word) == pairs
    assert node.ask("units", words=[word]) == [pairs]


@pytest.mark.parametrize(("word", "left"), STEMS.items())
def test_stem(node: NodeSearch, word: str, left: str | None) -> None:
    assert stem(word) == left
    assert node.ask("stem", words=[word]) == [left]


def test_stop_words_are_the_same_ones(node: NodeSearch) -> None:
    for word in sorted(STOP_WORDS):
        assert node.ask("parse", question=f"{word} zebra", filters={})["units"] == ["zebra"]
    others = ["pdf", "review", "code", "skill", "agent", "file", "new", "two", "数据", "翻译"]
    for word in others:
        assert node.ask("parse", question=f"{word} zebra", filters={})["units"] == [word, "zebra"]


@pytest.mark.parametrize(("typed", "word", "same"), EDITS.values(), ids=EDITS)
def test_one_edit(node: NodeSearch, typed: str, word: str, same: bool) -> None:
    assert one_edit(typed, word) is same
    assert node.ask("edit", pairs=[[typed, word]]) == [same]


@pytest.mark.parametrize(
    ("word", "forgiven"),
    [
        ("pdfs", False),
        ("pdfes", True),
        ("анализ", True),
        ("2024a", False),
        ("数据分析助手", False),
        ("es2024", False),
    ],
)
def test_which_words_may_be_mistyped(word: str, forgiven: bool) -> None:
    assert forgives(word) is forgiven


def test_every_code_point_folds_alike_and_only_once(node: NodeSearch) -> None:
    """Whatever versions of Unicode this Python and this Node know."""
    step = 0x8000
    for first in range(0, sys.maxunicode + 1, step):
        there = {
            int(point): text
            for point, text in node.ask("foldAll", first=first, last=first + step - 1).items()
        }
        here = {
            point: folded
            for point in range(first, first + step)
            if (folded := fold(chr(point))) != chr(point)
        }
        assert here == there
        assert [point for point, folded in here.items() if fold(folded) != folded] == []


def test_letters_are_those_of_unicode_14() -> None:
    """Every Python knows at least these; categories of assigned characters do not become less."""
    members = letter_class()
    spans = zip(members[::3], members[2::3], strict=True)
    letters = {point for first, last in spans for point in range(ord(first), ord(last) + 1)}
    assert members[1::3].strip("-") == ""
    known = {point for point in range(sys.maxunicode + 1) if unicodedata.category(chr(point))[0] in "LMN"}
    assert letters <= known
    if unicodedata.unidata_version == "14.0.0":
        assert letters == known


@settings(max_examples=200, deadline=None)
@given(texts=st.lists(st.text(max_size=40), min_size=10, max_size=10))
def test_any_text_folds_alike(node: NodeSearch, texts: list[str]) -> None:
    folded = [fold(text) for text in texts]
    assert node.ask("fold", texts=texts) == folded
    assert [fold(text) for text in folded] == folded
    split = [words(text) for text in folded]
    assert node.ask("words", texts=texts) == split
    every = [word for one in split for word in one]
    assert node.ask("units", words=every) == [units(word) for word in every]
    assert all("".join(unit[0] for unit in units(word)) in word for word in every if is_spaceless(word))


@given(
    st.text("abcde", min_size=1, max_size=8), st.integers(0, 8), st.sampled_from("abcde"), st.integers(0, 3)
)
def test_every_single_edit_is_forgiven(word: str, at: int, letter: str, kind: int) -> None:
    at = min(at, len(word) - 1)
    typed = [
        word[:at] + word[at + 1 :],
        word[:at] + letter + word[at:],
        word[:at] + letter + word[at + 1 :],
        word[:at] + word[at : at + 2][::-1] + word[at + 2 :],
    ][kind]
    assert one_edit(typed, word) is (typed != word)
