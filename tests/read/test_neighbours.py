"""Folders a text may link to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.read.neighbours import find_neighbours

CASES = {
    "none": ("[a](scripts/run.py)", "skills/pdf", ()),
    "a sibling's file": (
        "[x](../xlsx/SKILL.md)",
        "skills/pdf",
        ("skills", "skills/xlsx", "skills/xlsx/SKILL.md"),
    ),
    "a sibling's folder": ("[x](../xlsx/)", "skills/pdf", ("skills", "skills/xlsx")),
    "with a fragment": ("[x](../xlsx#a)", "pdf", ("xlsx",)),
    "escaped": ("[x](../a%20b/)", "pdf", ("a b",)),
    "out of the source": ("[x](../../../etc/passwd)", "pdf", ()),
    "itself": ("[x](../pdf/a.md)", "pdf", ("pdf/a.md",)),
    "at the root of the source": ("[x](../other/)", "", ()),
    "a reference": ("[x]: ../xlsx/SKILL.md", "pdf", ("xlsx", "xlsx/SKILL.md")),
}


@pytest.mark.parametrize(("body", "folder", "found"), CASES.values(), ids=CASES)
def test_find_neighbours(body: str, folder: str, found: tuple[str, ...]) -> None:
    assert find_neighbours(body, folder) == found


@given(st.text(alphabet="./ab%2e#?()\n \\", max_size=200), st.sampled_from(["", "a", "a/b"]))
def test_never_leaves_the_source(body: str, folder: str) -> None:
    for place in find_neighbours(body, folder):
        assert not place.startswith(("/", ".."))
