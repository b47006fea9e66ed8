"""Splitting SKILL.md: fences, line ends, encodings, and where the body begins."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.findings import BARRING, CODES
from generator.read.frontmatter import split_front_matter

GOOD = b"---\nname: a\ndescription: b\n---\n\n# Body\n"

# input -> codes, body, body line; the name must be "a" unless a code bars
ACCEPTED: dict[str, tuple[bytes, list[str], str, int]] = {
    "plain": (GOOD, [], "\n# Body\n", 5),
    "CRLF": (GOOD.replace(b"\n", b"\r\n"), [], "\r\n# Body\r\n", 5),
    "lone CR": (GOOD.replace(b"\n", b"\r"), ["frontmatter-line-shape"], "\r# Body\r", 5),
    "mixed line ends": (b"---\r\nname: a\n---\r\nx", [], "x", 4),
    "BOM": (b"\xef\xbb\xbf" + GOOD, ["frontmatter-bom"], "\n# Body\n", 5),
    "blanks after the first fence": (b"--- \t\nname: a\n---\nx", ["frontmatter-line-shape"], "x", 4),
    "blanks after the last fence": (b"---\nname: a\n---  \nx", ["frontmatter-line-shape"], "x", 4),
    "closed by dots": (b"---\nname: a\n...\nx", ["frontmatter-line-shape"], "x", 4),
    "no line end at the end": (b"---\nname: a\n---", [], "", 4),
    "no body": (b"---\nname: a\n---\n", [], "", 4),
    "a rule in the body": (b"---\nname: a\n---\n# A\n\n---\n\n# B\n", [], "# A\n\n---\n\n# B\n", 4),
    "a second document in the body": (b"---\nname: a\n---\n---\nname: b\n---\n", [], "---\nname: b\n---\n", 4),
    "dashes in a value": (
        b"---\nname: a\nx: one --- two\n---\ny", ["frontmatter-contains-triple-dash"], "y", 5),
    "dashes in a block value": (
        b"---\nname: a\nx: |\n  one\n  ---\n  two\n---\ny", ["frontmatter-contains-triple-dash"], "y", 8),
    "dashes that start a longer word": (
        b"---\nname: a\nx: |\n ----\n---\ny", ["frontmatter-contains-triple-dash"], "y", 6),
    "a comment": (b"---\n# note\nname: a\n---\nx", [], "x", 5),
    "a NUL in the body": (b"---\nname: a\n---\nx\x00y", [], "x\x00y", 4),
    "Latin-1 in the body": (b"---\nname: a\n---\ncaf\xe9", ["body-not-utf8"], "caf\ufffd", 4),
    "exactly at the limit": (
        b"---\nname: a\n#" + b"x" * (65536 - 10) + b"\n---\ny", [], "y", 5),
}  # fmt: skip


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(name: str) -> None:
    data, codes, body, body_line = ACCEPTED[name]
    split = split_front_matter(data, "a/SKILL.md")
    assert [f.code for f in split.findings] == codes
    assert split.root is not None
    node = split.root.get("name")
    assert node is not None
    assert node.value == "a"  # type: ignore[union-attr]
    assert (split.body, split.body_line) == (body, body_line)


REFUSED: dict[str, tuple[bytes, str, int | None, int | None, str]] = {
    "nothing": (b"", "frontmatter-missing", 1, 1, "not start with"),
    "prose": (b"# Title\n", "frontmatter-missing", 1, 1, "# Title"),
    "four dashes": (b"----\nname: a\n----\n", "frontmatter-missing", 1, 1, "----"),
    "toml": (b"+++\nname = 'a'\n+++\n", "frontmatter-missing", 1, 1, "+++"),
    "a blank line first": (b"\n" + GOOD, "frontmatter-not-on-first-line", 2, 1, "line 2"),
    "a comment first": (b"<!-- x -->\n" + GOOD, "frontmatter-not-on-first-line", 2, 1, "line 2"),
    "a code fence first": (b"```yaml\r\n" + GOOD, "frontmatter-not-on-first-line", 2, 1, "line 2"),
    "indented": (b" " + GOOD, "frontmatter-not-on-first-line", 1, 1, "indented"),
    "unterminated": (b"---\nname: a\n\n# Body\n", "frontmatter-unterminated", 1, 1, "never closed"),
    "only a fence": (b"---", "frontmatter-unterminated", 1, 1, "never closed"),
    "closed by an indented fence": (b"---\nname: a\n ---\n", "frontmatter-unterminated", 3, 1, "indented"),
    "closed by a fence with a tail": (b"---\nname: a\n---x\n", "frontmatter-unterminated", 1, 1, "never"),
    "empty": (b"---\n---\n", "frontmatter-empty", 1, 1, "nothing"),
    "a blank block": (b"---\n\n---\n", "frontmatter-empty", 2, 1, "nothing"),
    "only a comment": (b"---\n# x\n---\n", "frontmatter-empty", 2, 1, "nothing"),
    "a list": (b"---\n- a\n---\n", "frontmatter-not-mapping", 2, 1, "a list"),
    "a sentence": (b"---\nhello\n---\n", "frontmatter-not-mapping", 2, 1, "text"),
    "too large": (b"---\nx: " + b"y" * 65536 + b"\n---\n", "frontmatter-too-large", 1, 1, "64 kB"),
    "unterminated and large": (b"---\nx: " + b"y" * 99999, "frontmatter-unterminated", 1, 1, "never"),
    "Latin-1": (
        b"---\nname: a\nd: caf\xe9\n---\n", "encoding-not-utf8-or-control-char", 3, 7, "Windows-1252"),
    "GBK": ("---\nname: 中文技能\n---\n".encode("gbk"), "encoding-not-utf8-or-control-char", 2, 7, "GBK"),
    "UTF-16 LE with BOM": ("\ufeff---\nname: a\n---\n".encode("utf-16-le"),
        "encoding-not-utf8-or-control-char", None, None, "UTF-16 (little"),
    "UTF-16 BE without BOM": ("---\nname: a\n---\n".encode("utf-16-be"),
        "encoding-not-utf8-or-control-char", None, None, "UTF-16 (big"),
    "UTF-32": ("\ufeff---\n".encode("utf-32-le"), "encoding-not-utf8-or-control-char", None, None, "UTF-32"),
    "NUL": (b"---\nname: a\nd: x\x00\n---\n", "encoding-not-utf8-or-control-char", 3, 5, "U+0000"),
    "a second document": (b"---\nname: a\n--- x\n---\n", "yaml-multiple-documents", 3, 1, "second"),
    "a YAML error": (b"---\nname: a\nd: x: y\n---\n", "yaml-unquoted-colon", 3, 5, "': '"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    data, code, line, column, words = REFUSED[name]
    split = split_front_matter(data, "a/SKILL.md")
    assert split.root is None
    found = [f for f in split.findings if f.code in BARRING]
    assert [(f.code, f.line, f.column) for f in found] == [(code, line, column)]
    assert words in found[0].message
    assert found[0].path == "a/SKILL.md"


def test_the_body_is_kept_where_the_front_matter_cannot_be_read() -> None:
    assert split_front_matter(b"---\na: b: c\n---\nBody", "x").body == "Body"
    assert split_front_matter(b"# Title\n\nText", "x").body == "# Title\n\nText"


def test_a_byte_that_is_not_utf8_is_counted_in_lines_of_the_file() -> None:
    (note,) = split_front_matter(b"---\r\nname: a\r\n---\r\n\r\nok\r\n\xff", "x").findings
    assert (note.code, note.line) == ("body-not-utf8", 6)


@given(st.binary(max_size=300) | st.lists(
    st.sampled_from([b"---", b"...", b"\n", b"\r", b" ", b"name: a", b"\xef\xbb\xbf", b"\xff", b"x: [", b"- ", b"\t"]),
    max_size=14,
).map(b"".join))  # fmt: skip
def test_any_bytes_end_in_a_split_or_a_reason(data: bytes) -> None:
    split = split_front_matter(data, "p")
    assert (split.root is None) == any(f.code in BARRING for f in split.findings)
    assert all(f.code in CODES for f in split.findings)
    assert 1 <= split.body_line <= data.count(b"\n") + data.count(b"\r") + 2


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
def test_the_body_is_what_follows(body: str) -> None:
    split = split_front_matter(b"---\nname: a\n---\n" + body.encode(), "p")
    assert split.body == body
    assert split.body_line == 4
