"""Source lines and carets as a terminal shows them."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.check.excerpts import Excerpts
from generator.check.widths import cell_width, show_line
from generator.findings import finding
from generator.model import Package, PackageFile, PackagePath, Sha256

LINES = {
    "plain": ("name: pdf", 7, 3, 80, "name: pdf", "      ^^^"),
    "at the end": ("name:", 6, 0, 80, "name:", "     ^"),
    "beyond the end": ("ab", 9, 3, 80, "ab", "  ^"),
    "CJK before": ("名称: x", 5, 1, 80, "名称: x", "      ^"),
    "CJK marked": ("a: 名称", 4, 2, 80, "a: 名称", "   ^^^^"),
    "combining": ("e\u0301x", 3, 1, 80, "e\u0301x", " ^"),
    "tab before": ("\tx", 2, 1, 80, "    x", "    ^"),
    "tab stops": ("ab\tx", 4, 1, 80, "ab  x", "    ^"),
    "tab marked": ("a\tb", 2, 1, 80, "a   b", " ^^^"),
    "control": ("a\x1bb", 3, 1, 80, "a\\x1bb", "     ^"),
    "zero width marked": ("a\u200bb", 2, 1, 80, "a\\u{200b}b", " ^^^^^^^^"),
    "cut right": ("abcdefghij", 1, 2, 6, "abcde…", "^^"),
    "mark cut right": ("abcdefghij", 3, 8, 6, "abcde…", "  ^^^^"),
    "cut left": ("x" * 60 + "HERE", 61, 4, 40, "…" + "x" * 24 + "HERE", " " * 25 + "^^^^"),
    "cut both": ("x" * 60 + "HERE" + "y" * 60, 61, 4, 40, "…" + "x" * 24 + "HERE" + "y" * 10 + "…", " " * 25 + "^^^^"),
    "empty": ("", 1, 0, 80, "", "^"),
}  # fmt: skip


@pytest.mark.parametrize(("line", "column", "length", "room", "text", "caret"), LINES.values(), ids=LINES)
def test_lines(line: str, column: int, length: int, room: int, text: str, caret: str) -> None:
    shown = show_line(line, column, length, room)
    assert shown.text == text
    assert " " * shown.start + "^" * shown.cells == caret


@given(st.text(max_size=300), st.integers(1, 320), st.integers(0, 320), st.integers(30, 90))
def test_any_line_fits_and_is_marked_inside(line: str, column: int, length: int, room: int) -> None:
    shown = show_line(line, column, length, room)
    assert shown.text.isprintable()
    assert cell_width(shown.text) <= room + 1
    assert shown.start >= 0
    assert shown.start + shown.cells <= max(cell_width(shown.text), shown.start) + 1


def test_a_line_of_a_million_characters_costs_nothing() -> None:
    line = "名" * 1_000_000
    started = time.perf_counter()
    shown = show_line(line, 500_000, 3, 80)
    assert time.perf_counter() - started < 0.05
    assert shown.cells == 6


@given(st.characters())
def test_widths_are_those_of_unicode(char: str) -> None:
    if unicodedata.east_asian_width(char) in "WF" and not unicodedata.combining(char):
        assert cell_width(char) == (0 if unicodedata.category(char) in ("Mn", "Me") else 2)


def excerpt(
    data: bytes, line: int, column: int | None, text: str = "", path: str = "pdf/SKILL.md"
) -> list[str]:
    package = Package("s", "pdf", (PackageFile(PackagePath("SKILL.md"), data, Sha256("")),))
    return list(Excerpts("pdf", package).lines_of(finding("yaml-syntax", path, "m", "f", line, column, text)))


EXCERPTS = {
    "a place": (b"---\nname: x\n", 2, 7, "x", ["2 | name: x", "  |       ^"]),
    "a line": (b"---\nname: x\n", 2, None, "", ["2 | name: x"]),
    "CRLF": (b"---\r\nname: x\r\n", 2, 7, "x", ["2 | name: x", "  |       ^"]),
    "lone CR": (b"---\rname: x\r", 2, 7, "x", ["2 | name: x", "  |       ^"]),
    "after a BOM": (b"\xef\xbb\xbf---\nname: x\n", 1, 4, "", ["1 | ---", "  |    ^"]),
    "invalid UTF-8": (b"---\nname: \xff!\n", 2, 7, "", ["2 | name: \ufffd!", "  |       ^"]),
    "no such line": (b"---\n", 9, 1, "", []),
    "wide numbers": (b"\n" * 99 + b"x\n", 100, 1, "x", ["100 | x", "    | ^"]),
}


@pytest.mark.parametrize(("data", "line", "column", "text", "lines"), EXCERPTS.values(), ids=EXCERPTS)
def test_excerpts(data: bytes, line: int, column: int | None, text: str, lines: list[str]) -> None:
    assert excerpt(data, line, column, text) == lines


def test_a_byte_order_mark_can_be_seen() -> None:
    package = Package("s", "pdf", (PackageFile(PackagePath("SKILL.md"), b"\xef\xbb\xbf---\n", Sha256("")),))
    found = finding("frontmatter-bom", "pdf/SKILL.md", "m", "f", 1, 1, "---")
    assert Excerpts("pdf", package).lines_of(found) == ("1 | \\u{feff}---", "  | ^^^^^^^^")


def test_no_excerpt_of_what_is_not_there() -> None:
    assert excerpt(b"x", 1, 1, path="pdf/other.md") == []
    assert excerpt(b"x", 1, 1, path="elsewhere/SKILL.md") == []
    assert list(Excerpts("pdf", None).lines_of(finding("yaml-syntax", "pdf/SKILL.md", "m", "f", 1, 1))) == []
