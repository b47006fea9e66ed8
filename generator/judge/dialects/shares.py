"""Values while they are built: an alias shares them, so that they are mutable until the reading ends.

Nothing is ever expanded: a list that an alias repeats a million times is one object, before and after.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from generator.judge.dialects.values import Entries, Items, Null, Text, Value


@dataclass(slots=True, eq=False)
class DraftItems:
    """A list that is being read."""

    items: list[Draft] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class DraftMap:
    """A mapping that is being read; its keys are texts, as in JavaScript."""

    entries: dict[str, Draft] = field(default_factory=dict)


Draft: TypeAlias = Value | DraftItems | DraftMap


def freeze(draft: Draft) -> Value:
    """The finished value; a list or mapping that holds itself holds an empty :class:`Null` instead."""
    return _freeze(draft, {})


def _freeze(draft: Draft, done: dict[int, Value]) -> Value:
    if not isinstance(draft, (DraftItems, DraftMap)):
        return draft
    known = done.get(id(draft))
    if known is not None:
        return known
    done[id(draft)] = Null("")
    value: Value
    if isinstance(draft, DraftItems):
        value = Items(tuple(_freeze(item, done) for item in draft.items))
    else:
        value = Entries(tuple((Text(key), _freeze(item, done)) for key, item in draft.entries.items()))
    done[id(draft)] = value
    return value
