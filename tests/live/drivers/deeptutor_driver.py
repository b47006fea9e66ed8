"""Ask DeepTutor's skill service about folders, inside its own Python: the request is a JSON file,
the answer JSON on stdout.

Request ``{"root", "ids", "work"}``; answer: for each id ``{"list": OUTCOME, "import": OUTCOME}``, an outcome being
``{"name", "description", "reason"}``, ``{"refused"}`` or ``{"raised"}``. Each folder is listed alone, because one
bad file ends the whole listing.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def list_alone(folder: Path, name: str, shelf: Path) -> dict[str, Any]:
    """What a user's skills folder that holds just this folder is listed as."""
    from deeptutor.services.skill.service import SkillService

    if "/" in name or name == ".":
        return {"refused": "not a direct child of the skills folder"}
    shelf.mkdir(parents=True)
    (shelf / name).symlink_to(folder, target_is_directory=True)
    service = SkillService(root=shelf, builtin_root=None)
    try:
        rows = service.list_skills()
    except Exception as error:  # whatever the host raises is the finding
        return {"raised": f"{type(error).__name__}: {error}"}
    if not rows:
        return {"refused": "dirname regex" if (folder / "SKILL.md").exists() else "no SKILL.md"}
    return {"name": rows[0].name, "description": rows[0].description, "reason": _reason(service, folder)}


def import_alone(folder: Path, shelf: Path) -> dict[str, Any]:
    """What importing the folder into an empty skills folder gives."""
    from deeptutor.services.skill.service import SkillService

    service = SkillService(root=shelf, builtin_root=None)
    try:
        done = service.install_tree(folder)
    except Exception as error:  # whatever the host raises is the finding
        return {"refused": f"{type(error).__name__}: {error}"}
    return {"name": done.info.name, "description": done.info.description, "reason": ""}


def _reason(service: Any, folder: Path) -> str:
    text = (folder / "SKILL.md").read_text(encoding="utf-8")
    fields, body = service._parse_frontmatter(text)
    if fields:
        return "description empty"
    return "no frontmatter match" if body == text else "frontmatter parsed to empty"


if __name__ == "__main__":
    request = json.loads(Path(sys.argv[1]).read_bytes())
    top, work = Path(request["root"]), Path(request["work"])
    answer = {
        name: {
            "list": list_alone(top / name, name, work / "listed" / str(number)),
            "import": import_alone(top / name, work / "imported" / str(number)),
        }
        for number, name in enumerate(request["ids"])
    }
    json.dump(answer, sys.stdout)
