"""What a probe finds: steps of clients, and what is wrong with the hosting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from generator.hosting.expectations import Level
from generator.probe.asking import Asker


@dataclass(frozen=True, slots=True)
class Step:
    """One thing a client does. Without an ``essential`` one it cannot install; ``said`` tells why it failed."""

    name: str
    passed: bool
    said: str = ""
    essential: bool = True


@dataclass(frozen=True, slots=True)
class ClientReport:
    """One client: how far it gets, and its steps in order."""

    client: str
    level: Level
    steps: tuple[Step, ...]

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it does not get further, each once."""
        return tuple(dict.fromkeys(step.said for step in self.steps if not step.passed))


class Weight(StrEnum):
    """How bad something is.

    BROKEN: somebody gets something wrong, or nothing although the host could give it; to be mended. LIMIT: what this
    host cannot do. NOTE: worth knowing.
    """

    BROKEN = "broken"
    LIMIT = "limit"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something the hosting does to the hub. ``code`` is stable; ``fix`` says what to do."""

    code: str
    weight: Weight
    message: str
    fix: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    """The skill that the questions are about.

    ``versions`` are all of it, the latest first. ``files`` maps each path of the latest version to its sha256, as the
    hub's ledger says. ``archive`` is the latest archive, empty where the hub does not give it. ``holds_slug``: the bare
    slug means it.
    """

    owner: str
    slug: str
    version: str
    versions: tuple[str, ...]
    files: tuple[tuple[str, str], ...]
    archive: bytes
    fingerprint: str
    holds_slug: bool

    @property
    def api(self) -> str:
        """The path of its detail."""
        if self.holds_slug:
            return f"/api/v1/skills/{self.slug}"
        return f"/api/v1/owners/{self.owner}/skills/{self.slug}"


Client = Callable[[Asker, Sample], Iterator[Step]]
"""What a client does; no step at all means that the hub does not offer what it reads."""


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """Everything a probe found. ``worse`` are clients that get less far than the named hosting lets them."""

    url: str
    name: str
    generator: str
    skill: str
    version: str
    clients: tuple[ClientReport, ...]
    troubles: tuple[Trouble, ...]
    requests: int
    hosting: str = ""
    worse: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is broken, somebody can install, and nobody gets less than the host can give."""
        broken = any(one.weight is Weight.BROKEN for one in self.troubles)
        anybody = any(
            one.level in (Level.WORKS, Level.PART) and one.client != "people" for one in self.clients
        )
        return anybody and not broken and not self.worse


def level_of(steps: tuple[Step, ...]) -> Level:
    """How far a client gets with these steps."""
    if not steps:
        return Level.ABSENT
    if all(step.passed for step in steps):
        return Level.WORKS
    return Level.PART if all(step.passed or not step.essential for step in steps) else Level.FAILS
