"""``GET /api/v1/skill/list`` of the skill-package service: official and user skills with name and description.

The service's document of 2026-05 names the address and what it lists, not the fields; those here are ours, with
``user_skill`` for the difference between the two kinds. A hub has official ones only. Archives are uploaded to the
service by hand, so each row names the one to upload.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypedDict

from generator.model import Hub, Listing, Route
from generator.write.layout import archive_file
from generator.write.protocols.indexes import Indexed, describe, is_flat, json_route

PATH: Final = "/api/v1/skill/list"


class ServiceSkill(TypedDict):
    """One skill. ``name`` is unique in the list."""

    name: str
    description: str
    version: str
    owner: str
    user_skill: bool
    download_url: str
    size: int
    sha256: str


def hub_routes(hub: Hub, skills: Sequence[Indexed]) -> tuple[Route, ...]:
    """The list of all skills that may be installed, in the catalog's order."""
    rows = [_row(hub, one.listing, one) for one in skills if is_flat(one.listing)]
    return (json_route(PATH, {"skills": rows, "total": len(rows)}),)


def _row(hub: Hub, listing: Listing, skill: Indexed) -> ServiceSkill:
    return {
        "name": listing.slug,
        "description": describe(listing),
        "version": listing.version,
        "owner": listing.owner,
        "user_skill": False,
        "download_url": f"{hub.url}/{archive_file(listing.owner, listing.slug, listing.version)}",
        "size": skill.archive.size,
        "sha256": skill.archive.sha256,
    }
