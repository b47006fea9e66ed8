"""``skillpress explain`` as an author meets it."""

from __future__ import annotations

import json
from pathlib import Path

from generator.judge.profiles import load_profiles
from tests.cli.test_check import run


def test_explain_in_both_forms(tmp_path: Path) -> None:
    page = run("explain", "frontmatter-bom", cwd=tmp_path)
    assert page.returncode == 0
    assert page.stdout.startswith("frontmatter-bom (error)")
    assert "codex/0.171.0: refuse" in page.stdout
    document = json.loads(run("explain", "frontmatter-bom", "--json", cwd=tmp_path).stdout)
    assert document["schema"] == "skillpress.explain.v1"
    assert {row["host"] for row in document["hosts"]} <= {profile.id for profile in load_profiles()}
    listed = run("explain", cwd=tmp_path).stdout
    assert "frontmatter-bom" in listed
    assert json.loads(run("explain", "--json", cwd=tmp_path).stdout)["schema"] == "skillpress.codes.v1"


def test_an_unknown_code_ends_with_2(tmp_path: Path) -> None:
    done = run("explain", "yaml-unqoted-colon", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "'yaml-unquoted-colon'" in done.stderr
