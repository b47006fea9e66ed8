"""Answers about the security of one release: ``verify``, ``scan``, and the item of security-verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from generator.model import PublishedSkill, Release
from generator.write.protocols.clawhub_answers import CardReference, ScanAnswer, VerdictItem, VerifyAnswer
from generator.write.protocols.clawhub_card import skill_card
from generator.write.protocols.clawhub_rows import page_url
from generator.write.protocols.clawhub_security import Judgement, judge
from generator.write.protocols.clawhub_types import SkillReference, VersionSummary

CARD_TYPE = "text/markdown; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Told:
    """One release with everything its documents share."""

    release: Release
    judgement: Judgement
    card: bytes
    summary: VersionSummary


def tell(skill: PublishedSkill, release: Release) -> Told:
    """Judge a release and write its card, once for all its documents."""
    judgement = judge(release.scan)
    return Told(
        release=release,
        judgement=judgement,
        card=skill_card(skill, release, judgement).encode("utf-8", "replace"),
        summary={
            "version": release.version,
            "createdAt": release.first_seen,
            "changelog": release.changelog,
            "changelogSource": "user" if release.changelog else None,
        },
    )


def verify_answer(skill: PublishedSkill, one: Told, card_url: str) -> VerifyAnswer:
    """The verification of one release, as if it was asked for by its version."""
    release, judgement, listing = one.release, one.judgement, skill.listing
    card: CardReference = {
        "available": True,
        "path": "skill-card.md",
        "url": card_url,
        "sha256": sha256(one.card).hexdigest(),
        "size": len(one.card),
        "contentType": CARD_TYPE,
    }
    return {
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
        "provenance": {
            "source": "unavailable",
            "reason": "The hub was built from a folder and did not check where its files came from.",
        },
        "security": judgement.security,
        "signature": {"status": "unsigned"},
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


def verdict_item(skill: PublishedSkill, one: Told) -> VerdictItem:
    """What OpenClaw asks for before every archive install; it fails closed without an ``overview``."""
    listing, judgement = skill.listing, one.judgement
    page = page_url(skill.hub, listing.owner, listing.slug)
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
        "overview": judgement.summary,
        "security": judgement.security,
    }
