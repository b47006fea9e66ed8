"""Which skills a check finds below a folder, and where hosts would meet them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from generator.check.discovery import find_skills
from generator.judge.model import Place
from tests.check.places import PROBES, put, put_probes


def places(root: Path) -> dict[str, tuple[str, str | None]]:
    found = find_skills(str(root), root.name)
    return {one.folder: (one.place.folder, one.place.inside) for one in found.skills}


TREES = {
    "one skill": (["SKILL.md"], {"": ("top", None)}),
    "a folder of skills": (["a/SKILL.md", "b/SKILL.md"], {"a": ("a", None), "b": ("b", None)}),
    "a repository": (["skills/pdf/SKILL.md", "docs/x.md"], {"skills/pdf": ("pdf", None)}),
    "grouped below skills": (["skills/office/pdf/SKILL.md"], {"skills/office/pdf": ("office/pdf", None)}),
    "grouped beside skills": (
        ["p01/SKILL.md", "grp/pa0/SKILL.md"],
        {"grp/pa0": ("grp/pa0", None), "p01": ("p01", None)},
    ),
    "grouped only": (["x/a/SKILL.md", "y/b/SKILL.md"], {"x/a": ("a", None), "y/b": ("b", None)}),
    "hidden": ([".hidden/SKILL.md", "a/SKILL.md"], {".hidden": (".hidden", None), "a": ("a", None)}),
    "a host's own folder": ([".claude/skills/x/SKILL.md"], {".claude/skills/x": ("x", None)}),
    "plugins": (
        ["plugins/a/skills/x/SKILL.md", "plugins/b/skills/y/SKILL.md"],
        {"plugins/a/skills/x": ("x", None), "plugins/b/skills/y": ("y", None)},
    ),
    "a skill named skills": (["skills/SKILL.md"], {"skills": ("skills", None)}),
    "modules beside skills": (
        ["a/SKILL.md", "node_modules/b/SKILL.md"],
        {"a": ("a", None), "node_modules/b": ("node_modules/b", None)},
    ),
    "modules below skills": (
        ["skills/a/SKILL.md", "skills/node_modules/p/skills/b/SKILL.md"],
        {"skills/a": ("a", None), "skills/node_modules/p/skills/b": ("node_modules/p/skills/b", None)},
    ),
    "modules of a project": (["skills/a/SKILL.md", "node_modules/b/SKILL.md"], {"skills/a": ("a", None)}),
    "modules in a skill": (["a/SKILL.md", "a/node_modules/b/SKILL.md"], {"a": ("a", None)}),
    "hidden modules": (["a/SKILL.md", "node_modules/.pnpm/b/SKILL.md"], {"a": ("a", None)}),
    "deep modules": (["a/SKILL.md", "node_modules/1/2/3/4/5/6/7/SKILL.md"], {"a": ("a", None)}),
    "nested": (
        ["a/SKILL.md", "a/examples/b/SKILL.md", "a/examples/b/c/SKILL.md"],
        {"a": ("a", None), "a/examples/b": ("a/examples/b", "a"), "a/examples/b/c": ("a/examples/b/c", "a/examples/b")},
    ),
    "nested in a group": (
        ["skills/g/a/SKILL.md", "skills/g/a/b/SKILL.md"],
        {"skills/g/a": ("g/a", None), "skills/g/a/b": ("g/a/b", "g/a")},
    ),
    "nested in the top": (
        ["SKILL.md", "examples/x/SKILL.md"],
        {"": ("top", None), "examples/x": ("top/examples/x", "top")},
    ),
    "wrong case": (["a/skill.md", "b/Skill.md"], {"a": ("a", None), "b": ("b", None)}),
    "git and caches": ([".git/x/SKILL.md", "__pycache__/y/SKILL.md", ".venv/z/SKILL.md"], {}),
    "a folder named SKILL.md": (["a/SKILL.md/x.md"], {}),
    "nothing": (["README.md"], {}),
}  # fmt: skip


@pytest.mark.parametrize(("files", "expected"), TREES.values(), ids=TREES)
def test_trees(tmp_path: Path, files: list[str], expected: dict[str, tuple[str, str | None]]) -> None:
    for file in files:
        target = tmp_path / "top" / file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("---\nname: x\n---\n")
    assert places(tmp_path / "top") == expected


def test_a_folder_named_skills_is_the_root_itself(tmp_path: Path) -> None:
    put(tmp_path / "skills/office/pdf")
    assert places(tmp_path / "skills") == {"office/pdf": ("office/pdf", None)}


def test_links_are_told_and_never_followed(tmp_path: Path) -> None:
    outside = put(tmp_path / "outside/x")
    put(tmp_path / "top/a")
    (tmp_path / "top/link").symlink_to(outside)
    (tmp_path / "top/gone").symlink_to(tmp_path / "nowhere")
    (tmp_path / "top/a/inner").symlink_to(outside)
    (tmp_path / "top/circle").symlink_to(tmp_path / "top")
    (tmp_path / "top/m").mkdir()
    (tmp_path / "top/m/SKILL.md").symlink_to(outside / "SKILL.md")
    os.link(tmp_path / "top/a/SKILL.md", tmp_path / "other.md")
    found = find_skills(str(tmp_path / "top"), "top")
    assert [one.place for one in found.skills] == [
        Place("a", hard_link=True),
        Place("link", folder_link=True),
        Place("m", manifest_link=True),
    ]
    assert [(note.code, note.path) for note in found.findings] == [("symlink-skipped", "circle")]


def test_a_linked_skill_counts_where_hosts_look_for_skills(tmp_path: Path) -> None:
    outside = put(tmp_path / "outside/x")
    put(tmp_path / "repo/skills/a")
    (tmp_path / "repo/skills/linked").symlink_to(outside)
    (tmp_path / "repo/elsewhere").symlink_to(outside)
    (tmp_path / "repo/skills/a/inner").symlink_to(outside)
    (tmp_path / "repo/skills/gone").symlink_to(tmp_path / "nowhere")
    found = find_skills(str(tmp_path / "repo"), "repo")
    assert [(one.folder, one.place) for one in found.skills] == [
        ("skills/a", Place("a")),
        ("skills/linked", Place("linked", folder_link=True)),
    ]
    assert [note.path for note in found.findings] == ["elsewhere"]


def test_the_exact_name_counts_where_there_are_two(tmp_path: Path) -> None:
    put(tmp_path / "top/a")
    (tmp_path / "top/a/skill.md").symlink_to(tmp_path / "x")
    (one,) = find_skills(str(tmp_path / "top"), "top").skills
    assert not one.place.manifest_link


def test_names_that_are_not_utf8(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path / "top") + b"/caf\xe9"
    os.makedirs(folder)
    with open(folder + b"/SKILL.md", "w") as file:
        file.write("x")
    (one,) = find_skills(str(tmp_path / "top"), "top").skills
    assert one.place.folder == "caf\udce9"


def test_a_folder_that_cannot_be_listed_is_told(tmp_path: Path) -> None:
    """Deeper than any path may be long: the one kind of unreadable folder that root meets too."""
    put(tmp_path / "top/a")
    at = os.open(tmp_path / "top", os.O_RDONLY)
    for _ in range(30):
        os.mkdir("d" * 200, dir_fd=at)
        inner = os.open("d" * 200, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = inner
    os.close(at)
    found = find_skills(str(tmp_path / "top"), "top")
    assert [one.folder for one in found.skills] == ["a"]
    assert [note.code for note in found.findings] == ["folder-unreadable"]


def test_every_probe_is_found_where_its_host_met_it(tmp_path: Path) -> None:
    root = put_probes(tmp_path / "probes")
    found = {one.folder: one.place for one in find_skills(str(root), root.name).skills}
    assert found.keys() >= {probe["folder"] for probe in PROBES}
    assert all(place.folder == folder for folder, place in found.items())
    assert found["p70-nested/examples/p70-inner"].inside == "p70-nested"
    assert [f for f, place in found.items() if place.manifest_link] == ["pa4-symfile"]
    assert [f for f, place in found.items() if place.hard_link] == ["pa5-hardlink"]
    assert find_skills(str(root), root.name).findings == ()


def test_a_huge_tree_tells_how_far_it_is(tmp_path: Path) -> None:
    for number in range(1100):
        (tmp_path / f"top/{number}").mkdir(parents=True)
    told: list[tuple[str, int]] = []
    find_skills(str(tmp_path / "top"), "top", lambda what, number: told.append((what, number)))
    assert told == [("folders searched", 500), ("folders searched", 1000)]
