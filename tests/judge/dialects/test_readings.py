"""Our readers against what the real libraries made of each text of the record."""

from __future__ import annotations

import pytest

from tests.judge.dialects.record import read_record, shown_reading

LIBRARIES = ("pyyaml", "libyaml", "strictyaml", "js-yaml-3", "js-yaml-4", "yaml-2", "claude-code")

MOST_DIFFERENCES = 45
"""Cases of the record, of all libraries together, in which a reader of ours is known to differ."""


@pytest.mark.parametrize("library", LIBRARIES)
def test_reads_what_the_library_reads(library: str) -> None:
    wrong = [
        f"{case.text!r}\n  ours {shown_reading(library, case.text)}\n  real {case.readings[library]}"
        for case in read_record()
        if library not in case.differs and shown_reading(library, case.text) != case.readings[library]
    ]
    assert not wrong, "\n".join(wrong[:20])


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_difference_that_is_gone_is_struck_off_the_record(library: str) -> None:
    gone = [
        case.text
        for case in read_record()
        if library in case.differs and shown_reading(library, case.text) == case.readings[library]
    ]
    assert not gone, "run python -m tests.live.yaml_libraries --write"


def test_known_differences_are_few_and_refuse_nothing_that_is_accepted() -> None:
    cases = read_record()
    assert sum(len(case.differs) for case in cases) <= MOST_DIFFERENCES
    turned = [
        (library, case.text)
        for case in cases
        for library in case.differs
        if ("refused" in case.readings[library]) != ("refused" in shown_reading(library, case.text))
    ]
    # Three texts of the reference validator's fork, and an empty tag before a comma in Bun.
    assert len(turned) <= 4, turned


def test_the_record_holds_enough_of_both() -> None:
    cases = read_record()
    for library in LIBRARIES:
        refused = sum("refused" in case.readings[library] for case in cases)
        assert 150 < refused < len(cases) - 300, library
