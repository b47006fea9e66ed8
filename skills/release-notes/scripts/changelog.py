#!/usr/bin/env python3
"""Sort git log text into a changelog section. Reads a file or stdin; never calls git.

Lines may be "hash TAB date TAB author TAB subject", "hash subject" (git log --oneline) or plain subjects.
Exit codes: 0 all well, 2 the file cannot be read, 3 there is no commit in it or an argument is wrong.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path

SECTIONS = (
    ("breaking", "Before you upgrade"),
    ("security", "Security"),
    ("feat", "New"),
    ("perf", "Faster"),
    ("fix", "Repaired"),
    ("revert", "Taken back"),
    ("docs", "Documentation"),
    ("other", "Not sorted"),
    ("chore", "Chores"),
)
KINDS = {
    "feat": "feat",
    "feature": "feat",
    "fix": "fix",
    "bugfix": "fix",
    "perf": "perf",
    "security": "security",
    "sec": "security",
    "revert": "revert",
    "docs": "docs",
    "doc": "docs",
    "chore": "chore",
    "ci": "chore",
    "build": "chore",
    "test": "chore",
    "tests": "chore",
    "style": "chore",
    "refactor": "chore",
    "deps": "chore",
}
PREFIX = re.compile(r"([A-Za-z]{2,12})(?:\(([^()]{1,60})\))?(!)?:\s{1,4}(\S.*)")
HASH = re.compile(r"[0-9a-f]{7,40}")
VERSION = re.compile(r"v?[0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z.-]{1,60})?")
MERGE = re.compile(r"Merge (?:branch|pull request|remote-tracking branch|tag) ")
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Commit:
    subject: str
    kind: str
    scope: str
    breaking: bool
    hash: str = ""
    date: str = ""
    author: str = ""


def parse_line(line: str) -> Commit | None:
    """One commit, or None for an empty line or a merge."""
    line = UNSAFE.sub("", line).strip()
    if not line:
        return None
    cells = line.split("\t")
    commit_hash = date = author = ""
    if len(cells) >= 4 and HASH.fullmatch(cells[0]):
        commit_hash, date, author = cells[0], cells[1].strip(), cells[2].strip()
        subject = "\t".join(cells[3:]).strip()
    else:
        first, _, rest = line.partition(" ")
        if HASH.fullmatch(first) and rest and any(c.isdigit() for c in first):
            commit_hash, subject = first, re.sub(r"^\([^()]{1,200}\) ", "", rest.strip())
        else:
            subject = re.sub(r"^[-*] ", "", line)
    if not subject or MERGE.match(subject):
        return None
    match = PREFIX.fullmatch(subject)
    if match and match.group(1).lower() in KINDS:
        kind, scope, mark, text = (
            KINDS[match.group(1).lower()],
            match.group(2) or "",
            match.group(3),
            match.group(4),
        )
        return Commit(text, kind, scope, bool(mark), commit_hash, date, author)
    if subject.startswith("Revert "):
        return Commit(subject, "revert", "", False, commit_hash, date, author)
    return Commit(subject, "other", "", "BREAKING CHANGE" in subject, commit_hash, date, author)


def section_of(commit: Commit) -> str:
    return "breaking" if commit.breaking else commit.kind


def proposed_step(commits: list[Commit]) -> str:
    if any(c.breaking for c in commits):
        return "major"
    if any(c.kind == "feat" for c in commits):
        return "minor"
    return "patch"


def escape_markdown(text: str) -> str:
    """Commit texts are shown, not interpreted: no links, no HTML, no emphasis out of them."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", text)


def fold(commits: list[Commit]) -> list[tuple[Commit, list[str]]]:
    """Commits with one subject become one entry with all hashes, in the order of their first appearance."""
    entries: dict[tuple[str, str], tuple[Commit, list[str]]] = {}
    for commit in commits:
        key = (commit.scope.casefold(), commit.subject.casefold())
        entry = entries.setdefault(key, (commit, []))
        if commit.hash:
            entry[1].append(commit.hash)
    return list(entries.values())


def render_markdown(commits: list[Commit], options: argparse.Namespace) -> str:
    head = options.version or "Unreleased"
    lines = [f"## {head} ({options.date})" if options.date else f"## {head}"]
    for section, title in SECTIONS:
        if section == "chore" and not options.all:
            continue
        entries = fold([c for c in commits if section_of(c) == section])
        if not entries:
            continue
        lines += ["", f"### {title}", ""]
        for commit, hashes in entries:
            scope = f"**{escape_markdown(commit.scope)}:** " if commit.scope else ""
            end = f" ({', '.join(hashes)})" if hashes else ""
            author = f", {escape_markdown(commit.author)}" if options.authors and commit.author else ""
            lines.append(f"- {scope}{escape_markdown(commit.subject)}{end}{author}")
    return "\n".join(lines) + "\n"


def render_json(commits: list[Commit], options: argparse.Namespace) -> str:
    document = {
        "version": options.version,
        "date": options.date,
        "step": proposed_step(commits),
        "commits": [
            {
                "section": section_of(c),
                "scope": c.scope,
                "subject": c.subject,
                "hash": c.hash,
                "date": c.date,
                "author": c.author,
            }
            for c in commits
            if options.all or section_of(c) != "chore"
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("log", nargs="?", default="-", help="file with git log text (default: stdin)")
    parser.add_argument("--version", help="version of the heading, such as 1.5.0 (default: Unreleased)")
    parser.add_argument("--date", help="date of the heading, YYYY-MM-DD")
    parser.add_argument("--all", action="store_true", help="keep chores, tests and refactorings")
    parser.add_argument("--authors", action="store_true", help="name authors where the log has them")
    parser.add_argument("--format", choices=("markdown", "json"), default="markdown")
    options = parser.parse_args(argv)
    if options.version and not VERSION.fullmatch(options.version):
        print(f"changelog: {options.version!r} is not a version like 1.5.0", file=sys.stderr)
        return 3
    if options.date and not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", options.date):
        print(f"changelog: {options.date!r} is not a date like 2026-05-04", file=sys.stderr)
        return 3
    try:
        data = sys.stdin.buffer.read() if options.log == "-" else Path(options.log).read_bytes()
    except OSError as error:
        print(f"changelog: cannot read {options.log}: {error}", file=sys.stderr)
        return 2
    lines = data.decode("utf-8", errors="replace").replace("\r\n", "\n").split("\n")
    commits = [commit for commit in map(parse_line, lines) if commit is not None]
    if not commits:
        print("changelog: no commit found; expected git log text, one commit a line", file=sys.stderr)
        return 3
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(
        render_json(commits, options) if options.format == "json" else render_markdown(commits, options)
    )
    left_out = 0 if options.all else sum(1 for c in commits if section_of(c) == "chore")
    print(
        f"{len(commits)} commits, {left_out} chores left out, proposed step: {proposed_step(commits)}",
        file=sys.stderr,
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
