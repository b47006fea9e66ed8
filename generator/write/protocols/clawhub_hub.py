"""The hub's own documents of the ClawHub API: discovery, list, search, trending, ambiguous slugs, openapi."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import groupby

from generator.jsondata import dump_bytes
from generator.model import Catalog, Hub, Listing, Route
from generator.write.protocols.clawhub_answers import AmbiguousSlug, Discovery, Trending, TrendingRow
from generator.write.protocols.clawhub_packages import package_item, package_lists
from generator.write.protocols.clawhub_rows import list_row, page_url
from generator.write.protocols.openapi import openapi_document

JSON = "application/json"
TRENDING_LIMIT = 100
"""Rows of the trending document; no client asks for more."""


def hub_routes(catalog: Catalog) -> tuple[Route, ...]:
    """All routes of the API that belong to no single skill.

    List and search hold every skill, newest release first, and never a cursor: a host that ignores the query
    gives the same bytes to every request, and a crawler that followed a cursor there would never end.
    """
    listings = sorted((one for one in catalog.listings if one.stance.listed), key=_newest_first)
    made = [(one, list_row(one, catalog.hub)) for one in listings]
    rows = b",".join([dump_bytes(row) for _, row in made])
    packages = [package_item(row, holds_slug=one.holds_slug) for one, row in made]
    discovery: Discovery = {"apiBase": catalog.hub.url, "registry": catalog.hub.url}
    found = dump_bytes(discovery)
    return (
        Route("/.well-known/clawhub.json", found, JSON),
        Route("/.well-known/clawdhub.json", found, JSON),
        Route("/api/v1/skills", b"".join((b'{"items":[', rows, b'],"nextCursor":null}')), JSON),
        Route("/api/v1/search", b"".join((b'{"results":[', rows, b"]}")), JSON),
        Route("/api/v1/trending", dump_bytes(_trending(listings, catalog.hub)), JSON),
        Route("/api/v1/openapi.json", dump_bytes(openapi_document(catalog.hub)), JSON),
        *package_lists(packages),
        *_ambiguous(catalog),
    )


def _newest_first(listing: Listing) -> tuple[int, str, str]:
    return (-listing.updated_at, listing.slug, listing.owner)


def _trending(listings: list[Listing], hub: Hub) -> Trending:
    """Nothing is counted, so the newest releases lead; what nobody should install is not recommended."""
    shown = [one for one in listings if one.recommended][:TRENDING_LIMIT]
    items: list[TrendingRow] = [
        {**list_row(one, hub), "rank": rank, "lane": "recent"} for rank, one in enumerate(shown, start=1)
    ]
    snapshot = "\n".join(f"{one.owner}/{one.slug}@{one.version}" for one in shown)
    return {
        "kind": "skills",
        "snapshotId": sha256(snapshot.encode()).hexdigest()[:16],
        "snapshotCursor": None,
        "generatedAt": max((one.updated_at for one in shown), default=0),
        "windowHours": 0,
        "rankingVersion": "recent-v1",
        "totalItems": len(items),
        "items": items,
        "nextCursor": None,
    }


def _ambiguous(catalog: Catalog) -> Iterator[Route]:
    """One 409 document for each slug that several owners have and none of them holds."""
    by_slug = sorted(catalog.listings, key=lambda one: (one.slug, one.owner))
    for slug, group in groupby(by_slug, key=lambda one: one.slug):
        owners = list(group)
        if len(owners) < 2 or any(one.holds_slug for one in owners):
            continue
        document: AmbiguousSlug = {
            "code": "AMBIGUOUS_SKILL_SLUG",
            "message": f'{len(owners)} publishers have a skill "{slug}". Choose one of them by its owner.',
            "slug": slug,
            "matches": [
                {
                    "ownerHandle": one.owner,
                    "slug": slug,
                    "ref": f"@{one.owner}/{slug}",
                    "url": page_url(catalog.hub, one.owner, slug),
                }
                for one in owners
            ],
        }
        yield Route(f"/api/v1/skills/{slug}", dump_bytes(document), JSON, status=409)
