"""What a path on the command line stands for, and what its skills are called."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from generator.check.reading import ReadItem, UnusablePathError, read_path
from generator.judge.model import Place
from generator.model import Severity
from generator.read.package import Limits
from tests.check.places import put, skill_text
from tests.read.zips import Member, make_zip

SKILL = skill_text("pdf").encode()


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = tmp_path / "work"
    put(work / "skills/pdf")
    put(work / "skills/office/docx")
    put(work / "solo/examples/inner")
    put(work / "solo")
    (work / "dist").mkdir()
    (work / "dist/flat.skill").write_bytes(make_zip(Member(b"SKILL.md", SKILL)))
    (work / "dist/flat-1.2.0.zip").write_bytes(make_zip(Member(b"SKILL.md", SKILL)))
    (work / "dist/wrapped.ZIP").write_bytes(make_zip(Member(b"repo/pdf/SKILL.md", SKILL)))
    (work / "dist/two.zip").write_bytes(make_zip(Member(b"a/SKILL.md", SKILL), Member(b"b/SKILL.md", SKILL)))
    (work / "dist/nested.zip").write_bytes(
        make_zip(Member(b"pdf/SKILL.md", SKILL), Member(b"pdf/x/in/SKILL.md", SKILL))
    )
    (work / "dist/evil.zip").write_bytes(b"no zip")
    monkeypatch.chdir(work)


def read(given: str, *, alone: bool = True) -> tuple[ReadItem, ...]:
    return read_path(given, alone=alone, limits=Limits()).items


def names(given: str, *, alone: bool = True) -> list[tuple[str, str, str]]:
    """Path, path for people, and place of every skill."""
    return [(item.path, item.shown, item.place.folder) for item in read(given, alone=alone)]


ALONE = {
    "folder of skills": (
        "skills",
        [("office/docx", "skills/office/docx", "office/docx"), ("pdf", "skills/pdf", "pdf")],
    ),
    "slash at the end": (
        "skills/",
        [("office/docx", "skills/office/docx", "office/docx"), ("pdf", "skills/pdf", "pdf")],
    ),
    "one skill": ("skills/pdf", [("pdf", "skills/pdf", "pdf")]),
    "one skill, dotted": ("./skills/../skills/pdf/.", [("pdf", "skills/pdf", "pdf")]),
    "SKILL.md": ("skills/pdf/SKILL.md", [("pdf", "skills/pdf", "pdf")]),
    "a skill with one in it": (
        "solo",
        [("solo", "solo", "solo"), ("solo/examples/inner", "solo/examples/inner", "solo/examples/inner")],
    ),
    "SKILL.md of a skill with one in it": ("solo/SKILL.md", [("solo", "solo", "solo")]),
    "flat archive": ("dist/flat.skill", [("flat", "dist/flat.skill", "flat")]),
    "archive with a version": ("dist/flat-1.2.0.zip", [("flat", "dist/flat-1.2.0.zip", "flat")]),
    "archive with folders": ("dist/wrapped.ZIP", [("pdf", "dist/wrapped.ZIP/repo/pdf", "pdf")]),
    "archive of two": ("dist/two.zip", [("a", "dist/two.zip/a", "a"), ("b", "dist/two.zip/b", "b")]),
    "archive with one in it": (
        "dist/nested.zip",
        [("pdf", "dist/nested.zip/pdf", "pdf"), ("pdf/x/in", "dist/nested.zip/pdf/x/in", "pdf/x/in")],
    ),
    "archive that is none": ("dist/evil.zip", [("evil", "dist/evil.zip", "evil")]),
}


@pytest.mark.parametrize(("given", "expected"), ALONE.values(), ids=ALONE)
def test_the_only_path(given: str, expected: list[tuple[str, str, str]]) -> None:
    assert names(given) == expected


AMONG = {
    "folder of skills": ("./skills/", ["skills/office/docx", "skills/pdf"]),
    "one skill": ("skills/pdf", ["skills/pdf"]),
    "SKILL.md": ("skills/pdf/SKILL.md", ["skills/pdf"]),
    "a skill with one in it": ("solo", ["solo", "solo/examples/inner"]),
    "flat archive": ("dist/flat.skill", ["dist/flat.skill/flat"]),
    "archive with folders": ("dist/wrapped.ZIP", ["dist/wrapped.ZIP/pdf"]),
    "archive that is none": ("dist/evil.zip", ["dist/evil.zip"]),
    "here, a skill": ("skills/pdf/.", ["skills/pdf"]),
    "archive of two": ("dist/two.zip", ["dist/two.zip/a", "dist/two.zip/b"]),
    "upwards": ("../work/skills/pdf", ["../work/skills/pdf"]),
}


@pytest.mark.parametrize(("given", "expected"), AMONG.values(), ids=AMONG)
def test_one_of_several_paths(given: str, expected: list[str]) -> None:
    assert [item.path for item in read(given, alone=False)] == expected


def test_the_current_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ("skills/pdf", "skills/pdf", "pdf") in names(".")
    monkeypatch.chdir("skills/pdf")
    assert names(".") == [("pdf", "", "pdf")]
    assert names("SKILL.md") == [("pdf", "", "pdf")]
    assert names("..")[1] == ("pdf", "../pdf", "pdf")


def test_here_and_above_among_several_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """A skill's path always ends in its folder's name: the name in the front matter is compared with it."""
    monkeypatch.chdir("skills/pdf")
    assert [item.path for item in read(".", alone=False)] == ["./pdf"]
    assert [item.path for item in read("SKILL.md", alone=False)] == ["./pdf"]
    assert [item.path for item in read("..", alone=False)] == ["../office/docx", "../pdf"]
    monkeypatch.chdir("../../solo/examples")
    assert [item.path for item in read("..", alone=False)] == ["../solo", "../solo/examples/inner"]


def test_an_absolute_path_stays_out_of_what_is_shown(tmp_path: Path) -> None:
    given = str(tmp_path / "work/skills")
    assert names(given)[1] == ("pdf", "skills/pdf", "pdf")
    assert read(given, alone=False)[1].path == f"{given}/pdf"


def test_no_finding_names_the_machine(tmp_path: Path) -> None:
    (tmp_path / "work/skills/pdf/link").symlink_to("/etc")
    os.mkfifo(tmp_path / "work/skills/pdf/pipe")
    (tmp_path / "work/skills/link").symlink_to("/etc")
    result = read_path(str(tmp_path / "work/skills"), alone=True, limits=Limits())
    assert str(tmp_path) not in repr([result.loose, [i.skill and i.skill.findings for i in result.items]])
    assert [loose.finding.path for loose in result.loose] == ["link"]
    assert [loose.shown for loose in result.loose] == ["skills/link"]
    (pdf,) = (i for i in result.items if i.path == "pdf")
    assert pdf.skill is not None
    assert {"pdf/link", "pdf/pipe"} <= {note.path for note in pdf.skill.findings}


def test_a_folder_without_a_skill_is_an_error() -> None:
    os.mkdir("empty")
    result = read_path("empty", alone=True, limits=Limits())
    assert result.items == ()
    (loose,) = result.loose
    assert (loose.finding.severity, loose.finding.path, loose.shown) == (Severity.ERROR, ".", "empty")


UNUSABLE = {
    "nothing there": ("nowhere", "does not exist"),
    "another file": ("../work/notes.txt", "is no skill"),
    "a pipe": ("pipe.zip", "is not a regular file"),
    "a hostile name": ("no\x1bwhere", "no\\u001bwhere does not exist"),
}


@pytest.mark.parametrize(("given", "message"), UNUSABLE.values(), ids=UNUSABLE)
def test_unusable_paths(given: str, message: str) -> None:
    Path("notes.txt").write_text("x")
    os.mkfifo("pipe.zip")
    with pytest.raises(UnusablePathError, match=re.escape(message)):
        read(given)


def test_a_refused_archive_is_a_skill_that_cannot_be_read() -> None:
    (one,) = read("dist/evil.zip")
    assert one.skill is None
    assert [(n.code, n.path) for n in one.findings] == [("archive-unreadable", "evil")]


def test_an_archive_over_the_limit_is_not_loaded() -> None:
    (one,) = read_path("dist/flat.skill", alone=True, limits=Limits(max_package_bytes=-(2**20))).items
    assert [n.code for n in one.findings] == ["package-too-large"]


def test_findings_of_an_archive_stand_with_its_skill_or_by_themselves() -> None:
    Path("x.zip").write_bytes(make_zip(Member(b"p/SKILL.md", SKILL), Member(b"../evil", b"x")))
    (one,) = read("x.zip")
    assert one.skill is not None
    assert ("path-dot-segment", "p/../evil") in [(n.code, n.path) for n in one.skill.findings]
    two = read_path("dist/two.zip", alone=True, limits=Limits())
    assert [(n.finding.code, n.finding.path, n.archive) for n in two.loose] == [
        ("archive-several-skills", "two.zip", "dist/two.zip")
    ]


def test_links_are_seen_by_the_place_alone(tmp_path: Path) -> None:
    os.mkdir("linked")
    os.symlink("../skills/pdf/SKILL.md", "linked/SKILL.md")
    os.mkdir("hard")
    os.link("skills/pdf/SKILL.md", "hard/SKILL.md")
    for given in ("linked", "linked/SKILL.md"):
        (one,) = read(given)
        assert one.place == Place("linked", manifest_link=True)
        assert one.skill is not None
        assert one.skill.manifest is None
    (two,) = read("hard")
    assert two.place.hard_link


def test_a_skill_over_the_limits_has_findings_and_no_files() -> None:
    (one,) = read_path("skills/pdf", alone=True, limits=Limits(max_file_bytes=3)).items
    assert one.skill is None
    assert [(n.code, n.path) for n in one.findings] == [("package-file-too-large", "pdf/SKILL.md")]


def test_a_folder_whose_name_is_not_utf8() -> None:
    folder = b"caf\xe9"
    os.mkdir(folder)
    with open(folder + b"/SKILL.md", "wb") as file:
        file.write(SKILL)
    (one,) = read(os.fsdecode(folder))
    assert one.path == one.shown == "caf\\xe9"
    assert one.skill is not None
    assert ("path-not-utf8", "caf\\xe9") in [(n.code, n.path) for n in one.skill.findings]


def test_a_folder_that_could_not_be_searched_is_not_called_empty(tmp_path: Path) -> None:
    """Deeper than any path may be long: the one kind of unreadable folder that root meets too."""
    root = tmp_path / "deep"
    root.mkdir()
    at = os.open(root, os.O_RDONLY)
    for _ in range(30):
        os.mkdir("d" * 200, dir_fd=at)
        inner = os.open("d" * 200, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = inner
    os.close(at)
    result = read_path(str(root), alone=True, limits=Limits())
    assert result.items == ()
    assert [one.finding.code for one in result.loose] == ["folder-unreadable"]
