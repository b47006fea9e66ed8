"""DeepTutor's own hub client, from its released wheel, against a served hub."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.clients.conftest import SampleHub
from tests.clients.installer_hub import swap_byte, tampered
from tests.conftest import require
from tests.deps.install import DEEPTUTOR_FOLDER, DEEPTUTOR_PYTHON
from tests.hubs import minimal_environment, read_tree

pytestmark = pytest.mark.client

DRIVER = Path(__file__).with_name("deeptutor_driver.py")


@dataclass(frozen=True, slots=True)
class DeepTutor:
    """The client in a fresh runtime home whose default hub is ours."""

    hub: SampleHub
    home: Path

    def call(self, name: str, argument: str = "") -> Any:
        """One call's outcome."""
        done = subprocess.run(
            [DEEPTUTOR_PYTHON, "-B", DRIVER, name, argument],
            cwd=self.home,
            env=minimal_environment(
                self.home, DEEPTUTOR_HOME=str(self.home), PYTHONPATH=str(DEEPTUTOR_FOLDER)
            ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def installed(self, name: str) -> dict[str, bytes]:
        """The files of an installed skill."""
        return read_tree(self.home / "skills" / name)


@pytest.fixture(
    params=[("packed", ""), ("exploded", "/hub")],
    ids=lambda shape: "-".join(part.strip("/") or "root" for part in shape),
)
def deeptutor(
    request: pytest.FixtureRequest, sample_hubs: Callable[[str, str], SampleHub], tmp_path: Path
) -> DeepTutor:
    """The client against the sample hub in one shape."""
    require("deeptutor")
    hub = sample_hubs(*request.param)
    settings = tmp_path / "data" / "user" / "settings" / "skill_hubs.json"
    settings.parent.mkdir(parents=True)
    hubs = {"ours": {"type": "clawhub", "base_url": f"{hub.live.url}/api/v1"}}
    settings.write_text(json.dumps({"default": "ours", "hubs": hubs}))
    return DeepTutor(hub, tmp_path)


def test_search(deeptutor: DeepTutor) -> None:
    rows = deeptutor.call("search", "field notes")
    assert [row["slug"] for row in rows][:1] == ["field-notes"]
    assert (rows[0]["version"], rows[0]["owner_handle"]) == ("1.1.0", "acme")
    assert rows[0]["summary"].startswith("Keep field notes")
    assert [row["slug"] for row in deeptutor.call("search", "课堂笔记")] == ["zhongwen-biji"]


@pytest.mark.parametrize("query", ["", "shared tool"])
def test_catalog(deeptutor: DeepTutor, query: str) -> None:
    rows = deeptutor.call("catalog", query)
    pairs = {(row["owner_handle"], row["slug"], row["version"]) for row in rows}
    assert {("acme", "shared-tool", "1.0.0"), ("rival", "shared-tool", "3.2.1")} <= pairs
    if not query:
        assert len(rows) == 5
        assert ("acme", "field-notes", "1.1.0") in pairs
    for row in rows:
        assert row["owner"], row
        assert isinstance(row["updated_at"], int)
        assert row["owner_url"].startswith(deeptutor.hub.live.url), row


def test_detail(deeptutor: DeepTutor) -> None:
    seen = deeptutor.call("detail", "field-notes")
    assert (seen["slug"], seen["version"], seen["owner_handle"]) == ("field-notes", "1.1.0", "acme")
    assert seen["content"].encode() == deeptutor.hub.second["acme/field-notes"]["SKILL.md"]
    assert seen["tags"] == ["notes", "science"]
    assert deeptutor.call("detail", "rival/shared-tool")["version"] == "3.2.1"


def test_the_view_link_leads_to_a_page(deeptutor: DeepTutor) -> None:
    """DeepTutor links a skill as the API's base, cut before ``/api/``; that must be our site."""
    assert deeptutor.call("web") == deeptutor.hub.live.url


@pytest.mark.parametrize(
    ("reference", "status"),
    [
        ("field-notes", "ok"),
        ("field-notes@1.0.0", "ok"),
        ("rival/shared-tool", "ok"),
        ("odd-helper", "suspicious"),
        ("no-such-skill", "unknown"),
        ("field-notes@9.9.9", "unknown"),
    ],
)
def test_verify(deeptutor: DeepTutor, reference: str, status: str) -> None:
    assert deeptutor.call("verify", reference)["status"] == status


@pytest.mark.parametrize(
    ("reference", "source", "version"),
    [
        ("field-notes", "second", "1.1.0"),
        ("field-notes@1.0.0", "first", "1.0.0"),
        ("ours:acme/field-notes", "second", "1.1.0"),
    ],
)
def test_install(deeptutor: DeepTutor, reference: str, source: str, version: str) -> None:
    outcome = deeptutor.call("install", reference)
    assert (outcome["name"], outcome["version"], outcome["verdict"]) == ("field-notes", version, "ok")
    files = getattr(deeptutor.hub, source)["acme/field-notes"]
    # Its own import policy leaves these out; the archive had them.
    assert outcome["skipped"] == ["assets/all-bytes.bin", "assets/pixel.png"]
    expected = {path: data for path, data in files.items() if path not in {"SKILL.md", *outcome["skipped"]}}
    installed = deeptutor.installed("field-notes")
    # It rewrites the front matter of SKILL.md and keeps the body.
    adapted = installed.pop("SKILL.md").decode()
    assert installed == expected
    assert adapted.partition("\n# Field notes")[2].strip() == (
        files["SKILL.md"].decode().partition("\n# Field notes")[2].strip()
    )
    lock = json.loads((deeptutor.home / "skills" / ".hub-lock.json").read_text())
    assert lock["field-notes"]["hub"] == "ours"
    assert (lock["field-notes"]["version"], lock["field-notes"]["verdict"]) == (version, "ok")


def test_install_of_a_chinese_skill(deeptutor: DeepTutor) -> None:
    outcome = deeptutor.call("install", "zhongwen-biji")
    assert outcome["version"] == "2.0.0"
    source = deeptutor.hub.second["acme/zhongwen-biji"]
    assert deeptutor.installed("zhongwen-biji")["references/说明.md"] == source["references/说明.md"]


@pytest.mark.parametrize("owner", ["acme", "rival"])
def test_install_by_owner(deeptutor: DeepTutor, owner: str) -> None:
    outcome = deeptutor.call("install", f"{owner}/shared-tool")
    assert outcome["verdict"] == "ok"
    assert f"Shared tool of {owner}".encode() in deeptutor.installed("shared-tool")["SKILL.md"]


def test_what_the_scan_blocks_is_refused(deeptutor: DeepTutor) -> None:
    outcome = deeptutor.call("install", "odd-helper")
    assert "suspicious" in outcome["refused"]
    assert not (deeptutor.home / "skills" / "odd-helper").exists()


def test_an_ambiguous_slug_is_refused(deeptutor: DeepTutor) -> None:
    outcome = deeptutor.call("install", "shared-tool")
    assert "refused" in outcome
    assert not (deeptutor.home / "skills" / "shared-tool").exists()


def test_an_unknown_skill_is_refused(deeptutor: DeepTutor) -> None:
    assert "not found" in deeptutor.call("install", "no-such-skill")["refused"]


def test_an_archive_with_a_changed_byte_is_refused(deeptutor: DeepTutor) -> None:
    """The checksum inside the zip tells, with an error that the client does not catch; it has no other."""
    with tampered(deeptutor.hub.live.out / "dl" / "acme" / "field-notes-1.1.0.zip", swap_byte):
        outcome = deeptutor.call("install", "field-notes")
    assert "CRC" in outcome["refused"]
    assert not (deeptutor.home / "skills" / "field-notes").exists()
