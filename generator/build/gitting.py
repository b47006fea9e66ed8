"""A git repository as a source of a build: its skills at one commit, and with history every version before."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from generator.build.gathering import Gathered, Present, Read
from generator.config import GitSource
from generator.history.decision import Past
from generator.read.package import Limits
from generator.read.sources.git.history import HistoricVersion, read_history
from generator.read.sources.git.objects import Objects
from generator.read.sources.git.repository import Repository, open_repository
from generator.read.sources.git.tree import find_skills, read_package


def gather_git(source: GitSource, work: str) -> Gathered:
    """Open the repository (fetched below ``work`` where it is remote) and find its skills.

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
    return Gathered(
        source.label, source.owner, scan.folders, findings,
        GitReader(repository, dict(scan.trees), source.label),
        {folder: _present(skills.get(folder, ()), scan.commit) for folder in scan.folders},
    )  # fmt: skip


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

    def close(self) -> None:
        """End the git processes of this process."""
        objects = self._opened.pop(os.getpid(), None)
        if objects is not None:
            objects.close()

    def _objects(self) -> Objects:
        return self._opened.setdefault(os.getpid(), Objects(self.repository))
