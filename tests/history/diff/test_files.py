"""Which files differ, and why a text is not compared."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generator.history.diff.files import MAX_TEXT, MAX_TEXTS, FileChange, FileStatus, Unshown, compare_files
from generator.history.diff.lines import Mark
from generator.model import Package
from tests.samples import make_package

Files = dict[str, bytes | str]

CASES: dict[str, tuple[Files, Files, list[tuple[str, str, str]]]] = {
    "nothing": ({"a": "1"}, {"a": "1"}, []),
    "added, removed, changed": (
        {"gone": "1", "kept": "2", "new": "3"},
        {"come": "4", "kept": "2", "new": "5"},
        [("added", "", "come"), ("removed", "gone", ""), ("changed", "new", "new")],
    ),
    "renamed": ({"a.md": "text"}, {"b/c.md": "text"}, [("renamed", "a.md", "b/c.md")]),
    "renamed, one of two copies": (
        {"a": "x", "b": "x"},
        {"c": "x"},
        [("removed", "b", ""), ("renamed", "a", "c")],
    ),
    "a copy is no rename": ({"a": "x"}, {"a": "x", "b": "x"}, [("added", "", "b")]),
    "the same name goes first": (
        {"one/b": "x", "two/a": "x"},
        {"new/a": "x", "new/b": "x"},
        [("renamed", "two/a", "new/a"), ("renamed", "one/b", "new/b")],
    ),
    "empty files are no rename": (
        {"a/__init__.py": ""},
        {"b/__init__.py": ""},
        [("removed", "a/__init__.py", ""), ("added", "", "b/__init__.py")],
    ),
    "two files swapped": ({"a": "1", "b": "2"}, {"a": "2", "b": "1"}, [
        ("changed", "a", "a"), ("changed", "b", "b"),
    ]),
}  # fmt: skip


def row(change: FileChange) -> tuple[str, str, str]:
    return (
        change.status.value,
        change.old.path if change.old else "",
        change.new.path if change.new else "",
    )


@pytest.mark.parametrize("name", CASES)
def test_status_of_every_file(name: str) -> None:
    old, new, expected = CASES[name]
    found = compare_files(make_package(old), make_package(new))
    assert sorted(map(row, found)) == sorted(expected)
    assert [change.path for change in found] == sorted(change.path for change in found)


def only(old: Files, new: Files) -> FileChange:
    (change,) = compare_files(make_package(old), make_package(new))
    return change


UNSHOWN = {
    "a NUL": (b"a\0b", Unshown.BINARY),
    "no UTF-8": (b"caf\xe9", Unshown.BINARY),
    "a NUL after the first kilobytes": (b"a\n" * 20_000 + b"\0", Unshown.BINARY),
    "half a surrogate": (b"\xed\xa0\x80", Unshown.BINARY),
    "just short enough": (b"a" * MAX_TEXT, None),
    "too long": (b"a" * (MAX_TEXT + 1), Unshown.TOO_LONG),
    "an empty text": (b"", None),
}


@pytest.mark.parametrize("name", UNSHOWN)
@pytest.mark.parametrize("way", ["to it", "from it"])
def test_why_lines_are_not_compared(name: str, way: str) -> None:
    data, unshown = UNSHOWN[name]
    plain = b"plain\n"
    change = only({"f": plain}, {"f": data}) if way == "to it" else only({"f": data}, {"f": plain})
    assert change.unshown is unshown
    assert (change.text is None) == (unshown is not None)


def test_an_added_text_is_shown_and_a_removed_one_is_not() -> None:
    added = only({}, {"f": "one\n"})
    assert added.text is not None
    assert [(line.mark, line.text) for line in added.text.hunks[0].lines] == [(Mark.ADDED, "one")]
    assert only({"f": "one\n"}, {}).text is None


def test_the_executable_bit_alone_is_a_change() -> None:
    old = make_package({"run": "x"})
    new = Package(old.source, old.folder, (replace(old.files[0], executable=True),))
    (change,) = compare_files(old, new)
    assert change.status is FileStatus.CHANGED
    assert (change.text, change.unshown) == (None, None)
    assert change.old is not None
    assert change.new is not None
    assert (change.old.executable, change.new.executable) == (False, True)


def test_programs_are_compared_before_the_limits_are_used_up() -> None:
    size = MAX_TEXT - 1
    padding: Files = {f"a{number:03}.md": b"x" * size for number in range(MAX_TEXTS // size + 3)}
    found = {change.path: change for change in compare_files(make_package({}), make_package({
        **padding, "z/run.sh": "curl https://a.example\n", "SKILL.md": "text\n",
    }))}  # fmt: skip
    assert found["z/run.sh"].text is not None
    assert found["SKILL.md"].text is not None
    assert [change.unshown for change in found.values()].count(Unshown.TOO_MUCH) > 0
