"""What every host does with a skill: the facts of the skill, walked through each host's list of effects.

Effects stand in the order in which the host checks. The first one that refuses (or crashes) decides; else the
first that loses something; else the skill loads, and what else is worth knowing is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from generator.judge.factinfo import FAULT_CODES
from generator.judge.facts import FACTS
from generator.judge.matching import find_intent, is_same
from generator.judge.model import Effect, Outcome, Profile, Subject, Verdict
from generator.judge.observation import Observation, observe
from generator.judge.reading import Readings
from generator.read.package import manifest_file
from generator.read.paths import printable

_STOPS: Final = (Outcome.REFUSE, Outcome.CRASH)
_GENERAL_LOSS: Final = "lost-other"
_LONGEST_FILL: Final = 80


def judge_package(subject: Subject, profiles: Sequence[Profile]) -> tuple[Verdict, ...]:
    """The verdict of every host on one skill by itself, in the order of ``profiles``.

    Nothing a skill holds makes this raise; a host that would read only parts of a file is judged by those.
    """
    readings = Readings(subject)
    intent = find_intent(subject.skill, manifest_file(subject.skill.package))
    found = frozenset(finding.code for finding in subject.skill.findings)
    return tuple(
        _decide(profile, observe(subject, profile, readings, intent), found, subject) for profile in profiles
    )


def settle_names(
    subjects: Sequence[Subject], verdicts: Sequence[tuple[Verdict, ...]], profiles: Sequence[Profile]
) -> tuple[tuple[Verdict, ...], ...]:
    """The verdicts of skills that lie in one collection, given those of each by itself, in the same order.

    A host that finds none at the depth it looks at may look deeper. A host that keeps one skill of a name takes
    the first or the last by path; the others are judged by its effect of the fact ``name-taken``. Skills that a
    host does not load take no name.
    """
    settled = [list(row) for row in verdicts]
    for column, profile in enumerate(profiles):
        if profile.reads.deeper and all(row[column].outcome in _STOPS for row in settled):
            deeper = _look_deeper(profile)
            for row, subject in zip(settled, subjects, strict=True):
                row[column] = judge_package(subject, (deeper,))[0]
    order = sorted(range(len(subjects)), key=lambda index: f"{subjects[index].place.folder}/")
    for column, profile in enumerate(profiles):
        effect = profile.effect("name-taken")
        if effect is None or profile.reads.same_name == "both":
            continue
        keepers: dict[str, int] = {}
        for index in order if profile.reads.same_name == "first" else reversed(order):
            verdict = settled[index][column]
            if verdict.outcome in _STOPS or verdict.name is None:
                continue
            keeper = keepers.setdefault(verdict.name, index)
            if keeper != index:
                other = subjects[keeper].place.folder
                settled[index][column] = _lose_name(
                    verdict, settled[keeper][column], effect, other, subjects[index]
                )
    return tuple(tuple(row) for row in settled)


def _look_deeper(profile: Profile) -> Profile:
    reads = profile.reads
    return replace(
        profile,
        reads=replace(reads, depth=reads.deeper, nested=True, skipped_folders=reads.deeper_skipped),
    )


def _lose_name(verdict: Verdict, keeper: Verdict, effect: Effect, other: str, subject: Subject) -> Verdict:
    codes = tuple(dict.fromkeys((*FACTS[effect.fact].codes, *verdict.codes)))
    outcome = effect.outcome or verdict.outcome
    if outcome is Outcome.LOAD:
        # Which of the two is kept is chance: what this one loses by itself it loses all the same.
        outcome = verdict.outcome
    if outcome is Outcome.LOSS and is_same(verdict.seen or "", keeper.seen or ""):
        outcome = verdict.outcome
    reason = _fill(effect.reason, {"other": other}, subject, verdict.name or "")
    if outcome in _STOPS:
        return replace(verdict, outcome=outcome, reason=reason, codes=codes, name=None, seen=None)
    shown = keeper.seen if outcome is Outcome.LOSS else verdict.seen
    return replace(verdict, outcome=outcome, reason=reason, codes=codes, seen=shown)


def _decide(profile: Profile, seen: Observation, found: frozenset[str], subject: Subject) -> Verdict:
    facts = seen.facts
    holding = [effect for effect in profile.effects if effect.fact in facts] if facts else []
    if not holding and not any(fact.startswith("lost-") for fact in facts):
        return Verdict(
            profile.id,
            profile.version,
            Outcome.LOAD,
            _plain_reason(profile),
            (),
            printable(seen.name),
            seen.seen,
        )
    deciding = next((effect for effect in holding if effect.outcome in _STOPS), None)
    if deciding is None:
        deciding = next((effect for effect in holding if effect.outcome is Outcome.LOSS), None)
    if deciding is None and (lost := next((fact for fact in seen.facts if fact.startswith("lost-")), None)):
        general = profile.effect(_GENERAL_LOSS)
        assert general is not None
        deciding = replace(general, fact=lost)
    outcome = Outcome.LOAD if deciding is None else deciding.outcome or Outcome.LOAD
    if deciding is None:
        others: Iterable[Effect] = holding
        shown = holding[0] if holding else None
    else:
        # A description that is lost is a consequence, not a further reason.
        others = [
            effect
            for effect in holding
            if effect.outcome not in (None, Outcome.LOAD) and not effect.fact.startswith("lost-")
        ]
        shown = deciding
    reason = (
        _plain_reason(profile)
        if shown is None
        else _fill(shown.reason, seen.facts.get(shown.fact, {}), subject, seen.name)
    )
    stopped = outcome in _STOPS
    return Verdict(
        host=profile.id,
        version=profile.version,
        outcome=outcome,
        reason=reason,
        codes=_codes((*((deciding,) if deciding else ()), *others), seen, found),
        name=None if stopped else printable(seen.name),
        seen=None if stopped else seen.seen,
    )


def _plain_reason(profile: Profile) -> str:
    return "Loads it as written." if profile.reads.compares else "Accepts it."


def _codes(effects: Iterable[Effect], seen: Observation, found: frozenset[str]) -> tuple[str, ...]:
    """The finding codes behind effects: those that were found, else the one that says it best."""
    codes: dict[str, None] = {}
    for effect in effects:
        best = FAULT_CODES.get(seen.facts.get(effect.fact, {}).get("fault", ""), ())
        candidates = FACTS[effect.fact].codes
        known = [code for code in best if code in found] or [code for code in candidates if code in found]
        codes.update(dict.fromkeys(known or (*best, *candidates)[:1]))
    return tuple(codes)


def _fill(reason: str, fills: Mapping[str, str], subject: Subject, name: str) -> str:
    if "{" not in reason:
        return reason
    words = {"folder": subject.place.name, "name": name, **fills}
    parts = _parts(reason)
    return "".join(
        part if number % 2 == 0 else _short(words.get(part, "")) for number, part in enumerate(parts)
    )


@lru_cache(maxsize=512)
def _parts(reason: str) -> tuple[str, ...]:
    """A reason split at its placeholders: text, word, text, word..., text."""
    parts: list[str] = []
    for piece in reason.split("{"):
        word, brace, text = piece.partition("}")
        parts.extend((word, text) if brace else (piece,))
    return tuple(parts)


def _short(text: str) -> str:
    shown = printable(" ".join(text.split()))
    return shown if len(shown) <= _LONGEST_FILL else shown[: _LONGEST_FILL - 1] + "…"
