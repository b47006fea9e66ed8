"""hermes-agent 0.19.0 reads the index of version 0.1 and every file on its own (``WellKnownSkillSource``).

It has no digest to check: what it installs is what the host gives. A server that cuts files out of an archive checks
them.
"""

from __future__ import annotations

import json
import shutil
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

pytestmark = pytest.mark.client
DRIVER = Path(__file__).with_name("hermes_driver.py")


@dataclass(frozen=True, slots=True)
class Hermes:
    """Its hub client in a home of its own."""

    hub: StagedHub
    home: Path

    def call(self, name: str, argument: str = "") -> Any:
        """The outcome of one call."""
        self.home.mkdir(exist_ok=True)
        environment = minimal_environment(
            self.home, HERMES_HOME=str(self.home / "hermes"), HERMES_ALLOW_PRIVATE_URLS="true"
        )
        done = subprocess.run(
            [clients.HERMES_PYTHON, DRIVER, name, argument],
            cwd=self.home, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return json.loads(done.stdout)

    def install(self, slug: str) -> Any:
        """Install a skill by its identifier."""
        return self.call("install", f"well-known:{self.hub.url}/.well-known/skills/{slug}")

    @property
    def installed(self) -> dict[str, dict[str, bytes]]:
        """The files of every installed skill."""
        folder = self.home / "hermes" / "skills"
        found = (
            [one for one in sorted(folder.iterdir()) if not one.name.startswith(".")]
            if folder.exists()
            else []
        )
        return {one.name: read_tree(one) for one in found if one.is_dir()}

    def forget_the_index(self) -> None:
        """As after the hour that the client keeps an index for."""
        shutil.rmtree(self.home / "hermes" / "skills" / ".hub" / "index-cache", ignore_errors=True)


@pytest.fixture
def hermes(installer_hub: StagedHub, tmp_path: Path) -> Hermes:
    """The client in a fresh home, against the hub in every shape."""
    require("installers")
    return Hermes(installer_hub, tmp_path / "home")


def test_search_lists_what_the_index_holds(hermes: Hermes) -> None:
    found = hermes.call("search", hermes.hub.url)
    assert [one["name"] for one in found] == ["field-notes", "plain-text"]
    assert "野外记录" in found[0]["description"]
    base = f"well-known:{hermes.hub.url}/.well-known/skills"
    assert [one["identifier"] for one in found] == [f"{base}/field-notes", f"{base}/plain-text"]


def test_texts_arrive_byte_for_byte(hermes: Hermes) -> None:
    hermes.install("plain-text")
    assert hermes.installed == {"plain-text": hermes.hub.files["beta/plain-text"]}
    check_valid(hermes.home / "hermes" / "skills" / "plain-text")


def test_every_file_arrives_and_only_the_binary_one_is_changed(hermes: Hermes) -> None:
    """It reads each file as text. The finding bundle-binary-file tells the author."""
    hermes.install("field-notes")
    got, want = hermes.installed["field-notes"], hermes.hub.files["acme/field-notes"]
    assert got.keys() == want.keys()
    assert {path for path in want if got[path] != want[path]} == {"assets/pixel.png"}


@pytest.mark.parametrize("slug", ["yanked", "blocked", "locked-away", "twins", "no-such-skill"])
def test_what_the_index_does_not_hold_is_refused(hermes: Hermes, slug: str) -> None:
    assert hermes.install(slug) == {"refused": "not found"}
    assert hermes.installed == {}


def test_a_tampered_file_is_noticed_by_the_server(hermes: Hermes) -> None:
    with hermes.hub.tampered("/dl/acme/field-notes-1.0.0.zip"):
        assert hermes.install("field-notes") == {"refused": "not found"}
    assert hermes.installed == {}


def test_update_after_a_rebuild(hermes: Hermes) -> None:
    hermes.install("field-notes")
    hermes.hub.rebuild()
    hermes.forget_the_index()
    hermes.install("field-notes")
    got, want = hermes.installed["field-notes"], hermes.hub.files["acme/field-notes"]
    assert got.keys() == want.keys()
    assert got["references/format.md"] == want["references/format.md"]


def test_check_tells_a_new_version_from_none(hermes: Hermes) -> None:
    hermes.install("plain-text")
    hermes.install("field-notes")
    hermes.hub.rebuild()
    hermes.forget_the_index()
    status = {row["name"]: row["status"] for row in hermes.call("check")}
    assert status == {"plain-text": "up_to_date", "field-notes": "update_available"}
