"""What agents and crawlers look for: ``llms.txt``, ``llms-full.txt`` and the map of the site.

No installer reads these (llmstxt.org has the shape of the first two). They lead to the Markdown twins, which say the
same as the pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from html import escape

from generator.collecting import Gathering
from generator.model import Catalog, Listing, Protocol, Route
from generator.write.protocols.clawhub_card import escape_markdown
from generator.write.protocols.clawhub_rows import SUMMARY_LIMIT, noted_summary, page_url
from generator.write.protocols.skill_twin import fence

TEXT = "text/plain; charset=utf-8"
XML = "application/xml; charset=utf-8"
FULL_LIMIT = 4_000_000
"""Bytes of ``SKILL.md`` texts in ``llms-full.txt``: about a million tokens, more than any agent reads at once."""
SITEMAP_LIMIT = 45_000
"""Addresses in one sitemap; the protocol (sitemaps.org) allows 50,000."""

_GUIDES = (
    ("use/", "Install skills from here", "what each client can do here, and its set-up"),
    ("clients/", "Clients and hosts", "which client gets how far on which kind of host"),
    ("hosts/", "Agents", "which agents load what, and how that is known"),
    ("rules/", "Rules", "every finding code with an example and its mend"),
    ("trust/", "Trust", "what the scan does and does not say"),
    ("publish/", "Publish", "how to get a skill in here"),
)


def agent_routes(
    catalog: Catalog,
    gatherings: Sequence[Gathering],
    read_text: Callable[[Listing], str | None],
    pages: Iterable[str],
) -> tuple[Route, ...]:
    """``llms.txt`` and ``llms-full.txt`` (where not switched off) and the sitemap.

    ``read_text`` gives the ``SKILL.md`` of a skill's latest release, None where nobody may have it; ``pages`` are the
    routes of all other pages of the site.
    """
    listings = sorted(
        (one for one in catalog.listings if one.stance.listed), key=lambda one: (one.slug, one.owner)
    )
    routes = tuple(_sitemaps(catalog, listings, pages))
    if not catalog.hub.speaks(Protocol.AGENT_PAGES):
        return routes
    return (
        Route("/llms.txt", _encode(_index(catalog, listings, gatherings)), TEXT),
        Route("/llms-full.txt", _encode(_full(catalog, listings, read_text)), TEXT),
        *routes,
    )


def _encode(parts: Iterable[str]) -> bytes:
    return ("\n".join(parts) + "\n").encode("utf-8", "replace")


def _opening(catalog: Catalog) -> Iterator[str]:
    yield f"# {escape_markdown(catalog.hub.name)}"
    yield ""
    yield f"> {escape_markdown(catalog.hub.description)}"
    yield ""


def _index(catalog: Catalog, listings: Sequence[Listing], gatherings: Sequence[Gathering]) -> Iterator[str]:
    hub = catalog.hub
    yield from _opening(catalog)
    yield "Skills for agents. Each link below leads to a Markdown page with the commands that install the skill."
    yield ""
    yield "## Using this hub"
    yield ""
    for path, title, note in _GUIDES:
        yield f"- [{title}]({hub.url}/{path}index.md): {note}"
    if hub.speaks(Protocol.AGENT_SKILLS):
        yield f"- [Index of skills]({hub.url}/.well-known/agent-skills/index.json): for `npx skills add {hub.url}`"
    if hub.speaks(Protocol.CLAWHUB):
        yield f"- [API description]({hub.api}/openapi.json): OpenAPI, in the shape of ClawHub's"
    yield f"- [Everything in one file]({hub.url}/llms-full.txt)"
    for gathering in gatherings:
        yield ""
        yield f"## {escape_markdown(gathering.collection.title)}"
        yield ""
        if gathering.collection.description:
            yield f"{escape_markdown(gathering.collection.description)}"
            yield ""
        yield from (_line(catalog, one) for one in gathering.listings)
    yield ""
    yield "## All skills"
    yield ""
    yield from (_line(catalog, one) for one in listings)


def _line(catalog: Catalog, listing: Listing) -> str:
    url = f"{page_url(catalog.hub, listing.owner, listing.slug)}index.md"
    name = listing.slug if listing.holds_slug else f"{listing.owner}/{listing.slug}"
    summary = noted_summary(listing)
    if len(summary) > SUMMARY_LIMIT:
        summary = f"{summary[: SUMMARY_LIMIT - 1]}…"
    return f"- [{name}]({url}): {escape_markdown(summary)}"


def _full(
    catalog: Catalog, listings: Sequence[Listing], read_text: Callable[[Listing], str | None]
) -> Iterator[str]:
    yield from _opening(catalog)
    left = FULL_LIMIT
    for number, listing in enumerate(listings):
        text = read_text(listing) if listing.offered else None
        if text is None:
            continue
        left -= len(text.encode("utf-8", "replace"))
        if left < 0:
            yield f"## {len(listings) - number} more"
            yield ""
            yield f"The rest of this hub is listed in {catalog.hub.url}/llms.txt."
            return
        yield f"## {escape_markdown(listing.display_name)}"
        yield ""
        yield f"- Skill: `@{listing.owner}/{listing.slug}` {listing.version}"
        yield f"- Page: <{page_url(catalog.hub, listing.owner, listing.slug)}>"
        yield ""
        yield fence(text, "markdown")
        yield ""


def _sitemaps(catalog: Catalog, listings: Sequence[Listing], pages: Iterable[str]) -> Iterator[Route]:
    """One map, or an index of several where the hub has more addresses than one may hold."""
    hub = catalog.hub
    entries = [f"<url><loc>{escape(hub.url + path)}</loc></url>" for path in sorted(pages)]
    entries += [
        f"<url><loc>{escape(page_url(hub, one.owner, one.slug))}</loc>"
        f"<lastmod>{datetime.fromtimestamp(one.updated_at / 1000, UTC):%Y-%m-%d}</lastmod></url>"
        for one in listings
    ]
    parts = [entries[start : start + SITEMAP_LIMIT] for start in range(0, len(entries), SITEMAP_LIMIT)]
    if len(parts) < 2:
        yield _xml("/sitemap.xml", "urlset", entries)
        return
    names = [f"/sitemap-{number}.xml" for number in range(1, len(parts) + 1)]
    yield from (_xml(name, "urlset", part) for name, part in zip(names, parts, strict=True))
    index = [f"<sitemap><loc>{escape(hub.url + name)}</loc></sitemap>" for name in names]
    yield _xml("/sitemap.xml", "sitemapindex", index)


def _xml(path: str, root: str, entries: Sequence[str]) -> Route:
    lines = "\n".join(entries)
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<{root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{lines}\n</{root}>\n'
    )
    return Route(path, text.encode("utf-8", "replace"), XML)
