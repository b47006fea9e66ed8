"""A git repository as a source of a build: its skills at one commit, and with history every version before.

With history the first commit that states a version defines its bytes. So a skill whose files were changed since without
a new number is given as that version was, and the finding ``git-version-reused`` says so; unless the hub counts on.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from generator.build.gathering import Gathered, Present, Read
from generator.build.handoff import find_archived, holds_only, make_handoff
from generator.history.assignment import OnChanged
from generator.history.decision import Draft, Past
from generator.model import Handoff, Package, Sha256
from generator.read.package import Limits
from generator.read.sources.git.commits import read_commit
from generator.read.sources.git.github import GitHubPlace, find_github
from generator.read.sources.git.history import HistoricVersion, read_history
from generator.read.sources.git.objects import Objects
from generator.read.sources.git.repository import Repository, open_repository
from generator.read.sources.git.tree import find_skills, read_package
from generator.sources import GitSource


def gather_git(source: GitSource, work: str, on_changed: OnChanged) -> Gathered:
    """Open the repository (fetched below ``work`` where it is remote) and find its skills.

    ``on_changed`` is the hub's policy for content that changed under a version.

    Raises:
        SourceError: there is no such repository, ref or folder, or it cannot be fetched.
    """
    repository = open_repository(source.location, f"{work}/git", ref=source.ref, history=source.history)
    with Objects(repository) as objects:
        scan = find_skills(objects, source.folder, source.include)
        findings = scan.findings
        skills: Mapping[str, tuple[HistoricVersion, ...]] = {}
        if source.history:
            past = read_history(objects, scan, source.folder)
            skills, findings = past.skills, (*findings, *past.findings)
    if on_changed is OnChanged.ERROR:
        skills = {folder: _without_reuse(versions) for folder, versions in skills.items()}
    trees = {
        folder: versions[-1].tree if (versions := skills.get(folder)) else tree
        for folder, tree in scan.trees.items()
    }
    reader = GitReader(repository, trees, source.label)
    return Gathered(
        source.label, source.owner, scan.folders, findings, reader,
        {folder: _present(skills.get(folder, ()), scan.commit) for folder in scan.folders},
        _public(source, reader, scan.commit),
    )  # fmt: skip


def _without_reuse(versions: tuple[HistoricVersion, ...]) -> tuple[HistoricVersion, ...]:
    """The versions without today's state, where that repeats a number which stands for other files already."""
    *before, now = versions
    reused = now.version is not None and any(one.version == now.version for one in before)
    return tuple(before) if reused else versions


def _present(versions: tuple[HistoricVersion, ...], commit: str) -> Present:
    if not versions:
        return Present(commit=commit)
    *before, now = versions
    return Present(
        version=now.version,
        time=now.time,
        changelog=_lines(now),
        commit=now.commit,
        past=tuple(
            Past(one.version, one.time, one.folder, one.tree, _lines(one), one.commit) for one in before
        ),
    )


def _public(source: GitSource, reader: GitReader, commit: str) -> GitHubSource | None:
    place = find_github(source.public or source.location, source.folder)
    return GitHubSource(place, reader, commit) if place is not None else None


@dataclass(frozen=True, slots=True)
class GitHubSource:
    """A source that GitHub gives out too, at one commit."""

    place: GitHubPlace
    reader: GitReader
    commit: str

    def find_handoff(self, draft: Draft, package: Package, content_hash: Sha256) -> Handoff | None:
        """See :class:`~generator.build.gathering.Public`."""
        handoff = make_handoff(self.place, draft.folder, self.commit, content_hash)
        if handoff is None or not self.reader.gives_exactly(draft.folder, handoff.path, package):
            return None
        return handoff


def _lines(version: HistoricVersion) -> str:
    return "\n".join(version.changelog)


@dataclass(slots=True)
class GitReader:
    """Reads packages from a repository's objects; each process opens its own."""

    repository: Repository
    trees: Mapping[str, str]
    label: str
    _opened: dict[int, Objects] = field(default_factory=dict, repr=False, compare=False)

    def read(self, folder: str, limits: Limits) -> Read:
        """See :class:`~generator.build.gathering.Reader`."""
        return read_package(self._objects(), self.trees[folder], self.label, folder, limits)

    def read_past(self, past: Past, limits: Limits) -> Read:
        """See :class:`~generator.build.gathering.Reader`."""
        return read_package(self._objects(), past.locator, self.label, past.folder, limits)

    def gives_exactly(self, folder: str, path: str, package: Package) -> bool:
        """Whether an archive of the commit has the files of the package in its folder (at ``path``), and no others."""
        objects, tree = self._objects(), self.trees[folder]
        return find_archived(objects, read_commit(objects).tree, path) == tree and holds_only(
            objects, tree, package
        )

    def close(self) -> None:
        """End the git processes of this process."""
        objects = self._opened.pop(os.getpid(), None)
        if objects is not None:
            objects.close()

    def _objects(self) -> Objects:
        return self._opened.setdefault(os.getpid(), Objects(self.repository))
