"""Where every skill and release of a hub stands, and what happened between two builds.

Events carry all that a standing holds: who applies them to the standings before has the standings after.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from generator.model import Archive, Sha256, TimeMs, Version


class ReleaseStatus(StrEnum):
    """Where a release stands.

    OFFERED: installers get it. BLOCKED: the scan blocks it. YANKED: never chosen, still downloadable.
    QUARANTINED: its download answers with the reason. WITHDRAWN: its archive is lost.
    """

    OFFERED = "offered"
    BLOCKED = "blocked"
    YANKED = "yanked"
    QUARANTINED = "quarantined"
    WITHDRAWN = "withdrawn"


class SkillStatus(StrEnum):
    """Where a skill stands.

    RETAINED: no source holds it any longer, the hub goes on serving it. RENAMED: it lives on as another
    (``to``). REMOVED: nothing of it is served, its version numbers stay taken.
    """

    LISTED = "listed"
    RETAINED = "retained"
    DEPRECATED = "deprecated"
    ARCHIVED = "archived"
    RENAMED = "renamed"
    REMOVED = "removed"


PUBLISHED: Final = "release-published"
REPLACED: Final = "release-replaced"
"""Other content under a published version: only a preview does that."""
RELEASE_FORGOTTEN: Final = "release-forgotten"
LATEST: Final = "skill-latest"
SKILL_FORGOTTEN: Final = "skill-forgotten"
"""A ledger is gone, which a build does not do by itself."""


@dataclass(frozen=True, slots=True)
class ReleaseStanding:
    """One release. ``at`` is its first-seen time; ``archive`` the served zip, None where there never was one."""

    version: Version
    at: TimeMs
    fingerprint: Sha256
    archive: Archive | None
    status: ReleaseStatus = ReleaseStatus.OFFERED
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SkillStanding:
    """One skill. ``releases`` are in the order of the ledger; ``latest`` is None where none is offered.

    ``to`` is the ``owner/slug`` of a new name or a successor, ``reason`` the operator's words.
    """

    releases: tuple[ReleaseStanding, ...]
    latest: Version | None
    status: SkillStatus = SkillStatus.LISTED
    to: str = ""
    reason: str = ""


Standings = Mapping[str, SkillStanding]
"""Skills by ``owner/slug``."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a skill or a release.

    ``type`` is ``release-`` or ``skill-`` and the new status, or one of the constants of this module.
    ``archive`` is that of the release after the event, None where there is none.
    """

    type: str
    owner: str
    slug: str
    version: Version | None = None
    at: TimeMs | None = None
    fingerprint: Sha256 | None = None
    archive: Archive | None = None
    to: str = ""
    reason: str = ""


def find_events(before: Standings, after: Standings) -> tuple[Event, ...]:
    """What happened, by skill; of one skill what became of its releases, then of itself."""
    return tuple(
        event
        for key in sorted({*before, *after})
        if before.get(key) != after.get(key)
        for event in _of_skill(key, before.get(key), after.get(key))
    )


def apply_events(before: Standings, events: Iterable[Event]) -> dict[str, SkillStanding]:
    """The standings after ``events``: ``apply_events(a, find_events(a, b)) == b``, but for a release that was
    forgotten and came back, which then stands last."""
    after = dict(before)
    for event in events:
        key = f"{event.owner}/{event.slug}"
        if event.type == SKILL_FORGOTTEN:
            after.pop(key, None)
        else:
            after[key] = _apply(after.get(key, SkillStanding((), None)), event)
    return after


def _of_skill(key: str, before: SkillStanding | None, after: SkillStanding | None) -> Iterator[Event]:
    owner, _, slug = key.partition("/")
    if after is None:
        yield Event(SKILL_FORGOTTEN, owner, slug)
        return
    known = {one.version: one for one in before.releases} if before is not None else {}
    for release in after.releases:
        was = known.pop(release.version, None)
        if was is not None and _content(was) == _content(release):
            if was != release:
                yield _status(owner, slug, release)
            continue
        yield Event(
            PUBLISHED if was is None else REPLACED, owner, slug, release.version,
            release.at, release.fingerprint, release.archive,
        )  # fmt: skip
        if (release.status, release.reason) != (ReleaseStatus.OFFERED, ""):
            yield _status(owner, slug, release)
    for version in known:
        yield Event(RELEASE_FORGOTTEN, owner, slug, version)
    old = before or SkillStanding((), None)
    if before is None or (old.status, old.to, old.reason) != (after.status, after.to, after.reason):
        yield Event(f"skill-{after.status.value}", owner, slug, to=after.to, reason=after.reason)
    if old.latest != after.latest:
        yield Event(LATEST, owner, slug, after.latest)


def _content(release: ReleaseStanding) -> tuple[object, ...]:
    """What cannot change. The archive can: one that the scan blocked is served for the first time after a review."""
    return release.at, release.fingerprint


def _status(owner: str, slug: str, release: ReleaseStanding) -> Event:
    name = f"release-{release.status.value}"
    return Event(name, owner, slug, release.version, archive=release.archive, reason=release.reason)


def _apply(skill: SkillStanding, event: Event) -> SkillStanding:
    kind, _, status = event.type.partition("-")
    if event.type == LATEST:
        return replace(skill, latest=event.version)
    if kind == "skill":
        return replace(skill, status=SkillStatus(status), to=event.to, reason=event.reason)
    if event.version is None:
        raise ValueError("an event of a release names its version")
    others = tuple(one for one in skill.releases if one.version != event.version)
    if event.type == RELEASE_FORGOTTEN:
        return replace(skill, releases=others)
    if event.type in (PUBLISHED, REPLACED):
        if event.at is None or event.fingerprint is None:
            raise ValueError("a published release has a time and a fingerprint")
        made = ReleaseStanding(event.version, event.at, event.fingerprint, event.archive)
    else:
        was = next((one for one in skill.releases if one.version == event.version), None)
        if was is None:
            raise ValueError("a status of a release that was not published")
        made = replace(was, archive=event.archive, status=ReleaseStatus(status), reason=event.reason)
    if len(others) == len(skill.releases):
        return replace(skill, releases=(*skill.releases, made))
    releases = tuple(made if one.version == event.version else one for one in skill.releases)
    return replace(skill, releases=releases)


# --- the JSON edge ---------------------------------------------------------------------------------

# Written by hand, because a hub has thousands: a release is a list, its version the key it stands under.


def write_standings(standings: Standings) -> dict[str, Any]:
    """Skills by ``owner/slug``, sorted, as JSON holds them."""
    return {
        key: {
            "status": skill.status.value,
            "latest": skill.latest,
            "to": skill.to,
            "reason": skill.reason,
            "releases": {one.version: _release(one) for one in skill.releases},
        }
        for key, skill in sorted(standings.items())
    }


def _release(one: ReleaseStanding) -> list[Any]:
    archive = (one.archive.sha256, one.archive.size) if one.archive is not None else (None, 0)
    return [one.status.value, one.at, one.fingerprint, *archive, one.reason]


def read_standings(plain: Mapping[str, Any]) -> dict[str, SkillStanding]:
    """The standings from a state document.

    Raises:
        ValueError, KeyError, TypeError, AttributeError: they have another shape.
    """
    return {
        key: SkillStanding(
            tuple(_read_release(version, *values) for version, values in skill["releases"].items()),
            Version(_text(skill["latest"])) if skill["latest"] is not None else None,
            SkillStatus(skill["status"]),
            _text(skill["to"]),
            _text(skill["reason"]),
        )
        for key, skill in plain.items()
    }


def _read_release(
    version: str,
    status: object,
    at: object,
    fingerprint: object,
    digest: object,
    size: object,
    reason: object,
) -> ReleaseStanding:
    archive = Archive(Sha256(_text(digest)), _number(size)) if digest is not None else None
    return ReleaseStanding(
        Version(version), TimeMs(_number(at)), Sha256(_text(fingerprint)), archive,
        ReleaseStatus(_text(status)), _text(reason),
    )  # fmt: skip


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is expected")
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("a number is expected")
    return value
