"""Several overlays as one: the same decision twice is one, two that disagree are an error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from generator.errors import ConfigError
from generator.history.overlay.model import (
    Archival,
    Categorisation,
    Decided,
    Deprecation,
    Feature,
    Overlay,
    Place,
    Quarantine,
    Rename,
    Review,
    SkillKey,
    SlugHolder,
    TagPin,
    Yank,
)
from generator.history.overlay.refs import show_key


def merge_overlays(parts: Iterable[Overlay]) -> Overlay:
    """All decisions as one overlay. The same decision twice is one.

    Raises:
        ConfigError: two decisions disagree, or renames or successors lead in a circle; both places are named.
    """
    parts = tuple(parts)
    kinds: dict[str, Any] = {
        kind.name: tuple(one for part in parts for one in getattr(part, kind.name))
        for kind in fields(Overlay)
    }
    targets = _follow_all(
        {one.skill: (one.target, one.place) for one in _distinct("rename", kinds["rename"], {})}, "rename"
    )
    overlay = Overlay(**{kind: tuple(_distinct(kind, every, targets)) for kind, every in kinds.items()})
    successors = {
        _final(one.skill, targets): (_final(one.successor, targets), one.place)
        for one in overlay.deprecate
        if one.successor is not None
    }
    _follow_all(successors, "deprecate")
    return overlay


def resolve_renames(renames: Iterable[Rename]) -> dict[SkillKey, SkillKey]:
    """Each former address and where its skill is now, over any number of renames.

    Raises:
        ConfigError: they lead in a circle.
    """
    return _follow_all({one.skill: (one.target, one.place) for one in renames}, "rename")


def _follow_all(steps: Mapping[SkillKey, tuple[SkillKey, Place]], kind: str) -> dict[SkillKey, SkillKey]:
    """The end of the way that starts at each key."""
    ends: dict[SkillKey, SkillKey] = {}
    for start, (_, place) in steps.items():
        way = [start]
        while way[-1] in steps:
            following = steps[way[-1]][0]
            if following in way:
                circle = " -> ".join(show_key(key) for key in (*way[way.index(following) :], following))
                raise ConfigError(f"{place}: {kind}: these lead in a circle: {circle}. Remove one of them.")
            way.append(following)
        ends[start] = way[-1]
    return ends


def _final(key: SkillKey, targets: Mapping[SkillKey, SkillKey]) -> SkillKey:
    return targets.get(key, key)


def _distinct(kind: str, every: Iterable[Decided], targets: Mapping[SkillKey, SkillKey]) -> Iterator[Any]:
    """The decisions without repetitions; those that speak of one thing under two addresses are one too."""
    first: dict[object, Decided] = {}
    for one in every:
        subject, shown = _subject(one, targets)
        earlier = first.setdefault(subject, one)
        if earlier is one:
            yield one
        elif _content(one) != _content(earlier):
            raise ConfigError(
                f"{one.place}: {kind}: {shown} is decided otherwise in {earlier.place}. Keep one of the two."
            )


def _content(one: Decided) -> tuple[object, ...]:
    return tuple(getattr(one, item.name) for item in fields(one) if item.name not in ("place", "skill"))


def _subject(one: Decided, targets: Mapping[SkillKey, SkillKey]) -> tuple[object, str]:
    """What a decision is about, and its name for people."""
    match one:
        case Review():
            return (one.rule, one.sha256), f"{one.rule} in {one.sha256}"
        case SlugHolder():
            return one.slug, one.slug
        case Yank() | Quarantine():
            return (_final(one.skill, targets), one.version), show_key(one.skill, one.version)
        case TagPin():
            return (_final(one.skill, targets), one.tag), f"{show_key(one.skill)} {one.tag}"
        case Rename():
            return one.skill, show_key(one.skill)
        case Deprecation() | Archival() | Feature() | Categorisation():
            return _final(one.skill, targets), show_key(one.skill)
    raise AssertionError(one)
