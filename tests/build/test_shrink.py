"""A source that suddenly gives far fewer skills stops the build, as a table."""

from __future__ import annotations

import pytest

from generator.build.shrink import ShrinkError, check_shrink

CASES = {
    # name: before, now, allowed percent, stops
    "as many": (10, 10, 30, False),
    "more": (10, 12, 30, False),
    "a few less": (10, 7, 30, False),
    "too many less": (10, 6, 30, True),
    "one of two": (2, 1, 30, False),
    "two of three": (3, 1, 30, True),
    "the only one": (1, 0, 30, True),
    "all": (10, 0, 30, True),
    "all, allowed": (10, 0, 100, False),
    "none allowed to vanish": (10, 8, 0, True),
    "a new source": (0, 0, 30, False),
}


@pytest.mark.parametrize("case", CASES)
def test_when_a_build_stops(case: str) -> None:
    before, now, allowed, stops = CASES[case]
    if not stops:
        check_shrink({"skills": before}, {"skills": now}, allowed)
        return
    with pytest.raises(ShrinkError, match=rf"source skills gives {now} of the {before} .*--allow-shrink"):
        check_shrink({"skills": before}, {"skills": now}, allowed)


def test_a_source_that_is_no_longer_listed_is_meant() -> None:
    check_shrink({"skills": 10, "more": 5}, {"more": 5}, 30)
