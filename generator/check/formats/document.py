"""A report for programs: the JSON document of ``schemas/check.schema.json``, a contract."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from generator.check.model import CheckedSkill, Report
from generator.model import Finding, Outcome, Severity, Verdict

SCHEMA: Final = "skillpress.check.v1"


def check_document(report: Report) -> dict[str, Any]:
    """The report as JSON values. Files are named as the document's reader gave them, never by machine path."""
    return {
        "schema": SCHEMA,
        "summary": {
            "skills": len(report.skills),
            "errors": report.count(Severity.ERROR),
            "warnings": report.count(Severity.WARNING),
            "infos": report.count(Severity.INFO),
            "failOn": report.fail_on.value,
            "failed": report.failed(),
            "hosts": {profile.id: _counts(profile.id, report.skills) for profile in report.profiles},
        },
        "findings": [_finding(loose.finding) for loose in report.loose],
        "skills": [_skill(skill) for skill in report.skills],
    }


def _counts(host: str, skills: Iterable[CheckedSkill]) -> dict[str, int]:
    """How many skills a host loads, loses something of, refuses, crashes on."""
    counts = dict.fromkeys((outcome.value for outcome in Outcome), 0)
    for skill in skills:
        for verdict in skill.verdicts:
            if verdict.host == host:
                counts[verdict.outcome.value] += 1
    return counts


def _skill(skill: CheckedSkill) -> dict[str, Any]:
    return {
        "path": skill.path,
        "name": skill.name,
        "owner": skill.owner,
        "slug": skill.slug,
        "version": skill.version,
        "findings": [_finding(found) for found in skill.findings],
        "hosts": {verdict.host: _verdict(verdict) for verdict in skill.verdicts},
    }


def _finding(found: Finding) -> dict[str, Any]:
    return {
        "code": found.code,
        "severity": found.severity.value,
        "file": found.path,
        "line": found.line,
        "column": found.column,
        "message": found.message,
        "fix": found.fix,
        "hosts": list(found.hosts),
        "text": found.text,
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "version": verdict.version,
        "verdict": verdict.outcome.value,
        "reason": verdict.reason,
        "codes": list(verdict.codes),
        "name": verdict.name,
    }
