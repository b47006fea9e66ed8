#!/usr/bin/env python3
"""Check a research report against its source log: marks, log lines, findings without any source.

Exit codes: 0 nothing open, 1 findings are listed, 2 a file cannot be read.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from pathlib import Path

COLUMNS = ("id", "title", "publisher", "published", "url", "opened", "kind", "grade", "supports")
REQUIRED = ("id", "title", "url", "opened", "kind", "grade", "supports")
KINDS = ("primary", "secondary", "opinion")
GRADES = ("A", "B", "C", "D")
MARK = re.compile(r"\[(S[0-9]{1,4})\]")
DATE = re.compile(r"[0-9]{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?)?")
OWN_WORDS = ("confidence:", "from this follows", "replace this line")


def check_log(rows: list[dict[str, str]]) -> list[str]:
    found = []
    seen: set[str] = set()
    for number, row in enumerate(rows, start=2):
        where = f"source log line {number}"
        if None in row:
            found.append(f"{where}: more cells than columns; put texts that hold commas in quotes")
        missing = [name for name in REQUIRED if not (row.get(name) or "").strip()]
        if missing:
            found.append(f"{where}: empty: {', '.join(missing)}")
        source = (row.get("id") or "").strip()
        if source and not re.fullmatch(r"S[0-9]{1,4}", source):
            found.append(f"{where}: id {source!r} is not of the form S1")
        if source in seen:
            found.append(f"{where}: id {source} is used twice")
        seen.add(source)
        for name, allowed in (("kind", KINDS), ("grade", GRADES)):
            value = (row.get(name) or "").strip()
            if value and value not in allowed:
                found.append(f"{where}: {name} {value!r} is none of {', '.join(allowed)}")
        for name in ("published", "opened"):
            value = (row.get(name) or "").strip()
            if value and not DATE.fullmatch(value):
                found.append(f"{where}: {name} {value!r} is not a date like 2026-05-04")
    return found


def bare_paragraphs(text: str) -> list[int]:
    """Line numbers of paragraphs under "Findings" that state something without any source mark."""
    found = []
    inside = False
    block: list[tuple[int, str]] = []
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        if line.startswith("## "):
            inside = line[3:].strip().lower() == "findings"
        if line.strip() and not line.startswith("#"):
            block.append((number, line))
            continue
        if block and inside:
            joined = " ".join(part for _, part in block)
            own = joined.strip().lower().startswith(OWN_WORDS[:2])
            if not MARK.search(joined) and not own:
                found.append(block[0][0])
        block = []
    return found


def check_report(text: str, known: dict[str, str]) -> list[str]:
    found = []
    used = MARK.findall(text.split("\n## Sources", 1)[0])
    for source in sorted(set(used) - known.keys(), key=lambda s: int(s[1:])):
        found.append(f"report: {source} is cited but not in the source log")
    for source in sorted(known.keys() - set(used)):
        found.append(f"source log: {source} is never cited; cite it or take it out")
    for source in sorted(set(used) & known.keys()):
        if known[source] == "D":
            found.append(f"report: {source} has grade D, which carries no finding")
    for number in bare_paragraphs(text):
        found.append(f"report line {number}: a finding without a source mark")
    for number, line in enumerate(text.splitlines(), start=1):
        if OWN_WORDS[2] in line.lower():
            found.append(f"report line {number}: text of the template is still there")
    return found


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("report", help="the report, Markdown")
    parser.add_argument("log", help="the source log, CSV with the template's columns")
    options = parser.parse_args(argv)
    try:
        text = Path(options.report).read_text(encoding="utf-8")
        with open(options.log, encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream)
            header = tuple(reader.fieldnames or ())
            rows = list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        print(f"check_report: cannot read: {error}", file=sys.stderr)
        return 2
    if header != COLUMNS:
        print(f"check_report: {options.log} must start with the line {','.join(COLUMNS)}", file=sys.stderr)
        return 2
    known = {(row.get("id") or "").strip(): (row.get("grade") or "").strip() for row in rows}
    known.pop("", None)
    found = check_log(rows) + check_report(text, known)
    for line in found:
        print(line)
    print(f"{len(known)} sources, {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
