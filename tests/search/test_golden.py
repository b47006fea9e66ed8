"""One table of questions, asked in Python and in JavaScript.

To accept a change: ``SKILLPRESS_UPDATE_GOLDEN=1 pytest tests/search/test_golden.py``, then read the diff.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from generator.search.index import read_index
from generator.search.ranking import search
from generator.search.vocabulary import SearchIndex
from tests.search.node import NodeSearch
from tests.search.samples import documents_of, listing_of, options_of, parsed

GOLDEN = Path(__file__).with_name("golden.json")
TABLE: dict[str, Any] = json.loads(GOLDEN.read_text(encoding="utf-8"))
CASES: list[dict[str, Any]] = TABLE["cases"]
DOCUMENTS = documents_of([listing_of(row) for row in TABLE["skills"]])
INDEX = SearchIndex.of(read_index(DOCUMENTS.get))


@pytest.fixture(scope="module")
def loaded(node: NodeSearch) -> NodeSearch:
    """Node with the index of the table."""
    node.ask("open", documents=parsed(DOCUMENTS))
    return node


def ask_python(case: dict[str, Any]) -> list[list[str | int]]:
    found = search(INDEX, case["query"], options_of(case.get("options", {})))
    return [[f"{one.entry.owner}/{one.entry.slug}", one.score] for one in found]


def test_update_the_table_where_that_is_asked_for() -> None:
    if not os.environ.get("SKILLPRESS_UPDATE_GOLDEN"):
        return
    for case in CASES:
        case["found"] = ask_python(case)
    lines = [
        ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in TABLE[key])
        for key in ("skills", "cases")
    ]
    GOLDEN.write_text(
        f'{{\n  "skills": [\n{lines[0]}\n  ],\n  "cases": [\n{lines[1]}\n  ]\n}}\n', encoding="utf-8"
    )


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_python(case: dict[str, Any]) -> None:
    assert ask_python(case) == case["found"]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_node(loaded: NodeSearch, case: dict[str, Any]) -> None:
    assert loaded.ask("search", question=case["query"], options=case.get("options", {})) == case["found"]


def test_names_are_used_once() -> None:
    assert len({case["name"] for case in CASES}) == len(CASES)
