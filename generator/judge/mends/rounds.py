"""Mend a package in rounds, and keep only what a new reading proves to be better.

Each round proposes mends for the findings of the package as it is now, makes those that do not touch each
other, and reads the result again. A mend is kept where its finding is gone, no error is new, and what the
skill says is what it said before; else it is refused, with the reason. Where a host that was asked about would
take the outcome worse than the original, all is done again, and a mend that is worse for one of them refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

from generator.hidden import without_hidden
from generator.judge.mends.hosts import Hosts
from generator.judge.mends.model import Mend, Mended, Refusal, apply, choose
from generator.judge.mends.proposals import MENDED_CODES, propose
from generator.judge.model import Outcome, Place, Profile, Subject
from generator.judge.verdicts import judge_package
from generator.model import Finding, Manifest, Package, PackageFile, PackagePath, Severity, Sha256
from generator.read.manifest import read_skill
from generator.read.package import manifest_file

Find = Callable[[Subject], Iterable[Finding]]
"""All findings of a skill, those of reading it included."""

_MOST_READINGS: Final = 1_000
"""Most readings of one skill; a file made to cause more is left half mended."""
_REVEALING: Final = frozenset(
    {
        "description-markup-or-invisible",
        "encoding-not-utf8-or-control-char",
        "key-wrong-case",
        "text-hidden-character",
        "vendor-metadata-namespace",
        "yaml-comment-truncation",
    }
)
"""Codes whose mends bring out something of the manifest that was hidden before; the others change nothing in it."""


_OF_VALUES: Final = frozenset(code for code in MENDED_CODES if code.startswith("yaml-"))
"""Codes of values. Quoting one of them while another still stops the parser makes it worse where hosts then read
line by line and take the quotes for text (Gemini CLI 0.61.0, Hermes 0.19.0), so it is all of them or none."""
_OWN_LIMITS: Final = ("name-", "description-")
"""Findings about what a name or a description says, whether in quotes or not."""


_RANK: Final = {Outcome.LOAD: 0, Outcome.LOSS: 1, Outcome.REFUSE: 2, Outcome.CRASH: 3}


@dataclass(frozen=True, slots=True)
class _State:
    subject: Subject
    findings: tuple[Finding, ...]

    @property
    def readable(self) -> bool:
        """True where there is front matter to speak of."""
        return self.subject.skill.front is not None


def finder_for(hosts: frozenset[str]) -> Find:
    """What finds everything in one skill that matters to these hosts (all where there are none)."""
    from generator.judge.rules import find_all, tools

    profiles = _profiles_of(hosts)

    def find(subject: Subject) -> tuple[Finding, ...]:
        return (*subject.skill.findings, *find_all(subject), *tools.find(subject, profiles))

    return find


def _profiles_of(hosts: frozenset[str]) -> tuple[Profile, ...]:
    from generator.judge.profiles import load_profiles

    asked = Hosts.of(hosts)
    return tuple(profile for profile in load_profiles() if asked.any_of(profile.host))


def _worse_host(before: _State, after: _State, profiles: Sequence[Profile]) -> str | None:
    """The first of these hosts that does worse with what is mended, or None."""
    old, new = judge_package(before.subject, profiles), judge_package(after.subject, profiles)
    pairs = zip(old, new, strict=True)
    return next((b.host for a, b in pairs if _RANK[b.outcome] > _RANK[a.outcome]), None)


def mend_package(
    package: Package,
    hosts: frozenset[str] = frozenset(),
    find: Find | None = None,
    place: Place | None = None,
) -> Mended:
    """Make every mechanical mend that helps; pure, nothing is written to disk, never raises for content.

    ``hosts`` are the hosts the skill is meant for (families or columns), empty for all. ``find`` tells what is
    wrong with a skill (None: :func:`finder_for` these hosts); ``place`` is where its folder lies. The lines of
    mends are those of their round. Mending what was mended changes nothing more.
    """
    where = place or Place(package.folder.rpartition("/")[2] or package.source or "skill")
    finder = find or finder_for(hosts)
    rounds = _run(package, where, hosts, finder, ())
    if rounds.applied:
        profiles = _profiles_of(hosts)
        if _worse_host(rounds.first, rounds.state, profiles) is not None:
            rounds = _run(package, where, hosts, finder, profiles)
    after = rounds.state.subject.skill.package
    return Mended(
        before=package,
        after=after,
        renames=_renames(package, after),
        applied=tuple(rounds.applied),
        refused=tuple(rounds.refused.values()),
        findings=rounds.state.findings,
    )


def _run(
    package: Package, place: Place, hosts: frozenset[str], find: Find, judges: Sequence[Profile]
) -> _Rounds:
    rounds = _Rounds(package, place, hosts, find, judges)
    rounds.run(MENDED_CODES)
    if rounds.state.readable or not any(mend.code in _OF_VALUES for mend in rounds.applied):
        return rounds
    half = rounds
    rounds = _Rounds(package, place, hosts, find, judges)
    rounds.run(MENDED_CODES - _OF_VALUES)
    for mend in half.applied:
        if mend.code in _OF_VALUES:
            rounds.refused[mend] = Refusal(mend, "the front matter could still not be read")
    return rounds


class _Rounds:
    """The rounds of one package; one use. No mend is kept that one of ``judges`` takes worse.

    A mend that is refused is tried again once another one was kept: what stood in its way may be gone.
    """

    def __init__(
        self, package: Package, place: Place, hosts: frozenset[str], find: Find, judges: Sequence[Profile]
    ) -> None:
        self._judges = judges
        self._place = place
        self._hosts = hosts
        self._find = find
        self._left = _MOST_READINGS
        self.applied: list[Mend] = []
        self.refused: dict[Mend, Refusal] = {}
        self.first = self.state = self._read(package)

    def run(self, codes: frozenset[str]) -> None:
        """Mend what has one of these codes until nothing is left to try."""
        while self._left > 0:
            findings = [found for found in self.state.findings if found.code in codes]
            proposed = propose(self.state.subject, findings, self._hosts)
            mends = _together([mend for mend in proposed if mend not in self.refused])
            if not mends:
                return
            self._make(mends)

    def _make(self, mends: tuple[Mend, ...]) -> None:
        """Keep all the mends at once, or the first that holds alone, and refuse those before it."""
        after = self._read(_with(self.state.subject.skill.package, mends))
        if all(self._objection(after, mend) is None for mend in mends):
            self._keep(mends, after)
            return
        for mend in mends:
            alone = after
            if len(mends) > 1:
                alone = self._read(_with(self.state.subject.skill.package, (mend,)))
            reason = self._objection(alone, mend)
            if reason is None:
                self._keep((mend,), alone)
                return
            self.refused[mend] = Refusal(mend, reason)

    def _objection(self, after: _State, mend: Mend) -> str | None:
        reason = _objection(self.state, after, mend)
        if reason is None and (host := _worse_host(self.state, after, self._judges)) is not None:
            return f"{host} would take it worse"
        return reason

    def _keep(self, mends: tuple[Mend, ...], after: _State) -> None:
        self.applied.extend(mends)
        self.refused.clear()
        self.state = after

    def _read(self, package: Package) -> _State:
        self._left -= 1
        subject = Subject(read_skill(package), self._place)
        return _State(subject, tuple(self._find(subject)))


def _together(mends: Sequence[Mend]) -> tuple[Mend, ...]:
    """A renaming alone (edits name the old path), else all edits that do not touch each other."""
    renaming = next((mend for mend in mends if mend.rename_to is not None), None)
    return (renaming,) if renaming is not None else choose(mends)


def _with(package: Package, mends: Sequence[Mend]) -> Package:
    files = []
    for file in package.files:
        own = [mend for mend in mends if mend.path == file.path]
        if own:
            data = apply(file.data, own)
            path = next((mend.rename_to for mend in own if mend.rename_to is not None), file.path)
            file = PackageFile(PackagePath(path), data, Sha256(sha256(data).hexdigest()), file.executable)
        files.append(file)
    return replace(package, files=tuple(sorted(files, key=lambda f: f.path)))


def _objection(before: _State, after: _State, mend: Mend) -> str | None:
    """Why a mend is not kept, or None."""
    if not _is_gone(before, after, mend):
        return "the finding stays"
    if (new := _new_error(before, after, mend)) is not None:
        return f"it would cause {new}"
    old, new_manifest = before.subject.skill.manifest, after.subject.skill.manifest
    if old is not None and (new_manifest is None or not _says_the_same(old, new_manifest, mend.code)):
        return "the skill would say something else"
    if before.readable and _text(before.subject.skill.body) != _text(after.subject.skill.body):
        return "the body would be another one"
    return None


def _is_gone(before: _State, after: _State, mend: Mend) -> bool:
    def places(state: _State) -> Counter[tuple[int | None, int | None, str]]:
        return Counter((f.line, f.column, f.message) for f in state.findings if f.code == mend.code)

    old, new = places(before), places(after)
    return new.total() < old.total() or bool(old - new)


def _new_error(before: _State, after: _State, mend: Mend) -> str | None:
    if not before.readable:
        return _revealed_error(before, after, mend)
    old = Counter(f.code for f in before.findings if f.severity is Severity.ERROR)
    new = Counter(f.code for f in after.findings if f.severity is Severity.ERROR)
    return next(iter(sorted(new - old)), None)


def _revealed_error(before: _State, after: _State, mend: Mend) -> str | None:
    """What could not be read hid its mistakes: it is better where more of it is read now, and the mended line
    holds nothing that its reader cannot use."""
    if not after.readable and _depth(after) <= _depth(before):
        return _first_error(after)
    for found in after.findings:
        at_the_line = mend.line is not None and found.line == mend.line and after.readable
        if at_the_line and found.severity is Severity.ERROR and not found.code.startswith(_OWN_LIMITS):
            return found.code
    return None


def _depth(state: _State) -> int:
    """How far the front matter could be read: the line of what stopped it."""
    return max((f.line or 0 for f in state.findings if f.severity is Severity.ERROR), default=0)


def _first_error(state: _State) -> str:
    return next((f.code for f in state.findings if f.severity is Severity.ERROR), "another mistake")


def _says_the_same(old: Manifest, new: Manifest, code: str) -> bool:
    if code not in _REVEALING:
        return old == new
    if code == "yaml-comment-truncation":
        return (
            new.description.startswith(old.description) and replace(new, description=old.description) == old
        )
    if code == "key-wrong-case":
        return (old.name or new.name) == new.name and (old.description or new.description) == new.description
    return without_hidden(old.name or "") == without_hidden(new.name or "") and without_hidden(
        old.description
    ) == without_hidden(new.description)


def _text(body: str) -> str:
    return body.replace("\r\n", "\n").replace("\r", "\n")


def _renames(before: Package, after: Package) -> tuple[tuple[str, str], ...]:
    old, new = manifest_file(before), manifest_file(after)
    return ((old.path, new.path),) if old is not None and new is not None and old.path != new.path else ()
