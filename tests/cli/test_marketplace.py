"""`skillpress marketplace` as the people who keep a repository of skills meet it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.build.hubs import LittleHub, skill_text
from tests.cli.test_commands import run

FILE = ".claude-plugin/marketplace.json"
CONFIG = """
name: Team skills
owner: acme
sources: [skills, {path: ../elsewhere, owner: beta}]
collections: {office: {title: Office, skills: [docx, "acme/*"]}}
"""


@pytest.fixture
def repository(tmp_path: Path) -> LittleHub:
    """A repository whose hub.yml lies in a folder of it, and a source outside of it."""
    top = tmp_path / "repository"
    hub = LittleHub(top / "hub", paths=())
    hub.put("skills/docx", skill_text("docx"))
    hub.put(
        "skills/office/xlsx",
        {"SKILL.md": skill_text("xlsx"), ".claude-plugin/plugin.json": '{"name": "xlsx"}'},
    )
    hub.put("skills/broken", "no front matter")
    hub.put("../elsewhere/far", skill_text("far"))
    (hub.root / "hub.yml").write_text(CONFIG)
    subprocess.run(["git", "init", "-q", top], check=True)
    assert run("build", "--quiet", cwd=hub.root).returncode == 0
    return hub


def read(hub: LittleHub) -> Any:
    return json.loads((hub.root.parent / FILE).read_bytes())


def test_it_holds_what_lies_in_the_repository(repository: LittleHub) -> None:
    done = run("marketplace", cwd=repository.root)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{FILE}: 3 skills\n"
    document = read(repository)
    assert document["name"] == "team-skills-repository"
    sources = {one["name"]: one["source"] for one in document["plugins"]}
    assert sources["docx"] == "./hub/skills/docx"
    assert sources["xlsx"] == "./hub/skills/office/xlsx"
    office = next(one for one in document["plugins"] if one["name"] == "collections--office")
    assert sorted(office["skills"]) == ["./hub/skills/docx", "./hub/skills/office/xlsx"]
    assert "broken" not in sources


def test_check_tells_a_file_that_is_out_of_date(repository: LittleHub) -> None:
    assert run("marketplace", "--check", cwd=repository.root).returncode == 1
    assert not (repository.root.parent / FILE).exists()
    assert run("marketplace", cwd=repository.root).returncode == 0
    assert run("marketplace", "--check", cwd=repository.root).returncode == 0
    repository.put("skills/pdf", skill_text("pdf"))
    assert run("build", "--quiet", cwd=repository.root).returncode == 0
    stale = run("marketplace", "--check", cwd=repository.root)
    assert (stale.returncode, "out of date" in stale.stderr) == (1, True)


def test_without_a_built_hub_it_says_what_to_do(tmp_path: Path) -> None:
    hub = LittleHub(tmp_path, paths=())
    hub.put("skills/pdf", skill_text("pdf"))
    (tmp_path / "hub.yml").write_text("sources: [skills]\n")
    done = run("marketplace", cwd=tmp_path)
    assert done.returncode == 3
    assert "Build it first" in done.stderr
