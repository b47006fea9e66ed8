"""Pages of the list and what trends, out of the index: what ``GET /skills`` and ``GET /trending`` answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from generator.model import Listing
from generator.search.entries import expand
from generator.search.filters import keep
from generator.search.query import Key, parse_query
from generator.search.text import fold
from generator.search.vocabulary import SearchIndex
from generator.write.protocols.clawhub_answers import Trending, TrendingRow
from generator.write.protocols.clawhub_hub import TRENDING_LIMIT


@dataclass(frozen=True, slots=True)
class ListOptions:
    """Which page of which list. ``order`` is ``updated``, ``created`` or ``name``; with a ``prefix``, which slug, name
    or display name starts with, the order is that of names. The others as in
    :class:`~generator.search.ranking.Options`."""

    order: str = "updated"
    limit: int = 25
    offset: int = 0
    prefix: str = ""
    owner: str = ""
    clean_only: bool = False
    filters: Mapping[Key, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Page:
    """Some entries of a list, and the offset of those that follow; None where these are the last."""

    entries: tuple[Listing, ...]
    following: int | None


def list_skills(index: SearchIndex, options: ListOptions) -> Page:
    """A page of the list; by name in the order of code points, folded, the newest first among equals."""
    entries = index.data.entries
    filters = parse_query("", options.filters).filters
    shown: Sequence[int] = keep(index.data, filters, owner=options.owner, clean_only=options.clean_only)
    if options.prefix:
        start = fold(options.prefix)
        shown = [
            place for place in shown if any(name.startswith(start) for name in index.names[place].folded)
        ]
    if options.order == "created":
        shown = sorted(shown, key=lambda place: (-entries[place].created_at, place))
    elif options.order == "name" or options.prefix:
        shown = sorted(shown, key=lambda place: (index.names[place].folded[-1], place))
    end = options.offset + options.limit
    return Page(
        tuple(entries[place] for place in shown[options.offset : end]), end if end < len(shown) else None
    )


def trending(index: SearchIndex, limit: int) -> Trending:
    """The document of ``GET /trending`` with its first ``limit`` items: nothing is counted here, so the newest lead,
    and what nobody should install is not recommended."""
    data = index.data
    shown = [one for one in data.entries if one.recommended][:TRENDING_LIMIT]
    items: list[TrendingRow] = [
        {**expand(one, data.hub), "rank": rank, "lane": "recent"}
        for rank, one in enumerate(shown[:limit], start=1)
    ]
    return {
        "kind": "skills",
        "snapshotId": data.snapshot,
        "snapshotCursor": None,
        "generatedAt": max((one.updated_at for one in shown), default=0),
        "windowHours": 0,
        "rankingVersion": "recent-v1",
        "totalItems": len(shown),
        "items": items,
        "nextCursor": None,
    }
