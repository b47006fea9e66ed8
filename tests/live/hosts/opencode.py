"""OpenCode: ``opencode debug skill``, the probes' folder as a configured path of skills."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from tests.live.hosts import environment, json_of
from tests.live.install import OPENCODE
from tests.live.model import REFUSE, Observed, Probe, listed

COLUMN = "opencode/1.18.33"


def judge(root: Path, probes: Sequence[Probe], work: Path) -> dict[str, dict[str, Observed]]:
    """What OpenCode lists; it says nothing of the rest."""
    project = work / "project"
    project.mkdir()
    (project / "opencode.json").write_text(json.dumps({"skills": {"paths": [str(root)]}}))
    environ = environment(work / "home", OPENCODE_DISABLE_AUTOUPDATE="1", OPENCODE_DISABLE_MODELS_FETCH="1")
    skills = json_of([str(OPENCODE), "debug", "skill"], work=work, cwd=project, env=environ)
    shown = {Path(skill["location"]).parent: skill for skill in skills}
    observed = {}
    for probe in probes:
        skill = shown.get(root / probe.id)
        observed[probe.id] = (
            Observed(REFUSE, "silent")
            if skill is None
            else listed(probe, skill["name"], skill.get("description"))
        )
    return {COLUMN: observed}
