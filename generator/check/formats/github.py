"""A report as commands to GitHub's runner, which shows them beside the lines of a pull request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generator.check.formats.places import PlacedFinding, placed_findings
from generator.check.model import Report
from generator.check.safety import safe
from generator.model import Outcome, Severity

_COMMANDS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_DATA: Final = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY: Final = {**_DATA, ":": "%3A", ",": "%2C"}


def github_lines(report: Report) -> Iterator[str]:
    """One command a finding; where hosts were named, one for each that does not load a skill as written."""
    for placed in placed_findings(report):
        yield _finding(placed)
    for skill in report.skills:
        for verdict in skill.verdicts:
            if report.asked and verdict.outcome is not Outcome.LOAD:
                severity = Severity.WARNING if verdict.outcome is Outcome.LOSS else Severity.ERROR
                title = f"{verdict.host} {verdict.outcome.value}"
                yield _command(severity, {"file": skill.shown_manifest, "title": title}, verdict.reason)


def _finding(placed: PlacedFinding) -> str:
    found = placed.finding
    properties = {"file": placed.file}
    if placed.line is not None:
        properties["line"] = str(placed.line)
        if placed.column is not None:
            properties["col"] = str(placed.column)
    properties["title"] = found.code
    text = f"{placed.message}\nFix: {found.fix}" if found.fix else placed.message
    return _command(found.severity, properties, text)


def _command(severity: Severity, properties: dict[str, str], text: str) -> str:
    named = ",".join(f"{key}={_escape(safe(value), _PROPERTY)}" for key, value in properties.items())
    lines = "\n".join(safe(line) for line in text.split("\n"))
    return f"::{_COMMANDS[severity]} {named}::{_escape(lines, _DATA)}"


def _escape(text: str, table: dict[str, str]) -> str:
    return "".join(table.get(char, char) for char in text)
