"""The nouns of a check as frozen dataclasses: what was asked, what was found, how it is counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from generator.judge.model import Place, Profile
from generator.model import Finding, Outcome, Owner, Package, Severity, Slug, Verdict, Version
from generator.read.package import MANIFEST_NAME, manifest_file


class FailOn(StrEnum):
    """From which severity on a check fails."""

    ERROR = "error"
    WARNING = "warning"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class CheckedSkill:
    """One skill and everything that is said about it.

    ``path`` is its folder as the JSON document names it, and the start of its findings' paths. ``shown`` is
    the same folder for people and editors: relative to the current folder, ``""`` for that folder itself.
    ``archive`` is the file that the skill lies in, as shown, or None. ``disk`` is its folder for this process,
    None in an archive. ``package`` is None where the files cannot be read; there are no verdicts then.
    ``owner`` is None where no ``hub.yml`` has the folder as its source; ``slug`` and ``version`` are what a
    hub would publish the skill as, None where its front matter cannot be read.
    """

    path: str
    shown: str
    archive: str | None
    disk: str | None
    place: Place
    package: Package | None
    name: str | None
    owner: Owner | None
    slug: Slug | None
    version: Version | None
    findings: tuple[Finding, ...]
    verdicts: tuple[Verdict, ...]

    @property
    def shown_manifest(self) -> str:
        """The file to open for what is about the whole skill: its ``SKILL.md``, or the archive it lies in."""
        if self.archive is not None:
            return self.archive
        file = manifest_file(self.package) if self.package is not None else None
        name = MANIFEST_NAME if file is None else file.path
        return f"{self.shown}/{name}" if self.shown else name

    def shown_path(self, found: Finding) -> str:
        """The finding's file for people: relative to the current folder; inside an archive, below its name."""
        rest = found.path[len(self.path) :].lstrip("/") if found.path.startswith(self.path) else found.path
        return "/".join(part for part in (self.shown, rest) if part) or "."


@dataclass(frozen=True, slots=True)
class LooseFinding:
    """A finding that belongs to no skill; ``shown`` is its file for people, ``archive`` as for a skill."""

    finding: Finding
    shown: str
    archive: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The result of one check. ``asked`` is true where the user named ``profiles`` (``--host``)."""

    skills: tuple[CheckedSkill, ...]
    loose: tuple[LooseFinding, ...]
    profiles: tuple[Profile, ...]
    asked: bool
    fail_on: FailOn

    def findings(self) -> Iterator[Finding]:
        """Every finding."""
        for loose in self.loose:
            yield loose.finding
        for skill in self.skills:
            yield from skill.findings

    def count(self, severity: Severity) -> int:
        """Findings of that severity."""
        return sum(found.severity is severity for found in self.findings())

    def counts_against(self, severity: Severity) -> bool:
        """True where a finding of that severity makes this check fail."""
        if self.fail_on is FailOn.NEVER:
            return False
        return severity is Severity.ERROR or (severity is Severity.WARNING and self.fail_on is FailOn.WARNING)

    def verdict_counts_against(self, verdict: Verdict) -> bool:
        """True where a verdict makes this check fail: only of hosts that the user named. Not to be loaded
        weighs as much as an error, a loss as a warning."""
        if not self.asked or verdict.outcome is Outcome.LOAD:
            return False
        return self.counts_against(Severity.WARNING if verdict.outcome is Outcome.LOSS else Severity.ERROR)

    def failed(self) -> bool:
        """True where anything counts against the check."""
        return any(self.counts_against(found.severity) for found in self.findings()) or any(
            self.verdict_counts_against(verdict) for skill in self.skills for verdict in skill.verdicts
        )
