"""Gemini CLI: the skill loader of its core package."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.live.hosts import node_json
from tests.live.install import GEMINI
from tests.live.model import REFUSE, Observed, Probe, listed

COLUMN = "gemini-cli-core/0.61.0"
_SCRIPT = """
const { loadSkillsFromDir } = await import(process.argv[3]);
const skills = await loadSkillsFromDir(process.argv[4]);
tell(skills.map(({ name, description, location }) => ({ name, description, location })));
"""


def judge(root: Path, probes: Sequence[Probe], work: Path) -> dict[str, dict[str, Observed]]:
    """What Gemini's loader returns for the probes' folder; what it refuses it tells its debug log only."""
    loader = GEMINI / "dist" / "src" / "skills" / "skillLoader.js"
    skills = node_json("node", _SCRIPT, [loader.as_uri(), str(root)], work)
    shown = {Path(skill["location"]).parent: skill for skill in skills}
    observed = {}
    for probe in probes:
        skill = shown.get(root / probe.id)
        observed[probe.id] = (
            Observed(REFUSE, "silent (debug log)")
            if skill is None
            else listed(probe, skill["name"], skill["description"])
        )
    return {COLUMN: observed}
