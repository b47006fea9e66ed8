"""Which version content is published under, as a table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.history.assignment import OnChanged, assign_version, next_free
from generator.model import Release, Version
from tests.samples import make_release, sha256


def ledger(*releases: tuple[str, bytes]) -> tuple[Release, ...]:
    return tuple(make_release(version, tree=tree) for version, tree in releases)


A, B, C = b"a", b"b", b"c"
ERROR, BUMP, REPLACE = OnChanged.ERROR, OnChanged.BUMP, OnChanged.REPLACE

CASES = {
    # name: declared, content, ledger, policy, version
    "first of all": ("2.1.0", A, (), ERROR, "2.1.0"),
    "the same again": ("2.1.0", A, (("2.1.0", A),), ERROR, "2.1.0"),
    "a new one": ("2.2.0", B, (("2.1.0", A),), ERROR, "2.2.0"),
    "a backport": ("1.0.1", B, (("2.1.0", A),), ERROR, "1.0.1"),
    "changed": ("2.1.0", B, (("2.1.0", A),), ERROR, None),
    "changed, counted on": ("2.1.0", B, (("2.1.0", A),), BUMP, "2.1.1"),
    "changed, the next is taken": ("2.1.0", C, (("2.1.0", A), ("2.1.1", B)), BUMP, "2.1.2"),
    "changed and counted before": ("2.1.0", B, (("2.1.0", A), ("2.1.1", B)), BUMP, "2.1.1"),
    "back to what was published": ("2.1.0", A, (("2.1.0", A), ("2.1.1", B)), BUMP, "2.1.0"),
    "an older version has this content": ("2.1.0", B, (("1.0.0", B), ("2.1.0", A)), BUMP, "2.1.1"),
    "a changed pre-release": ("2.0.0-rc.1", B, (("2.0.0-rc.1", A),), BUMP, "2.0.0"),
    "a preview": ("2.1.0", B, (("2.1.0", A),), REPLACE, "2.1.0"),
    "none declared": (None, A, (), ERROR, "1.0.0"),
    "none declared, unchanged": (None, A, (("1.0.0", A),), ERROR, "1.0.0"),
    "none declared, changed": (None, B, (("1.0.0", A),), ERROR, "1.0.1"),
    "none declared, changed twice": (None, C, (("1.0.0", A), ("1.0.1", B)), ERROR, "1.0.2"),
    "none declared, back again is a change": (None, A, (("1.0.0", A), ("1.0.1", B)), ERROR, "1.0.2"),
    "none declared any more": (None, B, (("3.4.5", A),), ERROR, "3.4.6"),
    "none declared in a preview": (None, B, (("1.0.0", A),), REPLACE, "1.0.0"),
}


@pytest.mark.parametrize("case", CASES)
def test_the_version_of_content(case: str) -> None:
    declared, content, releases, policy, expected = CASES[case]
    wanted = Version(declared) if declared is not None else None
    assert assign_version(wanted, sha256(content), ledger(*releases), policy) == expected


@given(
    st.lists(st.sampled_from([A, B, C]), max_size=12),
    st.sampled_from([None, Version("1.0.0"), Version("1.0.2")]),
)
def test_building_again_never_uses_a_number_twice(contents: list[bytes], declared: Version | None) -> None:
    releases: tuple[Release, ...] = ()
    for content in contents:
        version = assign_version(declared, sha256(content), releases, BUMP)
        assert version is not None
        same = [one for one in releases if one.version == version]
        assert all(one.hashes.tree == sha256(content) for one in same)
        if not same:
            releases = (*releases, make_release(version, tree=content))
        # Asked again with the ledger it has just written, the answer is the same.
        assert assign_version(declared, sha256(content), releases, BUMP) == version


def test_the_next_free_number_is_free() -> None:
    assert next_free(Version("1.0.0"), ledger(("1.0.1", A), ("1.0.2", B))) == "1.0.3"
