"""``skillpress search``: ask a hub for skills, as its own pages and its API do."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import click

from generator.cli.printing import print_json, print_lines

if TYPE_CHECKING:
    from generator.model import Hub, Listing
    from generator.search.ranking import Found

SCHEMA: Final = "skillpress.search-results.v1"
_SUMMARY: Final = 160
_TURNED_ROUND = re.compile("-[A-Za-z]+[:\uff1a]")


class _Questioning(click.Command):
    """A command whose words may start with a dash: ``-tag:pdf`` is a filter, no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" not in args:
            filters = [one for one in args if _TURNED_ROUND.match(one)]
            args = [*(one for one in args if not _TURNED_ROUND.match(one)), "--", *filters]
        return super().parse_args(ctx, args)


@click.command(cls=_Questioning)
@click.argument("query", nargs=-1, required=True, metavar="QUERY...")
@click.option(
    "--hub",
    default="public",
    show_default=True,
    metavar="DIR|URL",
    help="A built hub, or where one is served.",
)
@click.option(
    "--limit", type=click.IntRange(1), default=10, show_default=True, help="Skills to show, at most."
)
@click.option("--json", "as_json", is_flag=True, help="Print the rows of the API as one JSON document.")
def command(query: tuple[str, ...], hub: str, limit: int, as_json: bool) -> None:
    """Find skills in a hub.

    QUERY are words, and filters: owner:acme tag:pdf host:codex license:MIT verdict:allow. A value with blanks stands
    in quotes, several values of one key are alternatives, -tag:pdf leaves out what has the tag. Exit codes: 0
    something was found, 1 nothing was, 3 there is no hub, or one without a search index.
    """
    from generator.search.index import read_index
    from generator.search.ranking import Options, search
    from generator.search.vocabulary import SearchIndex
    from generator.verify.places import open_place

    data = read_index(open_place(hub).get)
    question = " ".join(query)
    found = search(SearchIndex.of(data), question, Options(limit=len(data.entries)))
    if as_json:
        print_json(_document(hub, data.hub, question, found, limit))
    else:
        print_lines(_lines(found, limit))
    if not found:
        sys.exit(1)


def _document(place: str, hub: Hub, question: str, found: Sequence[Found], limit: int) -> dict[str, object]:
    from generator.search.entries import expand

    return {
        "schema": SCHEMA,
        "hub": place,
        "query": question,
        "total": len(found),
        "results": [{**expand(one.entry, hub), "score": one.score} for one in found[:limit]],
    }


def _lines(found: Sequence[Found], limit: int) -> list[str]:
    lines = [_line(one.entry) for one in found[:limit]]
    if len(found) > limit:
        lines.append(f"... and {len(found) - limit:,} more; --limit shows them")
    return lines or ["No skill of this hub answers that. Try fewer words."]


def _line(entry: Listing) -> str:
    stance = entry.stance
    marks = [
        word
        for word, holds in (
            ("yanked", stance.withdrawn),
            ("deprecated", stance.deprecated is not None),
            ("archived", stance.archived is not None),
            (f"scan: {entry.verdict.value}", entry.verdict.value != "allow"),
        )
        if holds
    ]
    summary = " ".join(entry.description.split())
    if len(summary) > _SUMMARY:
        summary = f"{summary[: _SUMMARY - 1]}…"
    note = f" [{', '.join(marks)}]" if marks else ""
    return f"@{entry.owner}/{entry.slug} {entry.version}{note}  {summary}"
