"""A probe's result as lines for people and as a JSON document (``schemas/probe.schema.json``)."""

from __future__ import annotations

from collections.abc import Iterator

from generator.hosting.expectations import Level
from generator.probe.clients import CLIENTS
from generator.probe.model import ProbeReport, Weight

SCHEMA = "skillpress.probe.v1"
_WORDS = {
    Level.WORKS: "works",
    Level.PART: "works in part",
    Level.FAILS: "will not work",
    Level.ABSENT: "not offered",
}
_HEADS = {Weight.BROKEN: "Broken", Weight.LIMIT: "The host cannot", Weight.NOTE: "Note"}


def report_lines(report: ProbeReport) -> Iterator[str]:
    """The result for a terminal: a table of clients with reasons, then what is wrong, worst first."""
    named = f" ({report.name})" if report.name else ""
    yield f"{report.url}{named}, asked about {report.skill} {report.version}"
    yield ""
    width = max(len(one.title) for one in CLIENTS.values())
    for client in report.clients:
        worse = " (this hosting can do better)" if client.client in report.worse else ""
        yield f"  {CLIENTS[client.client].title:<{width}}  {_WORDS[client.level]}{worse}"
        for reason in client.reasons:
            yield f"  {'':<{width}}    {reason}"
    for weight in Weight:
        for one in report.troubles:
            if one.weight is weight:
                yield ""
                yield f"{_HEADS[weight]}: {one.message}. [{one.code}]"
                yield f"  {one.fix}"
    yield ""
    broken = sum(one.weight is Weight.BROKEN for one in report.troubles)
    state = (
        "fine" if report.ok else f"not fine: {broken} things broken, {len(report.worse)} clients worse off"
    )
    yield f"{state}; {report.requests} requests"


def report_document(report: ProbeReport) -> dict[str, object]:
    """The result as JSON. Codes of troubles and names of clients are stable, sentences are not."""
    return {
        "schema": SCHEMA,
        "hub": report.url,
        "name": report.name,
        "generator": report.generator,
        "skill": report.skill,
        "version": report.version,
        "hosting": report.hosting or None,
        "ok": report.ok,
        "clients": [
            {
                "client": one.client,
                "title": CLIENTS[one.client].title,
                "level": one.level.value,
                "worse": one.client in report.worse,
                "steps": [
                    {
                        "name": step.name,
                        "passed": step.passed,
                        "essential": step.essential,
                        "reason": step.said or None,
                    }
                    for step in one.steps
                ],
            }
            for one in report.clients
        ],
        "troubles": [
            {
                "code": one.code,
                "weight": one.weight.value,
                "message": one.message,
                "fix": one.fix,
                "url": one.url or None,
            }
            for one in report.troubles
        ],
        "requests": report.requests,
    }
