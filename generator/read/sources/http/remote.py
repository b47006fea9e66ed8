"""The nouns of reading another hub: what it lists, gives and does not give, and what is kept of earlier readings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from generator.model import Finding, Owner, Package, Sha256, Slug, Version
from generator.read.sources.http.clawhub import StatedRelease
from generator.read.sources.http.refusals import Endpoint


@dataclass(frozen=True, slots=True)
class RemoteSkill:
    """A skill of another hub. ``head`` is the sha256 of its ledger's last line where the hub has ledgers. While
    ``mark`` stays, nothing of the skill has changed; it is empty where the hub gives no sign of that."""

    owner: Owner
    slug: Slug
    head: Sha256 | None = None
    mark: str = ""


@dataclass(frozen=True, slots=True)
class RemoteListing:
    """What a hub lists, sorted by owner and slug, and what to say of rows that cannot be taken over."""

    endpoint: Endpoint
    skills: tuple[RemoteSkill, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class RemoteRelease:
    """A release that was fetched. ``stated`` is all that the hub says of it.

    ``archive`` are the bytes as they came and ``sha256`` is theirs; ``package`` are the published files, without what
    the hub added. ``created_at`` is what the hub says, None where it says nothing usable.
    """

    owner: Owner
    slug: Slug
    stated: StatedRelease
    package: Package
    archive: bytes
    sha256: Sha256
    findings: tuple[Finding, ...]

    @property
    def version(self) -> Version:
        """Its version."""
        return self.stated.version


@dataclass(frozen=True, slots=True)
class RemoteKept:
    """A release whose archive, of this sha256, lies on the shelf and need not be fetched."""

    owner: Owner
    slug: Slug
    stated: StatedRelease
    sha256: Sha256

    @property
    def version(self) -> Version:
        """Its version."""
        return self.stated.version


class Shelf(Protocol):
    """What is kept of earlier readings of a hub."""

    def has(self, digest: Sha256) -> bool:
        """Whether the archive of this sha256 is there, whole and unchanged."""

    def taken(self, owner: Owner, slug: Slug, version: Version) -> Sha256 | None:
        """The sha256 of the archive that came for a release before, None where none did."""

    def mark(self, owner: Owner, slug: Slug) -> str:
        """The mark of a skill when all of it was read last, empty where it never was."""


@dataclass(frozen=True, slots=True)
class RemoteGap:
    """What a hub lists and does not give, or gives wrongly; ``version`` is None where it is the whole skill.

    It is no sign that the skill was removed.
    """

    owner: Owner
    slug: Slug
    version: Version | None
    findings: tuple[Finding, ...]
