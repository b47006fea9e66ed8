"""Gemini CLI 0.61.0 installs the ``.skill`` archive that a page gives out; it takes an address for a git repository."""

from __future__ import annotations

import subprocess
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.clients.installer_hub import StagedHub
from tests.clients.validating import check_valid
from tests.conftest import require
from tests.deps import clients
from tests.hubs import minimal_environment, read_tree

pytestmark = [pytest.mark.client, pytest.mark.extended]


@dataclass(frozen=True, slots=True)
class Gemini:
    """The program in a home of its own."""

    hub: StagedHub
    home: Path

    def run(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run ``gemini skills ARGUMENTS``."""
        self.home.mkdir(exist_ok=True)
        return subprocess.run(
            ["node", clients.GEMINI, "skills", *arguments],
            cwd=self.home, env=minimal_environment(self.home, NO_COLOR="1", CI="1"),
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
        )  # fmt: skip

    def download(self, key: str) -> Path:
        """Save the ``.skill`` of a skill as a browser does."""
        route = f"/dl/{key}-{self.hub.version(key)}.skill"
        target = self.home.parent / route.rpartition("/")[2]
        urllib.request.urlretrieve(f"{self.hub.url}{route}", target)
        return target

    @property
    def installed(self) -> dict[str, dict[str, bytes]]:
        """The files of every installed skill."""
        folder = self.home / ".gemini" / "skills"
        return {one.name: read_tree(one) for one in sorted(folder.iterdir())} if folder.exists() else {}


def said(done: subprocess.CompletedProcess[str]) -> str:
    return f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"


@pytest.fixture
def gemini(installer_hub: StagedHub, tmp_path: Path) -> Gemini:
    """The program in a fresh home, against the hub in every shape."""
    require("extended")
    return Gemini(installer_hub, tmp_path / "home")


@pytest.mark.parametrize("key", ["acme/field-notes", "beta/twins"])
def test_a_downloaded_archive_is_installed_byte_for_byte(gemini: Gemini, key: str) -> None:
    done = gemini.run("install", gemini.download(key), "--consent")
    assert done.returncode == 0, said(done)
    slug = key.partition("/")[2]
    assert gemini.installed == {slug: gemini.hub.files[key]}
    check_valid(gemini.home / ".gemini" / "skills" / slug)
    listed = gemini.run("list")
    assert slug in listed.stdout + listed.stderr


def test_installing_the_next_archive_after_a_rebuild(gemini: Gemini) -> None:
    gemini.run("install", gemini.download("acme/field-notes"), "--consent")
    before = gemini.installed
    gemini.hub.rebuild()
    done = gemini.run("install", gemini.download("acme/field-notes"), "--consent")
    assert done.returncode == 0, said(done)
    assert before != gemini.installed == {"field-notes": gemini.hub.files["acme/field-notes"]}


def test_a_tampered_archive_is_installed_as_it_is(gemini: Gemini) -> None:
    """It does not even look at the checksum inside the zip: when this fails, Gemini has mended it."""
    with gemini.hub.tampered("/dl/acme/field-notes-1.0.0.skill", lambda data: data.replace(b"Gone", b"Evil")):
        archive = gemini.download("acme/field-notes")
    done = gemini.run("install", archive, "--consent")
    assert done.returncode == 0, said(done)
    assert gemini.installed["field-notes"]["references/old.md"] == b"Evil later.\n"
