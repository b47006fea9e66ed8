"""Edits: made last first, never two over each other, and every other byte as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.judge.mends.model import Edit, Mend, apply, choose


def mend(*edits: tuple[int, int, bytes]) -> Mend:
    return Mend("code", "SKILL.md", 1, "Do it", tuple(Edit(*edit) for edit in edits))


@pytest.mark.parametrize(
    ("mends", "after"),
    [
        ([], b"0123456789"),
        ([mend((0, 1, b""))], b"123456789"),
        ([mend((10, 10, b"x"))], b"0123456789x"),
        ([mend((2, 4, b"xyz"), (6, 7, b""))], b"01xyz45789"),
        ([mend((6, 7, b"")), mend((2, 4, b"xyz"))], b"01xyz45789"),
        ([mend((2, 4, b"a")), mend((3, 5, b"b"))], b"01a456789"),
        ([mend((2, 4, b"a")), mend((4, 4, b"b"))], b"01a456789"),
        ([mend((2, 2, b"a")), mend((2, 2, b"b"))], b"01a23456789"),
        ([mend((2, 4, b"a")), mend((0, 1, b"b"), (3, 5, b"c"))], b"01a456789"),
        # What is removed and what is put there may touch within one mend.
        ([mend((2, 4, b""), (4, 4, b"ab"))], b"01ab456789"),
        ([mend((2, 4, b""), (2, 2, b"ab"))], b"01ab456789"),
    ],
)
def test_apply(mends: list[Mend], after: bytes) -> None:
    assert apply(b"0123456789", mends) == after


EDITS = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 8), st.binary(max_size=5)).map(
        lambda t: mend((t[0], t[0] + t[1], t[2]))
    ),
    max_size=12,
)


@given(st.binary(min_size=68, max_size=68), EDITS)
def test_bytes_outside_the_edits_stay(data: bytes, mends: list[Mend]) -> None:
    made = sorted((edit for one in choose(mends) for edit in one.edits), key=lambda e: e.start)
    pieces, at = [], 0
    for edit in made:
        assert edit.start >= at
        pieces += [data[at : edit.start], edit.replacement]
        at = edit.end
    assert apply(data, mends) == b"".join([*pieces, data[at:]])
