"""Every form a repository can have, and those that are refused, each with words that help."""

from __future__ import annotations

import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.errors import SourceError
from generator.findings.git import CODES
from generator.read.sources.git.objects import Objects
from generator.read.sources.git.refs import read_refs
from generator.read.sources.git.repository import open_repository
from generator.read.sources.git.tree import find_skills
from tests.read.git.repos import Recorder, git, make, read_all
from tests.read.helpers import GOOD

FILES = {"a/SKILL.md": GOOD}


def bare(root: Path) -> Path:
    make(root / "origin", FILES)
    git(root, "clone", "-q", "--bare", "origin", "bare.git")
    return root / "bare.git"


def worktree(root: Path) -> Path:
    make(root / "main", FILES)
    git(root / "main", "worktree", "add", "-q", "-b", "topic", "../tree")
    (root / "tree/b").mkdir()
    (root / "tree/b/SKILL.md").write_text(GOOD)
    git(root / "tree", "add", ".")
    git(root / "tree", "commit", "-q", "-m", "On the topic")
    return root / "tree"


def packed(root: Path) -> Path:
    make(root / "r", FILES)
    git(root / "r", "tag", "-a", "-m", "x", "v1.0.0")
    git(root / "r", "pack-refs", "--all")
    git(root / "r", "gc", "-q")
    assert not list((root / "r/.git/refs/heads").iterdir())
    return root / "r"


def detached(root: Path) -> Path:
    make(root / "r", FILES)
    git(root / "r", "checkout", "-q", "--detach", "main")
    git(root / "r", "branch", "-D", "-q", "main")
    return root / "r"


def shallow(root: Path) -> Path:
    recorder = Recorder()
    recorder.commit({"old/SKILL.md": GOOD})
    recorder.commit({"old/SKILL.md": None, **FILES})
    recorder.write(root / "origin")
    git(root, "clone", "-q", "--depth=1", f"file://{root}/origin", "r")
    return root / "r"


def head_is_a_link(root: Path) -> Path:
    make(root / "r", FILES)
    (root / "r/.git/HEAD").unlink()
    (root / "r/.git/HEAD").symlink_to("refs/heads/main")
    return root / "r"


FORMS: dict[str, tuple[Callable[[Path], Path], list[str]]] = {
    "bare": (bare, ["a"]),
    "linked worktree": (worktree, ["a", "b"]),
    "packed refs and objects": (packed, ["a"]),
    "detached HEAD": (detached, ["a"]),
    "shallow": (shallow, ["a"]),
    "HEAD is a link": (head_is_a_link, ["a"]),
    "sha256": (lambda root: make(root / "r", FILES, "--object-format=sha256"), ["a"]),
    "no index, no working files": (lambda root: make(root / "r", FILES), ["a"]),
    "a separate git folder named itself": (lambda root: make(root / "r", FILES) / ".git", ["a"]),
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_that_are_read(form: str, tmp_path: Path) -> None:
    build, folders = FORMS[form]
    root = build(tmp_path)
    packages, codes = read_all(root, tmp_path / "cache")
    assert [folder for folder, package in packages.items() if package is not None] == folders
    assert codes == {}
    assert read_all(f"file://{root}", tmp_path / "cache")[0].keys() == packages.keys()


def test_ids_of_sha256_are_checked_too(tmp_path: Path) -> None:
    root = make(tmp_path / "r", FILES, "--object-format=sha256")
    with Objects(open_repository(str(root), str(tmp_path / "c"))) as objects:
        scan = find_skills(objects)
    assert scan.commit == git(root, "rev-parse", "main")
    assert len(scan.commit) == 64
    assert scan.trees == {"a": git(root, "rev-parse", "main:a")}


def test_refs_that_can_be_named(tmp_path: Path) -> None:
    recorder = Recorder()
    first = recorder.commit({"one/SKILL.md": GOOD})
    second = recorder.commit({"two/SKILL.md": GOOD}, branch="next", parent=first)
    third = recorder.commit({"three/SKILL.md": GOOD}, branch="twin", parent=second)
    recorder.tag("v1.0.0", first)
    recorder.tag("v2.0.0", second, annotated=True)
    recorder.tag("twin", first)
    root = tmp_path / "r"
    ids = recorder.write(root)
    for ref, mark in {
        "main": first, "next": second, "v1.0.0": first, "v2.0.0": second, "refs/heads/next": second,
        "refs/heads/twin": third, "twin": first, ids[second]: second,
    }.items():  # fmt: skip
        with Objects(open_repository(str(root), str(tmp_path / "c"), ref=ref)) as objects:
            assert find_skills(objects).commit == ids[mark], ref


def _unborn(root: Path) -> Path:
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    return root


def _alternates(root: Path) -> Path:
    make(root / "o", FILES)
    git(root, "clone", "-q", "--shared", "o", "r")
    return root / "r"


def _linked_objects(part: str) -> Callable[[Path], Path]:
    def build(root: Path) -> Path:
        secret = make(root / "secret", FILES)
        git(secret, "gc", "-q")
        made = make(root / "r", FILES)
        shutil.rmtree(made / ".git/objects" / part)
        (made / ".git/objects" / part).symlink_to(secret / ".git/objects" / part)
        return made

    return build


def _linked_pack(root: Path) -> Path:
    made = make(root / "r", FILES)
    (made / ".git/objects/pack/pack-1.pack").symlink_to("/etc/hostname")
    return made


def _stolen(root: Path) -> Path:
    """A folder whose .git file names somebody else's repository."""
    make(root / "secret", FILES)
    (root / "r").mkdir()
    (root / "r/.git").write_text(f"gitdir: {root}/secret/.git\n")
    return root / "r"


def _stolen_worktree(root: Path) -> Path:
    worktree(root)
    (root / "r").mkdir()
    (root / "r/.git").write_text(f"gitdir: {root}/main/.git/worktrees/tree\n")
    return root / "r"


def _linked_git(root: Path) -> Path:
    make(root / "secret", FILES)
    (root / "r").mkdir()
    (root / "r/.git").symlink_to("../secret/.git")
    return root / "r"


def _common_dir(root: Path) -> Path:
    """A repository that claims to be a worktree of another one: it is read as what it is itself."""
    make(root / "secret", FILES)
    (root / "r").mkdir()
    git(root / "r", "init", "-q", "-b", "main")
    (root / "r/.git/commondir").write_text(f"{root}/secret/.git\n")
    return root / "r"


def _reftable(root: Path) -> Path:
    made = make(root / "r", FILES)
    (made / ".git/reftable").mkdir()
    return made


def _folder(root: Path) -> Path:
    (root / "r/.git").mkdir(parents=True)
    return root / "r"


def _bad_shallow(root: Path) -> Path:
    made = make(root / "r", FILES)
    (made / ".git/shallow").write_text("rubbish\n")
    return made


def _tag_of_a_blob(root: Path) -> Path:
    made = make(root / "r", FILES)
    (made / ".git/HEAD").write_text(git(made, "rev-parse", "main:a/SKILL.md") + "\n")
    return made


REFUSED: dict[str, tuple[Callable[[Path], Path | str], str]] = {
    "missing": (lambda root: root / "no", "does not exist. Check the path"),
    "a file": (lambda root: make(root / "r", FILES) / ".git/config", "is not a folder"),
    "no repository": (_folder, "is no git repository. Run git init there, or read it as a folder"),
    "a folder of one": (
        lambda root: make(root / "r", FILES) / ".git/info",
        r"lies inside the repository .*r\. Name",
    ),
    "unborn": (lambda root: _unborn(root / "r"), "has no commit yet on its branch refs/heads/main"),
    "alternates": (_alternates, "borrows objects of another one .*git repack -a -d"),
    "packs behind a link": (_linked_objects("pack"), "behind a symbolic link"),
    "objects behind a link": (_linked_objects(""), "behind a symbolic link"),
    "a pack is a link": (_linked_pack, "behind a symbolic link"),
    "another's repository": (_stolen, "does not know this folder. Name that repository itself"),
    "another's worktree": (_stolen_worktree, "does not know this folder"),
    "git folder is a link": (_linked_git, "is a symbolic link, which is not followed"),
    "another's common folder": (_common_dir, "has no commit yet"),
    "reftable": (_reftable, "git refs migrate --ref-format=files"),
    "a damaged boundary": (_bad_shallow, "holds something else than ids"),
    "no commit": (_tag_of_a_blob, "is no commit"),
    "ssh": (lambda root: "git@example.org:a/b.git", "Name a folder, or an https:// address"),
    "ssh address": (lambda root: "ssh://git@example.org/a/b", "Name a folder, or an https:// address"),
    "plain http": (lambda root: "http://example.org/a/b", "Name a folder, or an https:// address"),
    "a remote helper": (lambda root: "ext::sh -c id", "Name a folder, or an https:// address"),
    "an option": (lambda root: "--upload-pack=id", "does not exist"),
}


@pytest.mark.parametrize("form", REFUSED)
def test_forms_that_are_refused(form: str, tmp_path: Path) -> None:
    build, words = REFUSED[form]
    with pytest.raises(SourceError, match=words):
        read_all(build(tmp_path), tmp_path / "cache")


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ("mian", "no branch, tag or commit mian; there is main"),
        ("v1.0", r"v1\.0; there is v1\.0\.0"),
        ("--all", "no branch, tag or commit --all"),
        ("HEAD~1", "no branch, tag or commit HEAD~1"),
        ("main:a", "no branch, tag or commit"),
        ("abcdef1", "Give a commit's id in full"),
        ("0" * 39 + "1", "is missing"),
        ("a\nb", r"a\\u000ab"),
    ],
)
def test_a_missing_ref_names_near_ones(wanted: str, words: str, tmp_path: Path) -> None:
    root = make(tmp_path / "r", FILES)
    git(root, "tag", "v1.0.0")
    with pytest.raises(SourceError, match=words):
        read_all(root, tmp_path / "c", ref=wanted)


def test_a_partial_clone_says_how_to_become_whole(tmp_path: Path) -> None:
    origin = make(tmp_path / "o", {"a/SKILL.md": GOOD, "b/SKILL.md": GOOD * 2})
    git(origin, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{origin}", "r")
    with Objects(open_repository(str(tmp_path / "r"), str(tmp_path / "c"))) as objects:
        scan = find_skills(objects)
        header = next(objects.describe([git(origin, "rev-parse", "main:a/SKILL.md")]))
    assert scan.folders == ("a", "b")
    assert "partial clone" in repr(header)
    packages, codes = read_all(tmp_path / "r", tmp_path / "c")
    assert packages == {"a": None, "b": None}
    assert codes == {"a/SKILL.md": ["git-object-damaged"], "b/SKILL.md": ["git-object-damaged"]}


def test_a_repository_can_be_handed_to_another_process(tmp_path: Path) -> None:
    made = open_repository(str(make(tmp_path / "r", FILES)), str(tmp_path / "c"))
    assert pickle.loads(pickle.dumps(made)) == made


@pytest.mark.parametrize("code", CODES)
def test_every_code_of_git_has_a_test(code: str) -> None:
    assert any(f'"{code}"' in file.read_text() for file in Path(__file__).parent.glob("test_*.py"))


def test_refs_are_read_without_following_anything(tmp_path: Path) -> None:
    root = make(tmp_path / "r", FILES)
    refs = root / ".git/refs/heads"
    commit = git(root, "rev-parse", "main")
    (tmp_path / "id").write_text(f"{commit}\n")
    (refs / "link").symlink_to(tmp_path / "id")
    (refs / "up").symlink_to("..")
    os.mkfifo(refs / "pipe")
    (refs / "rubbish").write_text("rubbish")
    (refs / "long").write_text("a" * 10_000)
    (refs / "main.lock").write_text(commit)
    (refs / "other").write_text("ref: refs/heads/main\n")
    (refs / "loop").write_text("ref: refs/heads/loop\n")
    with (root / ".git/packed-refs").open("a") as file:
        file.write(f"# pack-refs\n{commit} refs/heads/packed\nrubbish\n^{commit}\n{commit} ../outside\n")
    found = read_refs(str(root / ".git"), str(root / ".git"))
    assert [(ref.name, ref.object_id) for ref in found.all] == [
        ("refs/heads/main", commit), ("refs/heads/other", commit), ("refs/heads/packed", commit),
    ]  # fmt: skip


def test_two_repositories_in_one_cache_and_a_cache_that_was_removed(tmp_path: Path) -> None:
    one = make(tmp_path / "one", {"a/SKILL.md": GOOD})
    two = make(tmp_path / "two", {"b/SKILL.md": GOOD})
    cache = tmp_path / "cache"
    for _ in range(2):
        assert list(read_all(one, cache)[0]) == ["a"]
        assert list(read_all(two, cache)[0]) == ["b"]
        shutil.rmtree(cache)
