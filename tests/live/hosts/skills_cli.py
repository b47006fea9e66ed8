"""The ``skills`` command (``npx skills``): ``skills add FOLDER --list``.

The list prints names only, and two probes may share one; so the program's own discovery is asked as well for
the folders, from a copy of the program whose last line exports it, and the printed count must agree. Of skills
with one name it lists the one that the file system names first; the others count as listed.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.live.hosts import HostError, environment, node_json, output_of
from tests.live.install import SKILLS_CLI
from tests.live.model import LOAD, REFUSE, Observed, Probe

COLUMN = "vercel-skills/1.4.5 add --list"
_LAST_LINES = "main();\nexport {};\n"
_SCRIPT = """
import { readFileSync } from "node:fs";
const { discoverSkills, parseSkillMd } = await import(process.argv[3]);
const plain = (skill) => skill && { name: skill.name, description: skill.description, path: skill.path };
const alone = {};
for (const folder of JSON.parse(readFileSync(process.argv[5], "utf8")))
  alone[folder] = plain(await parseSkillMd(`${process.argv[4]}/${folder}/SKILL.md`));
tell({ skills: (await discoverSkills(process.argv[4])).map(plain), alone });
"""


def judge(root: Path, probes: Sequence[Probe], work: Path) -> dict[str, dict[str, Observed]]:
    """What the command would install from the probes' folder; descriptions are not compared."""
    package = SKILLS_CLI.parent.parent
    copy = work / "skills"
    shutil.copytree(package, copy)
    program = copy / "dist" / SKILLS_CLI.name
    text = program.read_text(encoding="utf-8")
    if not text.endswith(_LAST_LINES):
        raise HostError("the skills command no longer ends as it did; read its source and mend this module")
    exports = "export { discoverSkills, parseSkillMd };\n"
    program.write_text(text.removesuffix(_LAST_LINES) + exports, encoding="utf-8")
    children = work / "children.json"
    children.write_text(json.dumps([probe.id for probe in probes if "/" not in probe.id]), encoding="utf-8")
    answer = node_json("node", _SCRIPT, [program.as_uri(), str(root), str(children)], work)
    skills = answer["skills"]
    printed = _printed_count(root, work)
    if printed != len(skills):
        raise HostError(f"skills add --list found {printed} skills, its discovery {len(skills)}")
    shown = {Path(skill["path"]): skill for skill in skills}
    names = {skill["name"] for skill in skills}
    return {
        COLUMN: {
            probe.id: _observed(shown.get(root / probe.id), answer["alone"].get(probe.id), names)
            for probe in probes
        }
    }


def _observed(skill: dict[str, Any] | None, alone: dict[str, Any] | None, names: set[str]) -> Observed:
    if skill is not None:
        return Observed(LOAD, "", skill["name"], skill["description"])
    if alone is not None and alone["name"] in names:
        return Observed(LOAD, "another skill of this name is listed", alone["name"], alone["description"])
    return Observed(REFUSE, "silent")


def _printed_count(root: Path, work: Path) -> int:
    environ = environment(work / "home", DISABLE_TELEMETRY="1", NO_COLOR="1")
    command = ["node", str(SKILLS_CLI), "add", str(root), "--list"]
    printed = output_of(command, work=work, cwd=work, env=environ)
    if "No valid skills found" in printed:
        return 0
    found = re.search(r"Found (?:\x1b\[\d+m)?(\d+)(?:\x1b\[\d+m)? skill", printed)
    if found is None:
        raise HostError(f"skills add --list printed: {printed[-500:]}")
    return int(found[1])
