"""Where answers lie: the same table and the same cases in Python and in JavaScript."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.serve.places import TABLE, claim_of, is_safe, place_of, present_path
from generator.serve.router import SlugIndex
from generator.write.layout import Layout, Naming
from tests.serve.js.programs import Node

CASES: dict[str, Any] = json.loads((Path(__file__).parent / "places.json").read_bytes())
ROUTER = CASES["router"]
INDEX = SlugIndex(
    {slug: tuple(owners) for slug, owners in ROUTER["slugs"].items()},
    ROUTER["statuses"],
    ROUTER["moved"],
    ROUTER["movedSlugs"],
)
LAYOUTS = tuple(layout.value for layout in Layout)


def in_python(path: str, layout: str) -> dict[str, str]:
    return asdict(place_of(path, INDEX, Layout(layout), Naming.INDEX_HTML))


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    process = Node.start()
    yield process
    process.stop()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("case", CASES["places"], ids=lambda case: ascii(case["path"])[:60])
def test_a_place_in_python(case: dict[str, Any], layout: str) -> None:
    assert in_python(case["path"], layout) == case[layout]


@pytest.mark.parametrize("case", CASES["present"], ids=lambda case: case["path"])
def test_a_present_path_in_python(case: dict[str, Any]) -> None:
    assert present_path(case["path"], INDEX) == case["present"]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_places_in_javascript(node: Node, layout: str) -> None:
    told = node.places(ROUTER, [case["path"] for case in CASES["places"]], layout)
    assert told["table"] == [list(row) for row in TABLE]
    assert [place for place, _ in told["found"]] == [case[layout] for case in CASES["places"]]


def test_the_present_paths_in_javascript(node: Node) -> None:
    told = node.places(ROUTER, [case["path"] for case in CASES["present"]], "packed")
    assert [present for _, present in told["found"]] == [case["present"] for case in CASES["present"]]


def test_every_row_of_the_table_has_a_case() -> None:
    claims = filter(None, map(claim_of, (case["path"] for case in CASES["places"])))
    assert {(claim.template, claim.kind) for claim in claims} == set(TABLE)


@given(
    st.lists(st.sampled_from(["..", ".", "", "a", ".a", ".well-known", "packs", "a\\b", "\0", "é", "tree"]))
)
def test_no_place_lies_outside(pieces: list[str]) -> None:
    path = "/" + "/".join(pieces)
    for layout in LAYOUTS:
        file = in_python(path, layout)["file"]
        assert not file.startswith("/")
        assert not {"..", ".", ".a"} & set(file.split("/"))
    if is_safe(path):
        assert not {"..", ".", ".a", "a\\b", "\0"} & set(pieces)
