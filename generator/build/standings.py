"""Where the releases of a skill stand, for the change feed."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from generator.history.overlay import model as overlay
from generator.model import Release, ScanVerdict, Version
from generator.write.protocols.events import ReleaseStanding, ReleaseStatus, SkillStanding, SkillStatus


def standing_of(
    releases: Sequence[Release],
    standing: overlay.Standing,
    *,
    blocked: Collection[Version],
    retained: bool,
) -> SkillStanding:
    """The standing of one listed skill.

    Args:
        releases: all of its ledger, oldest first.
        standing: what holds for those whose archive is not lost.
        blocked: versions that the ledger calls blocked.
    """
    ruling = standing.ruling
    status, to, reason = SkillStatus.RETAINED if retained else SkillStatus.LISTED, "", ""
    if ruling.deprecated is not None:
        successor = ruling.deprecated.successor
        status, to, reason = (
            SkillStatus.DEPRECATED,
            "/".join(successor) if successor is not None else "",
            ruling.deprecated.reason,
        )
    elif ruling.archived is not None:
        status, reason = SkillStatus.ARCHIVED, ruling.archived.reason
    return SkillStanding(
        tuple(_release(release, standing.of(release.version), blocked) for release in releases),
        standing.latest,
        status,
        to,
        reason,
    )


def unlisted_standing(releases: Sequence[Release], lost: Collection[Version], *, to: str) -> SkillStanding:
    """The standing of a skill of which the hub gives nothing, or that lives on under another address ``to``."""
    return SkillStanding(
        tuple(
            ReleaseStanding(
                one.version,
                one.first_seen,
                one.hashes.fingerprint,
                None if one.scan.verdict is ScanVerdict.BLOCK else one.archive,
                ReleaseStatus.BLOCKED
                if one.scan.verdict is ScanVerdict.BLOCK
                else ReleaseStatus.WITHDRAWN
                if one.version in lost
                else ReleaseStatus.OFFERED,
            )
            for one in releases
        ),
        None,
        SkillStatus.RENAMED if to else SkillStatus.REMOVED,
        to,
    )


def _release(
    release: Release, one: overlay.ReleaseStanding | None, blocked: Collection[Version]
) -> ReleaseStanding:
    status, reason = ReleaseStatus.OFFERED, ""
    if one is None:
        status = ReleaseStatus.WITHDRAWN
    elif one.quarantined is not None:
        status, reason = ReleaseStatus.QUARANTINED, one.quarantined
    elif not one.servable:
        status = ReleaseStatus.BLOCKED
    elif one.yanked is not None:
        status, reason = ReleaseStatus.YANKED, one.yanked
    # One that was blocked when it was published has no archive on the hub, unless a review lets it through.
    never = release.version in blocked and (one is None or one.verdict is ScanVerdict.BLOCK)
    return ReleaseStanding(
        release.version,
        release.first_seen,
        release.hashes.fingerprint,
        None if never else release.archive,
        status,
        reason,
    )
