"""A report as SARIF 2.1.0 (OASIS), which GitHub code scanning and editors read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from typing import Any, Final
from urllib.parse import quote

from generator import __version__
from generator.check.excerpts import Excerpts
from generator.check.formats.places import PlacedFinding, placed_findings
from generator.check.model import Report
from generator.findings import CODES
from generator.model import Outcome, Severity

SCHEMA_URL: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_HOST_RULE: Final = "host-verdict"
"""The rule under which the verdicts of hosts that the user named are listed."""


def sarif_document(report: Report) -> dict[str, Any]:
    """The report as one SARIF log with one run; results come in the report's order."""
    placed = tuple(placed_findings(report))
    rules = _rules(sorted({one.finding.code for one in placed}), hosts=report.asked)
    index = {rule["id"]: number for number, rule in enumerate(rules)}
    results = [*_results(report, placed, index), *_host_results(report, index)]
    return {
        "$schema": SCHEMA_URL,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "skillpress",
                        "version": __version__,
                        "semanticVersion": __version__,
                        "rules": rules,
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": results,
            }
        ],
    }


def _rules(codes: Iterable[str], *, hosts: bool) -> list[dict[str, Any]]:
    rules = [
        {
            "id": code,
            "shortDescription": {"text": info.title},
            "fullDescription": {"text": info.why},
            "help": {"text": f"{info.why} {info.fix}"},
            "defaultConfiguration": {"level": _LEVELS[info.severity]},
        }
        for code in codes
        if (info := CODES[code])
    ]
    if hosts:
        text = "A host that was asked about does not load the skill as its author meant it"
        rules.append(
            {
                "id": _HOST_RULE,
                "shortDescription": {"text": text},
                "fullDescription": {"text": f"{text}."},
                "help": {"text": "The findings of the skill say what to change."},
                "defaultConfiguration": {"level": "error"},
            }
        )
    return rules


def _results(
    report: Report, placed: Iterable[PlacedFinding], index: dict[str, int]
) -> Iterable[dict[str, Any]]:
    seen: Counter[str] = Counter()
    excerpts = {skill.path: Excerpts(skill.path, skill.package) for skill in report.skills}
    for one in placed:
        found = one.finding
        source = excerpts[one.skill.path].source_line(found) if one.skill is not None else None
        text = f"{one.message}\nFix: {found.fix}" if found.fix else one.message
        identity = "\0".join((found.code, found.path, found.text or (source or "").strip() or found.message))
        yield {
            "ruleId": found.code,
            "ruleIndex": index[found.code],
            "level": _LEVELS[found.severity],
            "message": {"text": _whole(text)},
            "locations": [_location(one.file, one.line, one.column, found.text, source)],
            "partialFingerprints": {"skillpressFinding/v1": _fingerprint(identity, seen)},
            **({"properties": {"hosts": list(found.hosts)}} if found.hosts else {}),
        }


def _host_results(report: Report, index: dict[str, int]) -> Iterable[dict[str, Any]]:
    seen: Counter[str] = Counter()
    for skill in report.skills if report.asked else ():
        for verdict in skill.verdicts:
            if verdict.outcome is Outcome.LOAD:
                continue
            text = f"{verdict.host} {verdict.outcome.value}: {verdict.reason}"
            yield {
                "ruleId": _HOST_RULE,
                "ruleIndex": index[_HOST_RULE],
                "level": "warning" if verdict.outcome is Outcome.LOSS else "error",
                "message": {"text": _whole(text)},
                "locations": [_location(skill.shown_manifest, None, None, "", None)],
                "partialFingerprints": {
                    "skillpressFinding/v1": _fingerprint(f"{skill.path}\0{verdict.host}", seen)
                },
            }


def _location(
    file: str, line: int | None, column: int | None, text: str, source: str | None
) -> dict[str, Any]:
    # GitHub shows nothing for a place without a line.
    region: dict[str, Any] = {"startLine": line or 1}
    if line is not None and column is not None:
        region["startColumn"] = column
        if text and source is not None and source.startswith(text, column - 1):
            region["endColumn"] = column + len(text)
    if source:
        region["snippet"] = {"text": _whole(source[:1000])}
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(file)}, "region": region}}


def _uri(file: str) -> str:
    """A relative reference, or a file URI for a path that the user typed from the root."""
    path = quote(file.encode("utf-8", "replace"), safe="/-._~")
    return f"file://{path}" if file.startswith("/") else path


def _fingerprint(identity: str, seen: Counter[str]) -> str:
    """The same for the same mistake wherever its line has moved to; a number tells equal ones apart."""
    digest = sha256(identity.encode("utf-8", "replace")).hexdigest()[:32]
    seen[digest] += 1
    return f"{digest}:{seen[digest]}"


def _whole(text: str) -> str:
    """Text without half characters, which no UTF-8 document can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
