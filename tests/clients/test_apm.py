"""Microsoft APM, apm-cli 0.35.0: versions, archives, ranges, updates, lock files; no redirects, no queries."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.clients.installer_hub import StagedHub
from tests.clients.validating import check_valid
from tests.conftest import require
from tests.deps import clients
from tests.hubs import minimal_environment, read_tree

pytestmark = pytest.mark.client

PROJECT = """\
name: demo
version: 1.0.0
registries:
  hub:
    url: {url}
dependencies:
  apm:
    - id: {key}
      registry: hub
      version: "{version}"
"""


@dataclass(frozen=True, slots=True)
class Apm:
    """The command in a home and a project of its own."""

    hub: StagedHub
    folder: Path

    @property
    def project(self) -> Path:
        """Where ``apm.yml`` is."""
        return self.folder / "project"

    def need(self, key: str, version: str) -> None:
        """Write ``apm.yml`` with one dependency."""
        self.project.mkdir(exist_ok=True)
        text = PROJECT.format(url=self.hub.url, key=key, version=version)
        (self.project / "apm.yml").write_text(text, encoding="utf-8")

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the command."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        return subprocess.run(
            [clients.APM, *arguments],
            cwd=self.project, env=minimal_environment(home, NO_COLOR="1", CI="1", COLUMNS="200"),
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
        )  # fmt: skip

    def install(self, key: str, version: str, *more: str) -> subprocess.CompletedProcess[str]:
        """Install one dependency, registries enabled."""
        self.need(key, version)
        self.run("experimental", "enable", "registries")
        return self.run("install", "--target", "claude", *more)

    @property
    def installed(self) -> dict[str, dict[str, bytes]]:
        """The files of every installed skill."""
        folder = self.project / ".claude" / "skills"
        return {one.name: read_tree(one) for one in sorted(folder.iterdir())} if folder.exists() else {}


@pytest.fixture
def apm(installer_hub: StagedHub, tmp_path: Path) -> Apm:
    """The command in a fresh home, against the hub in every shape."""
    require("installers")
    return Apm(installer_hub, tmp_path)


def said(done: subprocess.CompletedProcess[str]) -> str:
    return f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize(
    ("key", "version"),
    [("acme/field-notes", "^1.0.0"), ("acme/field-notes", "1.0.0"), ("beta/twins", ">=0.9.0 <2.0.0")],
)
def test_install_leaves_the_source_byte_for_byte(apm: Apm, key: str, version: str) -> None:
    done = apm.install(key, version)
    assert done.returncode == 0, said(done)
    slug = key.partition("/")[2]
    assert apm.installed == {slug: apm.hub.files[key]}
    check_valid(apm.project / ".claude" / "skills" / slug)


def test_a_tampered_archive_is_refused_and_nothing_is_installed(apm: Apm) -> None:
    with apm.hub.tampered("/dl/acme/field-notes-1.0.0.zip"):
        done = apm.install("acme/field-notes", "^1.0.0")
    assert done.returncode != 0, said(done)
    assert "sha256 mismatch" in done.stdout + done.stderr
    assert apm.installed == {}


@pytest.mark.parametrize("key", ["acme/yanked", "acme/blocked", "acme/locked-away", "acme/no-such-skill"])
def test_what_is_withdrawn_is_not_installed(apm: Apm, key: str) -> None:
    done = apm.install(key, "^1.0.0")
    assert done.returncode != 0, said(done)
    assert apm.installed == {}


def test_the_reason_of_a_withdrawal_reaches_the_user(apm: Apm) -> None:
    done = apm.install("acme/yanked", "^1.0.0")
    assert "Loses the last line" in " ".join((done.stdout + done.stderr).split())


def test_outdated_and_update_after_a_rebuild(apm: Apm) -> None:
    apm.install("acme/field-notes", "^1.0.0")
    before = apm.installed["field-notes"]
    apm.hub.rebuild()
    assert "outdated" in apm.run("outdated").stdout
    done = apm.run("install", "--update", "--target", "claude")
    assert done.returncode == 0, said(done)
    assert before != apm.installed["field-notes"] == apm.hub.files["acme/field-notes"]


def test_a_lock_file_gives_the_old_version_after_a_rebuild(apm: Apm) -> None:
    apm.install("acme/field-notes", "^1.0.0")
    before = apm.installed
    lock = (apm.project / "apm.lock.yaml").read_bytes()
    apm.hub.rebuild()
    other = Apm(apm.hub, apm.folder / "other")
    other.folder.mkdir()
    other.need("acme/field-notes", "^1.0.0")
    (other.project / "apm.lock.yaml").write_bytes(lock)
    other.run("experimental", "enable", "registries")
    done = other.run("install", "--target", "claude")
    assert done.returncode == 0, said(done)
    assert other.installed == before
