"""The released clawhub command on the servers of rules and of plain files: what the table says, done for real."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.clients.conftest import run_clawhub
from tests.conformance.conftest import Running
from tests.conformance.samples import NEW, OLD
from tests.conformance.servers import server_params
from tests.conftest import require
from tests.hubs import read_tree

VERSION = "0.23.3"
pytestmark = pytest.mark.client


def _install(place: Running, folder: Path, *arguments: str) -> tuple[int, str]:
    require("clients")
    done = run_clawhub(VERSION, folder / "home", folder / "work", "--registry", place.place.url, *arguments)
    return done.returncode, done.stdout.decode() + done.stderr.decode()


@pytest.mark.parametrize(
    "name", server_params("nginx", "caddy", "netlify-rules", "netlify", "cloudflare", "vercel", "container")
)
def test_where_queries_choose_files_it_installs_and_updates(
    name: str, running: Callable[[str], Running], tmp_path: Path
) -> None:
    server = running(name)
    sources = server.place.tree.parent
    code, said = _install(server, tmp_path, "install", "alpha", "--version", OLD)
    assert code == 0, said
    skill = tmp_path / "work" / "skills" / "alpha"
    assert f"version: {OLD}".encode() in (skill / "SKILL.md").read_bytes()
    code, said = _install(server, tmp_path, "update", "alpha")
    assert code == 0, said
    assert read_tree(skill, without=[".clawhub"]) == read_tree(sources / "a" / "alpha")
    assert f"version: {NEW}".encode() in (skill / "SKILL.md").read_bytes()
    code, said = _install(server, tmp_path, "install", "@bolt/shared")
    assert code == 0, said
    for wrong in ("shared", "gone"):
        code, said = _install(server, tmp_path, "install", wrong)
        assert code != 0, (wrong, said)
        assert not (tmp_path / "work" / "skills" / wrong / "SKILL.md").exists()


@pytest.mark.parametrize("name", server_params("github-pages", "s3"))
def test_where_queries_are_ignored_it_installs_nothing_and_says_so(
    name: str, running: Callable[[str], Running], tmp_path: Path
) -> None:
    server = running(name)
    code, said = _install(server, tmp_path, "search", "alpha")
    assert code == 0, said
    assert "alpha" in said
    code, said = _install(server, tmp_path, "inspect", "alpha")
    assert code == 0, said
    code, said = _install(server, tmp_path, "install", "alpha")
    assert code != 0
    assert "<" not in said, "a page of HTML is no message"
    assert "not found" in said.lower()
    assert not list((tmp_path / "work").rglob("SKILL.md"))
