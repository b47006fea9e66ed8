"""On a host of plain files released installers take a skill from GitHub: a server that answers as GitHub's does."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from generator.hosting.expectations import Level
from generator.hosting.profiles import find_hosting
from generator.probe.run import probe
from generator.read.sources.http.transport import HttpTransport
from generator.write.publish import WORK_FOLDER
from tests.build.hubs import FIRST_TIME, LittleHub, skill_text
from tests.conformance.codeload_server import serve_codeload
from tests.conformance.pages_server import serve_pages
from tests.conftest import require
from tests.deps import clients
from tests.deps.install import clawhub_program
from tests.hubs import free_port, minimal_environment, read_tree
from tests.read.git.repos import Recorder, git

DAY_MS = 86_400_000
FIRST = {
    "skills/alpha/SKILL.md": skill_text("alpha"), "skills/alpha/references/notes.md": "# Notes\n",
    "skills/other/SKILL.md": skill_text("other"),
    "skills/hiding/SKILL.md": skill_text("hiding"), "skills/hiding/.run.sh": "rm -rf /\n",
}  # fmt: skip
SECOND = {"skills/alpha/SKILL.md": skill_text("alpha", version="1.1.0", body="# Anew\n")}
THIRD = {"skills/alpha/SKILL.md": skill_text("alpha", version="1.2.0"), "skills/alpha/.run.sh": "rm -rf /\n"}


@dataclass(slots=True)
class GitHubHub:
    """A hub for GitHub Pages from a repository that GitHub gives out too. ``show`` publishes one of its commits."""

    hub: LittleHub
    published: Path
    codeload: str
    commits: list[str]
    asked: list[str]

    def show(self, number: int) -> str:
        """Build and publish commit ``number`` (from 1); its id."""
        git(self.hub.root / "repository", "update-ref", "refs/heads/main", self.commits[number])
        self.hub.build(FIRST_TIME + number * DAY_MS)
        shutil.rmtree(self.published, ignore_errors=True)
        shutil.copytree(self.hub.out, self.published, ignore=shutil.ignore_patterns(WORK_FOLDER))
        return self.commits[number]

    def files(self, commit: str, slug: str) -> dict[str, bytes]:
        """The files of a skill at a commit."""
        work = self.hub.root / f"checkout-{commit}"
        if not work.exists():
            git(self.hub.root / "repository", "worktree", "add", "--detach", str(work), commit)
        return read_tree(work / "skills" / slug)


@pytest.fixture
def github(tmp_path: Path) -> Iterator[GitHubHub]:
    """The hub, served as GitHub Pages serves, and GitHub's archives beside it."""
    recorder = Recorder()
    for files in (FIRST, SECOND, THIRD):
        recorder.commit(files, parent=recorder.count or None)
    root = tmp_path / "hub"
    commits = recorder.write(root / "repository")
    (root / "hub.yml").write_text(
        "hosting: github-pages\nowner: acme\nsources:\n"
        "  - {type: git, path: repository, public: https://github.com/team/skills}\n"
    )
    port, second = free_port(), free_port()
    hub = LittleHub(root, paths=(), layout="exploded", url=f"http://127.0.0.1:{port}/hub")
    with ExitStack() as stack:
        asked = stack.enter_context(serve_codeload({"team/skills": root / "repository"}, second))
        stack.enter_context(serve_pages(tmp_path / "published", port, "/hub"))
        yield GitHubHub(hub, tmp_path / "published", f"http://127.0.0.1:{second}", commits, asked)


@pytest.mark.client
@pytest.mark.parametrize("version", ["0.23.3", "0.20.0"])
def test_on_a_plain_host_the_client_is_sent_to_github(
    version: str, github: GitHubHub, tmp_path: Path
) -> None:
    require("clients")

    def run(*arguments: str) -> tuple[int, str]:
        (tmp_path / "work").mkdir(exist_ok=True)
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        environment = minimal_environment(
            home, CLAWHUB_DISABLE_TELEMETRY="1", CLAWHUB_CONFIG_PATH=str(home / "clawhub.json"),
            CLAWHUB_GITHUB_CODELOAD_BASE_URL=github.codeload, NO_COLOR="1",
        )  # fmt: skip
        done = subprocess.run(
            ["node", clawhub_program(version), "--workdir", tmp_path / "work", "--no-input",
             "--registry", github.hub.url, *arguments],
            env=environment, cwd=home, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    skill = tmp_path / "work" / "skills" / "alpha"
    first = github.show(1)
    code, said = run("install", "alpha")
    assert code == 0, said
    assert github.asked == [f"/team/skills/zip/{first}"]
    assert read_tree(skill, without=[".clawhub"]) == github.files(first, "alpha")
    second = github.show(2)
    code, said = run("update", "alpha")
    assert code == 0, said
    assert read_tree(skill, without=[".clawhub"]) == github.files(second, "alpha")
    code, said = run("install", "hiding")
    assert code != 0, said
    github.show(3)
    code, said = run("update", "alpha")
    # What hides a file is not handed off, so nothing of it arrives, whatever the command makes of that.
    assert read_tree(skill, without=[".clawhub"]).keys() <= github.files(second, "alpha").keys(), said
    assert not list((tmp_path / "work").rglob(".run.sh"))
    assert not [one for one in github.asked if github.commits[3] in one]


@pytest.mark.client
@pytest.mark.extended
def test_on_a_plain_host_openclaw_is_sent_to_github(github: GitHubHub, tmp_path: Path) -> None:
    require("extended")
    home = tmp_path / "home"
    home.mkdir()

    def run(*arguments: str) -> tuple[int, str]:
        environment = minimal_environment(
            home, OPENCLAW_CLAWHUB_URL=github.hub.url, OPENCLAW_STATE_DIR=str(home / ".openclaw"), NO_COLOR="1",
            CLAWHUB_GITHUB_CODELOAD_BASE_URL=github.codeload,
        )  # fmt: skip
        done = subprocess.run(
            [clients.NODE_24, clients.OPENCLAW, "skills", *arguments],
            cwd=home, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    skill = home / ".openclaw" / "workspace" / "skills" / "alpha"
    first = github.show(1)
    code, said = run("install", "@acme/alpha")
    assert code == 0, said
    assert github.asked == [f"/team/skills/zip/{first}"]
    assert read_tree(skill, without=[".clawhub"]) == github.files(first, "alpha")
    second = github.show(2)
    code, said = run("update", "@acme/alpha")
    assert code == 0, said
    assert read_tree(skill, without=[".clawhub"]) == github.files(second, "alpha")
    code, said = run("install", "@acme/hiding")
    assert code != 0, said
    assert not list(home.rglob(".run.sh"))


def test_a_probe_knows_the_handoff(github: GitHubHub) -> None:
    commit = github.show(1)
    url = github.hub.url
    report = probe(url, HttpTransport(url), skill="acme/alpha", hosting=find_hosting("github-pages"))
    levels = {one.client: one.level for one in report.clients}
    assert levels["clawhub"] is Level.PART
    assert levels["openclaw"] in (Level.PART, Level.WORKS)
    assert levels["clawhub-old"] is Level.FAILS
    notes = {one.code: one.message for one in report.troubles}
    assert f"team/skills@{commit}" in notes["handoff"]
    assert report.ok
    other = probe(url, HttpTransport(url), skill="acme/hiding", hosting=find_hosting("github-pages"))
    levels = {one.client: one.level for one in other.clients}
    assert levels["clawhub"] is levels["openclaw"] is Level.FAILS
    assert "handoff" not in {one.code for one in other.troubles}
