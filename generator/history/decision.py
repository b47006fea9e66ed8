"""What becomes of every skill folder, seen together: published under which name, or rejected and why.

Pure: drafts (what each folder asks for) and the ledgers in, outcomes out. Sources are layers: a later one
shadows the skills of an earlier one as a whole. Within a source the folder nearest its root wins a name, then
the first by path; the others are told who has it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from generator.findings import finding
from generator.history.assignment import OnChanged, assign_version
from generator.judge.members import Member
from generator.model import Finding, Owner, Release, Sha256, Slug, TimeMs, Verdict, Version
from generator.versions import newest_first, next_patch

SkillKey = tuple[Owner, Slug]
_VERSION_READINGS = ("version-invalid", "version-normalised")
_MOST_FILES = 5


@dataclass(frozen=True, slots=True)
class Past:
    """An earlier version that a source knows. ``version`` is None where the ledger has to count, ``time`` where the
    source does not say when its content came to be.

    ``locator`` is what the reader finds it by, ``commit`` empty where the source is no repository.
    """

    version: Version | None
    time: TimeMs | None
    folder: str
    locator: str
    changelog: str = ""
    commit: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """One skill folder as far as publication depends on it.

    ``source`` counts the sources from 0. ``content`` is the tree hash of its files. ``version`` is what the
    author declares, None where nothing is. ``slug`` is None, or
    ``barred`` true, where the folder cannot be published whatever the others are. ``neighbours`` are folders of
    the same source that its text may link to, ``member`` is what matters to the other skills of the hub;
    ``verdicts`` are what hosts would do with a folder that is barred. ``digest`` covers content,
    findings and owner: equal digest, equal draft. ``time``, ``changelog``, ``commit`` and ``past`` (oldest first) are
    what a repository or another hub says of the skill; ``time`` is when its content came to be.
    """

    source: int
    label: str
    folder: str
    owner: Owner
    digest: str
    content: Sha256
    name: str | None
    slug: Slug | None
    version: Version | None
    barred: bool
    findings: tuple[Finding, ...]
    neighbours: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    member: Member | None = None
    time: TimeMs | None = None
    changelog: str = ""
    commit: str = ""
    past: tuple[Past, ...] = ()


@dataclass(frozen=True, slots=True)
class Publication:
    """A draft that is published. ``known`` is true where the ledger already holds this very release."""

    draft: Draft
    key: SkillKey
    holds_slug: bool
    known: bool


@dataclass(frozen=True, slots=True)
class Shadow:
    """A draft that a later source's draft of the same key stands in front of."""

    draft: Draft
    winner: Draft


@dataclass(frozen=True, slots=True)
class Rejection:
    """A draft that is not published. ``findings`` are all of the draft's and the one that decided here."""

    draft: Draft
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Retention:
    """A skill once published that no source gives now: the hub goes on serving what it published."""

    key: SkillKey
    holds_slug: bool


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome for every draft and every skill of the ledgers, each sorted by key or place."""

    publications: tuple[Publication, ...]
    rejections: tuple[Rejection, ...]
    retentions: tuple[Retention, ...]
    shadows: tuple[Shadow, ...] = ()


def decide(
    drafts: Sequence[Draft],
    published: Sequence[SkillKey],
    releases_of: Callable[[SkillKey], tuple[Release, ...]],
    servable: Callable[[SkillKey], bool],
    *,
    settled: frozenset[tuple[str, str]] = frozenset(),
    on_changed: OnChanged = OnChanged.ERROR,
    files_of: Callable[[Draft], Mapping[str, Sha256]] = lambda _: {},
) -> Decision:
    """Decide over all drafts at once.

    Args:
        published: every skill that has a ledger.
        releases_of: the ledger of one skill, empty where there is none.
        servable: whether the hub still holds something of that skill to serve.
        settled: places (source label, folder) known to be published already with this very content.
        on_changed: what happens to content that changed under a published version.
        files_of: the files of a draft, asked only to say what changed.
    """
    winners: dict[SkillKey, Draft] = {}
    rejections: list[Rejection] = []
    shadows: list[Shadow] = []
    known: set[SkillKey] = set()
    for draft in sorted(drafts, key=_precedence):
        if draft.barred or draft.slug is None:
            rejections.append(Rejection(draft, draft.findings))
            continue
        key = (draft.owner, draft.slug)
        if (winner := winners.get(key)) is not None:
            if winner.source != draft.source:
                shadows.append(Shadow(draft, winner))
            else:
                rejections.append(Rejection(draft, (*draft.findings, _collision(draft, winner))))
            continue
        if (draft.label, draft.folder) in settled:
            winners[key] = draft
            known.add(key)
            continue
        releases = releases_of(key)
        version = assign_version(draft.version, draft.content, releases, on_changed)
        if version is None:
            rejections.append(_changed(draft, releases, files_of(draft)))
            continue
        if on_changed is OnChanged.ERROR and (taken := _taken_before(draft, version, releases)) is not None:
            rejections.append(_reused(draft, taken))
            continue
        winners[key] = draft
        if any(one.version == version and one.hashes.tree == draft.content for one in releases):
            known.add(key)
    retained = [key for key in published if key not in winners and servable(key)]
    owners: dict[Slug, int] = {}
    for _, slug in (*winners, *retained):
        owners[slug] = owners.get(slug, 0) + 1
    return Decision(
        publications=tuple(
            Publication(draft, key, owners[key[1]] == 1, key in known)
            for key, draft in sorted(winners.items())
        ),
        rejections=tuple(sorted(rejections, key=lambda rejection: _place_of(rejection.draft))),
        retentions=tuple(Retention(key, owners[key[1]] == 1) for key in sorted(retained)),
        shadows=tuple(sorted(shadows, key=lambda shadow: _place_of(shadow.draft))),
    )


def _precedence(draft: Draft) -> tuple[int, int, str]:
    return -draft.source, draft.folder.count("/") + bool(draft.folder), draft.folder


def _place_of(draft: Draft) -> tuple[int, int, str]:
    return draft.source, *_precedence(draft)[1:]


def _place(draft: Draft) -> str:
    return f"{draft.folder}/SKILL.md" if draft.folder else "SKILL.md"


def _collision(draft: Draft, winner: Draft) -> Finding:
    alike = "the same files" if draft.content == winner.content else "other files"
    where = f"{winner.label}/{winner.folder}".rstrip("/")
    return finding(
        "slug-collision", _place(draft),
        f"{draft.owner}/{draft.slug} is already published from {where}, with {alike}",
        "Give this skill an address of its own with a front matter line `slug: ...`, or its source another owner, "
        "or leave the folder out with the source's `include`",
    )  # fmt: skip


def _changed(draft: Draft, releases: tuple[Release, ...], files: Mapping[str, Sha256]) -> Rejection:
    same = next(release for release in releases if release.version == draft.version)
    newest = newest_first([release.version for release in releases])[0]
    reading = next((f" ({note.message})" for note in draft.findings if note.code in _VERSION_READINGS), "")
    here = f"{draft.label}/{draft.folder}".rstrip("/")
    found = finding(
        "version-changed", _place(draft),
        f"{draft.owner}/{draft.slug}@{draft.version} is already published with other content "
        f"(from {same.source}/{same.folder}".rstrip("/") + f", now {here}); a published version never changes{reading}"
        f"{_what_changed(same, files)}",
        f"Give the changed skill a new version: `version: {next_patch(newest)}` is free; "
        "or let the hub count on with the policy `on_changed_version: bump`",
    )  # fmt: skip
    return Rejection(draft, (*draft.findings, found))


def _taken_before(draft: Draft, version: Version, releases: Sequence[Release]) -> Past | None:
    """The earlier state of the skill that its own source says had this number first, unless the ledger knows it."""
    if any(one.version == version for one in releases):
        return None
    return next((past for past in draft.past if past.version == version), None)


def _reused(draft: Draft, taken: Past) -> Rejection:
    where = f"commit {taken.commit[:12]}" if taken.commit else taken.locator
    found = finding(
        "version-changed", _place(draft),
        f"{draft.owner}/{draft.slug}@{draft.version} is what {draft.label} first gave under that number ({where}), and "
        "now it gives other content; a published version never changes",
        "Give the changed skill a new version; or let the hub count on with the policy `on_changed_version: bump`",
    )  # fmt: skip
    return Rejection(draft, (*draft.findings, found))


def _what_changed(release: Release, files: Mapping[str, Sha256]) -> str:
    """The files that differ from a release, in words; empty where nothing is known."""
    if not files:
        return ""
    before = {str(file.path): file.sha256 for file in release.files}
    parts = [
        (word, sorted(paths))
        for word, paths in (
            ("changed", {path for path in before.keys() & files.keys() if before[path] != files[path]}),
            ("added", files.keys() - before.keys()),
            ("removed", before.keys() - files.keys()),
        )
        if paths
    ]
    told = [
        f"{word} {', '.join(paths[:_MOST_FILES])}"
        + (f" and {len(paths) - _MOST_FILES} more" if len(paths) > _MOST_FILES else "")
        for word, paths in parts
    ]
    text = "; ".join(told)
    return f". {text[:1].upper()}{text[1:]}" if told else ""
