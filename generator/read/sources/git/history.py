"""Every version a skill ever had, from one pass over the log.

A skill's states along the line of first parents (see :mod:`~generator.read.sources.git.lineage`) become versions:
the first state with a new front matter version is that version for good; where the files state none, a version tag
on the line names the state it stands on; where neither ever does, each state is one, and the ledger numbers them.
The bytes are not read here: :func:`~generator.read.sources.git.tree.read_package` reads a state's ``tree``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from generator.errors import SourceError
from generator.findings import finding
from generator.hidden import without_hidden
from generator.model import Finding, TimeMs, Version
from generator.read.package import MANIFEST_NAME, join
from generator.read.sources.git.declarations import Declaration, Declarations
from generator.read.sources.git.lineage import Lineage, Run, State, trace
from generator.read.sources.git.log import read_log
from generator.read.sources.git.objects import Objects
from generator.read.sources.git.tags import Tag, read_tags
from generator.read.sources.git.tree import GitScan
from generator.versions import is_prerelease, precedence

_MOST_LINES: Final = 50
_LONGEST_LINE: Final = 200
_MOST_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class HistoricVersion:
    """One version of a skill, or one state without a number (``version`` None: the ledger gives one).

    ``commit`` is the first one with this version (for a tag: the commit it stands on), ``time`` when it was
    committed, as its author's clock had it. ``folder`` is where the skill lay then. ``changelog`` are the
    subjects of the commits since the version before, oldest first, at most the last 50.
    """

    version: Version | None
    commit: str
    time: TimeMs
    folder: str
    tree: str
    changelog: tuple[str, ...] = ()
    tag: str | None = None


@dataclass(frozen=True, slots=True)
class GitHistory:
    """Histories by the skill's folder of today, oldest version first; the last one is always today's state.

    No version occurs twice but for one case: the last repeats an earlier number where today's files differ from
    what that version first was. ``skills`` is empty where the log cannot be read.
    """

    skills: Mapping[str, tuple[HistoricVersion, ...]]
    findings: tuple[Finding, ...]


def read_history(objects: Objects, scan: GitScan, sub_path: str = "") -> GitHistory:
    """The history of every skill folder of ``scan``. Never raises for what the repository holds."""
    declarations = Declarations(objects)
    notes: list[Finding] = []
    try:
        lineage = trace(
            read_log(objects.repository, scan.commit, sub_path),
            lambda states: [declarations.identity(state) for state in states],
        )
    except SourceError as error:
        fix = "Run git fsck in the repository and clone it again, as a whole."
        return GitHistory({}, (finding("git-history-unreadable", "", f"{error}", fix),))
    if objects.repository.shallow:
        message = "The repository is a shallow clone: versions before its oldest commit are not seen"
        notes.append(finding("git-history-shallow", "", message, "Fetch the rest: git fetch --unshallow"))
    tags = _place_tags(lineage, read_tags(objects), notes)
    chains = {folder: _chain(run) for folder in scan.folders if (run := lineage.alive(folder)) is not None}
    declarations.load(state for chain in chains.values() for run in chain for state in run.states)
    skills: dict[str, tuple[HistoricVersion, ...]] = {}
    for folder, chain in chains.items():
        skill = _Skill(folder, chain, lineage, declarations)
        skills[folder] = skill.versions(tags)
        notes += skill.notes
    return GitHistory(skills, tuple(sorted(notes, key=lambda note: (note.path, note.code))))


def _chain(run: Run) -> list[Run]:
    chain = [run]
    while (origin := chain[-1].origin) is not None:
        chain.append(origin)
    chain.reverse()
    return chain


def _place_tags(lineage: Lineage, tags: Sequence[Tag], notes: list[Finding]) -> dict[int, list[Tag]]:
    """Tags by place on the line, the order in which they count there; what is elsewhere is told."""
    places = {lineage.commits[number].object_id: place for place, number in enumerate(lineage.line)}
    found: dict[int, list[Tag]] = {}
    elsewhere = [tag.name for tag in tags if tag.commit not in places]
    for tag in tags:
        if tag.commit in places:
            found.setdefault(places[tag.commit], []).append(tag)
    for several in found.values():
        # Of several at one commit, one for this skill alone goes first, then the highest.
        several.sort(key=lambda tag: precedence(tag.version), reverse=True)
        several.sort(key=lambda tag: tag.slug is None)
    if elsewhere:
        shown = ", ".join(elsewhere[:_MOST_NAMED]) + (", ..." if len(elsewhere) > _MOST_NAMED else "")
        message = f"{len(elsewhere)} version tags are not on the branch that is read: {shown}"
        fix = "Name their branch as one more source, or merge it."
        notes.append(finding("git-tag-elsewhere", "", message, fix))
    return found


class _Skill:
    """Makes the versions of one skill; one use. ``notes`` are the findings."""

    def __init__(
        self, folder: str, chain: Sequence[Run], lineage: Lineage, declarations: Declarations
    ) -> None:
        self._folder = folder
        self._lineage = lineage
        self._states = [state for run in chain for state in run.states]
        self._declared = [declarations.of(state) for state in self._states]
        self._ends = self._find_ends(chain)
        self._touches = self._collect_touches(chain)
        self._made: list[tuple[HistoricVersion, int]] = []
        self._first: dict[Version, str] = {}
        self._told: set[str] = set()
        self.notes: list[Finding] = []

    def versions(self, tags: Mapping[int, list[Tag]]) -> tuple[HistoricVersion, ...]:
        """See :class:`GitHistory`."""
        placed = sorted(tags)
        at = 0
        numbered = False
        for state, declared, end in zip(self._states, self._declared, self._ends, strict=True):
            if declared.version is not None:
                self._declare(state, declared.version)
                numbered = True
            while at < len(placed) and placed[at] < end:
                if placed[at] >= state.place:
                    numbered = self._tagged(state, declared, placed[at], tags[placed[at]]) or numbered
                at += 1
        if not numbered:
            before = ""
            for state in self._states:
                if state.tree != before:
                    self._add(None, state, state.place)
                before = state.tree
        self._end_with_today()
        return tuple(version for version, _ in self._made)

    def _declare(self, state: State, version: Version) -> None:
        first = self._first.get(version)
        if first is None:
            self._add(version, state, state.place)
        elif first != state.tree and "reused" not in self._told:
            self._told.add("reused")
            origin = next(made for made, _ in self._made if made.version == version)
            message = (
                f"Version {version} is what commit {origin.commit[:12]} holds; "
                f"commit {self._commit(state.place)[:12]} changed the skill without a new number"
            )
            self.notes.append(
                finding("git-version-reused", self._manifest, message, "Raise the version with each change.")
            )

    def _tagged(self, state: State, declared: Declaration, place: int, tags: Sequence[Tag]) -> bool:
        """Take the first tag that fits the skill; whether there is one."""
        for tag in tags:
            if tag.slug is not None and tag.slug != declared.identity:
                continue
            if declared.version is not None:
                self._compare(tag, declared.version)
                return False
            known = tag.version in self._first
            if not known and (tag.slug is not None or self._is_news(state, tag.version)):
                self._add(tag.version, state, place, tag.name)
            return True
        return False

    def _is_news(self, state: State, version: Version) -> bool:
        """Whether a tag for all skills says something of this one: it changed, or leaves pre-release."""
        if not self._made or self._made[-1][0].tree != state.tree:
            return True
        last = self._made[-1][0].version
        return last is not None and is_prerelease(last) and not is_prerelease(version)

    def _compare(self, tag: Tag, version: Version) -> None:
        if tag.slug is not None and tag.version != version and tag.name not in self._told:
            self._told.add(tag.name)
            message = (
                f"The tag {tag.name} stands on a commit whose files state version {version}, which counts"
            )
            fix = "Raise the version in SKILL.md before the commit is tagged."
            self.notes.append(finding("git-tag-version-differs", self._manifest, message, fix))

    def _end_with_today(self) -> None:
        today, declared = self._states[-1], self._declared[-1].version
        if self._made:
            last = self._made[-1][0]
            if last.tree == today.tree and declared in (None, last.version):
                return
        self._add(declared, today, today.place)

    def _add(self, version: Version | None, state: State, place: int, tag: str | None = None) -> None:
        since = self._made[-1][1] if self._made else -1
        made = HistoricVersion(
            version=version,
            commit=self._commit(place),
            time=TimeMs(self._lineage.commits[self._lineage.line[place]].time),
            folder=state.folder,
            tree=state.tree,
            changelog=self._changelog(since, place),
            tag=tag,
        )
        if version is not None:
            self._first.setdefault(version, state.tree)
        self._made.append((made, place))

    def _changelog(self, since: int, until: int) -> tuple[str, ...]:
        numbers = dict.fromkeys(number for place, number in self._touches if since < place <= until)
        subjects = (
            without_hidden(" ".join(self._lineage.commits[number].subject.split())) for number in numbers
        )
        lines = list(dict.fromkeys(_cut(subject) for subject in subjects if subject))
        return tuple(lines[-_MOST_LINES:])

    def _collect_touches(self, chain: Sequence[Run]) -> list[tuple[int, int]]:
        touches = [
            touch
            for run in chain
            for touch in self._lineage.touches.get(run.folder, ())
            if run.start <= touch[0] and (run.end is None or touch[0] <= run.end)
        ]
        return sorted(touches)

    def _find_ends(self, chain: Sequence[Run]) -> list[int]:
        """The place before which each state ended."""
        ends: list[int] = []
        for run in chain:
            ends += [state.place for state in run.states[1:]]
            ends.append(len(self._lineage.line) if run.end is None else run.end)
        return ends

    def _commit(self, place: int) -> str:
        return self._lineage.commits[self._lineage.line[place]].object_id

    @property
    def _manifest(self) -> str:
        return join(self._folder, MANIFEST_NAME)


def _cut(subject: str) -> str:
    return subject if len(subject) <= _LONGEST_LINE else subject[: _LONGEST_LINE - 1] + "…"
