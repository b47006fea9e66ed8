"""The rules that look at one skill: a family a module, one table of them, one function that asks them all.

The families that need more than the skill (``tools``: the hosts' tools; ``collisions``: the other skills) and
``links`` are asked by :mod:`generator.judge.judgement`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from generator.judge.model import Subject
from generator.judge.rules import (
    bodies,
    descriptions,
    gates,
    hooks,
    keys,
    names,
    places,
    plugins,
    scanners,
    sizes,
    yaml_forms,
)
from generator.model import Finding

RULES: Final[tuple[Callable[[Subject], Iterator[Finding]], ...]] = (
    places.find,
    yaml_forms.find,
    names.find,
    descriptions.find,
    keys.find,
    gates.find,
    bodies.find,
    sizes.find,
    plugins.find,
    hooks.find,
    scanners.find,
)
"""The families, in the order an author meets them: the folder, the front matter, the body, what comes with it."""


def find_all(subject: Subject) -> tuple[Finding, ...]:
    """Everything the rules find in one skill, sorted by place; never raises for what it holds."""
    found = [one for find in RULES for one in find(subject)]
    found.sort(key=lambda one: (one.path, one.line or 0, one.column or 0, one.code, one.message))
    return tuple(found)
