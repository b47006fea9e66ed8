"""A report for people: grouped by skill, with the source line and a caret under what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from generator.check.excerpts import Excerpts
from generator.check.model import CheckedSkill, Report
from generator.check.safety import safe, safe_line
from generator.model import Finding, Outcome, Severity, Verdict

_PLURALS: Final = {
    Severity.ERROR: ("error", "errors"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.INFO: ("note", "notes"),
}
_COLOURS: Final = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.INFO: "36"}
_OUTCOME_COLOURS: Final = {Outcome.LOAD: "32", Outcome.LOSS: "33", Outcome.REFUSE: "31", Outcome.CRASH: "31"}
_MOST_HOSTS: Final = 6
"""Hosts named with one finding; how many more there are is said."""
_LABEL: Final = 7
"""Cells of an outcome's name and what follows it."""


@dataclass(frozen=True, slots=True)
class _Paint:
    """Puts colours on text, or leaves it as it is."""

    on: bool

    def __call__(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on else text


def text_lines(report: Report, *, colour: bool) -> Iterator[str]:
    """The report line by line; the only control characters in it are the colours asked for."""
    return map(safe_line, _lines(report, _Paint(colour)))


def _lines(report: Report, paint: _Paint) -> Iterator[str]:
    for loose in report.loose:
        yield _headline(loose.finding, loose.shown, paint)
        yield from _details(loose.finding, (), paint)
        yield ""
    for skill in report.skills:
        yield paint(safe(skill.shown or skill.path), "1")
        excerpts = Excerpts(skill.path, skill.package)
        for found in skill.findings:
            yield f"  {_headline(found, skill.shown_path(found), paint)}"
            yield from _details(found, excerpts.lines_of(found), paint)
        yield from _verdict_lines(skill, paint)
        yield ""
    yield _summary(report, paint)


def counted(number: int, one: str, many: str) -> str:
    """``1 skill``, ``2 skills``."""
    return f"{number:,} {one if number == 1 else many}"


def _headline(found: Finding, shown: str, paint: _Paint) -> str:
    place = ":".join([safe(shown), *(str(n) for n in (found.line, found.column) if n is not None)])
    severity = paint(found.severity.value, _COLOURS[found.severity])
    return f"{place} {severity} {found.code} {safe(found.message)}"


def _details(found: Finding, excerpt: tuple[str, ...], paint: _Paint) -> Iterator[str]:
    for number, line in enumerate(excerpt):
        yield "      " + (paint(safe(line), "36") if number else safe(line))
    if found.fix:
        yield f"      Fix: {safe(found.fix)}"
    if found.hosts:
        named = ", ".join(found.hosts[:_MOST_HOSTS])
        more = len(found.hosts) - _MOST_HOSTS
        yield f"      Hosts: {safe(named)}" + (f" and {more} more" if more > 0 else "")


def _verdict_lines(skill: CheckedSkill, paint: _Paint) -> Iterator[str]:
    """An outcome's hosts in a line, and a line for each reason not to load the skill as it was meant."""
    if not skill.verdicts:
        yield "  No verdicts: the skill cannot be read."
        return
    for outcome in Outcome:
        alike = [verdict for verdict in skill.verdicts if verdict.outcome is outcome]
        if not alike:
            continue
        label = paint(f"{outcome.value}:", _OUTCOME_COLOURS[outcome]) + " " * (_LABEL - len(outcome.value))
        if outcome is Outcome.LOAD:
            yield f"  {label}{_loading(alike, len(skill.verdicts))}"
            continue
        for number, (reason, group) in enumerate(_by_reason(alike).items()):
            start = " " * (_LABEL + 1) if number else label
            yield f"  {start}{_hosts(group)}" + (f" - {safe(reason)}" if reason else "")


def _loading(loading: list[Verdict], asked: int) -> str:
    """The hosts that load a skill: by name where they are few, else the others are named below."""
    if len(loading) == asked:
        return f"all {asked} hosts" if asked > 1 else _hosts(loading)
    if 2 * len(loading) > asked and len(loading) > _MOST_HOSTS:
        return f"the other {len(loading)} hosts"
    return _hosts(loading)


def _by_reason(verdicts: list[Verdict]) -> dict[str, list[Verdict]]:
    groups: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault(verdict.reason, []).append(verdict)
    return groups


def _hosts(verdicts: list[Verdict]) -> str:
    return safe(", ".join(verdict.host for verdict in verdicts))


def _summary(report: Report, paint: _Paint) -> str:
    found = ", ".join(
        counted(report.count(severity), *_PLURALS[severity])
        for severity in Severity
        if report.count(severity)
    )
    hosts = counted(len(report.profiles), "host", "hosts")
    result = paint("Failed", "31") if report.failed() else paint("Passed", "32")
    return f"{result}: {counted(len(report.skills), 'skill', 'skills')}, {hosts}; {found or 'nothing found'}."
