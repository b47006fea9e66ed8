"""A finding shows the text it is about, exactly as it stands at its place."""

from __future__ import annotations

import pytest

from generator.model import Finding
from generator.read.excerpts import excerpt, fill_texts
from generator.read.manifest import read_skill
from generator.read.nodes import LINE_BREAK
from generator.read.package import examine_paths
from tests.read.helpers import Content, as_bytes, front, package, read
from tests.read.test_codes import SIDE, TEXTS

WITHOUT_TEXT = {
    # About a key or a line that is not there.
    "frontmatter-empty",
    "description-empty",
    "name-missing",
    # About the whole file.
    "encoding-not-utf8-or-control-char",
}


def stands_there(note: Finding, data: bytes) -> bool:
    assert note.line is not None
    assert note.column is not None
    line = LINE_BREAK.split(data.decode("utf-8-sig", "replace"))[note.line - 1]
    return line[note.column - 1 :].startswith(note.text)


@pytest.mark.parametrize("code", [code for code in TEXTS if code not in WITHOUT_TEXT])
def test_in_skill_md(code: str) -> None:
    note = next(f for f in read(TEXTS[code]).findings if f.code == code)
    assert note.text
    assert stands_there(note, as_bytes(TEXTS[code]))


@pytest.mark.parametrize("code", SIDE)
def test_in_a_side_file(code: str) -> None:
    skill = read(**SIDE[code])
    note = next(f for f in skill.findings if f.code == code)
    file = next(f for f in skill.package.files if f"demo/{f.path}" == note.path)
    assert stands_there(note, file.data)
    # Only the end of a file that is cut off has nothing to show.
    assert note.text or note.code == "side-file-invalid"


INSIDE: dict[str, tuple[Content, str, tuple[int, int, str]]] = {
    "tag": (front("x: y").replace("Does one thing.", "Turns <div> into text."),
            "description-markup-or-invisible", (3, 20, "<div>")),
    "sign": (front().replace("Does one thing.", "Tests a > b."), "description-markup-or-invisible", (3, 22, ">")),
    "quoted": (front().replace("Does one thing.", '"Tests a > b."'), "description-markup-or-invisible", (3, 23, ">")),
    "folded": (front().replace("Does one thing.", ">-\n  One\n  <b> two"),
               "description-markup-or-invisible", (5, 3, "<b>")),
    "escaped": (front().replace("Does one thing.", '"a\\u200bb"'),
                "description-markup-or-invisible", (3, 14, "\u200b")),
    "invisible": (front("title: Demo \u202e", "x: y"), "text-hidden-character", (4, 13, "\u202e")),
    "comment": (front().replace("Does one thing.", "Tracks #4 # x"), "yaml-comment-truncation", (3, 21, "#4 # x")),
}  # fmt: skip


@pytest.mark.parametrize("case", INSIDE)
def test_the_place_inside_a_value(case: str) -> None:
    text, code, expected = INSIDE[case]
    note = next(f for f in read(text).findings if f.code == code)
    assert (note.line, note.column, note.text) == expected


@pytest.mark.parametrize(
    ("name", "words", "fix"),
    [
        ("My_Skill", "contains 'M'", "Write name: my-skill"),
        ("my skill", "contains a blank", "Write name: my-skill"),
        ("a--b", "has a hyphen too many", "Write name: a-b"),
        ("x" * 65, "has 65 characters", f"Write name: {'x' * 64}"),
        ("中文", "contains '中'", "Use lower-case words joined by hyphens."),
    ],
)
def test_a_name_that_is_not_portable_is_told_why(name: str, words: str, fix: str) -> None:
    note = next(f for f in read(front().replace("demo", name)).findings if f.code == "name-invalid-format")
    assert words in note.message
    assert note.fix == fix


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_whatever_ends_the_lines(newline: str) -> None:
    text = front("license: MIT", 'homepage: "example.com"', "os: [ 'beos' ]").replace("\n", newline)
    notes = {f.code: f for f in read(text).findings}
    assert notes["homepage-not-http"].text == '"example.com"'
    assert notes["os-unknown"].text == "[ 'beos' ]"
    assert all(stands_there(notes[code], text.encode()) for code in ("homepage-not-http", "os-unknown"))


@pytest.mark.parametrize("path", ["what?.md", "中文.md"])
def test_a_file_name_is_its_own_text(path: str) -> None:
    assert [note.text for note in examine_paths("demo", [path])[1]] == [path]


def test_a_byte_that_is_no_text_has_line_and_column() -> None:
    note = next(f for f in read(front().encode() + b"a\nb caf\xe9 d\n").findings if f.code == "body-not-utf8")
    assert (note.line, note.column, note.text) == (8, 6, "\ufffd d")
    side = read(plugin=b'{\n "name": "caf\xe9"}').findings
    assert [(f.code, f.line, f.column) for f in side] == [("side-file-invalid", 2, 14)]


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        ("name: demo  ", 7, "demo"),
        ('name: "demo" # x', 7, '"demo"'),
        ('name: "de\\"mo" x', 7, '"de\\"mo"'),
        ("name: 'de''mo' x", 7, "'de''mo'"),
        ("name: 'open", 7, "'open"),
        ('name: "open\\', 7, '"open\\'),
        ("name: [a, b]", 7, "[a, b]"),
        ("", 1, ""),
        ("short", 99, ""),
    ],
)
def test_what_is_written_at_a_column(line: str, column: int, expected: str) -> None:
    assert excerpt(line, column) == expected


def test_a_finding_about_a_file_that_is_not_there_stays_as_it_is() -> None:
    files: dict[str, Content] = {"SKILL.md": front()}
    made = package(files)
    lost = Finding(
        "x", read_skill(package({"SKILL.md": "x"})).findings[0].severity, "demo/gone.md", "", "", 3, 1
    )
    assert fill_texts([lost], made) == [lost]
