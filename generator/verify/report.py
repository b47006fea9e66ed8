"""What a verification says: what was checked, and each promise that is not kept."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Problem(StrEnum):
    """What can be wrong with something a hub promises."""

    MISSING = "missing"
    CHANGED = "changed"
    BROKEN = "broken"
    EXTRA = "extra"


@dataclass(frozen=True, slots=True)
class Failure:
    """One promise that is not kept. ``mend`` says how to get the hub whole again."""

    problem: Problem
    path: str
    message: str
    mend: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What was checked, by kind, and what is wrong, in the order of the checks.

    ``files`` are those that the change feed promises, 0 where the hub has none.
    """

    name: str
    documents: int
    ledgers: int
    releases: int
    archives: int
    files: int
    size: int
    failures: tuple[Failure, ...]
