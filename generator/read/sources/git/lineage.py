"""The life of every skill folder along the line of first parents: its states, its ends, its moves.

The line of first parents is what the branch itself held, commit by commit: one state at a time, and what came by a
merge came with the merge. Commits of merged branches give no states; those that touch a skill are its changelog.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from generator.read.package import is_manifest_name
from generator.read.sources.git.log import Change, LoggedCommit

Files = tuple[tuple[str, str], ...]
"""Manifest and version files of a skill folder with their blobs, sorted by name."""


@dataclass(frozen=True, slots=True)
class State:
    """What a skill folder held from one commit of the line on. ``place`` counts the line's commits from 0."""

    place: int
    folder: str
    tree: str
    files: Files


@dataclass(slots=True)
class Run:
    """One uninterrupted life of a skill folder. ``end`` is the place of the commit that removed it, or None."""

    folder: str
    start: int
    states: list[State] = field(default_factory=list)
    end: int | None = None
    origin: Run | None = None


@dataclass(frozen=True, slots=True)
class CommitNote:
    """What is kept of a commit."""

    object_id: str
    time: int
    subject: str


@dataclass(slots=True)
class Lineage:
    """What one log says. ``line`` are the first parents, oldest first. ``touches`` are the commits that touch a
    folder, each as (place where it joined the line, position in ``commits``), in that order."""

    commits: list[CommitNote]
    line: list[int]
    runs: dict[str, list[Run]]
    touches: dict[str, list[tuple[int, int]]]

    def alive(self, folder: str) -> Run | None:
        """The run of a folder that is a skill at the end of the line."""
        runs = self.runs.get(folder)
        return runs[-1] if runs and runs[-1].end is None else None


@dataclass(frozen=True, slots=True)
class _Kept:
    """A commit with what could matter of its changes."""

    parents: tuple[str, ...]
    folders: Mapping[str, str | None]
    changes: tuple[Change, ...]


def trace(log: Iterable[LoggedCommit], identify: Callable[[Sequence[State]], list[str]]) -> Lineage:
    """Follow every skill folder through a log (parents first, the newest commit last).

    A folder that ends in the commit another one starts in, and has its identity, is the same skill moved (of
    several, the one with the same tree, else the first by path). A folder that comes back goes on with its
    earlier life. ``identify`` says the identity of states: the slug they ask for.
    """
    notes: list[CommitNote] = []
    kept: list[_Kept] = []
    position: dict[str, int] = {}
    skills: set[str] = set()
    for commit in log:
        skills.update(one.folder for one in commit.changes if is_manifest_name(one.file))
        folders = {name: tree for name, tree in commit.folders.items() if name in skills}
        position[commit.object_id] = len(notes)
        notes.append(CommitNote(commit.object_id, commit.time, commit.subject))
        kept.append(_Kept(commit.parents, folders, commit.changes))
    line = _first_parents(kept, position)
    joined = _joining_places(kept, position, line)
    lineage = Lineage(notes, line, {}, {})
    _follow(lineage, kept, identify)
    for number, place in sorted(joined.items(), key=lambda one: (one[1], one[0])):
        changed = kept[number]
        if len(changed.parents) > 1 and line[place] != number:
            # A merge inside a merged branch only repeats what the line has already.
            continue
        touched = set(changed.folders)
        touched.update(one.folder for one in changed.changes if one.folder in skills)
        for folder in touched:
            lineage.touches.setdefault(folder, []).append((place, number))
    return lineage


def _first_parents(kept: Sequence[_Kept], position: Mapping[str, int]) -> list[int]:
    line: list[int] = []
    at: int | None = len(kept) - 1 if kept else None
    while at is not None:
        line.append(at)
        parents = kept[at].parents
        at = position.get(parents[0]) if parents else None
    line.reverse()
    return line


def _joining_places(
    kept: Sequence[_Kept], position: Mapping[str, int], line: Sequence[int]
) -> dict[int, int]:
    """For each commit, the place on the line at which it became part of it."""
    joined: dict[int, int] = {number: place for place, number in enumerate(line)}
    for place, number in enumerate(line):
        stack = list(kept[number].parents[1:])
        while stack:
            at = position.get(stack.pop())
            if at is not None and at not in joined:
                joined[at] = place
                stack.extend(kept[at].parents)
    return joined


def _follow(
    lineage: Lineage, kept: Sequence[_Kept], identify: Callable[[Sequence[State]], list[str]]
) -> None:
    files: dict[str, dict[str, str]] = {}
    moved: set[int] = set()
    for place, number in enumerate(lineage.line):
        commit = kept[number]
        for change in commit.changes:
            if change.blob is None:
                files.get(change.folder, {}).pop(change.file, None)
            else:
                files.setdefault(change.folder, {})[change.file] = change.blob
        ended: list[Run] = []
        started: list[Run] = []
        for folder in sorted({*commit.folders, *(one.folder for one in commit.changes)}):
            run = lineage.alive(folder)
            tree = commit.folders.get(folder)
            here = files.get(folder, {})
            if tree is None or not any(is_manifest_name(name) for name in here):
                if run is not None:
                    run.end = place
                    ended.append(run)
                continue
            if run is None:
                run = Run(folder, place)
                lineage.runs.setdefault(folder, []).append(run)
                started.append(run)
            run.states.append(State(place, folder, tree, tuple(sorted(here.items()))))
        _link(lineage, ended, started, moved, identify)


def _link(
    lineage: Lineage,
    ended: Sequence[Run],
    started: Sequence[Run],
    moved: set[int],
    identify: Callable[[Sequence[State]], list[str]],
) -> None:
    """Give each started run the life it goes on with."""
    if not started:
        return
    before: dict[str, list[Run]] = {}
    if ended:
        names = identify([run.states[-1] for run in ended])
        for run, name in zip(ended, names, strict=True):
            before.setdefault(name, []).append(run)
        names = identify([run.states[0] for run in started])
    for index, run in enumerate(started):
        candidates = [one for one in before.get(names[index], ()) if id(one) not in moved] if ended else []
        candidates.sort(key=lambda one: (one.states[-1].tree != run.states[0].tree, one.folder))
        earlier = lineage.runs[run.folder][:-1]
        if not candidates and earlier and id(earlier[-1]) not in moved:
            candidates = [earlier[-1]]
        if candidates:
            run.origin = candidates[0]
            moved.add(id(candidates[0]))
