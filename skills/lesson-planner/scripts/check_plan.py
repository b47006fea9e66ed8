#!/usr/bin/env python3
"""Check a lesson plan made from the template: minutes, objectives, evidence, checks, verbs.

Exit codes: 0 nothing found, 1 findings, 2 the file cannot be read, 3 a table of the template is missing.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

INVISIBLE_VERBS = (
    "know",
    "understand",
    "be aware of",
    "grasp",
    "be familiar with",
    "appreciate",
    "realise",
    "realize",
    "see",
    "learn about",
)
OBJECTIVES = ("no.", "by the end, pupils can", "evidence")
COURSE = ("minutes", "phase", "teacher", "pupils", "objective", "check")
LONGEST_WITHOUT_CHECK = 15


def read_table(text: str, wanted: tuple[str, ...]) -> list[dict[str, str]] | None:
    """Rows of the first Markdown table that has all wanted columns, or None."""
    header: list[str] | None = None
    rows: list[dict[str, str]] = []
    for line in [*text.splitlines(), ""]:
        if not line.lstrip().startswith("|"):
            if header is not None and all(name in header for name in wanted):
                return rows
            header, rows = None, []
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if header is None:
            header = [cell.lower() for cell in cells]
        elif not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
            rows.append(dict(zip(header, cells + [""] * (len(header) - len(cells)))))
    return None


def check_objectives(rows: list[dict[str, str]]) -> list[str]:
    found = []
    if not 1 <= len(rows) <= 3:
        found.append(f"objectives: {len(rows)}; one to three fit into a lesson")
    for row in rows:
        name = row["no."] or "(no number)"
        text = row["by the end, pupils can"].lower()
        if not row["evidence"]:
            found.append(f"objective {name}: no evidence")
        verb = next((verb for verb in INVISIBLE_VERBS if re.match(rf"{verb}\b", text)), None)
        if verb:
            found.append(f"objective {name}: nobody can see a pupil {verb!r}; use a verb that can be seen")
    return found


def check_course(rows: list[dict[str, str]], objectives: set[str], minutes: int) -> list[str]:
    found = []
    total = 0
    unchecked = 0
    worked_on: set[str] = set()
    for number, row in enumerate(rows, start=1):
        where = f"row {number} ({row['phase'] or 'no phase'})"
        if not re.fullmatch(r"[0-9]{1,3}", row["minutes"]):
            found.append(f"{where}: {row['minutes']!r} is not a number of minutes")
            continue
        spent = int(row["minutes"])
        total += spent
        if not row["pupils"]:
            found.append(f"{where}: pupils have nothing to do")
        named = set(re.findall(r"\bO[0-9]{1,2}\b", row["objective"]))
        worked_on |= named
        for name in sorted(named - objectives):
            found.append(f"{where}: {name} is not among the objectives")
        unchecked += spent
        if row["check"]:
            unchecked = 0
        elif unchecked > LONGEST_WITHOUT_CHECK:
            found.append(f"{where}: {unchecked} minutes without a check")
    if total != minutes:
        found.append(f"the phases take {total} minutes; the lesson has {minutes}")
    for name in sorted(objectives - worked_on):
        found.append(f"objective {name}: no phase works on it")
    if rows and not rows[-1]["check"]:
        found.append("the last phase has no check: the evidence is missing")
    return found


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("plan", help="a plan in the shape of templates/lesson-plan.md")
    parser.add_argument("--minutes", type=int, required=True, help="length of the lesson")
    options = parser.parse_args(argv)
    try:
        text = Path(options.plan).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        print(f"check_plan: cannot read {options.plan}: {error}", file=sys.stderr)
        return 2
    objectives, course = read_table(text, OBJECTIVES), read_table(text, COURSE)
    if objectives is None or course is None:
        missing = "objectives" if objectives is None else "course"
        print(
            f"check_plan: {options.plan} has no {missing} table with the template's columns", file=sys.stderr
        )
        return 3
    found = check_objectives(objectives)
    found += check_course(course, {row["no."] for row in objectives if row["no."]}, options.minutes)
    for line in found:
        print(line)
    print(f"{len(objectives)} objectives, {len(course)} phases, {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
