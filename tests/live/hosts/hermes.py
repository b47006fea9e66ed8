"""Hermes Agent: what its listing of skills shows, and the front matter check of its tool that creates skills."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.live.hosts import HostError
from tests.live.model import LOAD, REFUSE, Observed, Probe, listed
from tests.live.python_hosts import ask, note_of

LIST, CREATE = "hermes/0.19.0", "hermes/create-validate"


def judge(root: Path, probes: Sequence[Probe], work: Path) -> dict[str, dict[str, Observed]]:
    """Both columns. Of several skills of one name the listing shows the first; the others lose."""
    skills = work / "hermes" / "skills"
    skills.mkdir(parents=True)
    # Not one link to the root: Hermes changes the mode of its skills folder, and of what that leads to.
    for entry in root.iterdir():
        (skills / entry.name).symlink_to(entry)
    told = ask("hermes", root, probes, work, HERMES_HOME=str(skills.parent))
    winners: dict[str, dict[str, Any]] = {}
    for entry in told["entries"].values():
        winners.setdefault(entry["name"], entry)
    if list(winners) != told["listing"]:
        raise HostError("Hermes lists other skills together than alone: its listing has changed")
    return {
        LIST: {probe.id: _listed(probe, told["entries"], winners) for probe in probes},
        CREATE: {probe.id: _created(told["create"][probe.id]) for probe in probes},
    }


def _listed(probe: Probe, entries: dict[str, Any], winners: dict[str, dict[str, Any]]) -> Observed:
    entry = entries.get(probe.id)
    if entry is None:
        return Observed(REFUSE, "not listed")
    shown = winners[entry["name"]]
    seen = listed(probe, shown["name"], shown["description"])
    if seen.verdict == LOAD and seen.name != Path(probe.id).name:
        return replace(seen, note=f"name {seen.name}")
    return seen


def _created(message: str | None) -> Observed:
    return Observed(LOAD) if message is None else Observed(REFUSE, note_of(message.splitlines()[0]))
