"""A report as JUnit XML, which nearly every CI can show: a suite a skill, a case a finding."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from generator.check.formats.places import PlacedFinding, placed_findings
from generator.check.model import CheckedSkill, Report
from generator.model import Verdict
from generator.visible import make_visible


def junit_lines(report: Report) -> Iterator[str]:
    """The document line by line. What counts against the check is a failure; other findings pass with a note.

    A skill of which nothing is said is one case that passes.
    """
    suites: dict[str, list[str]] = {}
    failures: dict[str, int] = {}
    for skill in report.skills:
        suites[skill.path] = []
    for placed in placed_findings(report):
        name = placed.skill.path if placed.skill is not None else placed.file
        failed = report.counts_against(placed.finding.severity)
        suites.setdefault(name, []).append(_finding_case(name, placed, failed=failed))
        failures[name] = failures.get(name, 0) + failed
    if report.asked:
        for skill in report.skills:
            for verdict in skill.verdicts:
                failed = report.verdict_counts_against(verdict)
                suites[skill.path].append(_verdict_case(skill, verdict, failed=failed))
                failures[skill.path] = failures.get(skill.path, 0) + failed
    for name, cases in suites.items():
        if not cases:
            cases.append(f'<testcase classname="{_text(name)}" name="check"/>')
    total = sum(len(cases) for cases in suites.values())
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<testsuites name="skillpress check" tests="{total}" failures="{sum(failures.values())}">'
    for name, cases in suites.items():
        yield f'  <testsuite name="{_text(name)}" tests="{len(cases)}" failures="{failures.get(name, 0)}">'
        for case in cases:
            yield f"    {case}"
        yield "  </testsuite>"
    yield "</testsuites>"


def _finding_case(suite: str, placed: PlacedFinding, *, failed: bool) -> str:
    found = placed.finding
    place = ":".join([placed.file, *(str(n) for n in (placed.line, placed.column) if n is not None)])
    words = f"{place}: {placed.message}" + (f" Fix: {found.fix}" if found.fix else "")
    body = (
        f'<failure type="{found.severity.value}" message="{_text(placed.message)}">{_text(words)}</failure>'
        if failed
        else f"<system-out>{_text(f'{found.severity.value}: {words}')}</system-out>"
    )
    return f'<testcase classname="{_text(suite)}" name="{_text(f"{found.code} {place}")}">{body}</testcase>'


def _verdict_case(skill: CheckedSkill, verdict: Verdict, *, failed: bool) -> str:
    words = _text(f"{verdict.outcome.value}: {verdict.reason}")
    body = (
        f'<failure type="{verdict.outcome.value}" message="{_text(verdict.reason)}">{words}</failure>'
        if failed
        else f"<system-out>{words}</system-out>"
    )
    return f'<testcase classname="{_text(skill.path)}" name="{_text(verdict.host)}">{body}</testcase>'


def _text(text: str) -> str:
    """Text for an attribute or an element, in ASCII: the document is the same on an output of any encoding.

    What XML cannot hold at all (controls, surrogates) becomes a visible escape.
    """
    return escape(make_visible(text)).encode("ascii", "xmlcharrefreplace").decode()
