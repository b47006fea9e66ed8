"""The page of each collection, and the one that lists them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from markupsafe import Markup

from generator.collecting import Gathering
from generator.model import Hub, Protocol, Route
from generator.write.protocols.claude_code_names import bundle_name, marketplace_name
from generator.write.protocols.indexes import is_offered
from generator.write.site.install import SKILLS, InstallWay
from generator.write.site.lists import cards
from generator.write.site.pages import HTML
from generator.write.site.shell import Shell
from generator.write.site.stamp import Stamp
from generator.write.site.view import format_count, load_template


def collection_pages(shell: Shell, hub: Hub, gatherings: Sequence[Gathering]) -> Iterator[Route]:
    """``/collections/`` and ``/collections/{name}/``; nothing where the operator made none."""
    if not gatherings:
        return
    for gathering in gatherings:
        collection = gathering.collection
        count = format_count(len(gathering.listings), "skill", "skills")
        content = load_template("collection.html").render(
            collection=collection,
            count=count,
            ways=list(_ways(hub, gathering)),
            withheld=sum(not is_offered(one) for one in gathering.listings),
            cards=Markup(cards(gathering.listings, "../../")),  # noqa: S704 -- our own template's output
        )
        head = collection.title, collection.description or f"{count} put together by the hub."
        yield _page(shell.shelf, hub, f"/collections/{collection.name}/", head, content)
    content = load_template("collections.html").render(
        count=format_count(len(gatherings), "collection", "collections"),
        collections=[
            (one.collection, format_count(len(one.listings), "skill", "skills")) for one in gatherings
        ],
    )
    yield _page(
        shell.publisher, hub, "/collections/", ("Collections", "Skills that belong together."), content
    )


def _ways(hub: Hub, gathering: Gathering) -> Iterable[InstallWay]:
    """How to install all of a collection at once."""
    name = gathering.collection.name
    if not any(is_offered(one) for one in gathering.listings):
        return
    if hub.speaks(Protocol.AGENT_SKILLS):
        yield InstallWay(
            "npx skills", f"npx {SKILLS} add {shlex.quote(f'{hub.url}/collections/{name}')}",
            "It asks which of them, and for which agents.",
        )  # fmt: skip
    if hub.speaks(Protocol.CLAUDE_CODE):
        marketplace = marketplace_name(hub)
        yield InstallWay(
            "Claude Code",
            f"claude plugin marketplace add {shlex.quote(f'{hub.url}/claude/marketplace.json')}\n"
            f"claude plugin install {bundle_name(name)}@{marketplace}",
            "One plugin with all of them; a skill that brings hooks or servers comes as a plugin of its own beside it.",
        )


def _page(stamp: Stamp, hub: Hub, path: str, head: tuple[str, str], content: str) -> Route:
    title, description = head
    values: Mapping[str, str] = {"CANONICAL": f"{hub.url}{path}", "DESCRIPTION": description, "TITLE": title}
    page = stamp.fill(
        {
            **{word: escape(value).encode("utf-8", "replace") for word, value in values.items()},
            "CONTENT": content.encode("utf-8", "replace"),
        }
    )
    return Route(path, page, HTML)
