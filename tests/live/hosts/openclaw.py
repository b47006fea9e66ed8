"""OpenClaw: its loader of one root of skills, with the diagnostics it gives for what it leaves out.

The modules of its ``dist`` folder have hashes in their names; they are found by what they export. The limits on
how many skills one root may hold are lifted, or a large set of probes would be cut.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.live.hosts import HostError, node_json
from tests.live.install import NODE_24, OPENCLAW
from tests.live.model import REFUSE, Observed, Probe, listed

COLUMN = "openclaw/2026.9.6"
_SCRIPT = """
const { %s: load } = await import(process.argv[3]);
const limits = { maxCandidatesPerRoot: 1000000, maxSkillsLoadedPerSource: 1000000 };
const diagnostics = [];
const records = load({
  dir: process.argv[4],
  source: "openclaw-workspace",
  config: { skills: { limits } },
  onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
});
tell({ skills: records.map(({ skill }) => skill), diagnostics });
process.exit(0);
"""


def judge(root: Path, probes: Sequence[Probe], work: Path) -> dict[str, dict[str, Observed]]:
    """What the loader returns for the probes' folder, and its reasons for the rest."""
    module, name = _loader()
    answer = node_json(NODE_24, _SCRIPT % name, [module.as_uri(), str(root)], work)
    skills = {_folder_of(skill["filePath"], root): skill for skill in answer["skills"]}
    reasons = {_folder_of(item["path"], root): _reason(item) for item in answer["diagnostics"]}
    return {COLUMN: {probe.id: _observed(probe, skills, reasons) for probe in probes}}


def _observed(probe: Probe, skills: dict[str, Any], reasons: dict[str, str]) -> Observed:
    skill = skills.get(probe.id)
    if skill is None:
        return Observed(REFUSE, reasons.get(probe.id, "not a candidate"))
    return listed(probe, skill["name"], skill["description"])


def _reason(diagnostic: dict[str, Any]) -> str:
    return f"{diagnostic['kind']}: {diagnostic['message']}"


def _folder_of(path: str, root: Path) -> str:
    place = Path(path)
    folder = place.parent if place.name == "SKILL.md" else place
    return folder.relative_to(root).as_posix() if folder.is_relative_to(root) else path


def _loader() -> tuple[Path, str]:
    for module in sorted((OPENCLAW / "dist").glob("plugin-skills-*.mjs")):
        found = re.search(r"loadSkillRootRecords as (\w+)", module.read_text(encoding="utf-8"))
        if found is not None:
            return module, found[1]
    raise HostError(
        "openclaw has no loadSkillRootRecords any longer; read its dist folder and mend this module"
    )
