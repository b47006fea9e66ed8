"""DeepTutor: the listing of its skill service, and the import of a package that its hub client fetched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.live.model import CRASH, LOAD, REFUSE, Observed, Probe, listed
from tests.live.python_hosts import ask, note_of

LIST, IMPORT = "deeptutor/list", "deeptutor/hub-import"


def judge(root: Path, probes: Sequence[Probe], work: Path) -> dict[str, dict[str, Observed]]:
    """Both columns. Where a folder makes the listing raise, every other skill is gone with it: a crash."""
    told = ask("deeptutor", root, probes, work)
    return {
        LIST: {probe.id: _observed(probe, told[probe.id]["list"]) for probe in probes},
        IMPORT: {probe.id: _imported(probe, told[probe.id]["import"]) for probe in probes},
    }


def _observed(probe: Probe, outcome: dict[str, Any]) -> Observed:
    if "raised" in outcome:
        return Observed(CRASH, note_of(outcome["raised"]))
    if "refused" in outcome:
        return Observed(REFUSE, note_of(outcome["refused"]))
    seen = listed(probe, outcome["name"], outcome["description"])
    if probe.intended is not None and not outcome["description"]:
        return replace(seen, note=outcome["reason"])
    return seen


def _imported(probe: Probe, outcome: dict[str, Any]) -> Observed:
    seen = _observed(probe, outcome)
    if seen.verdict == LOAD and seen.name != Path(probe.id).name:
        return replace(seen, note=f"renamed {seen.name}")
    return seen
