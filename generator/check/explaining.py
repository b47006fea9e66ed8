"""A rule's page: what it is about, why, which hosts do what, the mistake and its mend."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from generator.findings import BARRING, CODES
from generator.judge.examples import judge_example
from generator.judge.facts import FACTS
from generator.judge.model import Profile
from generator.model import Outcome, Verdict

SCHEMA: Final = "skillpress.explain.v1"
LIST_SCHEMA: Final = "skillpress.codes.v1"
_FILL: Final = re.compile(r"\{([^}]*)\}")


class UnknownCodeError(ValueError):
    """No finding has that code; the message names the nearest."""


@dataclass(frozen=True, slots=True)
class HostEffect:
    """What one host does where a fact behind the code is so. ``outcome`` None: the host goes on."""

    host: str
    fact: str
    meaning: str
    outcome: str | None
    reason: str
    source: str


@dataclass(frozen=True, slots=True)
class RulePage:
    """Everything there is to know about one finding code.

    ``on_example`` is what every host does with the example, empty where there is none. ``hosts`` are the effects
    of all facts that may stand behind the code: a skill has some of them, as it is read by each host.
    """

    code: str
    severity: str
    title: str
    why: str
    fix: str
    bars: bool
    example: str
    mended: str
    on_example: tuple[Verdict, ...]
    hosts: tuple[HostEffect, ...]


def explain(code: str, profiles: Sequence[Profile]) -> RulePage:
    """The page of one code; the case of its letters does not matter.

    Raises:
        UnknownCodeError: there is no such code.
    """
    code = code.strip().lower()
    if code not in CODES:
        near = difflib.get_close_matches(code, CODES, n=1, cutoff=0.4)
        advice = f"did you mean {near[0]!r}?" if near else "`skillpress explain` lists all."
        raise UnknownCodeError(f"no finding has the code {code!r}; {advice}")
    info = CODES[code]
    return RulePage(
        code,
        info.severity.value,
        info.title,
        info.why,
        info.fix,
        code in BARRING,
        info.example,
        info.mended,
        judge_example(code, profiles),
        tuple(_effects(code, profiles)),
    )


def page_lines(page: RulePage) -> Iterator[str]:
    """The page for people."""
    yield f"{page.code} ({page.severity}{', bars publication' if page.bars else ''})"
    yield f"{page.title}."
    yield ""
    yield page.why
    yield ""
    yield f"Fix: {page.fix}"
    if page.example:
        yield from ("", "Example:", *(f"    {line}" for line in page.example.splitlines()))
    if page.mended:
        yield from ("", "Mended:", *(f"    {line}" for line in page.mended.splitlines()))
    yield ""
    if page.on_example:
        yield "With the example:"
        minding = [verdict for verdict in page.on_example if verdict.outcome is not Outcome.LOAD]
        yield from (f"    {one.host}: {one.outcome.value}. {one.reason}" for one in minding)
        others = len(page.on_example) - len(minding)
        loading = f"{'the other' if minding else 'all'} {others} hosts" if others > 1 else "one host"
        yield from (f"    load: {loading}.",) if others else ()
        yield ""
    if not page.hosts:
        yield "No host's verdict rests on it."
        return
    yield "What may be so for a host, and what it then does:"
    facts: dict[str, list[HostEffect]] = {}
    for effect in page.hosts:
        facts.setdefault(effect.meaning, []).append(effect)
    for meaning, effects in facts.items():
        yield f"  {meaning}"
        for effect in effects:
            yield f"    {effect.host}: {effect.outcome or 'goes on'}. {effect.reason}"


def page_document(page: RulePage) -> dict[str, Any]:
    """The page for programs."""
    return {
        "schema": SCHEMA,
        "code": page.code,
        "severity": page.severity,
        "title": page.title,
        "why": page.why,
        "fix": page.fix,
        "bars": page.bars,
        "example": page.example,
        "mended": page.mended,
        "onExample": {
            one.host: {"verdict": one.outcome.value, "reason": one.reason} for one in page.on_example
        },
        "hosts": [
            {
                "host": effect.host,
                "fact": effect.fact,
                "meaning": effect.meaning,
                "verdict": effect.outcome,
                "reason": effect.reason,
                "source": effect.source,
            }
            for effect in page.hosts
        ],
    }


def list_lines() -> Iterator[str]:
    """Every code with its severity and title, for people."""
    width = max(len(code) for code in CODES)
    for code, info in sorted(CODES.items()):
        yield f"{code.ljust(width)}  {info.severity.value.ljust(7)}  {info.title}"


def list_document() -> dict[str, Any]:
    """Every code with its severity and title, for programs."""
    return {
        "schema": LIST_SCHEMA,
        "codes": [
            {"code": code, "severity": info.severity.value, "title": info.title, "bars": code in BARRING}
            for code, info in sorted(CODES.items())
        ],
    }


def _effects(code: str, profiles: Iterable[Profile]) -> Iterator[HostEffect]:
    facts = [fact for fact, info in FACTS.items() if code in info.codes]
    for fact in facts:
        for profile in profiles:
            effect = profile.effect(fact)
            if effect is not None:
                outcome = effect.outcome.value if effect.outcome is not None else None
                # The particular values are a skill's own.
                reason = _FILL.sub(r"<\1>", effect.reason)
                yield HostEffect(profile.id, fact, FACTS[fact].meaning, outcome, reason, effect.source)
