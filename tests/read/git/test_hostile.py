"""A repository made to run programs, to read elsewhere, or to hang: nothing of it happens."""

from __future__ import annotations

import random
import subprocess
import time
from pathlib import Path

import pytest

from generator.errors import SourceError
from generator.read.package import Limits
from generator.read.sources.git import process as git_process
from generator.read.sources.git.history import read_history
from generator.read.sources.git.objects import Objects
from generator.read.sources.git.process import GitError, GitPlace, GitProcess, environment, run_git
from generator.read.sources.git.repository import open_repository
from generator.read.sources.git.tree import find_skills, read_package
from tests.read.git.repos import ENVIRONMENT, Recorder, git, make, read_all
from tests.read.helpers import GOOD

CONFIG = """
[core]
\trepositoryformatversion = 0
\tfsmonitor = {run}
\thooksPath = {hooks}
\tpager = {run}
\teditor = {run}
\tsshCommand = {run}
\taskPass = {run}
\tattributesFile = {root}/attributes
\talternateRefsCommand = {run}
\tgitProxy = {run}
\tworktree = /
\tbigFileThreshold = 1
\tquotePath = true
\tlogAllRefUpdates = always
[diff]
\texternal = {run}
\trenames = copies
\torderFile = {root}/order
[diff "x"]
\ttextconv = {run}
\tcommand = {run}
[filter "x"]
\tclean = {run}
\tsmudge = {run}
\tprocess = {run}
\trequired = true
[log]
\tshowSignature = true
\tdecorate = full
\tshowRoot = false
\tfollow = true
\tmailmap = true
[gpg]
\tprogram = {run}
[gpg "ssh"]
\tprogram = {run}
[format]
\tpretty = oneline
\tnotes = *
[i18n]
\tlogOutputEncoding = utf-16
[color]
\tui = always
[alias]
\tlog = !{run}
\tcat-file = !{run}
[credential]
\thelper = !{run}
[uploadpack]
\tpackObjectsHook = {run}
[protocol]
\tallow = always
[extensions]
\tpartialClone = evil
[remote "evil"]
\turl = ext::{run}
\tpromisor = true
\tpartialCloneFilter = blob:none
[submodule]
\trecurse = true
[trace2]
\teventTarget = {root}/trace
[include]
\tpath = {root}/included
[url "ext::{run} "]
\tinsteadOf = https://
"""
HOOKS = ("post-checkout", "pre-commit", "reference-transaction", "post-index-change", "fsmonitor-watchman")


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    return tmp_path / "canary"


@pytest.fixture
def hostile(tmp_path: Path, canary: Path) -> Path:
    """A repository whose every setting runs a program that leaves a canary."""
    recorder = Recorder()
    attributes = "* filter=x diff=x text=auto ident working-tree-encoding=UTF-16\n"
    recorder.commit({"a/SKILL.md": GOOD, ".gitattributes": attributes, "a/x.md": "one\n"}, "First")
    recorder.commit({"a/x.md": "two\n"}, "Second")
    recorder.tag("v1.0.0", 1, annotated=True)
    root = tmp_path / "r"
    recorder.write(root)
    run = tmp_path / "run"
    run.write_text(f"#!/bin/sh\necho ran >> {canary}\ncat\n")
    run.chmod(0o755)
    hooks = root / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for hook in HOOKS:
        (hooks / hook).write_text(run.read_text())
        (hooks / hook).chmod(0o755)
    (root / ".git/config").write_text(CONFIG.format(run=run, hooks=hooks, root=tmp_path))
    (tmp_path / "order").write_text("x.md\n")
    (root / ".git/info").mkdir(exist_ok=True)
    (root / ".git/info/attributes").write_text(attributes)
    return root


def test_no_program_of_the_repository_runs(hostile: Path, canary: Path, tmp_path: Path) -> None:
    with Objects(open_repository(str(hostile), str(tmp_path / "cache"), history=True)) as objects:
        scan = find_skills(objects)
        package, notes = read_package(objects, scan.trees["a"], "source", "a", Limits())
        history = read_history(objects, scan)
    assert package is not None
    assert {str(f.path): f.data for f in package.files} == {"SKILL.md": GOOD.encode(), "x.md": b"two\n"}
    assert notes == ()
    assert [(v.version, v.changelog) for v in history.skills["a"]] == [
        ("1.0.0", ("First",)),
        (None, ("Second",)),
    ]
    assert not canary.exists()
    assert not (tmp_path / "trace").exists()


def test_the_hostile_repository_does_run_programs_in_an_ordinary_git(hostile: Path, canary: Path) -> None:
    with pytest.raises(AssertionError):
        git(hostile, "log", "-p", "--ext-diff")
    assert canary.exists()


def test_grafts_and_replacements_are_not_honoured(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.commit({"a/SKILL.md": GOOD}, "Real first")
    recorder.commit({"a/x.md": "2"}, "Real second")
    recorder.commit({"a/SKILL.md": "---\nname: evil\n---\n"}, "Another root", branch="evil")
    root = tmp_path / "r"
    ids = recorder.write(root)
    real = git(root, "rev-parse", "main:a/SKILL.md")
    git(root, "replace", real, git(root, "rev-parse", "evil:a/SKILL.md"))
    git(root, "replace", ids[2], ids[3])
    (root / ".git/info").mkdir(exist_ok=True)
    (root / ".git/info/grafts").write_text(f"{ids[2]} {ids[3]}\n")
    with Objects(open_repository(str(root), str(tmp_path / "c"))) as objects:
        scan = find_skills(objects)
        package, _ = read_package(objects, scan.trees["a"], "s", "a", Limits())
        versions = read_history(objects, scan).skills["a"]
    assert scan.commit == ids[2]
    assert package is not None
    assert package.files[0].data == GOOD.encode()
    assert [v.commit for v in versions] == ids[1:3]


def test_a_forged_commit_graph_is_not_believed(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.commit({"a/SKILL.md": GOOD})
    recorder.commit({"a/x.md": "2"})
    root = tmp_path / "r"
    ids = recorder.write(root)
    (root / ".git/objects/info").mkdir(exist_ok=True)
    git(root, "commit-graph", "write", "--reachable")
    graph = root / ".git/objects/info/commit-graph"
    graph.chmod(0o644)
    graph.write_bytes(graph.read_bytes()[:-60] + b"\xff" * 60)
    with Objects(open_repository(str(root), str(tmp_path / "c"))) as objects:
        assert [v.commit for v in read_history(objects, find_skills(objects)).skills["a"]] == ids[1:]


def test_another_owner_is_no_reason_to_refuse(
    hostile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # git's own tests use this variable where they cannot change a folder's owner.
    other = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    done = subprocess.run(
        ["git", "log"], cwd=hostile, env=ENVIRONMENT | other, capture_output=True, check=False
    )
    assert b"dubious ownership" in done.stderr
    monkeypatch.setattr(
        git_process, "environment", lambda place, network=False: environment(place, network=network) | other
    )
    assert list(read_all(hostile, tmp_path / "c")[0]) == ["a"]


def test_the_environment_is_a_fixed_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_SSH", "evil")
    monkeypatch.setenv("LD_PRELOAD", "evil")
    monkeypatch.setenv("https_proxy", "http://proxy")
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    place = GitPlace("/g", "/o")
    quiet, loud = environment(place), environment(place, network=True)
    assert not {"GIT_SSH", "LD_PRELOAD", "LANG", "https_proxy"} & quiet.keys()
    assert loud["https_proxy"] == "http://proxy"
    assert "LD_PRELOAD" not in loud
    assert (quiet["GIT_ALLOW_PROTOCOL"], loud["GIT_ALLOW_PROTOCOL"]) == ("none", "https")


@pytest.fixture
def slow_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A git that does not answer (and whose child would hold the pipes open)."""
    program = tmp_path / "git"
    program.write_text("#!/bin/sh\nsleep 300 & sleep 300\n")
    program.chmod(0o755)
    monkeypatch.setattr(git_process, "find_git", lambda: str(program))


@pytest.mark.timeout(30)
def test_a_git_that_does_not_answer_is_stopped(slow_git: None) -> None:
    start = time.monotonic()
    with pytest.raises(GitError, match=r"took longer than 0\.2 seconds"):
        run_git(["log"], None, seconds=0.2, max_output=1)
    with GitProcess(["cat-file"], None) as process:
        assert process.read_some(1, 0.2) == b""
        assert "took longer than" in str(process.error())
    assert time.monotonic() - start < 10


def test_output_is_bounded(tmp_path: Path) -> None:
    root = make(tmp_path / "r", {"a/SKILL.md": GOOD})
    place = GitPlace(str(root / ".git"), str(root / ".git/objects"))
    with pytest.raises(GitError, match="said over 10 bytes"):
        run_git(["cat-file", "-p", "main:a/SKILL.md"], place, seconds=30, max_output=10)


def test_a_failure_is_one_printable_line(tmp_path: Path) -> None:
    root = make(tmp_path / "r", {"a/SKILL.md": GOOD})
    place = GitPlace(str(root / ".git"), str(root / ".git/objects"))
    with pytest.raises(GitError) as caught:
        run_git(["rev-parse", "--verify", "x\x1b[31m\n" + "y" * 5000], place, seconds=30, max_output=10**6)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("answer", "words"),
    [(None, "There is no git on PATH"), ("git version 2.11.0", "Install git 2.31"), ("?", "Install")],
)
def test_no_git_or_an_old_one_is_the_operators_error(
    answer: str | None, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if answer is not None:
        (tmp_path / "git").write_text(f"#!/bin/sh\necho '{answer}'\n")
        (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    git_process.find_git.cache_clear()
    try:
        with pytest.raises(SourceError, match=words):
            open_repository(str(tmp_path), str(tmp_path))
    finally:
        monkeypatch.undo()
        git_process.find_git.cache_clear()


def test_over_a_hundred_damaged_objects_stop_the_source(tmp_path: Path) -> None:
    root = tmp_path / "r"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    noise = random.Random(4)
    for number in range(130):
        (root / f"s{number}").mkdir()
        (root / f"s{number}/SKILL.md").write_bytes(noise.randbytes(9000))
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "x")
    for line in git(root, "ls-tree", "-r", "main").splitlines():
        one = line.split()[2]
        path = root / f".git/objects/{one[:2]}/{one[2:]}"
        path.chmod(0o644)
        path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(SourceError, match="over 100 damaged objects"):
        read_all(root, tmp_path / "c")
