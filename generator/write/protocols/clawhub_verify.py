"""Answers about the security of one release: ``verify``, ``scan``, and the item of security-verdicts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256

from generator.history.overlay.effects import (
    QUARANTINED,
    note_changelog,
    reason_codes,
    refuse_release,
    release_badges,
)
from generator.history.overlay.model import ReleaseStanding
from generator.model import PublishedSkill, Release, ScanVerdict
from generator.write.protocols.clawhub_answers import (
    CardReference,
    GitHubProvenance,
    Provenance,
    ScanAnswer,
    VerdictItem,
    VerifyAnswer,
)
from generator.write.protocols.clawhub_card import skill_card, standing_of
from generator.write.protocols.clawhub_install import refuse
from generator.write.protocols.clawhub_rows import page_url
from generator.write.protocols.clawhub_security import Judgement, judge
from generator.write.protocols.clawhub_types import SkillReference, VersionSummary

CARD_TYPE = "text/markdown; charset=utf-8"


WITHDRAWN_REASONS = ("operator.withdrawn",)
"""Why a skill cannot be verified of which nothing is chosen."""


@dataclass(frozen=True, slots=True)
class Told:
    """One release with everything its documents share.

    ``judgement`` is the release's; ``chosen`` is what is said to those who name no version, which differs from it
    where nothing is chosen.
    """

    release: Release
    standing: ReleaseStanding
    judgement: Judgement
    chosen: Judgement
    card: bytes
    summary: VersionSummary


def tell(skill: PublishedSkill, release: Release) -> Told:
    """Judge a release and write its card, once for all its documents."""
    standing = standing_of(skill, release)
    refusal = refuse_release((skill.listing.owner, skill.listing.slug), standing)
    judgement = judge(
        release.scan, standing.reviewed, reason_codes(standing), refusal.text if refusal is not None else ""
    )
    summary: VersionSummary = {
        "version": release.version,
        "createdAt": release.first_seen,
        "changelog": note_changelog(standing, release.changelog),
        "changelogSource": "user" if release.changelog else None,
    }
    if standing.yanked is not None:
        summary["yanked"] = standing.yanked
    if standing.quarantined is not None:
        summary["quarantined"] = standing.quarantined
    return Told(
        release=release,
        standing=standing,
        judgement=judgement,
        chosen=_withdrawn(skill, release) if skill.listing.stance.withdrawn else judgement,
        card=skill_card(skill, release, judgement).encode("utf-8", "replace"),
        summary=summary,
    )


def _withdrawn(skill: PublishedSkill, release: Release) -> Judgement:
    """What is said where the operator has withdrawn all there is to choose.

    Nothing is claimed that nobody checked: a client that prints reasons prints the operator's.
    """
    refusal = refuse(skill)
    assert refusal is not None
    codes = QUARANTINED if skill.standing.quarantined is not None else WITHDRAWN_REASONS
    said = judge(replace(release.scan, verdict=ScanVerdict.ALLOW), (), codes, refusal.text)
    return replace(said, moderation={**said.moderation, "reasonCodes": list(codes)})


def verify_answer(skill: PublishedSkill, one: Told, judgement: Judgement, card_url: str) -> VerifyAnswer:
    """The verification of one release by one of its judgements, as if it was asked for by its version."""
    release, listing = one.release, skill.listing
    card: CardReference = {
        "available": True,
        "path": "skill-card.md",
        "url": card_url,
        "sha256": sha256(one.card).hexdigest(),
        "size": len(one.card),
        "contentType": CARD_TYPE,
    }
    answer: VerifyAnswer = {
        "schema": "clawhub.skill.verify.v1",
        "ok": judgement.passed,
        "decision": judgement.decision,
        "reasons": judgement.reasons,
        "slug": listing.slug,
        "displayName": listing.display_name,
        "pageUrl": page_url(skill.hub, listing.owner, listing.slug),
        "publisherHandle": listing.owner,
        "publisherDisplayName": listing.owner,
        "publisherProfileUrl": f"{skill.hub.url}/{listing.owner}/",
        "version": release.version,
        "resolvedFrom": "version",
        "tag": None,
        "createdAt": release.first_seen,
        "card": card,
        "artifact": {
            "sourceFingerprint": release.hashes.fingerprint,
            "bundleFingerprints": list(dict.fromkeys((release.hashes.fingerprint, *release.hashes.aliases))),
            "files": [{"path": f.path, "sha256": f.sha256, "size": f.size} for f in release.files],
        },
        "provenance": _provenance(skill, release),
        "security": judgement.security,
        "signature": {"status": "unsigned"},
    }
    if one.standing.yanked is not None:
        answer["yanked"] = one.standing.yanked
    return answer


def _provenance(skill: PublishedSkill, release: Release) -> Provenance | GitHubProvenance:
    handoff = skill.listing.handoff
    if handoff is None or release is not skill.latest:
        return {
            "source": "unavailable",
            "reason": "The hub was built from a folder and did not check where its files came from.",
        }
    return {
        "source": "server-resolved-github-import",
        "repo": handoff.repository,
        "ref": handoff.commit,
        "commit": handoff.commit,
        "path": handoff.path,
    }


def scan_answer(about: SkillReference, one: Told) -> ScanAnswer:
    """The scan of one release with the evidence of every rule that matched."""
    held = one.judgement.moderation
    return {
        "skill": about,
        "version": {"version": one.release.version},
        "moderation": {
            "scope": "version",
            "sourceVersion": {"version": one.release.version},
            "matchesRequestedVersion": True,
            "isPendingScan": False,
            "isMalwareBlocked": held["isMalwareBlocked"],
            "isSuspicious": held["isSuspicious"],
            "reasonCodes": held["reasonCodes"],
        },
        "security": one.judgement.security,
        "evidence": one.judgement.evidence,
    }


def verdict_item(skill: PublishedSkill, one: Told, judgement: Judgement) -> VerdictItem:
    """What OpenClaw asks for before every archive install; it fails closed without an ``overview``."""
    listing = skill.listing
    page = page_url(skill.hub, listing.owner, listing.slug)
    yanked = [
        f"{badge.word}: {badge.text}" for badge in release_badges(one.standing) if badge.kind == "yanked"
    ]
    return {
        "ok": judgement.passed,
        "decision": judgement.decision,
        "reasons": judgement.reasons,
        "slug": listing.slug,
        "version": one.release.version,
        "displayName": listing.display_name,
        "publisherHandle": listing.owner,
        "publisherDisplayName": listing.owner,
        "createdAt": one.release.first_seen,
        "checkedAt": None,
        "skillUrl": page,
        "securityAuditUrl": f"{page}#checks",
        "overview": " ".join((*(yanked if judgement is one.judgement else ()), judgement.summary)),
        "security": judgement.security,
    }
