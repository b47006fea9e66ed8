"""What the live suite speaks of: a probe, and what a host did with it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

LOAD, LOSS, REFUSE, CRASH = "load", "loss", "refuse", "crash"


@dataclass(frozen=True, slots=True)
class Probe:
    """A skill folder below the root. ``id`` is its path relative to the root; ``intended`` is the description
    its author meant, None where there is none. A record shortens a long one to ``<its start>…(<length>)``."""

    id: str
    intended: str | None


@dataclass(frozen=True, slots=True)
class Observed:
    """What a host did: ``load``, ``loss``, ``refuse`` or ``crash``; name and description as it shows them."""

    verdict: str
    note: str = ""
    name: str | None = None
    description: str | None = None


Columns = Mapping[str, Mapping[str, Observed]]


class Judge(Protocol):
    """Runs one host over the probes placed below ``root``; ``work`` is an empty folder for its own files.

    Gives for each of its columns, named as in the record, what became of each probe.
    """

    def __call__(self, root: Path, probes: Sequence[Probe], work: Path) -> dict[str, dict[str, Observed]]: ...


def listed(probe: Probe, name: str | None, description: str | None) -> Observed:
    """What to say of a probe that a host lists with this name and description.

    Load where the description shown is the one intended, whitespace collapsed; otherwise loss, with the
    start of what is shown as the note. A probe that intends none can only lose.
    """
    if probe.intended is not None and _same(probe.intended, description or ""):
        return Observed(LOAD, "", name, description)
    return Observed(LOSS, f"description={(description or '')[:200]!r}", name, description)


def _same(intended: str, shown: str) -> bool:
    flat = " ".join(shown.split())
    shortened = re.fullmatch(r"(.*)…\((\d+)\)", intended, re.DOTALL)
    if shortened is None:
        return flat == " ".join(intended.split())
    return flat.startswith(shortened[1]) and len(flat) == int(shortened[2])
