"""Everything a build needs of its sources, whatever they are: the skill folders there are, and a way to read one.

A folder, a git repository, archives or another hub become the same thing: folders with a reader. The reader goes
to every worker, so it opens what it needs by itself, in the process that reads.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from generator.config import Config
from generator.history.decision import Draft, Past
from generator.model import Finding, Handoff, Owner, Package, Sha256, Slug, TimeMs, Version
from generator.read.package import Limits
from generator.read.sources.folder import find_skill_folders, read_package
from generator.sources import ArchiveSource, FolderSource, GitSource, HubSource, Source

Read = tuple[Package | None, tuple[Finding, ...]]


class Reader(Protocol):
    """Reads the skills of one source."""

    def read(self, folder: str, limits: Limits) -> Read:
        """The package in a folder as it is now, and what to say about its files."""

    def read_past(self, past: Past, limits: Limits) -> Read:
        """The package of an earlier version."""


@dataclass(frozen=True, slots=True)
class Present:
    """What a source says of a skill besides its files; None and empty where it says nothing."""

    owner: Owner | None = None
    slug: Slug | None = None
    version: Version | None = None
    time: TimeMs | None = None
    changelog: str = ""
    commit: str = ""
    past: tuple[Past, ...] = ()


class Public(Protocol):
    """Says where others give out what a source holds."""

    def find_handoff(self, draft: Draft, package: Package, content_hash: Sha256) -> Handoff | None:
        """Where the files of a skill, and no others, can be had without us; None where they cannot."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """One source, ready to be read. ``folders`` are relative and sorted; ``present`` has those that need more;
    ``public`` is None where nobody but us gives its files out."""

    label: str
    owner: Owner
    folders: tuple[str, ...]
    findings: tuple[Finding, ...]
    reader: Reader
    present: Mapping[str, Present] = field(default_factory=dict)
    public: Public | None = None


def gather(config: Config, work: str) -> list[Gathered]:
    """Look at every source; ``work`` is a folder of ours for what is fetched.

    Raises:
        SourceError: a source cannot be reached, or is not what it should be.
    """
    return [_gather(source, work, config) for source in config.sources]


def _gather(source: Source, work: str, config: Config) -> Gathered:
    if isinstance(source, FolderSource):
        root = os.fspath(source.root)
        scan = find_skill_folders(root, source.include)
        return Gathered(
            source.label, source.owner, scan.folders, scan.findings, FolderReader(root, source.label)
        )
    # Loaded only where such a source is: most hubs are built from folders.
    if isinstance(source, GitSource):
        from generator.build.gitting import gather_git

        return gather_git(source, work, config.policy.on_changed)
    if isinstance(source, ArchiveSource):
        from generator.build.packed import gather_archives

        return gather_archives(source, config.limits)
    assert isinstance(source, HubSource)
    from generator.build.federating import gather_hub

    return gather_hub(source, work, config.limits)


@dataclass(frozen=True, slots=True)
class FolderReader:
    """Reads a local folder."""

    root: str
    label: str

    def read(self, folder: str, limits: Limits) -> Read:
        """See :class:`Reader`."""
        return read_package(self.root, self.label, folder, limits)

    def read_past(self, _past: Past, _limits: Limits) -> Read:
        """See :class:`Reader`. A folder has no past, so there is nothing to read."""
        return None, ()
