"""The overlay's nouns: each decision of an operator, all of them together, and what they come to for a skill."""

from __future__ import annotations

from dataclasses import dataclass, field

from generator.model import Owner, ScanHit, ScanVerdict, Sha256, Slug, Version

SkillKey = tuple[Owner, Slug]

# --- what is written -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """Where a decision is written: the file as the operator names it; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}, column {self.column}"


@dataclass(frozen=True, slots=True)
class Decided:
    """What all decisions have in common. Two decisions are equal where they say the same, wherever they stand."""

    place: Place = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Yank(Decided):
    """A version that is never chosen; who pins it still gets it."""

    skill: SkillKey
    version: Version
    reason: str


@dataclass(frozen=True, slots=True)
class Deprecation(Decided):
    """A skill that should no longer be used, and what to use instead where there is something."""

    skill: SkillKey
    reason: str
    successor: SkillKey | None


@dataclass(frozen=True, slots=True)
class Archival(Decided):
    """A skill of which no new version is expected."""

    skill: SkillKey
    reason: str


@dataclass(frozen=True, slots=True)
class Quarantine(Decided):
    """A version, or with None every version of a skill, that nobody gets."""

    skill: SkillKey
    version: Version | None
    reason: str


@dataclass(frozen=True, slots=True)
class Rename(Decided):
    """A skill's new address, for ever. Another owner in it moves the skill."""

    skill: SkillKey
    target: SkillKey


@dataclass(frozen=True, slots=True)
class Feature(Decided):
    """A skill that the hub shows first, in the order of the list."""

    skill: SkillKey


@dataclass(frozen=True, slots=True)
class TagPin(Decided):
    """A name that stands for a version: ``latest``, or one of the operator's own."""

    skill: SkillKey
    tag: str
    version: Version


@dataclass(frozen=True, slots=True)
class Categorisation(Decided):
    """The category a skill is shown in, instead of its author's."""

    skill: SkillKey
    category: str


@dataclass(frozen=True, slots=True)
class SlugHolder(Decided):
    """Whose skill a bare slug means that several owners have."""

    slug: Slug
    owner: Owner


@dataclass(frozen=True, slots=True)
class Review(Decided):
    """A rule of the scan that somebody has looked into for the file with this content: it counts as allowed."""

    rule: str
    sha256: Sha256
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Overlay:
    """Every decision, in the order written. No two of one kind speak of the same thing."""

    yank: tuple[Yank, ...] = ()
    deprecate: tuple[Deprecation, ...] = ()
    archive: tuple[Archival, ...] = ()
    quarantine: tuple[Quarantine, ...] = ()
    rename: tuple[Rename, ...] = ()
    feature: tuple[Feature, ...] = ()
    tags: tuple[TagPin, ...] = ()
    categories: tuple[Categorisation, ...] = ()
    slugs: tuple[SlugHolder, ...] = ()
    reviews: tuple[Review, ...] = ()


# --- what it comes to ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A version that is held back, and why; ``version`` None for all versions."""

    version: Version | None
    reason: str


@dataclass(frozen=True, slots=True)
class Tag:
    """A name and the version it stands for."""

    name: str
    version: Version


@dataclass(frozen=True, slots=True)
class Deprecated:
    """That a skill is deprecated. ``reason`` may be empty."""

    reason: str
    successor: SkillKey | None = None


@dataclass(frozen=True, slots=True)
class Archived:
    """That a skill is archived. ``reason`` may be empty."""

    reason: str


@dataclass(frozen=True, slots=True)
class ReviewNote:
    """Who looked into a rule for a file, and why it is fine."""

    rule: str
    sha256: Sha256
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """Everything decided about one skill, its former addresses taken into account; all empty for most.

    ``featured`` is its place among the featured skills, from 1. ``former`` are addresses it once had, sorted.
    """

    yanked: tuple[Withdrawal, ...] = ()
    quarantined: tuple[Withdrawal, ...] = ()
    deprecated: Deprecated | None = None
    archived: Archived | None = None
    featured: int | None = None
    category: str | None = None
    tags: tuple[Tag, ...] = ()
    former: tuple[SkillKey, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewedHit:
    """A hit of the scan that counts as allowed, and the review that says so."""

    hit: ScanHit
    review: ReviewNote


@dataclass(frozen=True, slots=True)
class ReleaseStanding:
    """What holds for one release. ``verdict`` is the scan's after reviews; ``yanked`` and ``quarantined`` are the
    reasons, None where it is not."""

    version: Version
    verdict: ScanVerdict
    yanked: str | None = None
    quarantined: str | None = None
    reviewed: tuple[ReviewedHit, ...] = ()

    @property
    def servable(self) -> bool:
        """Whether the archive is given out to those who ask for this version."""
        return self.quarantined is None and self.verdict is not ScanVerdict.BLOCK

    @property
    def eligible(self) -> bool:
        """Whether an installer that names no version may get this one."""
        return self.servable and self.yanked is None


@dataclass(frozen=True, slots=True)
class Standing:
    """What holds for one skill; what every writer needs of the overlay.

    ``releases`` are in the order of :func:`~generator.history.overlay.applying.order_releases`. ``latest`` is what
    an installer gets that names no version, None where there is no such version. ``tags`` are sorted and hold
    ``latest`` where there is one.
    """

    ruling: Ruling
    releases: tuple[ReleaseStanding, ...]
    latest: Version | None
    tags: tuple[Tag, ...]

    @property
    def quarantined(self) -> str | None:
        """The reason why no version at all is given out by the operator's order, None where one may be."""
        return next((one.reason for one in self.ruling.quarantined if one.version is None), None)

    def of(self, version: str) -> ReleaseStanding | None:
        """What holds for one version; None for one there is not."""
        return next((one for one in self.releases if one.version == version), None)
