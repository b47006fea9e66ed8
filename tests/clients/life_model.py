"""What a hub must hold, told from what its authors and operator did and from nothing that the hub says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.clients.life_stage import Stage
    from tests.hubs import BuildResult


@dataclass(frozen=True, slots=True)
class Edition:
    """The files of a skill as its author wrote them. ``committed`` is the time (in seconds) of the commit that
    brought them, None where no commit did."""

    files: Mapping[str, bytes]
    committed: int | None = None


def edition(
    name: str,
    version: str | None,
    words: str,
    files: Mapping[str, str | bytes] | None = None,
    *,
    committed: int | None = None,
) -> Edition:
    """An edition of the skill ``name`` that states ``version`` just as it is written here, or none."""
    stated = f"version: {version}\n" if version else ""
    head = f"---\nname: {name}\ndescription: Shows how {name} lives through many builds.\n{stated}---\n"
    texts: dict[str, str | bytes] = {"SKILL.md": f"{head}\n# {name}\n\n{words}\n", **(files or {})}
    return Edition({path: _encode(text) for path, text in sorted(texts.items())}, committed)


def _encode(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


@dataclass(slots=True)
class Known:
    """A version that was published.

    ``times`` are those (in seconds) at which it may have been seen first, and only one once the hub has told it.
    ``sha256`` is what the first download gave. ``sure`` is false where a killed build may have published it, or
    not. ``withheld`` is true while the operator holds it back.
    """

    edition: Edition
    times: frozenset[int] = frozenset()
    sha256: str | None = None
    sure: bool = False
    withheld: bool = False


@dataclass(slots=True)
class Record:
    """All that was ever published, as ``owner/slug@version``, and what the long-lived client has installed, by
    folder. ``moved`` are the addresses that lead to others now."""

    releases: dict[str, Known] = field(default_factory=dict)
    installed: dict[str, Edition] = field(default_factory=dict)
    moved: dict[str, str] = field(default_factory=dict)

    def versions(self, key: str) -> dict[str, Known]:
        """What is known of the skill ``owner/slug``, by version."""
        return {
            name.partition("@")[2]: known
            for name, known in self.releases.items()
            if name.partition("@")[0] == key
        }

    @property
    def keys(self) -> list[str]:
        """Every ``owner/slug`` that something was published under."""
        return sorted({name.partition("@")[0] for name in self.releases})


@dataclass(frozen=True, slots=True)
class Step:
    """One build in the life of the hub: what happened before it, and what must be true after it.

    puts: folders below the hub that now hold exactly this edition; None: the folder is gone.
    act: what else happens before the build, one after the other.
    arguments: options of the build.
    build: who builds, where it is not simply the same machine.
    stopped: words of the message with which the build must end with 3, nothing having changed.
    quiet: the build must find nothing to write.
    fresh: the releases that this build publishes.
    coming: the releases that a killed build may have published, or not; then ``updates`` may have come, or not.
    refused: the folders that it does not publish, with the code.
    shadowed: the folders that a later source stands in front of.
    moved: addresses that lead to others from now on, with all their versions.
    withheld, given: the releases that nobody gets from now on, and those that everybody gets again.
    updates: the release that an installed folder has after ``update --all``, where it changes.
    installs: what the long-lived client installs then, with the release it gets.
    newcomers: what somebody without anything installed asks for: the release they get, or words of the refusal.
    """

    name: str
    puts: Mapping[str, Edition | None] = field(default_factory=dict)
    act: tuple[Callable[[Stage], object], ...] = ()
    arguments: tuple[str, ...] = ()
    build: Callable[[Stage], BuildResult | None] | None = None
    stopped: str = ""
    quiet: bool = False
    fresh: Mapping[str, Edition] = field(default_factory=dict)
    coming: Mapping[str, Edition] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    shadowed: tuple[str, ...] = ()
    moved: Mapping[str, str] = field(default_factory=dict)
    withheld: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    updates: Mapping[str, str] = field(default_factory=dict)
    installs: Mapping[str, str] = field(default_factory=dict)
    newcomers: Mapping[str, str] = field(default_factory=dict)


def note(step: Step, record: Record, now: int) -> None:
    """Write into ``record`` what ``step`` publishes, moves and holds back at ``now`` (seconds)."""
    for name, made in {**step.coming, **step.fresh}.items():
        known = record.releases.setdefault(name, Known(made))
        assert known.edition == made, f"{name} is told with other content"
        assert not known.sure, f"{name} is told twice"
        known.sure = name in step.fresh
        if known.sha256 is None:
            known.times |= {now if made.committed is None else min(now, made.committed)}
    for old, new in step.moved.items():
        for version, known in record.versions(old).items():
            record.releases[f"{new}@{version}"] = Known(known.edition, known.times, known.sha256, sure=True)
        record.moved[old] = new
    for name in (*step.withheld, *step.given):
        record.releases[name].withheld = name in step.withheld
