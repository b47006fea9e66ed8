"""OpenAI Codex CLI: ``codex app-server``, method ``skills/list``, the probes' folder as an extra root.

Codex looks at no more than 2,000 folders and 20,000 entries of a root; more probes are given as several roots,
each with links to some of the folders.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.live.hosts import HostError, environment
from tests.live.install import CODEX
from tests.live.model import REFUSE, Observed, Probe, listed

COLUMN = "codex/0.171.0"
_MAX_FOLDERS = 1_900
_MAX_ENTRIES = 19_000


def judge(root: Path, probes: Sequence[Probe], work: Path) -> dict[str, dict[str, Observed]]:
    """What Codex lists, and the errors it reports beside the list."""
    answer = _skills_list(root, work)
    skills = {Path(skill["path"]).parent: skill for skill in answer["skills"]}
    errors = {Path(error["path"]).parent: str(error["message"]) for error in answer["errors"]}
    observed = {}
    for probe in probes:
        # Codex names files by their real paths; a linked folder is looked for at its own.
        folder = (root / probe.id).resolve()
        skill = skills.get(folder)
        observed[probe.id] = (
            Observed(REFUSE, errors.get(folder, "silently not scanned"))
            if skill is None
            else listed(probe, skill["name"], skill["description"])
        )
    return {COLUMN: observed}


def _roots(root: Path, work: Path) -> list[Path]:
    sizes = {child: _size(child) for child in sorted(root.iterdir())}
    roots, folders, entries = [root], 0, 0
    for child, (more_folders, more_entries) in sizes.items():
        folders, entries = folders + more_folders, entries + more_entries
        if len(roots) == 1 or folders > _MAX_FOLDERS or entries > _MAX_ENTRIES:
            roots.append(work / f"root-{len(roots)}")
            roots[-1].mkdir()
            folders, entries = more_folders, more_entries
        (roots[-1] / child.name).symlink_to(child)
    return [root] if len(roots) <= 2 else roots[1:]


def _size(folder: Path) -> tuple[int, int]:
    walked = list(os.walk(folder))
    return len(walked), sum(len(folders) + len(files) for _, folders, files in walked) + 1


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
            _call(
                server, 2, "skills/extraRoots/set", {"extraRoots": [str(one) for one in _roots(root, work)]}
            )
            answer = _call(server, 3, "skills/list", {"cwds": [str(project)], "forceReload": True})
        finally:
            server.kill()
    listing: dict[str, Any] = answer["data"][0]
    return listing


def _call(server: subprocess.Popen[str], number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
    assert server.stdin is not None
    server.stdin.write(
        json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n"
    )
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
