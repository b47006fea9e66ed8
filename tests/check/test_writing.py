"""Mended files are put in place whole, where they belong, or not at all; and shown so that it can be seen."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from generator.check.diffs import diff_bytes
from generator.check.writing import FileChange, UnwritableError, write_change


def change(
    root: Path, path: str = "SKILL.md", new: str | None = None, before: bytes = b"old\n"
) -> FileChange:
    return FileChange(str(root), path, new or path, before, b"new\n")


def test_a_file_is_replaced_and_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "SKILL.md"
    file.write_bytes(b"old\n")
    file.chmod(0o640)
    inode = file.stat().st_ino
    write_change(change(tmp_path))
    assert file.read_bytes() == b"new\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert file.stat().st_ino != inode
    assert os.listdir(tmp_path) == ["SKILL.md"]


def test_a_file_is_renamed(tmp_path: Path) -> None:
    (tmp_path / "skill.md").write_bytes(b"old\n")
    write_change(change(tmp_path, "skill.md", "SKILL.md"))
    assert os.listdir(tmp_path) == ["SKILL.md"]
    assert (tmp_path / "SKILL.md").read_bytes() == b"new\n"


def link_file(root: Path, outside: Path) -> FileChange:
    (root / "SKILL.md").symlink_to(outside)
    return change(root)


def link_folder(root: Path, outside: Path) -> FileChange:
    (root / "agents").symlink_to(outside.parent)
    return change(root, f"agents/{outside.name}")


def hard_link(root: Path, outside: Path) -> FileChange:
    os.link(outside, root / "SKILL.md")
    return change(root)


def changed_meanwhile(root: Path, outside: Path) -> FileChange:
    (root / "SKILL.md").write_bytes(b"old\nand more\n")
    return change(root)


def gone(root: Path, outside: Path) -> FileChange:
    return change(root)


def other_name_taken(root: Path, outside: Path) -> FileChange:
    (root / "skill.md").write_bytes(b"old\n")
    (root / "SKILL.md").write_bytes(b"mine\n")
    return change(root, "skill.md", "SKILL.md")


def upwards(root: Path, outside: Path) -> FileChange:
    return change(root, f"../{outside.parent.name}/{outside.name}")


def renamed_upwards(root: Path, outside: Path) -> FileChange:
    (root / "SKILL.md").write_bytes(b"old\n")
    return change(root, "SKILL.md", "../SKILL.md")


def pipe(root: Path, outside: Path) -> FileChange:
    os.mkfifo(root / "SKILL.md")
    return change(root)


REFUSED = (
    link_file, link_folder, hard_link, changed_meanwhile, gone, other_name_taken, upwards, renamed_upwards, pipe,
)  # fmt: skip


@pytest.mark.parametrize("make", REFUSED, ids=lambda make: make.__name__)
def test_what_is_never_written(tmp_path: Path, make: object) -> None:
    root, outside = tmp_path / "skill", tmp_path / "outside/file.md"
    root.mkdir()
    outside.parent.mkdir()
    outside.write_bytes(b"old\n")
    wanted = make(root, outside)  # type: ignore[operator]
    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    with pytest.raises(UnwritableError):
        write_change(wanted)
    assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == before


NO_END = "\\ No newline at end of file"
DIFFS = {
    "a line": (
        b"a\nb\n", b"a\nc\n",
        ["--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@", " a", "-b", "+c"],
    ),
    "invisible": (
        b"\xef\xbb\xbfa\r\nb\n", b"a\r\nb\n",
        ["--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@", "-\\u{feff}a\\x0d", "+a\\x0d", " b"],
    ),
    "no line end": (
        b"a", b"b",
        ["--- a/x", "+++ b/x", "@@ -1 +1 @@", "-a", NO_END, "+b", NO_END],
    ),
    "dashes": (b"-- a\n", b"++ a\n", ["--- a/x", "+++ b/x", "@@ -1 +1 @@", "--- a", "+++ a"]),
    "not UTF-8": (b"\xe9\n", b"e\n", ["--- a/x", "+++ b/x", "@@ -1 +1 @@", "-\\xe9", "+e"]),
    "a command beside it": (
        b"::error::x\na\n", b"::error::x\nb\n",
        ["--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@", " \\::error::x", "-a", "+b"],
    ),
    "nothing": (b"a\n", b"a\n", []),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "lines"), DIFFS.values(), ids=DIFFS)
def test_diffs(before: bytes, after: bytes, lines: list[str]) -> None:
    assert list(diff_bytes(before, after, "x", "x")) == lines


def test_a_rename_is_shown() -> None:
    assert list(diff_bytes(b"a", b"a", "x/skill.md", "x/SKILL.md")) == [
        "rename from x/skill.md", "rename to x/SKILL.md",
    ]  # fmt: skip
    assert list(diff_bytes(b"a\n", b"b\n", "skill.md", "SKILL.md"))[:2] == [
        "--- a/skill.md",
        "+++ b/SKILL.md",
    ]
