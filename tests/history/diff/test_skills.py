"""The whole difference, and the pairs that are compared."""

from __future__ import annotations

import pytest

from generator.history.diff.files import FileStatus
from generator.history.diff.skills import choose_pairs, compare_skills
from generator.jsondata import dump_bytes, to_plain
from generator.model import Version
from tests.history.diff.folders import make_folder
from tests.samples import make_release

PAIRS = {
    "one": (["1.0.0"], []),
    "in order": (["1.0.0", "1.1.0", "2.0.0"], [("1.0.0", "1.1.0"), ("1.1.0", "2.0.0")]),
    "a backport": (["1.0.0", "2.0.0", "1.0.1"], [("1.0.0", "2.0.0"), ("1.0.0", "1.0.1")]),
    "after a backport": (
        ["1.0.0", "2.0.0", "1.0.1", "2.0.1"], [("1.0.0", "2.0.0"), ("1.0.0", "1.0.1"), ("2.0.0", "2.0.1")],
    ),
    "lower than all": (["2.0.0", "1.0.0"], []),
    "a pre-release": (["1.0.0-rc.1", "1.0.0"], [("1.0.0-rc.1", "1.0.0")]),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_pairs(name: str) -> None:
    versions, expected = PAIRS[name]
    assert list(choose_pairs([make_release(version) for version in versions])) == expected


def test_pairs_once_chosen_stay() -> None:
    releases = [make_release(v) for v in ("1.0.0", "3.0.0", "2.0.0", "2.5.0-beta", "1.0.1", "3.0.1")]
    for count in range(len(releases)):
        assert choose_pairs(releases)[: len(choose_pairs(releases[:count]))] == choose_pairs(releases[:count])


def test_the_whole_difference_is_a_value_and_the_same_every_time() -> None:
    old = make_folder({"a.md": "1\n", "b.png": b"\0"})
    new = make_folder({"a.md": "2\n", "c.py": "3\n"}, front="version: 2.0.0\n")
    diff = compare_skills(Version("1.0.0"), old, Version("2.0.0"), new)
    assert diff == compare_skills(Version("1.0.0"), old, Version("2.0.0"), new)
    assert [diff.count(status) for status in FileStatus] == [1, 1, 0, 2]
    assert [one.field for one in diff.fields] == ["version", "version_from"]
    assert dump_bytes(to_plain(diff)) == dump_bytes(to_plain(diff))
