"""The unmodified ``skills`` command: 1.5.18 on this machine's Node, and in the extended run 1.7.4 on Node 24.

1.5.18 takes the index of the host's root where the index below a page leads to nothing, and with ``-y`` installs
all of it. The tests hold that nothing of a hub makes it do so as long as the command names the skill, and that a
page from which nothing can be installed never does.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.clients.installer_hub import SHAPES, StagedHub
from tests.clients.validating import check_valid
from tests.conftest import require
from tests.deps import clients
from tests.hubs import minimal_environment, read_tree

pytestmark = pytest.mark.client

OLD, NEW = "1.5.18", "1.7.4"
VERSIONS = [OLD, pytest.param(NEW, marks=pytest.mark.extended)]
NOTICE = "not-installed"


@dataclass(frozen=True, slots=True)
class Skills:
    """One version of the command in a home and a project of its own."""

    version: str
    hub: StagedHub
    folder: Path

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run it."""
        node = "node" if self.version == OLD else str(clients.NODE_24)
        home, project = self.folder / "home", self.folder / "project"
        for place in (home, project):
            place.mkdir(parents=True, exist_ok=True)
        environment = minimal_environment(home, DISABLE_TELEMETRY="1", CI="1", NO_COLOR="1")
        return subprocess.run(
            [node, str(clients.skills_program(self.version)), *arguments],
            cwd=project, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
        )  # fmt: skip

    def add(self, page: str, *more: str) -> subprocess.CompletedProcess[str]:
        """``skills add`` of a page of the hub, without questions."""
        return self.run("add", f"{self.hub.url}{page}", "-a", "claude-code", "-y", *more)

    def add_skill(self, key: str) -> subprocess.CompletedProcess[str]:
        """The command that a skill's page shows."""
        owner, _, slug = key.partition("/")
        return self.add(f"/{owner}/skills/{slug}", "--skill", slug)

    @property
    def installed(self) -> dict[str, dict[str, bytes]]:
        """The files of every installed skill."""
        folder = self.folder / "project" / ".claude" / "skills"
        return {one.name: read_tree(one) for one in sorted(folder.iterdir())} if folder.exists() else {}


@pytest.fixture(params=VERSIONS)
def skills(request: pytest.FixtureRequest, installer_hub: StagedHub, tmp_path: Path) -> Skills:
    """Each version in a fresh home, against the hub in every shape."""
    require("installers" if request.param == OLD else "extended")
    return Skills(request.param, installer_hub, tmp_path)


def said(done: subprocess.CompletedProcess[str]) -> str:
    return f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"


AT_THE_ROOT = pytest.mark.parametrize("installer_hub", SHAPES[:1], indirect=True)
"""Only there does 1.5.18 find another index to fall back to."""


@pytest.mark.parametrize("named", [True, False], ids=["named", "whole-page"])
@pytest.mark.parametrize("key", ["acme/field-notes", "beta/plain-text", "beta/twins"])
def test_a_page_installs_its_skill_byte_for_byte_and_nothing_else(
    skills: Skills, key: str, named: bool
) -> None:
    owner, _, slug = key.partition("/")
    done = skills.add_skill(key) if named else skills.add(f"/{owner}/skills/{slug}")
    assert done.returncode == 0, said(done)
    assert skills.installed == {slug: skills.hub.files[key]}, said(done)
    check_valid(skills.folder / "project" / ".claude" / "skills" / slug)


def test_a_page_with_a_trailing_slash_is_the_same(skills: Skills) -> None:
    done = skills.add("/beta/skills/plain-text/")
    assert skills.installed == {"plain-text": skills.hub.files["beta/plain-text"]}, said(done)


@pytest.mark.parametrize(
    ("page", "keys"),
    [
        ("", ["acme/field-notes", "beta/plain-text"]),
        ("/acme", ["acme/field-notes", "acme/twins"]),
        ("/collections/office", ["acme/field-notes", "beta/plain-text"]),
    ],
    ids=["hub", "owner", "collection"],
)
def test_an_index_of_several_installs_all_of_them(skills: Skills, page: str, keys: list[str]) -> None:
    done = skills.add(page)
    assert done.returncode == 0, said(done)
    assert skills.installed == {key.partition("/")[2]: skills.hub.files[key] for key in keys}


def test_one_skill_of_the_hub_by_its_name(skills: Skills) -> None:
    done = skills.add("", "--skill", "field-notes")
    assert done.returncode == 0, said(done)
    assert skills.installed == {"field-notes": skills.hub.files["acme/field-notes"]}


WITHDRAWN = [
    "/acme/skills/blocked",
    "/acme/skills/yanked",
    "/acme/skills/locked-away",
    "/acme/skills/no-such-skill",
    "/gone",
    "/collections/nothing",
]


@pytest.mark.parametrize("page", WITHDRAWN)
def test_a_page_from_which_nothing_can_be_installed_installs_no_skill(skills: Skills, page: str) -> None:
    """Not even another one: where an index led to nothing, 1.5.18 would take the whole hub."""
    done = skills.add(page)
    assert set(skills.installed) == ({NOTICE} if skills.version == OLD else set()), said(done)
    if skills.version == OLD:
        assert set(skills.installed[NOTICE]) == {"SKILL.md"}
        assert "Nothing was installed" in done.stdout
    else:
        assert done.returncode != 0


@pytest.mark.parametrize("page", WITHDRAWN[:4])
def test_by_its_name_what_is_withdrawn_is_refused(skills: Skills, page: str) -> None:
    done = skills.add(page, "--skill", page.rpartition("/")[2])
    assert done.returncode != 0, said(done)
    assert skills.installed == {}


def test_a_tampered_archive_is_refused_and_nothing_else_is_installed(skills: Skills) -> None:
    with skills.hub.tampered("/dl/acme/field-notes-1.0.0.zip"):
        done = skills.add_skill("acme/field-notes")
    assert done.returncode != 0, said(done)
    assert skills.installed == {}


@AT_THE_ROOT
def test_without_a_name_a_tampered_archive_makes_the_old_command_install_the_hub(skills: Skills) -> None:
    """What no hub at the root of a host can help; the pages show the command with the name."""
    with skills.hub.tampered("/dl/acme/field-notes-1.0.0.zip"):
        done = skills.add("/acme/skills/field-notes")
    if skills.version == OLD:
        assert set(skills.installed) == {"plain-text"}, said(done)
    else:
        assert (done.returncode != 0, skills.installed) == (True, {}), said(done)


def test_installing_again_after_a_rebuild_leaves_the_new_files_only(skills: Skills) -> None:
    skills.add_skill("acme/field-notes")
    before = skills.installed["field-notes"]
    skills.hub.rebuild()
    done = skills.add_skill("acme/field-notes")
    assert done.returncode == 0, said(done)
    after = skills.installed["field-notes"]
    assert after == skills.hub.files["acme/field-notes"]
    assert before != after
    assert "references/old.md" not in after


@pytest.mark.extended
@pytest.mark.parametrize("skills", [NEW], indirect=True)
class TestUpdate:
    """``skills update``, which only the new command does by the digest in the index."""

    def test_a_new_version_is_installed(self, skills: Skills) -> None:
        skills.add_skill("acme/field-notes")
        skills.hub.rebuild()
        done = skills.run("update", "-y")
        assert done.returncode == 0, said(done)
        assert skills.installed == {"field-notes": skills.hub.files["acme/field-notes"]}, said(done)

    def test_nothing_is_fetched_where_nothing_changed(self, skills: Skills) -> None:
        """The archive is one that it would refuse."""
        skills.add_skill("acme/field-notes")
        with skills.hub.tampered("/dl/acme/field-notes-1.0.0.zip"):
            done = skills.run("update", "-y")
        assert done.returncode == 0, said(done)
        assert skills.installed == {"field-notes": skills.hub.files["acme/field-notes"]}, said(done)

    def test_a_tampered_new_version_leaves_the_old_one(self, skills: Skills) -> None:
        skills.add_skill("acme/field-notes")
        before = skills.installed
        skills.hub.rebuild()
        with skills.hub.tampered("/dl/acme/field-notes-1.1.0.zip"):
            skills.run("update", "-y")
        assert skills.installed == before
