"""Folders as sources: what is found, what is left out, and that nothing hostile is followed or opened."""

from __future__ import annotations

import os
import socket
import stat
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.errors import SourceError
from generator.findings import BARRING
from generator.read.manifest import read_skill
from generator.read.package import Limits
from generator.read.sources import folder as folder_source
from generator.read.sources.folder import find_skill_folders, read_package
from tests.read.helpers import GOOD, read_tree, write_tree

LIMITS = Limits()


def paths(root: Path, folder: str) -> list[str]:
    found, _ = read_package(str(root), "source", folder, LIMITS)
    assert found is not None
    return [f.path for f in found.files]


def test_finds_skill_folders_sorted(tmp_path: Path) -> None:
    write_tree(
        tmp_path, {"b/SKILL.md": "", "a/z/SKILL.md": "", "a/y/SKILL.md": "", "README.md": "", "c/x.md": ""}
    )
    assert find_skill_folders(str(tmp_path)).folders == ("a/y", "a/z", "b")


def test_the_root_itself_can_be_the_skill(tmp_path: Path) -> None:
    write_tree(tmp_path, {"SKILL.md": GOOD, "sub/SKILL.md": GOOD})
    assert find_skill_folders(str(tmp_path)).folders == ("",)
    found, notes = read_package(str(tmp_path), "source", "", LIMITS)
    assert found is not None
    assert [(f.code, f.path) for f in notes] == [("nested-skill-md", "sub/SKILL.md")]
    assert {f.path for f in read_skill(found, notes).findings} == {"sub/SKILL.md"}


@pytest.mark.parametrize("name", ["SKILL.md", "skill.md", "Skill.md", "SKILL.MD"])
def test_any_case_is_found(tmp_path: Path, name: str) -> None:
    write_tree(tmp_path, {f"a/{name}": GOOD})
    assert find_skill_folders(str(tmp_path)).folders == ("a",)


def test_a_folder_called_skill_md_is_no_skill(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a/SKILL.md/SKILL.md": GOOD})
    assert find_skill_folders(str(tmp_path)).folders == ("a/SKILL.md",)


def test_what_is_not_walked(tmp_path: Path) -> None:
    write_tree(
        tmp_path,
        {
            ".git/a/SKILL.md": "",
            ".hidden/SKILL.md": "",
            "node_modules/x/SKILL.md": "",
            "__pycache__/SKILL.md": "",
            "__MACOSX/a/SKILL.md": "",
            "a/node_modules/x/SKILL.md": "",
            "good/SKILL.md": "",
        },
    )
    scan = find_skill_folders(str(tmp_path))
    assert scan.folders == ("good",)
    assert scan.findings == ()


@pytest.mark.parametrize(
    ("include", "folders"),
    [
        ((), ("",)),
        (("skills/*",), ("skills/a", "skills/b")),
        (("skills/a", "other/**"), ("other/x/c", "skills/a")),
        (("**",), ("",)),
        (("nothing",), ()),
    ],
)
def test_include(tmp_path: Path, include: tuple[str, ...], folders: tuple[str, ...]) -> None:
    write_tree(
        tmp_path, {f"{f}SKILL.md": "" for f in ("", "skills/a/", "skills/b/", "skills/b/in/", "other/x/c/")}
    )
    assert find_skill_folders(str(tmp_path), include).folders == folders


def test_a_missing_source_is_the_operators_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="does not exist"):
        find_skill_folders(str(tmp_path / "no"))
    write_tree(tmp_path, {"file": ""})
    with pytest.raises(SourceError, match="is not a folder"):
        find_skill_folders(str(tmp_path / "file"))


def test_a_linked_skill_folder_is_told_and_not_entered(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a/SKILL.md": GOOD})
    (tmp_path / "b").symlink_to("a")
    (tmp_path / "loop").symlink_to(".")
    (tmp_path / "dead").symlink_to("nowhere")
    scan = find_skill_folders(str(tmp_path))
    assert scan.folders == ("a",)
    assert [(f.code, f.path) for f in scan.findings] == [
        ("symlink-skipped", "b"),
        ("symlink-skipped", "loop"),
    ]


def test_links_inside_a_skill_belong_to_the_skill(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a/SKILL.md": GOOD, "a/sub/x.md": "", "secret": "s"})
    (tmp_path / "a/loop").symlink_to("..")
    (tmp_path / "a/sub/secret.md").symlink_to(tmp_path / "secret")
    (tmp_path / "a/.DS_Store").symlink_to("x")
    assert find_skill_folders(str(tmp_path)).findings == ()
    found, notes = read_package(str(tmp_path), "source", "a", LIMITS)
    assert found is not None
    assert [f.path for f in found.files] == ["SKILL.md", "sub/x.md"]
    assert [(f.code, f.path) for f in notes] == [
        ("symlink-skipped", "a/loop"),
        ("symlink-skipped", "a/sub/secret.md"),
    ]


def test_a_linked_skill_md_is_listed_and_never_read(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/SKILL.md").symlink_to("/etc/hostname")
    skill = read_tree(tmp_path)["a"]
    assert skill is not None
    assert skill.manifest is None
    assert [f.code for f in skill.findings] == ["skill-md-not-regular"]
    assert skill.package.files == ()


@pytest.mark.timeout(20)
def test_special_files_are_neither_opened_nor_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_tree(tmp_path, {"a/SKILL.md": GOOD, "b/x": ""})
    os.mkfifo(tmp_path / "a/pipe")
    os.mkfifo(tmp_path / "b/SKILL.md")
    monkeypatch.chdir(tmp_path / "a")  # a socket's path is short
    server = socket.socket(socket.AF_UNIX)
    server.bind("sock")
    try:
        skills = read_tree(tmp_path)
    finally:
        server.close()
    assert skills["a"] is not None
    assert [(f.code, f.path) for f in skills["a"].findings][:2] == [
        ("special-file-skipped", "a/pipe"),
        ("special-file-skipped", "a/sock"),
    ]
    assert skills["b"] is not None
    assert "skill-md-not-regular" in [f.code for f in skills["b"].findings]


@pytest.mark.timeout(20)
def test_a_file_that_becomes_a_pipe_or_a_link_is_not_read(tmp_path: Path) -> None:
    write_tree(tmp_path, {"x": "x"})
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("x")
    for name in ("pipe", "link"):
        with pytest.raises(OSError):  # noqa: PT011  # the kind differs between systems
            folder_source._read_file(str(tmp_path / name), 10)


def test_what_is_part_of_a_package(tmp_path: Path) -> None:
    write_tree(
        tmp_path,
        {
            "a/SKILL.md": GOOD,
            "a/.claude-plugin/plugin.json": "{}",
            "a/.claude-plugin/.hidden": "",
            "a/.mcp.json": "{}",
            "a/.env": "",
            "a/.github/x.yml": "",
            "a/sub/.claude-plugin/plugin.json": "",
            "a/node_modules/x/index.js": "",
            "a/.git/config": "",
            "a/__pycache__/x.pyc": "",
            "a/.DS_Store": "",
            "a/__MACOSX/._SKILL.md": "",
            "a/Thumbs.db": "",
            "a/scripts/x.tar.gz": b"\x1f\x8b",
            "a/notes..md": "",
        },
    )
    found, notes = read_package(str(tmp_path), "source", "a", LIMITS)
    assert found is not None
    assert [f.path for f in found.files] == [
        ".claude-plugin/plugin.json",
        ".mcp.json",
        "SKILL.md",
        "notes..md",
        "scripts/x.tar.gz",
    ]
    assert [(f.code, f.path) for f in notes] == [
        ("entry-skipped", "a/.claude-plugin/.hidden"),
        ("entry-skipped", "a/.env"),
        ("entry-skipped", "a/.github"),
        ("entry-skipped", "a/node_modules"),
        ("entry-skipped", "a/sub/.claude-plugin"),
    ]


def test_bytes_hashes_and_the_executable_bit(tmp_path: Path) -> None:
    data = b"#!/bin/sh\r\n\xff\x00"
    write_tree(tmp_path, {"a/SKILL.md": GOOD, "a/run.sh": data, "a/empty": b""})
    (tmp_path / "a/run.sh").chmod(0o711)
    found, _ = read_package(str(tmp_path), "source", "a", LIMITS)
    assert found is not None
    assert (found.source, found.folder) == ("source", "a")
    assert [(f.path, f.executable, f.size) for f in found.files] == [
        ("SKILL.md", False, len(GOOD)),
        ("empty", False, 0),
        ("run.sh", True, len(data)),
    ]
    assert all(f.sha256 == sha256(f.data).hexdigest() for f in found.files)
    assert found.files[2].data == data


def test_a_name_that_is_not_utf8_is_named_by_its_bytes(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a/SKILL.md": GOOD})
    os.close(os.open(os.fsencode(tmp_path) + b"/a/caf\xe9.md", os.O_CREAT))
    found, notes = read_package(str(tmp_path), "source", "a", LIMITS)
    assert found is not None
    assert [f.path for f in found.files] == ["SKILL.md"]
    assert [(f.code, f.path) for f in notes] == [("path-not-utf8", "a/caf\\xe9.md")]


def test_a_skill_folder_that_is_not_utf8_is_told_at_the_source(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/caf\xe9"
    os.mkdir(folder)
    Path(os.fsdecode(folder), "SKILL.md").write_text(GOOD)
    scan = find_skill_folders(str(tmp_path))
    assert scan.folders == ()
    assert [(f.code, f.path) for f in scan.findings] == [("path-not-utf8", "caf\\xe9")]


@pytest.mark.parametrize("names", [("A.md", "a.md"), ("SKILL.md", "skill.md")])
def test_two_names_that_are_one_elsewhere(tmp_path: Path, names: tuple[str, str]) -> None:
    write_tree(tmp_path, {"a/SKILL.md": GOOD, **{f"a/{n}": GOOD for n in names}})
    skill = read_tree(tmp_path)["a"]
    assert skill is not None
    assert skill.manifest is not None
    assert "path-collision" in [f.code for f in skill.findings]


def test_limits_are_inclusive_and_stop_the_reading(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a/SKILL.md": "x" * 100, "a/b": "x" * 100, "a/c": "x" * 50})
    exact = Limits(max_files=3, max_file_bytes=100, max_package_bytes=250)
    assert read_package(str(tmp_path), "source", "a", exact)[1] == ()
    for limits, code in (
        (Limits(2, 100, 250), "package-too-many-files"),
        (Limits(3, 99, 250), "package-file-too-large"),
        (Limits(3, 100, 249), "package-too-large"),
    ):
        found, notes = read_package(str(tmp_path), "source", "a", limits)
        assert found is None
        assert [f.code for f in notes] == [code]


def test_a_huge_file_is_never_loaded(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a/SKILL.md": GOOD})
    with open(tmp_path / "a/big", "wb") as sparse:
        sparse.truncate(2**36)
    found, notes = read_package(str(tmp_path), "source", "a", LIMITS)
    assert found is None
    assert [(f.code, f.path) for f in notes] == [("package-file-too-large", "a/big")]


def test_a_file_that_vanishes_or_grows_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_tree(tmp_path, {"a/SKILL.md": GOOD, "a/b.md": "b"})
    real = os.open

    def vanishing(path: str, flags: int) -> int:
        if path.endswith("b.md"):
            os.unlink(path)
        return real(path, flags)

    monkeypatch.setattr(os, "open", vanishing)
    found, notes = read_package(str(tmp_path), "source", "a", LIMITS)
    assert found is None
    assert [(f.code, f.path) for f in notes] == [("skill-unreadable", "a/b.md")]
    monkeypatch.undo()
    real_stat = os.fstat

    def stale(fd: int) -> os.stat_result:
        status = list(real_stat(fd))
        status[stat.ST_SIZE] -= 1
        return os.stat_result(status)

    monkeypatch.setattr(os, "fstat", stale)
    found, notes = read_package(str(tmp_path), "source", "a", LIMITS)
    assert found is None
    assert "changed while" in notes[0].message


def test_a_folder_that_vanished(tmp_path: Path) -> None:
    found, notes = read_package(str(tmp_path), "source", "gone", LIMITS)
    assert found is None
    assert [(f.code, f.path) for f in notes] == [("skill-unreadable", "gone")]
    assert notes[0].code in BARRING


def test_a_folder_that_cannot_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_tree(tmp_path, {"a/SKILL.md": GOOD, "locked/b/SKILL.md": GOOD})
    real = os.scandir

    def refusing(path: str) -> object:
        if str(path).endswith("locked"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", refusing)
    scan = find_skill_folders(str(tmp_path))
    assert scan.folders == ("a",)
    assert [(f.code, f.path) for f in scan.findings] == [("folder-unreadable", "locked")]


def test_thousands_of_left_out_entries_make_few_findings(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a/SKILL.md": GOOD, **{f"a/.x{i}": "" for i in range(300)}})
    _, notes = read_package(str(tmp_path), "source", "a", LIMITS)
    assert len(notes) == 50


def test_a_tree_deeper_than_the_longest_path(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a/SKILL.md": GOOD})
    here = os.getcwd()
    os.chdir(tmp_path / "a")
    try:
        for _ in range(30):
            os.mkdir("d" * 200)
            os.chdir("d" * 200)
        Path("deep.md").write_text("x")
    finally:
        os.chdir(here)
    found, notes = read_package(str(tmp_path), "source", "a", LIMITS)
    assert found is None
    assert {f.code for f in notes} == {"skill-unreadable"}


names = st.sampled_from(
    ["SKILL.md", "skill.md", "a", "b.md", ".x", "node_modules", "nul", "é", "c d", "x.pyc", "sub"]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.lists(st.tuples(st.lists(names, min_size=1, max_size=4), st.binary(max_size=30)), max_size=8))
def test_any_tree_is_read_the_same_twice(
    tmp_path_factory: pytest.TempPathFactory, files: list[tuple[list[str], bytes]]
) -> None:
    root = tmp_path_factory.mktemp("tree")
    for parts, data in files:
        target = root.joinpath(*parts)
        if not any(p.is_file() for p in target.parents) and not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    first = read_tree(root)
    assert first == read_tree(root)
    for folder, skill in first.items():
        assert skill is not None
        assert [f.path for f in skill.package.files] == sorted(f.path for f in skill.package.files)
        assert all(f.path.startswith(folder) for f in skill.findings)
        assert skill.manifest is not None or any(f.code in BARRING for f in skill.findings)
        for inside in skill.package.files:
            assert (root / folder / inside.path).read_bytes() == inside.data
