"""What people look for is among the first five, and Pagefind does not find more of it."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.search import compare, measure, table_lines
from benchmarks.search_labelled import SOURCES, collections_catalog, read_labelled
from tests.conftest import require

pytestmark = [pytest.mark.collection, pytest.mark.xdist_group("collections")]


@pytest.fixture(autouse=True)
def _installed() -> None:
    require("collections")
    require("deeptutor")


def test_every_wanted_skill_is_there() -> None:
    there = {(one.owner, one.slug) for one in collections_catalog().listings}
    assert {owner for owner, _ in there} == {owner for owner, _ in SOURCES}
    slugs = {slug for _, slug in there}
    for one in read_labelled():
        for name in one.wanted:
            owner, _, slug = name.rpartition("/")
            assert slug in slugs if not owner else (owner, slug) in there, one


def test_the_questions_are_many_and_of_every_kind() -> None:
    asked = read_labelled()
    assert len({one.query for one in asked}) == len(asked) >= 60
    kinds = Counter(one.kind for one in asked)
    assert kinds["typo"] >= 10
    assert kinds["zh-words"] + kinds["zh-sentence"] >= 20


def test_recall_is_high_and_at_least_pagefinds(record_property: pytest.RecordProperty) -> None:
    compared = compare()
    assert compared.pagefind is not None, "not installed: pagefind; run `make deps`"
    cost = measure(300, ["pdf", "kuberntes"])
    record_property("printed", "\n".join(table_lines(compared, [cost])))
    assert compared.ours.mean >= 0.97, compared.ours.missed
    assert compared.ours.mean >= compared.pagefind.mean
    for kind in {one.kind for one in compared.ours.asked}:
        assert compared.ours.of_kind(kind) >= 0.9, kind
        assert compared.ours.of_kind(kind) >= compared.pagefind.of_kind(kind), kind
    assert (cost.requests, cost.skills) == (1, 300)
    assert 0 < cost.zipped < cost.raw
