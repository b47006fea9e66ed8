"""The Agent Skills reference validator on what was installed, and ``agentskills-http`` 0.7.0 on the tree."""

from __future__ import annotations

import base64
import io
import json
import subprocess
import urllib.request
import zipfile
from pathlib import Path
from typing import Any

import pytest

from generator.write.protocols.agent_skills import NOTICE_NAME
from tests.clients.installer_hub import StagedHub
from tests.clients.validating import check_valid
from tests.conftest import require
from tests.deps import clients
from tests.hubs import minimal_environment, read_tree

pytestmark = pytest.mark.client
DRIVER = Path(__file__).with_name("agentskills_http_driver.py")


@pytest.fixture
def hub(installer_hub: StagedHub) -> StagedHub:
    """The hub in every shape."""
    require("installers")
    return installer_hub


def fetch(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return bytes(answer.read())


def test_every_skill_archive_unpacks_to_a_valid_skill(hub: StagedHub, tmp_path: Path) -> None:
    for key, files in hub.files.items():
        slug = key.partition("/")[2]
        data = fetch(f"{hub.url}/dl/{key}-{hub.version(key)}.skill")
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            archive.extractall(tmp_path / key)
        assert read_tree(tmp_path / key / slug) == files
        check_valid(tmp_path / key / slug)


def test_a_notice_is_a_valid_skill(hub: StagedHub, tmp_path: Path) -> None:
    folder = tmp_path / NOTICE_NAME
    folder.mkdir()
    data = fetch(f"{hub.url}/acme/skills/yanked/.well-known/agent-skills/SKILL.md")
    (folder / "SKILL.md").write_bytes(data)
    check_valid(folder)


def run_client(hub: StagedHub, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [clients.AGENTSKILLS_HTTP_PYTHON, DRIVER, f"{hub.url}/agentskills"],
        env=minimal_environment(home), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
    )  # fmt: skip


def read_with_client(hub: StagedHub, home: Path) -> dict[str, Any]:
    done = run_client(hub, home)
    assert done.returncode == 0, done.stderr
    skills: dict[str, Any] = json.loads(done.stdout)
    return skills


def test_the_tree_gives_every_file_byte_for_byte(hub: StagedHub, tmp_path: Path) -> None:
    for state in range(2):
        hub.show(state)
        skills = read_with_client(hub, tmp_path)
        assert sorted(skills) == ["field-notes", "plain-text"]
        for key in ("acme/field-notes", "beta/plain-text"):
            read = skills[key.partition("/")[2]]
            files = {path: base64.b64decode(data) for path, data in read["files"].items()}
            assert files == hub.files[key]
            assert read["metadata"]["name"] == key.partition("/")[2]
        assert skills["field-notes"]["resources"] == {
            "scripts": ["check.py"],
            "assets": ["pixel.png"],
            # Names with other letters are in the list of files only.
            "references": sorted(
                path.removeprefix("references/")
                for path in hub.files["acme/field-notes"]
                if path.startswith("references/") and path.isascii() and " " not in path
            ),
        }


def test_a_tampered_file_is_noticed_by_the_server(hub: StagedHub, tmp_path: Path) -> None:
    """Which cuts it out of the archive and knows its digest; the client has none."""
    with hub.tampered("/dl/beta/plain-text-1.0.0.zip"):
        assert run_client(hub, tmp_path).returncode != 0
