"""The index documents: written, split, read, and every row of the API out of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings

from generator.jsondata import dump_bytes
from generator.judge.profiles import load_profiles
from generator.model import Listing, ScanVerdict, Stance, TimeMs
from generator.search.entries import expand, tie_key
from generator.search.index import (
    INDEX_ROUTE,
    NAMES_ROUTE,
    SearchIndexError,
    read_index,
    script_route,
    search_routes,
)
from generator.write.protocols.clawhub_hub import hub_routes
from generator.write.protocols.clawhub_rows import list_row
from generator.write.site.roster import is_agent, order_profiles
from tests.search import samples
from tests.search.node import NodeSearch
from tests.search.samples import HUB, documents_of, make_catalog, make_listing, parsed

SPLIT = {"split_above": 2, "chunk": 2}


def rows_of(listings: list[Listing]) -> list[bytes]:
    """What every reader must give back: the rows of the hub's list."""
    listed = sorted((one for one in listings if one.stance.listed), key=tie_key)
    return [dump_bytes(list_row(one, HUB)) for one in listed]


@settings(max_examples=60, deadline=None)
@given(listings=samples.catalogs)
def test_a_row_comes_back_exactly(node: NodeSearch, listings: list[Listing]) -> None:
    for split in ({}, SPLIT):
        documents = documents_of(listings, **split)
        data = read_index(documents.get)
        assert [dump_bytes(expand(one, data.hub)) for one in data.entries] == rows_of(listings)
        assert node.ask("open", documents=parsed(documents)) == []
        rows = node.ask("rows")
        # The order of the keys too: an edge's answer may be compared with a file.
        assert [dump_bytes(row) for row in rows] == rows_of(listings)


def test_the_facts_of_filters_are_kept() -> None:
    one = make_listing("pdf", outcomes="lprc", holds_slug=False, codes=("x",))
    assert read_index(documents_of([one]).get).entries == (
        make_listing("pdf", outcomes="lprc", holds_slug=False),
    )


def test_hosts_are_in_the_order_of_outcomes_and_know_that_of_the_site() -> None:
    profiles = load_profiles()
    hosts = read_index(documents_of([]).get).hosts
    assert [host.id for host in hosts] == [profile.id for profile in profiles]
    shown = [host.id for host in sorted(hosts, key=lambda host: host.rank) if host.agent]
    assert shown == [profile.id for profile in order_profiles(profiles) if is_agent(profile)]


def test_a_small_hub_has_one_document_and_a_large_one_parts() -> None:
    listings = [make_listing(f"skill-{number}", description=f"No. {number}") for number in range(5)]
    assert list(documents_of(listings)) == [INDEX_ROUTE]
    documents = parsed(documents_of(listings, **SPLIT))
    assert list(documents) == [
        INDEX_ROUTE, NAMES_ROUTE, "/search/summaries-1.json", "/search/summaries-2.json", "/search/summaries-3.json",
    ]  # fmt: skip
    assert "No. 1" not in json.dumps(documents[NAMES_ROUTE])
    assert [documents[route]["from"] for route in documents[INDEX_ROUTE]["summaries"]] == [0, 2, 4]
    assert len({document["build"] for document in documents.values()}) == 1


def test_an_empty_hub_has_an_index(node: NodeSearch) -> None:
    documents = documents_of([])
    assert read_index(documents.get).entries == ()
    assert node.ask("open", documents=parsed(documents)) == []
    assert node.ask("search", question="pdf", options={}) == []
    assert node.ask("list", options={}) == {"items": [], "nextCursor": None}


def test_the_script_is_a_route() -> None:
    route = script_route()
    assert (route.path, route.media_type) == ("/search/search.js", "text/javascript; charset=utf-8")
    assert b"export function search(" in route.body


def test_a_skill_under_quarantine_is_in_no_document() -> None:
    hidden = make_listing("secret-skill", stance=Stance(quarantined="Steals tokens"))
    assert b"secret" not in b"".join(documents_of([hidden, make_listing("pdf")]).values())


def test_a_document_holds_no_tag() -> None:
    documents = documents_of([make_listing("pdf", description="<script>alert(1)</script>")])
    assert b"<" not in documents[INDEX_ROUTE]


def test_names_come_first_and_a_page_needs_only_its_own_summaries(node: NodeSearch) -> None:
    listings = [make_listing(f"skill-{number}", description="soup") for number in range(6)]
    documents = parsed(documents_of(listings, **SPLIT))
    parts = list(documents)[1:]
    assert node.ask("load", documents=documents, stopAfter=0) == parts
    assert node.ask("search", question="skill", options={}) == []
    assert node.ask("load", documents=documents, stopAfter=1) == parts[1:]
    assert len(node.ask("search", question="skill", options={})) == 6
    assert node.ask("search", question="soup", options={}) == []
    assert node.ask("missingFor", options={"limit": 2, "offset": 2}) == parts[2:3]
    with pytest.raises(RuntimeError, match="summaries of this skill are not loaded"):
        node.ask("trending", limit=1)
    assert node.ask("load", documents=documents, stopAfter=2) == parts[2:]
    assert len(node.ask("search", question="soup", options={})) == 2
    assert node.ask("missingFor", options={"limit": 2}) == []


def _drop(route: str) -> Callable[[dict[str, Any]], None]:
    return lambda documents: documents.pop(route)


def _set(route: str, key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda documents: documents[route].update({key: value})


DAMAGED = {
    "no index": (_drop(INDEX_ROUTE), r"/search/index\.json: there is no such document"),
    "no names": (_drop(NAMES_ROUTE), r"/search/names\.json: there is no such document"),
    "another version": (
        _set(INDEX_ROUTE, "schema", "skillpress.search.v9"),
        "not a search index of this version",
    ),
    "another build": (_set(NAMES_ROUTE, "build", "0" * 16), "of another build"),
    "a number of skills": (_set(INDEX_ROUTE, "skills", 7), "not an index that this version reads"),
    "columns": (_set(NAMES_ROUTE, "columns", {}), "not an index that this version reads"),
    "no columns at all": (_set(NAMES_ROUTE, "columns", [1]), "not an index that this version reads"),
    "hosts": (_set(INDEX_ROUTE, "hosts", 1), "not an index that this version reads"),
    "a hub": (_set(INDEX_ROUTE, "hub", []), "not an index that this version reads"),
    "a build": (_set(INDEX_ROUTE, "build", None), "not an index that this version reads|of another build"),
}


@pytest.mark.parametrize(("damage", "said"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_index_is_an_error_that_says_so(
    damage: Callable[[dict[str, Any]], None], said: str
) -> None:
    documents = parsed(documents_of([make_listing(f"skill-{number}") for number in range(5)], **SPLIT))
    damage(documents)
    with pytest.raises(SearchIndexError, match=said):
        read_index({route: json.dumps(document).encode() for route, document in documents.items()}.get)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000], ids=str)
def test_what_is_no_index_is_an_error_that_says_so(data: bytes) -> None:
    with pytest.raises(SearchIndexError, match="not a search index"):
        read_index(lambda route: data)


def test_parts_of_two_builds_do_not_mix(node: NodeSearch) -> None:
    listings = [make_listing(f"skill-{number}") for number in range(5)]
    documents = parsed(documents_of(listings, **SPLIT))
    later = parsed(documents_of([*listings, make_listing("more")], **SPLIT))
    with pytest.raises(RuntimeError, match="another build"):
        node.ask("open", documents={**documents, NAMES_ROUTE: later[NAMES_ROUTE]})


def test_trending_is_the_document_of_the_build(node: NodeSearch) -> None:
    from generator.search.lists import trending
    from generator.search.vocabulary import SearchIndex

    listings = [
        make_listing(f"skill-{number}", updated_at=TimeMs(number % 7), created_at=TimeMs(0))
        for number in range(120)
    ]
    listings += [make_listing("blocked", verdict=ScanVerdict.BLOCK, updated_at=TimeMs(9))]
    listings += [make_listing("yanked", stance=Stance(withdrawn=True), updated_at=TimeMs(9))]
    catalog = make_catalog(listings)
    written = next(route.body for route in hub_routes(catalog) if route.path == "/api/v1/trending")
    document = {route.path: route.body for route in search_routes(catalog, ())}
    index = SearchIndex.of(read_index(document.get))
    assert dump_bytes(trending(index, 100)) == written
    node.ask("open", documents=parsed(document))
    assert dump_bytes(node.ask("trending", limit=100)) == written
    assert node.ask("trending", limit=3) == trending(index, 3)
    assert trending(index, 3)["totalItems"] == 100
