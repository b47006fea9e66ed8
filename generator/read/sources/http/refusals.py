"""A hub as an address, and the words for what it lists and does not give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from generator.findings import finding
from generator.model import Finding, Owner, Sha256, Slug, Version

ASK: Final = "Tell the operator of that hub, or leave the skill out of the source."
_LATER: Final = "Build again later; what was taken over before stays published."


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A hub: its address without a trailing slash, and the sha256 of its index of ledgers where it has one."""

    base: str
    index: Sha256 | None = None

    @property
    def api(self) -> str:
        """Where the documents of the API lie."""
        return f"{self.base}/api/v1"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a version, or with None a whole skill, is not taken over."""

    version: Version | None
    findings: tuple[Finding, ...]

    @classmethod
    def missing(cls, owner: Owner, slug: Slug, version: Version | None, reason: str) -> Refusal:
        """The hub lists it and does not give it."""
        message = f"{_place(owner, slug, version)} is not to be had: {reason}"
        return cls(version, (finding("hub-answer-missing", f"{owner}/{slug}", message, _LATER),))

    @classmethod
    def withheld(cls, owner: Owner, slug: Slug, version: Version, reason: str) -> Refusal:
        """The hub has it and means not to give it."""
        message = f"The hub withholds {_place(owner, slug, version)}: {reason}"
        fix = "Ask that hub, if the version is needed."
        return cls(version, (finding("hub-release-withheld", f"{owner}/{slug}", message, fix),))

    @classmethod
    def elsewhere(cls, owner: Owner, slug: Slug, version: Version | None, where: str) -> Refusal:
        """The hub has no archive, only a pointer to a repository."""
        message = f"The files of {_place(owner, slug, version)} lie in a repository: {where}"
        fix = "Add that repository as a source of its own."
        return cls(version, (finding("hub-release-elsewhere", f"{owner}/{slug}", message, fix),))

    @classmethod
    def invalid(cls, owner: Owner, slug: Slug, version: Version | None, reason: str) -> Refusal:
        """The hub's document about it cannot be used."""
        message = f"The hub's answer about {_place(owner, slug, version)} cannot be used: {reason}"
        return cls(version, (finding("hub-answer-invalid", f"{owner}/{slug}", message, ASK),))


def _place(owner: Owner, slug: Slug, version: Version | None) -> str:
    return f"{owner}/{slug}@{version}" if version is not None else f"{owner}/{slug}"
