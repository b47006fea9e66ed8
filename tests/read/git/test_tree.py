"""Skill folders and packages out of git objects: equal to those of a folder, and whole or not at all."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.errors import SourceError
from generator.findings import BARRING
from generator.model import Finding, Package
from generator.read.package import Limits
from generator.read.sources import folder as folder_source
from generator.read.sources.git.objects import Objects
from generator.read.sources.git.repository import open_repository
from generator.read.sources.git.tree import find_skills, read_package
from generator.read.sources.git.treeformat import TreeFormatError, parse_tree
from tests.read.git.repos import ENVIRONMENT, Odd, Recorder, git, make, object_id, read_all, write_object
from tests.read.helpers import GOOD, Content, write_tree

LIMITS = Limits()
Read = tuple[tuple[str, ...], dict[str, Package | None], list[Finding]]


def by_git(root: Path, cache: Path, limits: Limits = LIMITS, include: tuple[str, ...] = ()) -> Read:
    with Objects(open_repository(str(root), str(cache))) as objects:
        scan = find_skills(objects, include=include)
        notes = list(scan.findings)
        packages: dict[str, Package | None] = {}
        for folder, tree in scan.trees.items():
            packages[folder], found = read_package(objects, tree, "source", folder, limits)
            notes += found
    return scan.folders, packages, notes


def by_folder(root: Path, limits: Limits = LIMITS, include: tuple[str, ...] = ()) -> Read:
    scan = folder_source.find_skill_folders(str(root), include)
    notes = list(scan.findings)
    packages: dict[str, Package | None] = {}
    for folder in scan.folders:
        packages[folder], found = folder_source.read_package(str(root), "source", folder, limits)
        notes += found
    return scan.folders, packages, notes


def commit_all(root: Path) -> None:
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A", "-f")
    git(root, "commit", "-q", "-m", "All", "--allow-empty")


TREES: dict[str, dict[str, Content]] = {
    "one skill": {"a/SKILL.md": GOOD, "a/scripts/x.py": "1", "README.md": ""},
    "the root is the skill": {"SKILL.md": GOOD, "sub/SKILL.md": GOOD},
    "any case": {"a/skill.md": GOOD, "b/SKILL.MD": GOOD, "c/Skill.md": GOOD},
    "a folder called SKILL.md": {"a/SKILL.md/SKILL.md": GOOD},
    "not walked": {".x/a/SKILL.md": "", "node_modules/a/SKILL.md": "", "__pycache__/SKILL.md": "", "g/SKILL.md": ""},
    "left out": {
        "a/SKILL.md": GOOD, "a/.env": "", "a/.claude-plugin/plugin.json": "{}", "a/.mcp.json": "{}", "a/x.pyc": "",
        "a/sub/.claude-plugin/plugin.json": "{}", "a/node_modules/m.js": "", "a/.DS_Store": "", "a/b~": "",
    },
    "a hub inside": {"a/SKILL.md": GOOD, "a/out/hub.json": "", "a/out/.skillpress/lock": "", "a/out/x": ""},
    "names": {
        "a/SKILL.md": GOOD, "a/caf\udce9.md": "", "a/中文.md": "", "a/e\u0301.md": "", "a/Notes.md": "",
        "a/notes.md": "", "a/nul.md": "", "a/q?.md": "", "a/x\u202ey.md": "", "a/b\\c": "", "a/d:e": "",
    },
    "colliding folders": {"a/Sub/x.md": "1", "a/sub/x.md": "2", "a/SKILL.md": GOOD},
    "a folder that is not printable": {"x\udcff/SKILL.md": GOOD, "y\u202e/SKILL.md": GOOD, "ok/SKILL.md": GOOD},
    "bytes as they are": {"a/SKILL.md": b"\xff\xfe\r\n\x00", "a/crlf.md": "a\r\nb\r\n", "a/empty": ""},
}  # fmt: skip


@pytest.mark.parametrize("name", TREES)
def test_git_and_folder_give_equal_packages_and_findings(name: str, tmp_path: Path) -> None:
    root = write_tree(tmp_path / "r", TREES[name])
    commit_all(root)
    assert by_git(root, tmp_path / "c") == by_folder(root)


def test_links_and_executables_are_equal_too(tmp_path: Path) -> None:
    root = write_tree(
        tmp_path / "r",
        {
            "a/SKILL.md": GOOD,
            "a/run.sh": "#!",
            "a/sub/x.md": "",
            "b/x": "",
            "shared/t.md": "",
            "d/SKILL.md": GOOD,
        },
    )
    (root / "a/run.sh").chmod(0o755)
    for link, target in {
        "a/up": "..", "a/sub/out.md": "/etc/hostname", "b/SKILL.md": "../a/SKILL.md", "to-a": "a", "to-file": "b/x",
        "dead": "nowhere", "chain": "to-a/sub", "loop": "loop", "d/.DS_Store": "x",
    }.items():  # fmt: skip
        (root / link).symlink_to(target)
    commit_all(root)
    assert by_git(root, tmp_path / "c") == by_folder(root)
    packages = by_git(root, tmp_path / "c")[1]
    package = packages["a"]
    assert package is not None
    assert [(f.path, f.executable) for f in package.files] == [
        ("SKILL.md", False), ("run.sh", True), ("sub/x.md", False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "limits",
    [
        Limits(max_files=2),
        Limits(max_file_bytes=30),
        Limits(max_package_bytes=120),
        Limits(max_file_bytes=70),
    ],
)
def test_limits_are_equal(limits: Limits, tmp_path: Path) -> None:
    root = write_tree(tmp_path / "r", {"a/SKILL.md": GOOD, "a/b": "x" * 40, "a/c": "y" * 40, "a/d/e": "z"})
    commit_all(root)
    assert by_git(root, tmp_path / "c", limits) == by_folder(root, limits)


@pytest.mark.parametrize("include", [("skills/*",), ("**",), ("other/**", "skills/a"), ("nothing",)])
def test_include_is_equal(include: tuple[str, ...], tmp_path: Path) -> None:
    files: dict[str, Content] = {
        f"{f}SKILL.md": GOOD for f in ("skills/a/", "skills/b/in/", "skills/b/", "other/x/")
    }
    root = write_tree(tmp_path / "r", files)
    commit_all(root)
    assert by_git(root, tmp_path / "c", include=include) == by_folder(root, include=include)


NAMES = st.sampled_from(
    [
        "SKILL.md",
        "skill.md",
        "a",
        "b",
        "A",
        ".env",
        ".git2",
        "x.pyc",
        "node_modules",
        "é",
        "hub.json",
        "con",
        "c.md",
    ]
)
FILES = st.dictionaries(
    st.lists(NAMES, min_size=1, max_size=4).map("/".join), st.binary(max_size=20), min_size=1, max_size=12
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(files=FILES)
def test_any_tree_is_equal(files: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> None:
    # A name cannot be both a file and a folder.
    kept: dict[str, Content] = {
        path: data for path, data in files.items() if not any(p.startswith(f"{path}/") for p in files)
    }
    root = tmp_path_factory.mktemp("any") / "r"
    write_tree(root, kept)
    commit_all(root)
    assert by_git(root, root.parent / "c") == by_folder(root)


@pytest.mark.parametrize(
    "attributes", ["* text=auto\n", "* text eol=crlf\n", "*.md filter=x ident export-ignore\n"]
)
def test_blobs_are_the_truth_whatever_the_attributes_say(attributes: str, tmp_path: Path) -> None:
    files: dict[str, Content] = {
        "a/SKILL.md": GOOD,
        "a/id.md": "$Id$\n",
        "a/crlf.bin": b"\r\n\0",
        ".gitattributes": attributes,
    }
    root = make(tmp_path / "r", files)  # as the author committed them; a checkout would change them
    package = by_git(root, tmp_path / "c")[1]["a"]
    assert package is not None
    assert {str(f.path): f.data for f in package.files} == {
        "SKILL.md": GOOD.encode(), "id.md": b"$Id$\n", "crlf.bin": b"\r\n\0",
    }  # fmt: skip


def test_submodules_are_told_and_never_fetched(tmp_path: Path) -> None:
    sub = Odd("160000", "1" * 40)
    root = make(
        tmp_path / "r",
        {
            "a/SKILL.md": GOOD,
            "a/vendor": sub,
            "skills/more": sub,
            "x/SKILL.md": sub,
            ".gitmodules": "[submodule]",
        },
    )
    packages, codes = read_all(root, tmp_path / "c")
    assert list(packages) == ["a"]
    assert codes == {
        "a/vendor": ["git-submodule-skipped"],
        "skills/more": ["git-submodule-skipped"],
        "x/SKILL.md": ["git-submodule-skipped"],
    }


def test_odd_modes(tmp_path: Path) -> None:
    blob = object_id("blob", GOOD.encode())
    root = make(tmp_path / "r", {"a/SKILL.md": GOOD})
    inner = b"".join(
        b"%s %s\0%s" % (mode, name, bytes.fromhex(blob))
        for mode, name in [
            (b"100664", b"SKILL.md"), (b"104755", b"d-setuid"), (b"060000", b"e-device"), (b"100755", b"f"),
            (b"0", b"g"),
        ]
    )  # fmt: skip
    write_object(root, "blob", GOOD.encode())
    good = write_object(root, "tree", inner[: inner.index(b"0 g")])
    bad = write_object(root, "tree", inner)
    device = write_object(root, "tree", b"060000 SKILL.md\0" + bytes.fromhex(blob))
    top = b"".join(
        b"40000 %s\0%s" % (n, bytes.fromhex(t)) for n, t in [(b"a", good), (b"b", bad), (b"c", device)]
    )
    commit_tree(root, write_object(root, "tree", top))
    packages, codes = read_all(root, tmp_path / "c")
    package = packages["a"]
    assert package is not None
    assert [(f.path, f.executable) for f in package.files] == [
        ("SKILL.md", False),
        ("d-setuid", True),
        ("f", True),
    ]
    assert codes == {
        "a/e-device": ["special-file-skipped"], "b": ["git-tree-invalid"], "c/SKILL.md": ["skill-md-not-regular"],
    }  # fmt: skip


def commit_tree(root: Path, tree: str) -> str:
    data = f"tree {tree}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1700000000 +0000\n\nx\n".encode()
    commit = write_object(root, "commit", data)
    (root / ".git/refs/heads/main").write_text(f"{commit}\n")
    return commit


ID = bytes(range(20))


@pytest.mark.parametrize(
    "data",
    [
        b"100644 ..\0" + ID, b"100644 .\0" + ID, b"100644 \0" + ID, b"100644 a/b\0" + ID,
        b"100644 a\0" + ID + b"40000 a\0" + ID, b"100644 a\0" + ID[:19], b"100644 a", b"100644", b"x00644 a\0" + ID,
        b"1 a\0" + ID, b"100644\0a " + ID, b"10064400000 a\0" + ID, b"\0", b" \0" + ID,
    ],
)  # fmt: skip
def test_a_tree_that_git_never_writes_is_refused(data: bytes) -> None:
    with pytest.raises(TreeFormatError):
        parse_tree(data, 20)


@given(st.binary(max_size=80), st.sampled_from([20, 32]))
def test_any_bytes_are_a_tree_or_refused(data: bytes, size: int) -> None:
    try:
        entries = parse_tree(data, size)
    except TreeFormatError:
        return
    assert all(entry.name and "/" not in entry.name for entry in entries)


@pytest.mark.parametrize("name", [b"..", b".", b"a/../../x"])
def test_a_hostile_tree_bars_its_skill_and_no_other(name: bytes, tmp_path: Path) -> None:
    root = make(tmp_path / "r", {"good/SKILL.md": GOOD})
    blob = bytes.fromhex(write_object(root, "blob", GOOD.encode()))
    good = bytes.fromhex(git(root, "rev-parse", "HEAD:good"))
    evil = bytes.fromhex(write_object(root, "tree", b"100644 %s\0%s" % (name, blob)))
    bad = bytes.fromhex(write_object(root, "tree", b"100644 SKILL.md\0%s40000 sub\0%s" % (blob, evil)))
    commit_tree(root, write_object(root, "tree", b"40000 bad\0%s40000 good\0%s" % (bad, good)))
    packages, codes = read_all(root, tmp_path / "c")
    assert packages["bad"] is None
    assert packages["good"] is not None
    assert codes == {"bad/sub": ["git-tree-invalid"]}


def test_missing_and_damaged_objects_are_named_and_the_other_skills_go_on(tmp_path: Path) -> None:
    files: dict[str, Content] = {
        f"{name}/{file}": f"{name} {file} {'x' * 50}"
        for name in ("good", "gone", "bits", "lies", "folder", "zlast")
        for file in ("SKILL.md", "in/x.md")
    }
    root = write_tree(tmp_path / "r", files)
    commit_all(root)  # writes loose objects

    def place(name: str) -> Path:
        one = git(root, "rev-parse", f"HEAD:{name}")
        path = root / f".git/objects/{one[:2]}/{one[2:]}"
        path.chmod(0o644)
        return path

    place("gone/in/x.md").unlink()
    place("bits/in/x.md").write_bytes(b"no zlib at all")
    place("lies/in/x.md").write_bytes(place("good/in/x.md").read_bytes())
    place("folder/in").write_bytes(place("folder/in").read_bytes()[:-6])
    packages, codes = read_all(root, tmp_path / "c")
    assert {folder for folder, package in packages.items() if package is None} == {
        "gone",
        "bits",
        "lies",
        "folder",
    }
    assert codes == {
        f"{name}/in{file}": ["git-object-damaged"]
        for name, file in [("gone", "/x.md"), ("bits", "/x.md"), ("lies", "/x.md"), ("folder", "")]
    }
    assert "git-object-damaged" in BARRING


def test_a_damaged_folder_above_skills_is_told(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "r", {"a/SKILL.md": GOOD, "group/b/SKILL.md": GOOD})
    commit_all(root)
    one = git(root, "rev-parse", "HEAD:group")
    (root / f".git/objects/{one[:2]}/{one[2:]}").unlink()
    packages, codes = read_all(root, tmp_path / "c")
    assert list(packages) == ["a"]
    assert codes == {"group": ["git-object-damaged"]}


@pytest.mark.parametrize("with_file", [False, True])
@pytest.mark.timeout(60)
def test_a_tree_that_holds_itself_many_times_ends(with_file: bool, tmp_path: Path) -> None:
    root = make(tmp_path / "r", {"good/SKILL.md": GOOD})
    blob = bytes.fromhex(write_object(root, "blob", GOOD.encode()))
    tree = write_object(root, "tree", b"100644 x\0" + blob if with_file else b"")
    for _ in range(12):
        tree = write_object(
            root, "tree", b"".join(b"40000 %d\0%s" % (n, bytes.fromhex(tree)) for n in range(10))
        )
    bomb = bytes.fromhex(tree)
    good = bytes.fromhex(git(root, "rev-parse", "HEAD:good"))
    skill = bytes.fromhex(write_object(root, "tree", b"100644 SKILL.md\0%s40000 z\0%s" % (blob, bomb)))
    commit_tree(root, write_object(root, "tree", b"40000 bad\0%s40000 good\0%s" % (skill, good)))
    packages, codes = read_all(root, tmp_path / "c")
    assert packages["bad"] is None
    assert packages["good"] is not None
    assert codes == {"bad": ["package-too-many-files"]}
    commit_tree(root, tree)
    with pytest.raises(SourceError, match="over 200,000 folders"):
        read_all(root, tmp_path / "c")


def test_a_chain_of_folders_ends_at_the_longest_path(tmp_path: Path) -> None:
    root = make(tmp_path / "r", {"good/SKILL.md": GOOD})
    blob = bytes.fromhex(write_object(root, "blob", GOOD.encode()))
    tree = write_object(root, "tree", b"100644 SKILL.md\0" + blob)
    for _ in range(50):
        tree = write_object(root, "tree", b"40000 %s\0%s" % (b"d" * 100, bytes.fromhex(tree)))
    commit_tree(root, tree)
    packages, codes = read_all(root, tmp_path / "c")
    assert packages == {}
    assert list(codes.values()) == [["folder-unreadable"]]


def test_a_pointer_of_lfs_is_told_and_kept_as_it_is(tmp_path: Path) -> None:
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 12345\n"
    root = make(tmp_path / "r", {"a/SKILL.md": GOOD, "a/model.bin": pointer, "a/x.md": f"About {pointer}"})
    packages, codes = read_all(root, tmp_path / "c")
    assert packages["a"] is not None
    assert codes == {"a/model.bin": ["git-lfs-pointer"]}


def test_a_sub_path_is_read_as_a_root_of_its_own(tmp_path: Path) -> None:
    files: dict[str, Content] = {"skills/a/SKILL.md": GOOD, "skills/a/.env": "", "SKILL.md": GOOD}
    root = write_tree(tmp_path / "r", files)
    commit_all(root)
    packages, codes = read_all(root, tmp_path / "c", sub_path="skills/")
    assert packages == by_folder(root / "skills")[1]
    assert codes == {"a/.env": ["entry-skipped"]}
    assert list(read_all(root, tmp_path / "c", sub_path="./skills/a")[0]) == [""]


@pytest.mark.parametrize(
    ("sub_path", "words"),
    [("skill", "skill, which does not exist; its top holds link, skills|skills"), ("skills/a/SKILL.md", "is no folder"),
     ("link", "is no folder"), ("../x", "does not exist")],
)  # fmt: skip
def test_a_missing_sub_path_is_the_operators_error(sub_path: str, words: str, tmp_path: Path) -> None:
    root = make(tmp_path / "r", {"skills/a/SKILL.md": GOOD, "link": Odd("120000", "skills")})
    with pytest.raises(SourceError, match=words):
        read_all(root, tmp_path / "c", sub_path=sub_path)


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.commit({"a/SKILL.md": GOOD, "a/big": b"\0" * (40 * 2**20), "b/SKILL.md": GOOD})
    root = tmp_path / "r"
    recorder.write(root)
    packages, codes = read_all(root, tmp_path / "c")
    assert packages["a"] is None
    assert packages["b"] is not None
    assert codes == {"a/big": ["package-file-too-large"]}


def test_nothing_is_written_into_the_repository(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "r", {"a/SKILL.md": GOOD})
    commit_all(root)

    def snapshot() -> dict[str, tuple[int, int]]:
        found = {}
        for base, folders, files in os.walk(root):
            for name in (*folders, *files):
                status = os.lstat(os.path.join(base, name))
                found[os.path.join(base, name)] = (status.st_mtime_ns, status.st_size)
        return found

    before = snapshot()
    read_all(root, tmp_path / "c")
    assert snapshot() == before


def test_an_empty_environment_of_the_author_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make(tmp_path / "r", {"a/SKILL.md": GOOD})
    other = make(tmp_path / "other", {"b/SKILL.md": GOOD})
    for name, value in {
        "GIT_DIR": str(other / ".git"), "GIT_OBJECT_DIRECTORY": str(other / ".git/objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(other / ".git/objects"), "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.bare", "GIT_CONFIG_VALUE_0": "nonsense", "GIT_TRACE": "1", "GIT_NAMESPACE": "x",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    assert list(read_all(root, tmp_path / "c")[0]) == ["a"]


def test_the_helper_makes_repositories_that_git_accepts(tmp_path: Path) -> None:
    root = make(tmp_path / "r", {"a/SKILL.md": GOOD})
    assert subprocess.run(["git", "fsck", "--strict"], cwd=root, env=ENVIRONMENT, check=False).returncode == 0
