"""Ask skills-ref about folders, inside its own Python: the request is a JSON file, the answer JSON on stdout.

Request ``{"root", "ids", "work"}``; answer: for each id ``{"errors"}`` or ``{"raised"}``, and ``{"name",
"description"}`` where its parser reads them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def ask(folder: Path) -> dict[str, Any]:
    """What ``skills-ref validate`` and ``skills-ref read-properties`` make of a folder."""
    from skills_ref.errors import SkillError
    from skills_ref.parser import read_properties
    from skills_ref.validator import validate

    answer: dict[str, Any] = {}
    try:
        answer["errors"] = validate(folder)
    except Exception as error:  # whatever the host raises is the finding
        answer["raised"] = f"{type(error).__name__}: {error}"
        return answer
    try:
        properties = read_properties(folder)
    except SkillError:
        return answer
    return {**answer, "name": properties.name, "description": properties.description}


if __name__ == "__main__":
    request = json.loads(Path(sys.argv[1]).read_bytes())
    json.dump({name: ask(Path(request["root"], name)) for name in request["ids"]}, sys.stdout)
