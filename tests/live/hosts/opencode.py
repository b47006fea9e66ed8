"""OpenCode: ``opencode debug skill``, the probes' folder as the user's ``~/.agents/skills``.

Of skills with one name OpenCode keeps the one whose reading ends last, which is chance; its log names the
others. They are read well, so they count as loaded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from tests.live.hosts import environment, json_of
from tests.live.install import OPENCODE
from tests.live.model import LOAD, REFUSE, Observed, Probe, listed

COLUMN = "opencode/1.18.33"
_DISPLACED = re.compile(r'message="duplicate skill name" .*? existing=("(?:[^"\\]|\\.)*"|\S+) duplicate=')


def judge(root: Path, probes: Sequence[Probe], work: Path) -> dict[str, dict[str, Observed]]:
    """What OpenCode lists; it says nothing of the rest."""
    project, user_skills = work / "project", work / "home" / ".agents" / "skills"
    project.mkdir()
    user_skills.parent.mkdir(parents=True)
    user_skills.symlink_to(root)
    environ = environment(work / "home", OPENCODE_DISABLE_AUTOUPDATE="1", OPENCODE_DISABLE_MODELS_FETCH="1")
    command = [str(OPENCODE), "debug", "skill", "--print-logs", "--log-level", "WARN"]
    skills = json_of(command, work=work, cwd=project, env=environ)
    shown = {Path(skill["location"]).parent: skill for skill in skills}
    displaced = _displaced((work / "stderr").read_text(encoding="utf-8", errors="replace"))
    observed = {}
    for probe in probes:
        folder = user_skills / probe.id
        skill = shown.get(folder)
        if skill is not None:
            observed[probe.id] = listed(probe, skill["name"], skill.get("description"))
        elif folder in displaced:
            observed[probe.id] = Observed(LOAD, "another skill of this name is listed")
        else:
            observed[probe.id] = Observed(REFUSE, "silent")
    return {COLUMN: observed}


def _displaced(log: str) -> frozenset[Path]:
    paths = (json.loads(path) if path.startswith('"') else path for path in _DISPLACED.findall(log))
    return frozenset(Path(path).parent for path in paths)
