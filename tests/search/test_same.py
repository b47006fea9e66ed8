"""Any question about any catalog has one answer, in Python and in JavaScript, in one document or in parts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.jsondata import dump_bytes
from generator.model import Listing, ScanVerdict
from generator.search.entries import tie_key
from generator.search.index import read_index
from generator.search.lists import ListOptions, list_skills
from generator.search.query import Key, parse_query
from generator.search.ranking import Options, search
from generator.search.vocabulary import SearchIndex
from generator.write.protocols.clawhub_rows import list_row
from tests.search import samples
from tests.search.node import NodeSearch
from tests.search.samples import documents_of, make_listing, options_of, parsed

MANY = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def found(index: SearchIndex, question: str, options: Options) -> list[list[str | int]]:
    return [[f"{one.entry.owner}/{one.entry.slug}", one.score] for one in search(index, question, options)]


@MANY
@given(
    listings=samples.catalogs,
    asked=st.lists(st.tuples(samples.questions, samples.options), min_size=5, max_size=5),
    split=st.booleans(),
)
def test_search(
    node: NodeSearch, listings: list[Listing], asked: list[tuple[str, dict[str, Any]]], split: bool
) -> None:
    documents = documents_of(listings, **({"split_above": 1, "chunk": 3} if split else {}))
    index = SearchIndex.of(read_index(documents.get))
    node.ask("open", documents=parsed(documents))
    for question, options in asked:
        here = found(index, question, options_of(options))
        assert node.ask("search", question=question, options=options) == here
        scores = [score for _, score in here]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 6000 for score in scores)


@MANY
@given(listings=samples.catalogs, options=samples.lists)
def test_lists(node: NodeSearch, listings: list[Listing], options: dict[str, Any]) -> None:
    documents = documents_of(listings)
    index = SearchIndex.of(read_index(documents.get))
    node.ask("open", documents=parsed(documents))
    renamed = {"cleanOnly": "clean_only"}
    page = list_skills(index, ListOptions(**{renamed.get(key, key): value for key, value in options.items()}))
    assert node.ask("list", options=options) == {
        "items": [f"{one.owner}/{one.slug}" for one in page.entries],
        "nextCursor": None if page.following is None else str(page.following),
    }


@MANY
@given(question=samples.questions | st.text(max_size=30))
def test_questions_are_taken_apart_alike(node: NodeSearch, question: str) -> None:
    query = parse_query(question, {Key.TAG: ["PDF", "", "pdf"]})
    assert node.ask("parse", question=question, filters={"tag": ["PDF", "", "pdf"]}) == {
        "text": query.text,
        "joined": query.joined,
        "units": list(query.units),
        "filters": [
            {"key": one.key, "values": list(one.values), "negative": one.negative} for one in query.filters
        ],
    }


@MANY
@given(listings=samples.catalogs)
def test_every_skill_is_found_by_its_address_and_its_slug(listings: list[Listing]) -> None:
    index = SearchIndex.of(read_index(documents_of(listings).get))
    for one in (one for one in listings if one.stance.listed):
        address = [f"{one.owner}/{one.slug}", 6000]
        assert address in found(index, f"@{one.owner}/{one.slug}", Options(exact=True))
        assert address in found(index, one.slug, Options())


@MANY
@given(listings=samples.catalogs, question=samples.questions)
def test_a_limit_cuts_and_changes_nothing(listings: list[Listing], question: str) -> None:
    index = SearchIndex.of(read_index(documents_of(listings).get))
    assert found(index, question, Options(limit=3)) == found(index, question, Options())[:3]


def test_a_router_gets_rows(node: NodeSearch) -> None:
    listings = [
        make_listing("pdf"),
        make_listing("pdf-forms", verdict=ScanVerdict.WARN),
        make_listing("soup"),
    ]
    documents = documents_of(listings)
    rows = {one.slug: dump_bytes(list_row(one, samples.HUB)) for one in listings}
    page = {"order": "name", "limit": 2, "offset": 0, "prefix": "", "owner": "", "cleanOnly": False}
    asked = {"question": "pdf", "limit": 5, "exact": False, "owner": "", "cleanOnly": True}
    listed, found, trends = node.ask(
        "router", documents=parsed(documents), plans=[["list", page], ["search", asked], ["trending", 1]]
    )
    assert [dump_bytes(row) for row in listed["items"]] == [rows["pdf"], rows["pdf-forms"]]
    assert listed["nextCursor"] == "2"
    assert [row["score"] for row in found] == [6000]
    assert [dump_bytes({**row, "score": 0}) for row in found] == [rows["pdf"]]
    assert [row["slug"] for row in trends["items"]] == ["pdf"]
    with pytest.raises(RuntimeError, match="Not a search index"):
        node.ask("router", documents={}, plans=[])


PREFIXES = {
    "slug": ("pdf", ["pdf", "pdf-forms"]),
    "slug with its dash": ("pdf-", ["pdf-forms"]),
    "display name": ("数据", ["data"]),
    "case and width": ("ＰＤＦ-F", ["pdf-forms"]),
    "not the middle": ("forms", []),
}


@pytest.mark.parametrize(("prefix", "slugs"), PREFIXES.values(), ids=PREFIXES)
def test_a_prefix_is_of_a_name(prefix: str, slugs: list[str]) -> None:
    listings = [make_listing("pdf-forms"), make_listing("pdf"), make_listing("data", display_name="数据分析")]
    index = SearchIndex.of(read_index(documents_of(listings).get))
    assert [one.slug for one in list_skills(index, ListOptions(prefix=prefix)).entries] == slugs


def test_pages_follow_each_other_to_the_end() -> None:
    listings = [make_listing(f"skill-{number}", display_name=f"Name {9 - number}") for number in range(7)]
    index = SearchIndex.of(read_index(documents_of(listings).get))
    seen: list[Listing] = []
    offset: int | None = 0
    while offset is not None:
        page = list_skills(index, ListOptions(order="name", limit=3, offset=offset))
        seen += page.entries
        offset = page.following
    assert [one.slug for one in seen] == [f"skill-{number}" for number in range(6, -1, -1)]
    assert sorted(seen, key=tie_key) == list(index.data.entries)


def test_the_order_by_name_is_that_of_code_points(node: NodeSearch) -> None:
    """JavaScript compares halves of code points: U+20000 would come before U+FB13... there."""
    names = ["\U00020000", "\ufa0e", "Z", "a", "é"]
    listings = [make_listing(f"skill-{place}", display_name=name) for place, name in enumerate(names)]
    documents = documents_of(listings)
    index = SearchIndex.of(read_index(documents.get))
    ordered = [one.display_name for one in list_skills(index, ListOptions(order="name")).entries]
    assert ordered == ["a", "é", "Z", "\ufa0e", "\U00020000"]
    node.ask("open", documents=parsed(documents))
    there = node.ask("list", options={"order": "name"})["items"]
    assert [names[int(name.rpartition("-")[2])] for name in there] == ordered


def test_search_js_reads_the_bytes_that_are_written(node: NodeSearch) -> None:
    documents = documents_of([make_listing("pdf", description="\ud800 \u2028 </script>")])
    node.ask("open", documents=parsed(documents))
    assert json.dumps(node.ask("rows")[0]["summary"]) == json.dumps("? \u2028 </script>")
