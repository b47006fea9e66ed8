"""Judge skills: every family of rules, every host's verdict, what would run, what it costs.

One skill alone (:func:`judge_skill`) is what a hub's page shows. A collection (:func:`judge_collection`) is
what an author has in front of them: there skills also meet each other, since a host that scans the folder
sees all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from generator.judge import cost, powers, rules, verdicts
from generator.judge.model import Judgement, Profile, Subject, Verdict
from generator.judge.rules import collisions, links, tools
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


def judge_collection(subjects: Sequence[Subject], profiles: Sequence[Profile]) -> tuple[Judgement, ...]:
    """Judge skills that lie in one collection, in the order given: alone first, then beside each other."""
    alone = [judge_skill(subject, profiles) for subject in subjects]
    settled = verdicts.settle_names(subjects, [one.verdicts for one in alone], profiles)
    between = collisions.find_collisions([collisions.member_of(subject) for subject in subjects])
    return tuple(
        replace(
            judgement,
            verdicts=given,
            findings=_sorted(_with_hosts((*judgement.findings, *between.get(index, ())), given)),
        )
        for index, (judgement, given) in enumerate(zip(alone, settled, strict=True))
    )


def add_findings(judgement: Judgement, found: Iterable[Finding]) -> Judgement:
    """The judgement with findings that only the neighbours of a skill explain."""
    return replace(
        judgement, findings=_sorted((*judgement.findings, *_with_hosts(found, judgement.verdicts)))
    )


def _with_hosts(found: Iterable[Finding], given: Iterable[Verdict]) -> Iterable[Finding]:
    """The findings, each with the hosts whose verdict rests on its code."""
    hosts: dict[str, list[str]] = {}
    for verdict in given:
        for code in verdict.codes:
            hosts.setdefault(code, []).append(verdict.host)
    for one in found:
        named = tuple(dict.fromkeys((*hosts.get(one.code, ()), *one.hosts)))
        yield replace(one, hosts=named) if named != one.hosts else one


def _sorted(found: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(
        sorted(
            dict.fromkeys(found),
            key=lambda one: (one.path, one.line or 0, one.column or 0, one.code, one.message),
        )
    )
