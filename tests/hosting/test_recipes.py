"""The deploy recipes: valid YAML, and each restores, builds, publishes, and ends in a probe."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from generator.hosting.profiles import HOSTINGS

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "recipes"
RECIPES = ("github-actions.yml", "gitlab-ci.yml", "cloudflare.yml")


def _scripts(name: str) -> list[str]:
    """Every piece of shell of a recipe, in order."""
    document: dict[str, Any] = yaml.safe_load((FOLDER / name).read_text())
    if name == "gitlab-ci.yml":
        return [line for job in ("pages", "probe") for line in document[job]["script"]]
    return [step["run"] for step in document["jobs"]["publish"]["steps"] if "run" in step]


def test_every_recipe_is_tested() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(RECIPES)


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_restores_builds_and_probes(name: str) -> None:
    scripts = _scripts(name)
    assert "skillpress probe" in scripts[-1]
    builds = [script for script in scripts if "skillpress build" in script]
    assert len(builds) == 1
    assert "--previous" in builds[0]
    named = set(re.findall(r"--hosting ([a-z0-9-]+)", "\n".join(scripts)))
    assert len(named) == 1
    assert named <= set(HOSTINGS)


@pytest.mark.parametrize("name", RECIPES)
def test_the_shell_of_a_recipe_parses(name: str) -> None:
    for script in _scripts(name):
        done = subprocess.run(["sh", "-n"], input=script, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_github_pages_gets_hidden_folders_and_not_the_work_folder() -> None:
    document = yaml.safe_load((FOLDER / "github-actions.yml").read_text())
    steps = document["jobs"]["publish"]["steps"]
    upload = next(step for step in steps if step.get("uses", "").startswith("actions/upload-pages-artifact"))
    assert upload["with"]["include-hidden-files"] is True
    assert any("rm -rf public/.skillpress" in step.get("run", "") for step in steps)


@pytest.mark.parametrize("name", RECIPES)
def test_a_hub_that_does_not_answer_stops_the_build(name: str, tmp_path: Path) -> None:
    """A published hub that cannot be read must not be taken for a new one: its versions would be lost."""
    build = next(script for script in _scripts(name) if "skillpress build" in script)
    for program, text in (("curl", 'printf "%s" "$STATUS"'), ("skillpress", 'echo "$@" >> "$CALLS"')):
        file = tmp_path / program
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)
    calls = tmp_path / "calls"
    for status, code, restored in (("200", 0, True), ("404", 0, False), ("503", 1, None), ("000", 1, None)):
        calls.unlink(missing_ok=True)
        environment = {
            "PATH": f"{tmp_path}:/usr/bin:/bin", "HUB_URL": "https://hub.example", "STATUS": status,
            "CALLS": str(calls),
        }  # fmt: skip
        done = subprocess.run(["sh", "-e", "-c", build], env=environment, capture_output=True, text=True)
        assert done.returncode == code, (status, done.stderr)
        assert calls.exists() is (restored is not None)
        if restored is not None:
            assert ("--previous https://hub.example" in calls.read_text()) is restored
