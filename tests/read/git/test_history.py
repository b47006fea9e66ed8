"""Every version a skill ever had: which bytes, which commit, which words."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.findings import CODES
from generator.model import Finding, Version
from generator.read.package import Limits
from generator.read.sources.git.history import HistoricVersion, read_history
from generator.read.sources.git.objects import Objects
from generator.read.sources.git.repository import open_repository
from generator.read.sources.git.tags import TagName, parse_tag
from generator.read.sources.git.tree import find_skills, read_package
from tests.read.git.repos import NOON, Odd, Recorder, git, write_object
from tests.read.helpers import GOOD


def skill(version: str | None = None, body: str = "Body", name: str = "demo", slug: str = "") -> str:
    lines = [f"version: {version}"] if version else []
    lines += [f"slug: {slug}"] if slug else []
    return "\n".join(["---", f"name: {name}", "description: Does one thing.", *lines, "---", "", body, ""])


Histories = dict[str, tuple[HistoricVersion, ...]]


def read(
    recorder: Recorder, root: Path, sub_path: str = "", ref: str | None = None
) -> tuple[Histories, list[Finding], list[str]]:
    ids = recorder.write(root)
    with Objects(open_repository(str(root), f"{root}-cache", ref=ref, history=True)) as objects:
        scan = find_skills(objects, sub_path)
        found = read_history(objects, scan, sub_path)
        for folder, versions in found.skills.items():
            # Always true, whatever the case: the last is today's, and every tree can be read.
            assert versions[-1].tree == scan.trees[folder]
            numbered = [v.version for v in versions[:-1] if v.version is not None]
            assert len(numbered) == len(set(numbered))
            for version in versions:
                package, _ = read_package(objects, version.tree, "s", version.folder, Limits())
                assert package is not None
    return dict(found.skills), list(found.findings), ids


Expected = list[tuple[str | None, int, tuple[str, ...]]]
"""Version, mark of its commit, changelog."""
Story = Callable[[Recorder], Expected]
CASES: dict[str, Story] = {}


def case(story: Story) -> Story:
    CASES[(story.__name__).replace("_", " ")] = story
    return story


@case
def every_front_matter_version_once(r: Recorder) -> Expected:
    r.commit({"a/SKILL.md": skill("1.0.0")}, "Add a")
    r.commit({"other": "x"}, "Not about a")
    r.commit({"a/x.md": "x"}, "Work in progress")
    r.commit({"a/SKILL.md": skill("1.1.0")}, "Release 1.1.0")
    r.commit({"other": "y"}, "Not about a either")
    return [("1.0.0", 1, ("Add a",)), ("1.1.0", 4, ("Work in progress", "Release 1.1.0"))]


@case
def changed_bytes_under_an_old_number_come_last_and_only_today(r: Recorder) -> Expected:
    r.commit({"a/SKILL.md": skill("1.0.0")}, "One")
    r.commit({"a/SKILL.md": skill("1.0.0", "Second")}, "Two")
    r.commit({"a/SKILL.md": skill("1.0.0", "Third")}, "Three")
    return [("1.0.0", 1, ("One",)), ("1.0.0", 3, ("Two", "Three"))]


@case
def going_back_to_an_older_number(r: Recorder) -> Expected:
    r.commit({"a/SKILL.md": skill("1.0.0")}, "One")
    r.commit({"a/SKILL.md": skill("2.0.0")}, "Two")
    r.commit({"a/SKILL.md": skill("1.0.0")}, "Revert")
    return [("1.0.0", 1, ("One",)), ("2.0.0", 2, ("Two",)), ("1.0.0", 3, ("Revert",))]


@case
def near_versions_get_their_normal_form(r: Recorder) -> Expected:
    r.commit({"a/SKILL.md": skill("v1")}, "One")
    r.commit({"a/SKILL.md": skill("1.10")}, "Two")
    r.commit({"a/SKILL.md": skill("rubbish")}, "Three")
    return [("1.0.0", 1, ("One",)), ("1.10.0", 2, ("Two",)), (None, 3, ("Three",))]


@case
def versions_of_side_files_count(r: Recorder) -> Expected:
    r.commit({"a/SKILL.md": skill(), "a/.claude-plugin/plugin.json": '{"version": "1.0.0"}'}, "One")
    r.commit({"a/.claude-plugin/plugin.json": '{"version": "1.1.0"}'}, "Two")
    r.commit({"a/skill.yaml": "version: 1.2.0\n"}, "Three")
    r.commit(
        {"a/skill.yaml": None, "a/.claude-plugin/plugin.json": None, "a/_meta.json": '{"version": "3.0.0"}'},
        "4",
    )
    return [("1.0.0", 1, ("One",)), ("1.1.0", 2, ("Two",)), ("1.2.0", 3, ("Three",)), ("3.0.0", 4, ("4",))]


@case
def without_any_number_each_state_is_one(r: Recorder) -> Expected:
    r.commit({"a/SKILL.md": skill()}, "One")
    r.commit({"a/x": "x"}, "Two")
    r.commit({"a/x": None}, "Three")
    return [(None, 1, ("One",)), (None, 2, ("Two",)), (None, 3, ("Three",))]


@case
def tags_number_the_state_they_stand_on(r: Recorder) -> Expected:
    r.commit({"a/SKILL.md": skill()}, "One")
    r.commit({"a/x": "x"}, "Two")
    r.commit({}, "Outside of what is read")
    r.tag("v1.0.0", 3, annotated=True)
    r.commit({"o": "y"}, "Elsewhere again")
    r.tag("v1.1.0", 4)
    r.commit({"a/x": "y"}, "Three")
    r.commit({"a/x": "z"}, "Four")
    r.tag("a/v1.2.0", 6)
    r.commit({"a/x": "?"}, "Not released")
    # a is fitted to the rule for slugs, as everywhere: a-skill.
    return [("1.0.0", 3, ("One", "Two")), (None, 7, ("Three", "Four", "Not released"))]


@case
def tags_of_one_skill(r: Recorder) -> Expected:
    r.commit({"a/SKILL.md": skill(slug="my-skill"), "b/SKILL.md": skill()}, "One")
    r.tag("my-skill-v1.0.0", 1)
    r.tag("v5.0.0", 1)
    r.tag("b-skill@7.0.0", 1)
    r.commit({"a/x": "x"}, "Two")
    r.tag("my-skill@1.1.0", 2, annotated=True)
    r.commit({"o": "x"}, "Elsewhere")
    r.tag("my-skill/v1.2.0", 3)
    return [("1.0.0", 1, ("One",)), ("1.1.0", 2, ("Two",)), ("1.2.0", 3, ())]


@case
def a_pre_release_becomes_stable_without_a_change(r: Recorder) -> Expected:
    r.commit({"a/SKILL.md": skill()}, "One")
    r.tag("v1.0.0-rc.1", 1)
    r.commit({"o": "x"}, "Two")
    r.tag("v1.0.0", 2)
    r.commit({"o": "y"}, "Three")
    r.tag("v1.0.1", 3)
    return [("1.0.0-rc.1", 1, ("One",)), ("1.0.0", 2, ())]


@case
def of_several_tags_on_a_commit_the_highest_counts(r: Recorder) -> Expected:
    r.commit({"a/SKILL.md": skill()}, "One")
    for name in ("v1.0.0-rc.1", "v1.0.0", "v0.9.0", "latest", "v1", "v01.0.0", "release-v9"):
        r.tag(name, 1)
    return [("1.0.0", 1, ("One",))]


@case
def front_matter_goes_before_tags(r: Recorder) -> Expected:
    r.commit({"a/SKILL.md": skill("3.0.0")}, "One")
    r.tag("v1.0.0", 1)
    r.commit({"a/SKILL.md": skill()}, "Two")
    r.tag("v3.1.0", 2)
    return [("3.0.0", 1, ("One",)), ("3.1.0", 2, ("Two",))]


@case
def a_merge_brings_its_commits(r: Recorder) -> Expected:
    base = r.commit({"a/SKILL.md": skill("1.0.0"), "o": "1"}, "Base")
    side = r.commit({"a/SKILL.md": skill("1.1.0-wip", "x")}, "On the side", branch="side", parent=base)
    r.commit({"a/z": "2"}, "Main goes on", branch="main", parent=base)
    pulled = r.commit({"a/z": "2"}, "Merge main into side", branch="side", parent=side, merge=3)
    last = r.commit({"a/SKILL.md": skill("1.1.0", "x"), "a/y": "y"}, "Done", branch="side", parent=pulled)
    r.commit(
        {"a/SKILL.md": skill("1.1.0", "x"), "a/y": "y"}, "Merge side", branch="main", parent=3, merge=last
    )
    return [("1.0.0", 1, ("Base",)), ("1.1.0", 6, ("Main goes on", "On the side", "Done", "Merge side"))]


@case
def a_moved_folder_keeps_its_history(r: Recorder) -> Expected:
    r.commit({"old/place/a/SKILL.md": skill("1.0.0"), "old/place/a/x": "x"}, "One")
    r.commit({"old/place/a/SKILL.md": skill("1.1.0")}, "Two")
    r.commit({"old": None, "a/SKILL.md": skill("1.1.0"), "a/x": "x"}, "Move")
    r.commit({"a/SKILL.md": skill("1.2.0")}, "Three")
    return [("1.0.0", 1, ("One",)), ("1.1.0", 2, ("Two",)), ("1.2.0", 4, ("Move", "Three"))]


@case
def a_root_that_moves_into_a_folder(r: Recorder) -> Expected:
    r.commit({"SKILL.md": skill("1.0.0", name="a-skill"), "x": "x"}, "One")
    r.commit({"SKILL.md": None, "x": None, "a/SKILL.md": skill("1.1.0", name="a-skill")}, "Move")
    return [("1.0.0", 1, ("One",)), ("1.1.0", 2, ("Move",))]


@case
def of_two_that_could_have_moved_the_one_with_the_same_files(r: Recorder) -> Expected:
    r.commit({"x/a/SKILL.md": skill("1.0.0"), "y/a/SKILL.md": skill("5.0.0")}, "One")
    r.commit({"y/a/SKILL.md": skill("6.0.0")}, "Two")
    r.commit({"x": None, "y": None, "a/SKILL.md": skill("6.0.0")}, "Move")
    return [("5.0.0", 1, ("One",)), ("6.0.0", 2, ("Two",))]


@case
def another_name_is_another_skill(r: Recorder) -> Expected:
    r.commit({"first/SKILL.md": skill("1.0.0")}, "One")
    r.commit({"first": None, "a/SKILL.md": skill("1.1.0")}, "Rename")
    return [("1.1.0", 2, ("Rename",))]


@case
def a_slug_that_stays_is_the_same_skill(r: Recorder) -> Expected:
    r.commit({"first/SKILL.md": skill("1.0.0", slug="kept")}, "One")
    r.commit({"first": None, "a/SKILL.md": skill("1.1.0", slug="kept")}, "Rename")
    return [("1.0.0", 1, ("One",)), ("1.1.0", 2, ("Rename",))]


@case
def a_copy_is_a_new_skill(r: Recorder) -> Expected:
    r.commit({"x/a/SKILL.md": skill("1.0.0")}, "One")
    r.commit({"a/SKILL.md": skill("1.0.0")}, "Copy")
    return [("1.0.0", 2, ("Copy",))]


@case
def a_skill_that_comes_back(r: Recorder) -> Expected:
    r.commit({"a/SKILL.md": skill("1.0.0")}, "One")
    r.commit({"a": None, "o": "x"}, "Remove")
    r.commit({"a/SKILL.md": skill("1.0.0", "Other")}, "Return")
    r.commit({"a/SKILL.md": skill("1.1.0", "Other")}, "Next")
    return [("1.0.0", 1, ("One",)), ("1.1.0", 4, ("Remove", "Return", "Next"))]


@case
def a_folder_before_it_is_a_skill(r: Recorder) -> Expected:
    r.commit({"a/notes.md": "x", "a/skill.yaml": "version: 1.0.0\n"}, "Notes")
    r.commit({"a/SKILL.md": skill()}, "A skill now")
    return [("1.0.0", 2, ("A skill now",))]


@case
def the_case_of_the_manifest_changes(r: Recorder) -> Expected:
    r.commit({"a/skill.md": skill("1.0.0")}, "One")
    r.commit({"a/skill.md": None, "a/SKILL.md": skill("1.1.0")}, "Two")
    return [("1.0.0", 1, ("One",)), ("1.1.0", 2, ("Two",))]


@case
def the_manifest_was_a_link_and_a_folder(r: Recorder) -> Expected:
    r.commit({"a/SKILL.md": Odd("120000", "x.md"), "a/x.md": skill("9.0.0")}, "Link")
    r.commit({"a/SKILL.md": None}, "None")
    r.commit({"a/SKILL.md/x": "x"}, "Folder")
    r.commit({"a/SKILL.md/x": None, "a/SKILL.md": skill("1.0.0")}, "File")
    return [("1.0.0", 4, ("Link", "None", "File"))]


@case
def words_are_made_harmless(r: Recorder) -> Expected:
    r.commit(
        {"a/SKILL.md": skill("1.0.0")}, b"caf\xe9 \x1b[31m\xe2\x80\xaered  \t twice\n\nThe body is not shown"
    )
    r.commit({"a/x": "1"}, "")
    r.commit({"a/x": "2"}, "x" * 5000)
    r.commit({"a/x": "3"}, ":000000 100644 0 0 A")
    r.commit({"a/SKILL.md": skill("1.1.0")}, "Same")
    return [
        ("1.0.0", 1, ("caf\ufffd [31mred twice",)),
        ("1.1.0", 5, ("x" * 199 + "…", ":000000 100644 0 0 A", "Same")),
    ]


@case
def only_the_last_fifty_lines(r: Recorder) -> Expected:
    r.commit({"a/SKILL.md": skill("1.0.0")}, "One")
    for number in range(60):
        r.commit({"a/x": f"{number}"}, f"Step {number}")
    r.commit({"a/SKILL.md": skill("1.1.0")}, "Two")
    return [("1.0.0", 1, ("One",)), ("1.1.0", 62, (*(f"Step {n}" for n in range(11, 60)), "Two"))]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("sub_path", ["", "deep/er"])
def test_versions(name: str, sub_path: str, tmp_path: Path) -> None:
    recorder = Below(prefix=f"{sub_path}/") if sub_path else Recorder()
    expected = CASES[name](recorder)
    found, _, ids = read(recorder, tmp_path / "r", sub_path)
    assert [(v.version, ids.index(v.commit), v.changelog) for v in found["a"]] == expected
    assert all(v.time == (NOON + 3600 * ids.index(v.commit)) * 1000 for v in found["a"])


class Below(Recorder):
    """Puts every file below a folder, and one beside it that changes in each commit."""

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self.prefix = prefix

    def commit(self, files, message="Change", **options):  # type: ignore[no-untyped-def]
        moved = {f"{self.prefix}{path}": content for path, content in files.items()}
        return super().commit(moved | {"beside": f"{self.count}"}, message, **options)


def test_today_is_the_commit_that_was_asked_for(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.commit({"a/SKILL.md": skill("1.0.0")})
    recorder.commit({"a/SKILL.md": skill("2.0.0")})
    recorder.tag("old", 1)
    found, _, _ = read(recorder, tmp_path / "r", ref="old")
    assert [v.version for v in found["a"]] == ["1.0.0"]


def test_where_a_skill_lay_and_which_tag_it_had(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.commit({"x/a-skill/SKILL.md": skill()})
    recorder.tag("a-skill-v1.0.0", 1)
    recorder.commit({"x": None, "a-skill/SKILL.md": skill("1.1.0")})
    found, _, _ = read(recorder, tmp_path / "r")
    assert [(v.folder, v.tag) for v in found["a-skill"]] == [
        ("x/a-skill", "a-skill-v1.0.0"),
        ("a-skill", None),
    ]


def test_two_skills_of_one_name_do_not_share_a_past(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.commit({"x/demo/SKILL.md": skill("1.0.0"), "y/demo/SKILL.md": skill("5.0.0")})
    recorder.commit({"x": None, "z/demo/SKILL.md": skill("1.0.0"), "y/demo/SKILL.md": skill("6.0.0")})
    recorder.commit({"x/demo/SKILL.md": skill("9.0.0")})
    found, _, _ = read(recorder, tmp_path / "r")
    assert {folder: [v.version for v in versions] for folder, versions in found.items()} == {
        "x/demo": ["9.0.0"],
        "y/demo": ["5.0.0", "6.0.0"],
        "z/demo": ["1.0.0"],
    }


@pytest.mark.parametrize("time", [-5, 99_999_999_999_999])
def test_a_nonsense_time_is_no_time(time: int, tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.commit({"a/SKILL.md": skill("1.0.0")})
    root = tmp_path / "r"
    recorder.write(root)
    tree = git(root, "rev-parse", "main^{tree}")
    raw = f"tree {tree}\nauthor A <a@b> {time} +0000\ncommitter A <a@b> {time} +0000\n\nx\n"
    (root / ".git/refs/heads/main").write_text(write_object(root, "commit", raw.encode()) + "\n")
    with Objects(open_repository(str(root), str(tmp_path / "c"))) as objects:
        scan = find_skills(objects)
        assert (scan.time, read_history(objects, scan).skills["a"][0].time) == (0, 0)


def codes(notes: list[Finding]) -> list[tuple[str, str]]:
    assert all(note.code in CODES and note.message and note.fix for note in notes)
    return [(note.path, note.code) for note in notes]


def test_what_is_told_of_numbers_and_tags(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.commit({"demo/SKILL.md": skill("1.0.0"), "quiet/SKILL.md": skill("1.0.0")})
    recorder.commit({"demo/x": "1"})
    recorder.commit({"demo/x": "2"})
    recorder.tag("demo-v1.5.0", 3)
    recorder.tag("quiet-v1.0.0", 3)
    side = recorder.commit({"demo/x": "3"}, branch="release", parent=3)
    for number in range(7):
        recorder.tag(f"v7.{number}.0", side)
    _, notes, _ = read(recorder, tmp_path / "r")
    assert codes(notes) == [
        ("", "git-tag-elsewhere"),
        ("demo/SKILL.md", "git-tag-version-differs"),
        ("demo/SKILL.md", "git-version-reused"),
    ]  # fmt: skip
    assert "7 version tags" in notes[0].message
    assert "v7.4.0, ..." in notes[0].message


def test_a_shallow_clone_tells_that_the_past_is_cut_off(tmp_path: Path) -> None:
    recorder = Recorder()
    for number in range(4):
        recorder.commit({"a/SKILL.md": skill(f"1.{number}.0")}, f"Release {number}")
    recorder.write(tmp_path / "o")
    git(tmp_path, "clone", "-q", "--depth=2", f"file://{tmp_path}/o", "r")
    with Objects(open_repository(str(tmp_path / "r"), str(tmp_path / "c"), history=True)) as objects:
        found = read_history(objects, find_skills(objects))
    assert [(v.version, v.changelog) for v in found.skills["a"]] == [
        ("1.2.0", ("Release 2",)), ("1.3.0", ("Release 3",)),
    ]  # fmt: skip
    assert codes(list(found.findings)) == [("", "git-history-shallow")]


def test_a_history_that_cannot_be_read_leaves_the_skills_of_today(tmp_path: Path) -> None:
    root = tmp_path / "r"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    (root / "a").mkdir()
    for number in range(3):
        (root / "a/SKILL.md").write_text(skill(f"1.{number}.0"))
        git(root, "add", ".")
        git(root, "commit", "-q", "-m", f"{number}")
    lost = git(root, "rev-parse", "main~1:a")
    (root / f".git/objects/{lost[:2]}/{lost[2:]}").unlink()
    with Objects(open_repository(str(root), str(tmp_path / "c"))) as objects:
        scan = find_skills(objects)
        found = read_history(objects, scan)
        assert read_package(objects, scan.trees["a"], "s", "a", Limits())[0] is not None
    assert found.skills == {}
    assert codes(list(found.findings)) == [("", "git-history-unreadable")]
    assert lost in found.findings[0].message


def test_a_manifest_that_is_lost_in_the_past_states_nothing(tmp_path: Path) -> None:
    root = tmp_path / "r"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    (root / "a").mkdir()
    for number in range(3):
        (root / "a/SKILL.md").write_text(skill(f"1.{number}.0"))
        git(root, "add", ".")
        git(root, "commit", "-q", "-m", f"{number}")
    lost = git(root, "rev-parse", "main~1:a/SKILL.md")
    (root / f".git/objects/{lost[:2]}/{lost[2:]}").unlink()
    with Objects(open_repository(str(root), str(tmp_path / "c"))) as objects:
        found = read_history(objects, find_skills(objects))
    assert [v.version for v in found.skills["a"]] == ["1.0.0", "1.2.0"]


TAGS: dict[str, tuple[str | None, str] | None] = {
    "v1.2.3": (None, "1.2.3"),
    "v1.2.3-rc.1": (None, "1.2.3-rc.1"),
    "pdf-tools-v1.2.3": ("pdf-tools", "1.2.3"),
    "pdf-tools@1.2.3": ("pdf-tools", "1.2.3"),
    "pdf-tools/v1.2.3": ("pdf-tools", "1.2.3"),
    "pdf-v2-v1.0.0": ("pdf-v2", "1.0.0"),
    "a-v1.0.0-v2.0.0": ("a", "1.0.0-v2.0.0"),
    "3d@1.0.0": ("3d", "1.0.0"),
    "1.2.3": None,
    "v1.2": None,
    "v1": None,
    "v01.2.3": None,
    "v1.2.3+build": None,
    "v1.2.3 ": None,
    "v1.2.3\n": None,
    "V1.2.3": None,
    "pdf-tools-1.2.3": None,
    "Pdf@1.2.3": None,
    "a/b/v1.2.3": None,
    "@1.2.3": None,
    "-v1.2.3": None,
    "latest": None,
    "": None,
}


@pytest.mark.parametrize("name", TAGS)
def test_tag_names(name: str) -> None:
    expected = TAGS[name]
    made = parse_tag(name)
    assert made == (TagName(expected[0], Version(expected[1])) if expected is not None else None)


@pytest.mark.timeout(10)
def test_a_tag_name_of_any_length_is_judged_at_once() -> None:
    assert parse_tag("a-v1" * 20_000) is None
    assert parse_tag("v1." + "1" * 50_000) is None


def test_tags_that_lead_to_no_commit_are_passed_over(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.commit({"a/SKILL.md": GOOD})
    root = tmp_path / "r"
    recorder.write(root)
    git(root, "tag", "v1.0.0", git(root, "rev-parse", "main:a/SKILL.md"))
    git(root, "tag", "v2.0.0", git(root, "rev-parse", "main:a"))
    (root / ".git/refs/tags/v3.0.0").write_text("1" * 40)
    git(root, "tag", "-a", "-m", "x", "inner", "main")
    git(root, "tag", "-a", "-m", "x", "v4.0.0", "inner")
    with Objects(open_repository(str(root), str(tmp_path / "c"))) as objects:
        found = read_history(objects, find_skills(objects))
    assert [(v.version, v.tag) for v in found.skills["a"]] == [("4.0.0", "v4.0.0")]
    assert found.findings == ()


def test_seven_hundred_skills_and_two_thousand_commits_in_seconds(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    recorder = Recorder()
    versions = dict.fromkeys(range(700), 0)
    files = {
        f"skills/g{n % 10}/skill-{n}/{f}": skill("1.0.0")
        for n in versions
        for f in ("SKILL.md", "a.md", "b.md")
    }
    recorder.commit(files, "Import")
    for number in range(1999):
        changed: dict[str, str | Odd | bytes | None] = {}
        for n in {number * 7 % 700, number * 13 % 700}:
            versions[n] += 1
            changed[f"skills/g{n % 10}/skill-{n}/SKILL.md"] = skill(f"1.{versions[n]}.0")
        recorder.commit(changed, f"Change {number}")
    root = tmp_path / "r"
    recorder.write(root)
    start = time.perf_counter()
    with Objects(open_repository(str(root), str(tmp_path / "c"), history=True)) as objects:
        scan = find_skills(objects)
        found = read_history(objects, scan)
        for versions_of in found.skills.values():
            for one in versions_of:
                assert read_package(objects, one.tree, "s", one.folder, Limits())[0] is not None
    seconds = time.perf_counter() - start
    record_property("seconds", seconds)
    print(f"\n700 skills, 2,000 commits, {sum(map(len, found.skills.values()))} versions: {seconds:.1f} s")  # noqa: T201  # the measurement is asked for
    assert sum(map(len, found.skills.values())) == 700 + sum(versions.values())
    # Measured: 1.5 s; the bound is for a machine that does six other things.
    assert seconds < 20
