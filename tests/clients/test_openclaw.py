"""OpenClaw 2026.9.6 on Node 24: it asks the hub for a verdict before it installs, and checks nothing of the archive.

What the clawhub command leaves to the user is one program here: search, trust check, download, verification.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.clients.installer_hub import StagedHub
from tests.clients.validating import check_valid
from tests.conftest import require
from tests.deps import clients
from tests.hubs import minimal_environment, read_tree

pytestmark = [pytest.mark.client, pytest.mark.extended]


@dataclass(frozen=True, slots=True)
class OpenClaw:
    """The program in a home of its own."""

    hub: StagedHub
    home: Path

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run ``openclaw skills ARGUMENTS``."""
        self.home.mkdir(exist_ok=True)
        environment = minimal_environment(
            self.home,
            OPENCLAW_CLAWHUB_URL=self.hub.url,
            OPENCLAW_STATE_DIR=str(self.home / ".openclaw"),
            NO_COLOR="1",
        )
        return subprocess.run(
            [clients.NODE_24, clients.OPENCLAW, "skills", *arguments],
            cwd=self.home, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
        )  # fmt: skip

    def read(self, *arguments: str) -> str:
        """What a command that must succeed prints."""
        done = self.run(*arguments)
        assert done.returncode == 0, said(done)
        return done.stdout

    def read_json(self, *arguments: str) -> Any:
        """The JSON that a command that must succeed prints."""
        return json.loads(self.read(*arguments, "--json"))

    @property
    def skills(self) -> Path:
        """Where it installs."""
        return self.home / ".openclaw" / "workspace" / "skills"

    @property
    def installed(self) -> dict[str, dict[str, bytes]]:
        """The files of every installed skill, without its own notes."""
        folders = sorted(self.skills.iterdir()) if self.skills.exists() else []
        return {
            one.name: read_tree(one, without=[".clawhub"]) for one in folders if not one.name.startswith(".")
        }


def said(done: subprocess.CompletedProcess[str]) -> str:
    return f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"


@pytest.fixture
def openclaw(installer_hub: StagedHub, tmp_path: Path) -> OpenClaw:
    """The program in a fresh home, against the hub in every shape."""
    require("extended")
    return OpenClaw(installer_hub, tmp_path / "home")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (("field", "notes"), ["@acme/field-notes"]),
        (("野外",), ["@acme/field-notes"]),
        (("twins",), ["@acme/twins", "@beta/twins"]),
        ((), ["@acme/field-notes", "@beta/plain-text", "@acme/twins", "@beta/twins"]),
    ],
    ids=["words", "chinese", "shared", "nothing"],
)
def test_search(openclaw: OpenClaw, query: tuple[str, ...], found: list[str]) -> None:
    """Without words it shows what is trending."""
    rows = openclaw.read_json("search", *query)["results"]
    assert sorted(f"@{row['ownerHandle']}/{row['slug']}" for row in rows) == sorted(found)


def test_install_verify_and_update_after_a_rebuild(openclaw: OpenClaw) -> None:
    first = openclaw.hub.files["acme/field-notes"]
    shown = openclaw.read("install", "@acme/field-notes")
    assert "Outcome: Safe" in shown
    assert openclaw.installed == {"field-notes": first}, shown
    check_valid(openclaw.skills / "field-notes")
    verified = openclaw.read_json("verify", "@acme/field-notes")
    assert (verified["ok"], verified["decision"], verified["version"]) == (True, "pass", "1.0.0")

    openclaw.hub.rebuild()
    openclaw.read("update", "--all")
    assert (
        openclaw.installed
        == {"field-notes": openclaw.hub.files["acme/field-notes"]}
        != {"field-notes": first}
    )
    assert openclaw.read_json("verify", "@acme/field-notes")["version"] == "1.1.0"


def test_install_of_a_pinned_version(openclaw: OpenClaw) -> None:
    first = openclaw.hub.files["acme/field-notes"]
    openclaw.hub.rebuild()
    openclaw.read("install", "@acme/field-notes", "--version", "1.0.0")
    assert openclaw.installed == {"field-notes": first}


def test_a_slug_of_two_owners_is_installed_by_its_owner(openclaw: OpenClaw) -> None:
    openclaw.read("install", "@beta/twins")
    assert openclaw.installed == {"twins": openclaw.hub.files["beta/twins"]}


REFUSED = {
    "@acme/blocked": "blocked by this hub's security scan",
    "@acme/yanked": "1.0.0 is yanked: Loses the last line",
    "@acme/locked-away": "is quarantined by this hub: Reported",
    "@acme/no-such-skill": "not found",
}


@pytest.mark.parametrize(("reference", "reason"), REFUSED.items(), ids=REFUSED)
def test_what_is_withdrawn_is_refused_with_the_reason(
    openclaw: OpenClaw, reference: str, reason: str
) -> None:
    done = openclaw.run("install", reference)
    assert done.returncode != 0, said(done)
    assert reason in done.stderr
    assert openclaw.installed == {}


def test_a_yanked_version_is_installed_by_who_pins_it_with_a_warning(openclaw: OpenClaw) -> None:
    assert "Yanked: Loses the last line" in openclaw.read("install", "@acme/yanked", "--version", "1.0.0")
    assert list(openclaw.installed) == ["yanked"]


def test_a_tampered_archive_is_installed_as_it_is(openclaw: OpenClaw) -> None:
    """It compares no digest with the hub's: when this fails, OpenClaw has mended it."""
    with openclaw.hub.tampered("/dl/acme/field-notes-1.0.0.zip", lambda data: data.replace(b"Gone", b"Evil")):
        done = openclaw.run("install", "@acme/field-notes")
    if done.returncode == 0:
        assert openclaw.installed["field-notes"]["references/old.md"] == b"Evil later.\n"
