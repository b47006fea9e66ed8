"""One module a host program: each runs it and tells what it made of every probe."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any


class HostError(Exception):
    """A host program could not be asked at all: a fault of the suite, never a verdict."""


def environment(home: Path, **more: str) -> dict[str, str]:
    """An environment that knows nothing of this machine but its programs: ``home`` is the only home."""
    home.mkdir(parents=True, exist_ok=True)
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local" / "share"),
        "XDG_STATE_HOME": str(home / ".local" / "state"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        **more,
    }


def output_of(
    command: Sequence[str], *, work: Path, cwd: Path, env: dict[str, str], seconds: int = 300
) -> str:
    """What ``command`` prints; its exit code is not looked at, its output must be.

    It prints to a file in ``work``: some hosts end before a pipe has taken all they had to say.
    """
    said, complained = work / "stdout", work / "stderr"
    try:
        with said.open("wb") as out, complained.open("wb") as err:
            subprocess.run(
                command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=err, timeout=seconds
            )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HostError(f"{command[0]}: {error}. Run: python -m tests.live.install") from None
    text = said.read_text(encoding="utf-8", errors="replace")
    if not text:
        raise HostError(f"{command[0]} printed nothing: {complained.read_text(errors='replace')[-1500:]}")
    return text


def json_of(command: Sequence[str], *, work: Path, cwd: Path, env: dict[str, str]) -> Any:
    """The JSON document that ``command`` prints."""
    return _json(output_of(command, work=work, cwd=cwd, env=env), command)


def node_json(node: Path | str, script: str, arguments: Sequence[str], work: Path) -> Any:
    """What an ES module text hands to ``tell`` when ``node`` runs it in ``work`` with a fresh home."""
    file, told = work / "ask.mjs", work / "told.json"
    file.write_text(_TELL + script, encoding="utf-8")
    command = [str(node), str(file), str(told), *arguments]
    try:
        done = subprocess.run(
            command,
            cwd=work,
            env=environment(work / "home"),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=300,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HostError(f"{node}: {error}. Run: python -m tests.live.install") from None
    if not told.is_file():
        raise HostError(f"{node}: no answer: {done.stderr.decode(errors='replace')[-1500:]}")
    return _json(told.read_text(encoding="utf-8"), command)


_TELL = """
import { writeFileSync } from "node:fs";
const tell = (answer) => writeFileSync(process.argv[2], JSON.stringify(answer));
"""


def _json(text: str, command: Sequence[str]) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise HostError(f"{command[0]} printed no JSON: {text[:500]}") from None
