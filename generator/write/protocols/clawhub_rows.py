"""The one row that serves ClawHub's CLI, DeepTutor and OpenClaw at once, and the addresses it names."""

from __future__ import annotations

from typing import Literal

from generator.model import Hub, Listing, TimeMs
from generator.write.protocols.clawhub_types import (
    LatestVersion,
    Publisher,
    SkillMetadata,
    SkillOwner,
    SkillRow,
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
    summary = listing.description
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
        "tags": {"latest": listing.version},
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
    return row


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
