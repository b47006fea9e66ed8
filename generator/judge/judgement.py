"""Judge a skill: every family of rules, every host's verdict, what would run, what it costs.

What skills do to each other is found over all of them together (:mod:`generator.judge.rules.collisions`,
:func:`generator.judge.verdicts.settle_names`) and then added here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from generator.judge import cost, powers, rules, verdicts
from generator.judge.model import Judgement, Outcome, Profile, Subject, Verdict
from generator.judge.rules import links, tools
from generator.model import Finding


def judge_skill(subject: Subject, profiles: Sequence[Profile]) -> Judgement:
    """Judge one skill by itself; never raises for what it holds.

    The findings are those of reading it and those of the rules; each names the hosts whose verdict rests on it.
    """
    found = (
        *subject.skill.findings,
        *rules.find_all(subject),
        *links.find(subject),
        *tools.find(subject, profiles),
    )
    given = verdicts.judge_package(subject, profiles)
    return Judgement(
        findings=_sorted(_with_hosts(found, given)),
        verdicts=given,
        powers=powers.find_powers(subject, profiles),
        cost=cost.context_cost(subject.skill),
    )


def add_findings(judgement: Judgement, found: Iterable[Finding]) -> Judgement:
    """The judgement with findings that only the neighbours of a skill explain."""
    return replace(
        judgement, findings=_sorted(_with_hosts(_joined(judgement.findings, found), judgement.verdicts))
    )


def _joined(alone: Iterable[Finding], between: Iterable[Finding]) -> Iterable[Finding]:
    """Findings of a skill alone and beside the others. A link to a skill that is not there is told as such only."""
    added = tuple(between)
    lost = {(one.path, one.line, one.column) for one in added if one.code == "link-sibling-missing"}
    for one in alone:
        if one.code != "link-to-sibling-skill" or (one.path, one.line, one.column) not in lost:
            yield one
    yield from added


def _with_hosts(found: Iterable[Finding], given: Iterable[Verdict]) -> Iterable[Finding]:
    """The findings, each with the hosts that it matters to: those that do not load the skill as written because
    of its code, or else those that load it and yet have the code among their reasons."""
    minding: dict[str, list[str]] = {}
    coping: dict[str, list[str]] = {}
    for verdict in given:
        for code in verdict.codes:
            hosts = coping if verdict.outcome is Outcome.LOAD else minding
            hosts.setdefault(code, []).append(verdict.host)
    for one in found:
        named = tuple(dict.fromkeys((*(minding.get(one.code) or coping.get(one.code) or ()), *one.hosts)))
        yield replace(one, hosts=named) if named != one.hosts else one


def _sorted(found: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(
        sorted(
            dict.fromkeys(found),
            key=lambda one: (one.path, one.line or 0, one.column or 0, one.code, one.message),
        )
    )
