"""The pages and small indexes that speak of many skills: home, browse, publishers, not published."""

from __future__ import annotations

import mimetypes
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from html import escape
from typing import Any

from markupsafe import Markup

from generator.collecting import gather_collections
from generator.jsondata import dump_bytes
from generator.judge.model import Profile
from generator.model import Cache, Catalog, Hub, Listing, Protocol, Rejected, Route
from generator.search.index import INDEX_ROUTE
from generator.write.protocols.indexes import is_offered
from generator.write.site.clients import client_blocks
from generator.write.site.guides import guide_blocks, guide_pages
from generator.write.site.install import SKILLS
from generator.write.site.pages import HTML
from generator.write.site.rejected import rejected_content
from generator.write.site.shell import Shell
from generator.write.site.use import use_blocks
from generator.write.site.view import format_count, load_template, quote_segment, shorten

MAX_STATIC_CARDS = 300
"""Cards in a page's own HTML. Beyond, the browser reads the search index."""

_RECENT = 9
_TOPICS = 14
_JSON = "application/json; charset=utf-8"
_HASHED_NAME = re.compile(r"\.[0-9a-f]{8}\.min\.(?:css|js)$")
_MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def hub_pages(shell: Shell, catalog: Catalog, profiles: Sequence[Profile]) -> tuple[Route, ...]:
    """Every route of the site that is not one skill's, sorted by path. ``profiles`` are the hosts it judges by."""
    routes = [
        *(
            Route(path, stamp.fill(values), HTML)
            for values in [_page_values(catalog, profiles)]
            for path, stamp in shell.pages
        ),
        *_publisher_pages(shell, catalog),
        *guide_pages(shell, catalog, profiles),
        *(_asset(path, data) for path, data in shell.files),
        Route("/report.json", _encode_json(_report(catalog.rejected)), _JSON),
        Route(
            "/robots.txt",
            f"User-agent: *\nAllow: /\nSitemap: {catalog.hub.url}/sitemap.xml\n".encode(),
            "text/plain; charset=utf-8",
        ),
    ]
    return tuple(sorted(routes, key=lambda route: route.path))


def _shown(catalog: Catalog) -> tuple[Listing, ...]:
    """What lists hold; a skill under quarantine keeps only its page."""
    return tuple(item for item in catalog.listings if item.stance.listed)


def mark_words(item: Listing) -> list[str]:
    """The words of what the operator decided, for cards."""
    stance = item.stance
    words = (
        ("Deprecated", stance.deprecated is not None),
        ("Archived", stance.archived is not None),
        ("Yanked", stance.withdrawn),
    )
    return [word for word, holds in words if holds]


def _page_values(catalog: Catalog, profiles: Sequence[Profile]) -> Mapping[str, bytes]:
    listings = _shown(catalog)
    newest = sorted(listings, key=lambda item: (-item.updated_at, item.slug, item.owner))
    offered = sorted(
        (item for item in newest if item.recommended),
        key=lambda item: item.stance.featured if item.stance.featured is not None else len(newest) + 1,
    )
    owners = len({item.owner for item in listings})
    example = next((item for item in offered if item.holds_slug), offered[0] if offered else None)
    slug, owner, version = (
        (example.slug, example.owner, example.version) if example else ("skill", "owner", "1.0.0")
    )
    texts = {
        "EXAMPLE_FILE": f"{slug}-{version}.zip",
        "EXAMPLE_OWNER": owner,
        # After a hub's first build all are equally recent, and the order is that of their names.
        "RECENT_TITLE": "Recently published" if len({item.updated_at for item in offered}) > 1 else "Skills",
        "OWNER_COUNT": format_count(owners, "publisher", "publishers"),
        "SKILL_COUNT": format_count(len(listings), "skill", "skills"),
    }
    shown = listings if len(listings) <= MAX_STATIC_CARDS else newest[:60]
    note = (
        ""
        if len(shown) == len(listings)
        else '<p class="sp-note">These are the newest. The whole list is in '
        f'<a href="..{INDEX_ROUTE}">the search index</a>, which this page reads by itself where scripts may run.</p>'
    )
    blocks = {
        **guide_blocks(catalog, profiles),
        **client_blocks(catalog.hub),
        **use_blocks(catalog, offered),
        "COLLECTIONS": collection_links(catalog.hub, listings),
        "CARDS": cards(shown, "../") + note,
        "RECENT": cards(offered[:_RECENT], ""),
        "REJECTED": rejected_content(catalog.rejected, profiles),
        "TOPICS": _topic_links(listings),
    }
    return {
        **{word: escape(text).encode("utf-8", "replace") for word, text in texts.items()},
        **{word: block.encode("utf-8", "replace") for word, block in blocks.items()},
    }


def _publisher_pages(shell: Shell, catalog: Catalog) -> Iterable[Route]:
    by_owner: dict[str, list[Listing]] = {}
    for item in _shown(catalog):
        by_owner.setdefault(item.owner, []).append(item)
    for owner, items in by_owner.items():
        count = format_count(len(items), "skill", "skills")
        content = load_template("publisher.html").render(
            owner=owner,
            count=count,
            command=_install_all(catalog.hub, owner, items),
            cards=Markup(cards(items[:MAX_STATIC_CARDS], "../")),  # noqa: S704 -- our own template's output
            more=len(items) > MAX_STATIC_CARDS,
            shown=MAX_STATIC_CARDS,
        )
        values = {
            "CANONICAL": f"{catalog.hub.url}/{owner}/",
            "DESCRIPTION": f"{count} published by {owner}.",
            "TITLE": owner,
        }
        page = shell.publisher.fill(
            {
                **{word: escape(value).encode("utf-8", "replace") for word, value in values.items()},
                "CONTENT": content.encode("utf-8", "replace"),
            }
        )
        yield Route(f"/{owner}/", page, HTML)


def _install_all(hub: Hub, owner: str, items: Iterable[Listing]) -> str | None:
    """The command that offers all of a publisher's skills; None where no index of them says a word."""
    if not hub.speaks(Protocol.AGENT_SKILLS) or not any(is_offered(item) for item in items):
        return None
    return f"npx {SKILLS} add {shlex.quote(f'{hub.url}/{owner}')}"


def collection_links(hub: Hub, listings: Sequence[Listing]) -> str:
    """The collections as cards for the home page; empty where the operator made none."""
    if not hub.collections:
        return ""
    gatherings, _ = gather_collections(hub.collections, listings)
    return load_template("collection_cards.html").render(
        title=True,
        collections=[
            (one.collection, format_count(len(one.listings), "skill", "skills")) for one in gatherings
        ],
        root="collections/",
    )


def cards(listings: Sequence[Listing], root: str) -> str:
    """A list of skills as cards; ``root`` is the way from the page to the hub's root."""
    if not listings:
        return '<p class="sp-note">Nothing is published yet.</p>'
    return load_template("cards.html").render(
        listings=[(item, mark_words(item)) for item in listings], root=root
    )


def _topic_links(listings: Sequence[Listing]) -> str:
    counts = Counter(topic for item in listings for topic in item.topics)
    popular = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_TOPICS]
    return "".join(
        f'<a href="browse/?topic={quote_segment(topic)}">{escape(shorten(topic, 40))}</a>'
        for topic, _ in popular
    )


def _asset(path: str, data: bytes) -> Route:
    suffix = path[path.rfind(".") :]
    media_type = _MEDIA_TYPES.get(suffix) or mimetypes.types_map.get(suffix, "application/octet-stream")
    return Route(path, data, media_type, Cache.IMMUTABLE if _HASHED_NAME.search(path) else Cache.REVALIDATE)


def _report(rejected: Sequence[Rejected]) -> dict[str, Any]:
    return {"schema": "skillpress.report.v1", "rejected": [asdict(item) for item in rejected]}


def _encode_json(document: dict[str, Any]) -> bytes:
    return dump_bytes(document) + b"\n"
