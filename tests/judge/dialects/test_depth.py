"""Deep nesting: each library's own limit, as measured in its host."""

from __future__ import annotations

import pytest

from generator.judge.dialects.libraries import read_yaml

LIMITS = {
    "pyyaml": (490, 495),
    "libyaml": (999, 1_000),
    "js-yaml-3": (7_000, 9_000),
    "js-yaml-4": (1_800, 2_100),
    "yaml-2": (1_100, 1_500),
    "claude-code": (4_900, 5_000),
}


@pytest.mark.parametrize("library", LIMITS)
def test_each_library_has_its_limit(library: str) -> None:
    read, refused = LIMITS[library]
    assert read_yaml(library, f"a: {'[' * read}{']' * read}\n").fault is None
    fault = read_yaml(library, f"a: {'[' * refused}{']' * refused}\n").fault
    assert fault is not None
    assert fault.kind == "too-deep"
    assert fault.escapes == (library == "pyyaml")


@pytest.mark.parametrize("library", LIMITS)
def test_brackets_in_quotes_nest_nothing(library: str) -> None:
    assert read_yaml(library, f'a: "{"[" * 9_000}"\n').fault is None


@pytest.mark.parametrize("library", LIMITS)
def test_deep_braces(library: str) -> None:
    deep = LIMITS[library][1]
    assert read_yaml(library, "a: " + "{a: " * deep + "}" * deep + "\n").fault is not None
