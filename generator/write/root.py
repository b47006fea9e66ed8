"""The two documents that hold a hub together: the router's index, and the root document, written last."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from generator import __version__
from generator.history.decision import SkillKey
from generator.jsondata import dump_bytes
from generator.model import Catalog, Protocol, Route, Slug
from generator.write.layout import LEDGER_INDEX, Layout, Naming

ROUTER_FILE = "router.json"
_PROMISED = (
    "/api/v1/skills",
    "/api/v1/search",
    "/report.json",
    "/search/index.json",
    f"/{LEDGER_INDEX}",
    "/changes/index.json",
)


@dataclass(frozen=True, slots=True)
class Moves:
    """Former addresses: each with the present one, and bare slugs that only a former address has."""

    addresses: tuple[tuple[SkillKey, SkillKey], ...] = ()
    slugs: Mapping[Slug, SkillKey] = field(default_factory=dict)


def router_document(
    catalog: Catalog, layout: Layout, naming: Naming, routes: Iterable[Route], moves: Moves | None = None
) -> bytes:
    """What a router must know: the layout, who owns which slug (its holder first), which routes answer other than
    200, and where skills went."""
    slugs: dict[str, list[str]] = {}
    for listing in sorted(catalog.listings, key=lambda one: (one.slug, not one.holds_slug, one.owner)):
        slugs.setdefault(listing.slug, []).append(listing.owner)
    moved = {"/".join(old): "/".join(now) for old, now in moves.addresses} if moves is not None else {}
    moved_slugs = {slug: "/".join(now) for slug, now in moves.slugs.items()} if moves is not None else {}
    return dump_bytes(
        {
            "schema": "skillpress.router.v1",
            "layout": layout.value,
            "naming": naming.value,
            "slugs": slugs,
            **({} if catalog.hub.speaks(Protocol.CLAWHUB) else {"clawhub": False}),
            **({"moved": moved} if moved else {}),
            **({"movedSlugs": moved_slugs} if moved_slugs else {}),
            "statuses": {
                **{route.path: route.status for route in routes if route.status != 200},
                **{one.path: one.status for listing in catalog.listings for one in listing.statuses},
            },
        }
    )


def ledger_index(heads: Mapping[SkillKey, str], collections: Iterable[tuple[str, str]] = ()) -> Route:
    """The index of ledgers: the sha256 of each one's last line, by skill, and by collection."""
    shelves = dict(collections)
    document = {
        "schema": "skillpress.ledgers.v1",
        "heads": {"/".join(key): head for key, head in sorted(heads.items())},
        **({"collections": shelves} if shelves else {}),
    }
    return Route(f"/{LEDGER_INDEX}", dump_bytes(document), "application/json")


def root_document(
    catalog: Catalog,
    layout: Layout,
    naming: Naming,
    routes: Iterable[Route],
    router: bytes,
    counts: Mapping[str, int],
) -> bytes:
    """The root document: what the hub is, and the sha256 of the documents everything else is found through.

    ``counts`` are the skill folders that each source gave, by label.
    """
    digests = {route.path: _sha256(route.body) for route in routes if route.path in _PROMISED}
    return dump_bytes(
        {
            "schema": "skillpress.hub.v1",
            "name": catalog.hub.name,
            "description": catalog.hub.description,
            "url": catalog.hub.url,
            "api": catalog.hub.api,
            "generator": f"skillpress {__version__}",
            "layout": layout.value,
            "naming": naming.value,
            "hosting": catalog.hub.hosting or None,
            "protocols": [protocol.value for protocol in catalog.hub.protocols],
            "skills": len(catalog.listings),
            "notPublished": len(catalog.rejected),
            "sources": [{"label": label, "folders": count} for label, count in counts.items()],
            "updatedAt": max((listing.updated_at for listing in catalog.listings), default=0),
            "documents": {**digests, f"/{ROUTER_FILE}": _sha256(router)},
        }
    )


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
