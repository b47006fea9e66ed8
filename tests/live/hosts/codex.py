"""OpenAI Codex CLI: ``codex app-server``, method ``skills/list``, the probes' folder as an extra root."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.live.hosts import HostError, environment
from tests.live.install import CODEX
from tests.live.model import REFUSE, Observed, Probe, listed

COLUMN = "codex/0.171.0"


def judge(root: Path, probes: Sequence[Probe], work: Path) -> dict[str, dict[str, Observed]]:
    """What Codex lists, and the errors it reports beside the list."""
    answer = _skills_list(root, work)
    skills = {_folder_of(skill["path"], root): skill for skill in answer["skills"]}
    errors = {_folder_of(error["path"], root): error["message"] for error in answer["errors"]}
    return {COLUMN: {probe.id: _observed(probe, skills, errors) for probe in probes}}


def _observed(probe: Probe, skills: dict[str, Any], errors: dict[str, str]) -> Observed:
    skill = skills.get(probe.id)
    if skill is None:
        return Observed(REFUSE, errors.get(probe.id, "silently not scanned"))
    return listed(probe, skill["name"], skill["description"])


def _folder_of(path: str, root: Path) -> str:
    return Path(path).parent.relative_to(root).as_posix() if Path(path).is_relative_to(root) else path


def _skills_list(root: Path, work: Path) -> dict[str, Any]:
    home, project = work / "home", work / "project"
    for folder in (home / ".codex", project):
        folder.mkdir(parents=True)
    environ = environment(home, CODEX_HOME=str(home / ".codex"))
    with subprocess.Popen(
        [str(CODEX), "app-server"],
        cwd=project,
        env=environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
    ) as server:
        try:
            _call(server, 1, "initialize", {"clientInfo": {"name": "skillpress", "version": "1"}})
            _call(server, 2, "skills/extraRoots/set", {"extraRoots": [str(root)]})
            answer = _call(server, 3, "skills/list", {"cwds": [str(project)], "forceReload": True})
        finally:
            server.kill()
    listing: dict[str, Any] = answer["data"][0]
    return listing


def _call(server: subprocess.Popen[str], number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
    assert server.stdin is not None
    server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
    server.stdin.flush()
    for message in _messages(server):
        if message.get("id") != number:
            continue
        if "result" not in message:
            raise HostError(f"codex {method}: {message.get('error')}")
        result: dict[str, Any] = message["result"]
        return result
    raise HostError(f"codex {method}: the server ended without an answer")


def _messages(server: subprocess.Popen[str]) -> Iterator[dict[str, Any]]:
    assert server.stdout is not None
    for line in server.stdout:
        yield json.loads(line)
