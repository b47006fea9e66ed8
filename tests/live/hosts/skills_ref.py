"""skills-ref, the reference library of the Agent Skills specification: ``skills-ref validate``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.live.model import LOAD, REFUSE, Observed, Probe
from tests.live.python_hosts import ask, note_of

COLUMN = "agentskills/skills-ref validate"


def judge(root: Path, probes: Sequence[Probe], work: Path) -> dict[str, dict[str, Observed]]:
    """Whether each folder is valid, and its errors. A traceback counts as a refusal: it ends one call."""
    told = ask("skills-ref", root, probes, work)
    return {COLUMN: {probe.id: _observed(told[probe.id]) for probe in probes}}


def _observed(answer: dict[str, Any]) -> Observed:
    name, description = answer.get("name"), answer.get("description")
    if "raised" in answer:
        return Observed(REFUSE, note_of(f"CRASH {answer['raised']}"))
    if answer["errors"]:
        return Observed(REFUSE, note_of("; ".join(answer["errors"])), name, description)
    return Observed(LOAD, "", name, description)
