"""The hosts that PyPI carries: each in a virtual environment of its own, and how to ask one.

A host's own wheel is installed without what it requires; beside it only what the asked modules import.
"""

from __future__ import annotations

import json
import shutil
import sys
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.deps.install import DEPS, Part, _run
from tests.live.hosts import environment, json_of
from tests.live.model import Probe

HERE = Path(__file__).resolve().parent
LIVE = DEPS / "live"
NOTE_LENGTH = 120


def python_of(host: str) -> Path:
    """The Python that has ``host`` installed."""
    return LIVE / host / "bin" / "python"


def _part(host: str) -> Part:
    """``<host>.txt``: the wheel with its digest; ``<host>-imports.txt``: the rest, in exact versions."""
    locks = (HERE / "locks" / f"{host}.txt", HERE / "locks" / f"{host}-imports.txt")
    target = LIVE / host

    def make() -> None:
        shutil.rmtree(target, ignore_errors=True)
        venv.create(target, with_pip=False)
        for lock in locks:
            _run(
                [
                    *(sys.executable, "-m", "pip", "--python", str(python_of(host)), "install", "--quiet"),
                    *("--disable-pip-version-check", "--no-deps", "--only-binary", ":all:"),
                    *("--requirement", str(lock)),
                ],
                host,
            )

    return Part(
        name=f"live-{host}",
        group=host,
        made_from=(*(lock.read_bytes() for lock in locks), sys.version.encode()),
        present=(python_of(host),),
        make=make,
    )


PARTS = (_part("skills-ref"), _part("hermes"), _part("deeptutor"))


def ask(host: str, root: Path, probes: Sequence[Probe], work: Path, **more: str) -> Any:
    """What the driver of ``host`` tells of the probes below ``root``; ``more`` is for its environment."""
    request = work / "request.json"
    ids = [probe.id for probe in probes]
    request.write_text(json.dumps({"root": str(root), "ids": ids, "work": str(work)}), encoding="utf-8")
    driver = HERE / "drivers" / f"{host.replace('-', '_')}_driver.py"
    env = environment(work / "home", PYTHONDONTWRITEBYTECODE="1", PYTHONHASHSEED="0", **more)
    return json_of([str(python_of(host)), str(driver), str(request)], work=work, cwd=work, env=env)


def note_of(message: str) -> str:
    """A host's message as a note: one line, cut."""
    return " ".join(message.split())[:NOTE_LENGTH]
