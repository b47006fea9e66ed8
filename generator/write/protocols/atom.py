"""Atom feeds (RFC 4287) of the hub, a publisher, a category and a skill: one entry a release.

Every time in them is a first-seen time of the ledger, so a feed changes only when a release is published. An
entry's id is the address of its skill's page with the version as fragment: it is unique, and never another's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from generator.model import Hub, Listing, Owner, Release, Route, ScanVerdict, Slug, TimeMs, Version
from generator.names import fit_slug
from generator.versions import precedence
from generator.write.layout import archive_file
from generator.write.site.view import quote_segment, shorten, show_hidden

MEDIA_TYPE: Final = "application/atom+xml; charset=utf-8"
MAX_ENTRIES: Final = 50
"""Entries of one feed, the newest."""
HUB_FEED: Final = "/feeds/hub.xml"

_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LAST_MS: Final = 253_402_300_799_999
"""The last millisecond of the year 9999, which RFC 3339 can still write."""


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One release as a feed shows it. ``archive_size`` in bytes, None where the archive is not offered.

    ``note`` is what the author wrote of this version, else the skill's description.
    """

    owner: Owner
    slug: Slug
    version: Version
    title: str
    note: str
    at: TimeMs
    archive_size: int | None
    topics: tuple[str, ...] = ()
    category: str | None = None


@dataclass(frozen=True, slots=True)
class Feed:
    """One feed: its route, what it is called, the page it belongs to (below the hub), its entries."""

    path: str
    title: str
    page: str
    entries: tuple[FeedEntry, ...]


def entries_of(listing: Listing, releases: Iterable[Release]) -> tuple[FeedEntry, ...]:
    """The entries of one skill, newest first. The caller leaves out what the overlay hides (quarantined)."""
    entries = [
        FeedEntry(
            owner=listing.owner,
            slug=listing.slug,
            version=release.version,
            title=listing.display_name,
            note=release.changelog or release.description,
            at=release.first_seen,
            archive_size=None if release.scan.verdict is ScanVerdict.BLOCK else release.archive.size,
            topics=listing.topics,
            category=listing.category,
        )
        for release in releases
    ]
    return tuple(_newest_first(entries))


def skill_feed_path(owner: str, slug: str) -> str:
    """The route of a skill's feed."""
    return f"/feeds/skills/{owner}/{slug}.xml"


def owner_feed_path(owner: str) -> str:
    """The route of a publisher's feed."""
    return f"/feeds/owners/{owner}.xml"


def category_feed_path(category: str) -> str:
    """The route of a category's feed; categories that differ in case or signs alone share one."""
    return f"/feeds/categories/{fit_slug(category).slug}.xml"


def skill_feed(owner: Owner, slug: Slug, entries: Sequence[FeedEntry]) -> Feed:
    """The feed of one skill."""
    name = entries[0].title if entries else slug
    page = f"/{owner}/skills/{slug}/"
    return Feed(
        skill_feed_path(owner, slug), f"{name} by {owner}", page, tuple(_newest_first(entries)[:MAX_ENTRIES])
    )


def shared_feeds(hub: Hub, entries: Iterable[FeedEntry]) -> tuple[Feed, ...]:
    """The feeds of the hub, of each publisher and of each category, sorted by route."""
    ordered = _newest_first(entries)
    owners: dict[str, list[FeedEntry]] = {}
    categories: dict[str, list[FeedEntry]] = {}
    for entry in ordered:
        owners.setdefault(entry.owner, []).append(entry)
        if entry.category:
            categories.setdefault(category_feed_path(entry.category), []).append(entry)
    feeds = [Feed(HUB_FEED, hub.name, "/", tuple(ordered[:MAX_ENTRIES]))]
    feeds += [
        Feed(owner_feed_path(owner), f"{owner} on {hub.name}", f"/{owner}/", tuple(own[:MAX_ENTRIES]))
        for owner, own in owners.items()
    ]
    feeds += [
        Feed(path, f"{_name_of(own)} on {hub.name}", "/browse/", tuple(own[:MAX_ENTRIES]))
        for path, own in categories.items()
    ]
    return tuple(sorted(feeds, key=lambda feed: feed.path))


def write_feed(hub: Hub, feed: Feed) -> bytes:
    """The feed as an Atom document. ``updated`` is its newest release's time, the epoch where it has none."""
    updated = max((entry.at for entry in feed.entries), default=TimeMs(0))
    own = f"{hub.url}{feed.path}"
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n',
        f"<id>{_xml(own)}</id>\n",
        f"<title>{_xml(shorten(show_hidden(feed.title), 200))}</title>\n",
        f"<updated>{format_time(updated)}</updated>\n",
        f"<author><name>{_xml(shorten(show_hidden(hub.name), 200) or 'Skill hub')}</name></author>\n",
        f'<link rel="self" type="application/atom+xml" href="{_xml(own)}"/>\n',
        f'<link rel="alternate" type="text/html" href="{_xml(hub.url + feed.page)}"/>\n',
        "<generator>Skillpress</generator>\n",
    ]
    for entry in feed.entries:
        lines.extend(_entry(hub, entry))
    lines.append("</feed>\n")
    return "".join(lines).encode("utf-8")


def feed_route(hub: Hub, feed: Feed) -> Route:
    """The feed at its route."""
    return Route(feed.path, write_feed(hub, feed), MEDIA_TYPE)


def format_time(time: TimeMs) -> str:
    """RFC 3339 in UTC, with milliseconds; a time that no calendar of four digits holds becomes its first or
    last."""
    inside = min(max(time, 0), _LAST_MS)
    second = datetime.fromtimestamp(inside // 1000, tz=UTC)
    return f"{second.replace(tzinfo=None).isoformat()}.{inside % 1000:03}Z"


def _newest_first(entries: Iterable[FeedEntry]) -> list[FeedEntry]:
    """By time, then by name; of one skill's releases of one time the highest version first."""
    by_version = sorted(entries, key=lambda entry: precedence(entry.version), reverse=True)
    return sorted(by_version, key=lambda entry: (-entry.at, entry.owner, entry.slug))


def _name_of(entries: Iterable[FeedEntry]) -> str:
    return min(entry.category or "" for entry in entries)


def _entry(hub: Hub, entry: FeedEntry) -> Iterator[str]:
    page = f"{hub.url}/{entry.owner}/skills/{entry.slug}/"
    at = format_time(entry.at)
    title = f"{shorten(show_hidden(entry.title), 160)} {entry.version}"
    yield f"<entry>\n<id>{_xml(page)}#{quote_segment(entry.version)}</id>\n"
    yield f"<title>{_xml(title)}</title>\n<published>{at}</published>\n<updated>{at}</updated>\n"
    yield f"<author><name>{_xml(entry.owner)}</name><uri>{_xml(f'{hub.url}/{entry.owner}/')}</uri></author>\n"
    yield f'<link rel="alternate" type="text/html" href="{_xml(page)}"/>\n'
    if entry.archive_size is not None:
        archive = f"{hub.url}/{archive_file(entry.owner, entry.slug, entry.version)}"
        yield (
            f'<link rel="enclosure" type="application/zip" length="{entry.archive_size}" href="{_xml(archive)}"/>\n'
        )
    for term in _terms(entry):
        yield f'<category term="{_xml(term)}"/>\n'
    yield f'<summary type="text">{_xml(shorten(show_hidden(entry.note), 1_000))}</summary>\n</entry>\n'


def _terms(entry: FeedEntry) -> Iterable[str]:
    terms: Mapping[str, None] = dict.fromkeys(
        shorten(show_hidden(term), 60) for term in (entry.category or "", *entry.topics[:12])
    )
    return [term for term in terms if term]


def _xml(text: str) -> str:
    """``text`` for XML text and quoted attributes; what XML 1.0 has no place for becomes U+FFFD."""
    kept = _NO_XML.sub("\ufffd", text)
    return kept.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
