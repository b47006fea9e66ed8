"""The one row that serves ClawHub's CLI, DeepTutor and OpenClaw at once, and the addresses it names."""

from __future__ import annotations

from typing import Literal

from generator.model import Hub, Listing, TimeMs
from generator.write.protocols.clawhub_types import (
    HubFacts,
    LatestVersion,
    Publisher,
    SkillMetadata,
    SkillOwner,
    SkillRow,
    Tags,
)

SUMMARY_LIMIT = 1024
"""Code points of a description in a row; the longest the Agent Skills specification allows. The page and
``SKILL.md`` have all of it, and one author cannot swell a document that every client downloads."""


def skill_base(listing: Listing) -> str:
    """The route all answers of a skill lie under: bare where it holds its slug, else under its owner."""
    if listing.holds_slug:
        return f"/api/v1/skills/{listing.slug}"
    return f"/api/v1/owners/{listing.owner}/skills/{listing.slug}"


def page_url(hub: Hub, owner: str, slug: str) -> str:
    """The absolute URL of a skill's page; the same shape ClawHub uses."""
    return f"{hub.url}/{owner}/skills/{slug}/"


def archive_route(owner: str, slug: str, version: str) -> str:
    """The route of a release's archive."""
    return f"/dl/{owner}/{slug}-{version}.zip"


def client_license(spdx: str | None) -> Literal["MIT-0"] | None:
    """``MIT-0`` or nothing.

    Every CLI since 0.8.0 stops with ``latestVersion.license: invalid value`` on any other string, so the
    real licence stands in ``spdxLicense``.
    """
    return "MIT-0" if spdx == "MIT-0" else None


def owner_of(listing: Listing, hub: Hub) -> SkillOwner:
    """The publisher as details and rows name it."""
    return {
        "handle": listing.owner,
        "displayName": listing.owner,
        "image": None,
        "htmlUrl": f"{hub.url}/{listing.owner}/",
        "kind": "user",
    }


def metadata_of(listing: Listing) -> SkillMetadata:
    """The requirements of the latest release. ``setup`` is always there: CLI 0.23.3 insists."""
    return {
        "setup": [{"key": key, "required": True} for key in listing.setup],
        "os": list(listing.os) or None,
        "systems": None,
    }


def latest_of(listing: Listing, created_at: TimeMs) -> LatestVersion:
    """The latest release in short."""
    return {
        "version": listing.version,
        "createdAt": created_at,
        "changelog": listing.changelog,
        "license": client_license(listing.license),
    }


def list_row(listing: Listing, hub: Hub) -> SkillRow:
    """The row of one skill for lists and search. ``score`` is 0 until the router ranks a question."""
    page = page_url(hub, listing.owner, listing.slug)
    stance = listing.stance
    summary = noted_summary(listing)
    if len(summary) > SUMMARY_LIMIT:
        summary = summary[: SUMMARY_LIMIT - 1] + "…"
    publisher: Publisher = {
        "kind": "user",
        "handle": listing.owner,
        "displayName": listing.owner,
        "image": None,
        "official": False,
    }
    row: SkillRow = {
        "slug": listing.slug,
        "displayName": listing.display_name,
        "name": listing.name,
        "summary": summary,
        "description": summary,
        "version": listing.version,
        "latestVersion": latest_of(listing, listing.updated_at),
        "tags": tags_of(listing),
        "stats": {"downloads": 0, "stars": 0},
        "topics": list(listing.topics),
        "keywords": list(listing.topics),
        "createdAt": listing.created_at,
        "updatedAt": listing.updated_at,
        "ownerHandle": listing.owner,
        "owner": owner_of(listing, hub),
        "publisher": publisher,
        "source": "clawhub",
        "score": 0,
        "official": False,
        "canonicalUrl": page,
        "install": {
            "kind": "clawhub",
            "reference": f"@{listing.owner}/{listing.slug}",
            "sourceUrl": listing.homepage,
        },
        "links": {"canonical": page, "source": listing.homepage},
        "metrics": {"rolling60DayInstalls": None, "bookmarks": None, "updatedAt": listing.updated_at},
        "metadata": metadata_of(listing),
        "spdxLicense": listing.license,
        "skillpress": {
            "verdict": listing.verdict.value,
            "emoji": listing.emoji,
            "category": listing.category,
            "homepage": listing.homepage,
            "files": listing.file_count,
            "size": listing.size,
            "findings": listing.findings,
            "retained": listing.retained,
        },
    }
    if listing.taxonomy:
        _add_taxonomy(row, listing)
    if stance.withdrawn:
        # Never null here: a client that sees none of it asks for the detail.
        del row["latestVersion"]
    if stance.featured is not None:
        row["featured"] = True
    _add_decisions(row["skillpress"], listing, hub)
    return row


def noted_summary(listing: Listing) -> str:
    """The description, and before it what must be known before installing."""
    return f"{listing.stance.note} {listing.description}" if listing.stance.note else listing.description


def tags_of(listing: Listing) -> Tags:
    """Every name that stands for a version."""
    tags = {} if listing.stance.withdrawn else {"latest": str(listing.version)}
    return {**tags, **{tag.name: str(tag.version) for tag in listing.stance.tags}}


def _add_decisions(facts: HubFacts, listing: Listing, hub: Hub) -> None:
    stance = listing.stance
    if stance.deprecated is not None:
        successor = stance.deprecated.successor
        facts["deprecated"] = {
            "reason": stance.deprecated.reason,
            "successor": successor,
            "url": page_url(hub, *successor.split("/")) if successor is not None else None,
        }
    if stance.archived is not None:
        facts["archived"] = {"reason": stance.archived}
    if stance.quarantined is not None:
        facts["quarantined"] = stance.quarantined
    if stance.featured is not None:
        facts["featured"] = stance.featured


def _add_taxonomy(row: SkillRow, listing: Listing) -> None:
    """DeepTutor's taxonomy under DeepTutor's own names; a key that was not written is not there."""
    taxonomy = listing.taxonomy
    if taxonomy.track:
        row["track"] = taxonomy.track
    if taxonomy.language:
        row["language"] = taxonomy.language
    if taxonomy.domains:
        row["domains"] = list(taxonomy.domains)
    if taxonomy.stages:
        row["stages"] = list(taxonomy.stages)
    if taxonomy.forms:
        row["forms"] = list(taxonomy.forms)
    if taxonomy.audiences:
        row["audiences"] = list(taxonomy.audiences)
