#!/usr/bin/env python3
"""Make the folder of a new skill from the template, after checking name and description.

Exit codes: 0 made, 2 the folder exists or cannot be written, 3 name, description or folders break a rule.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
RESERVED = ("bootstrap", "goal", "help", "memory", "models", "new", "status")
FORBIDDEN_WORDS = ("anthropic", "claude")
INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\x00-\x1f\x7f-\x9f]")
SUBFOLDERS = ("scripts", "references", "templates", "assets", "agents")
MAX_DESCRIPTION = 1024


def name_problems(name: str) -> list[str]:
    found = []
    if not NAME.fullmatch(name):
        found.append(
            f"name {name!r}: use lower-case letters and digits with single hyphens, such as ticket-triage"
        )
    if not 3 <= len(name) <= 64:
        found.append(f"name: {len(name)} characters; hubs and hosts together allow 3 to 64")
    if name in RESERVED:
        found.append(f"name {name!r} is a command of a host and could never be called there")
    for word in FORBIDDEN_WORDS:
        if word in name:
            found.append(f"name: an upload service refuses names that contain {word!r}")
    return found


def description_problems(text: str) -> list[str]:
    found = []
    if not text.strip():
        found.append("description: empty; say what the skill does and when to use it")
    if len(text) > MAX_DESCRIPTION:
        found.append(f"description: {len(text)} characters; {MAX_DESCRIPTION} are allowed")
    if "<" in text or ">" in text:
        found.append("description: angle brackets are refused or stripped by several hosts")
    if "---" in text:
        found.append("description: three hyphens end the front matter in some hosts")
    if INVISIBLE.search(text):
        found.append("description: holds a line break, a control or an invisible character")
    return found


def quoted(text: str) -> str:
    """The inside of a YAML double-quoted scalar; JSON's escapes are a subset of YAML's."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def render(template: str, values: dict[str, str]) -> str:
    """Fill the template in one pass, so that a value that looks like a placeholder stays as it is."""
    return re.sub(r"\{\{([a-z]+)\}\}", lambda match: values[match.group(1)], template)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", help="the skill's name and folder, such as ticket-triage")
    parser.add_argument("--description", required=True, help="what it does and when to use it")
    parser.add_argument("--title", help="heading of the body (default: made from the name)")
    parser.add_argument("--license", default="Apache-2.0", help="SPDX identifier (default: %(default)s)")
    parser.add_argument("--parent", default=".", help="where to make the folder (default: here)")
    parser.add_argument(
        "--dirs", default="", help=f"folders to add, separated by commas: {', '.join(SUBFOLDERS)}"
    )
    options = parser.parse_args(argv)

    folders = [part.strip() for part in options.dirs.split(",") if part.strip()]
    problems = name_problems(options.name) + description_problems(options.description)
    problems += [
        f"--dirs: {part!r} is none of {', '.join(SUBFOLDERS)}" for part in folders if part not in SUBFOLDERS
    ]
    if not re.fullmatch(r"[A-Za-z0-9.+() -]{1,100}", options.license):
        problems.append(f"license {options.license!r}: write an SPDX identifier, such as Apache-2.0")
    if problems:
        print("\n".join(f"new_skill: {problem}" for problem in problems), file=sys.stderr)
        return 3
    title = options.title or options.name.replace("-", " ").capitalize()
    template = Path(__file__).resolve().parent.parent / "templates" / "skill-template.md"
    text = render(
        template.read_text(encoding="utf-8"),
        {
            "name": options.name,
            "description": quoted(options.description.strip()),
            "license": options.license,
            "title": " ".join(title.split()),
        },
    )
    target = Path(options.parent) / options.name
    try:
        target.mkdir(parents=True)
        for part in folders:
            (target / part).mkdir()
        (target / "SKILL.md").write_text(text, encoding="utf-8", newline="\n")
    except FileExistsError:
        print(f"new_skill: {target} exists; choose another name or move it away first", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"new_skill: cannot write {target}: {error}", file=sys.stderr)
        return 2
    print(target / "SKILL.md")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
