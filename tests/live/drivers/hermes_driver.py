"""Ask Hermes Agent about folders, inside its own Python: the request is a JSON file, the answer JSON on stdout.

Request ``{"root", "ids", "work"}``, with ``HERMES_HOME`` set to a folder whose ``skills`` leads to all that ``root``
holds. Answer:
``{"entries": {id: {"name", "description"}}, "listing": [names], "create": {id: message, or None}}``. The
listing names no folders, so each ``SKILL.md`` that Hermes' own walk finds is also listed alone, by the same
function.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def list_all() -> list[dict[str, Any]]:
    """The listing of everything, read afresh."""
    from tools import skills_tool

    skills_tool._SKILLS_CACHE.clear()
    return list(skills_tool._find_all_skills())


def list_each() -> dict[str, dict[str, Any]]:
    """What the listing function says of each file that the walk finds, by folder, in the walk's order."""
    from agent import skill_utils
    from tools import skills_tool

    root = skills_tool._skills_dir()
    walk = skill_utils.iter_skill_index_files
    found: dict[str, dict[str, Any]] = {}
    try:
        for file in walk(root, "SKILL.md"):

            def only(folder: Path, filename: str, file: Path = file) -> Iterator[Path]:
                yield file

            skill_utils.iter_skill_index_files = only
            for entry in list_all():
                shown = {"name": str(entry["name"]), "description": str(entry["description"])}
                found[file.parent.relative_to(root).as_posix()] = shown
    finally:
        skill_utils.iter_skill_index_files = walk
    return found


def create(file: Path) -> str | None:
    """What the front matter check of the tool that creates skills says of a file's text."""
    from tools import skill_manager_tool

    if not file.is_file():
        return "no SKILL.md"
    try:
        message: str | None = skill_manager_tool._validate_frontmatter(file.read_text(encoding="utf-8"))
    except Exception as error:  # whatever the host raises is the finding
        return f"CRASH {type(error).__name__}: {error}"
    return message


if __name__ == "__main__":
    request = json.loads(Path(sys.argv[1]).read_bytes())
    top = Path(request["root"])
    answer = {
        "entries": list_each(),
        "listing": [str(entry["name"]) for entry in list_all()],
        "create": {name: create(top / name / "SKILL.md") for name in request["ids"]},
    }
    json.dump(answer, sys.stdout)
