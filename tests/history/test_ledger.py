"""The ledger: append-only, and every edit is found."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.history.ledger import LedgerError, append_release, read_ledger, write_ledger
from generator.model import Release
from tests.samples import make_release

RELEASES = (make_release("1.0.0"), make_release("1.1.0"), make_release("2.0.0"))
LEDGER = write_ledger(RELEASES)


def test_round_trip() -> None:
    assert read_ledger(LEDGER, "x") == RELEASES
    assert read_ledger(b"", "x") == ()


def test_appending_keeps_every_earlier_byte() -> None:
    longer = append_release(LEDGER, make_release("3.0.0"))
    assert longer.startswith(LEDGER)
    assert [release.version for release in read_ledger(longer, "x")] == ["1.0.0", "1.1.0", "2.0.0", "3.0.0"]


def _edited(old: bytes, new: bytes) -> bytes:
    assert old in LEDGER
    return LEDGER.replace(old, new, 1)


LINES = LEDGER.splitlines(keepends=True)
BROKEN = {
    "first line missing": (b"".join(LINES[1:]), "line 1: a line before it is missing"),
    "middle line missing": (LINES[0] + LINES[2], "line 2: a line before it is missing"),
    "lines swapped": (LINES[1] + LINES[0] + LINES[2], "line 1: a line before"),
    "an earlier line edited": (
        _edited(b"1.0.0", b"9.0.0"),
        "line 2: a line before it is missing or was edited",
    ),
    "cut in the middle of a line": (LEDGER[:-20], "line 3: the last line is cut off"),
    "a line twice": (append_release(LINES[0], RELEASES[0]), "line 2: version 1.0.0 is recorded twice"),
    "not JSON": (b"hello\n", "line 1: not a ledger line"),
    "not an object": (b"[]\n", "line 1: not a ledger line"),
    "unknown key": (
        json.dumps({"prev": "0" * 64, "release": {"x": 1}}).encode() + b"\n",
        "line 1: .*unknown key 'x'",
    ),
    "not UTF-8": (b"\xff\xfe\n", "line 1: not a ledger line"),
    "deeply nested": (b"[" * 100_000 + b"\n", "line 1: not a ledger line"),
}


@pytest.mark.parametrize(("ledger", "message"), BROKEN.values(), ids=BROKEN)
def test_broken_ledger_says_where_and_how_to_recover(ledger: bytes, message: str) -> None:
    with pytest.raises(LedgerError, match=message) as caught:
        read_ledger(ledger, "ledger/acme/pdf.jsonl")
    assert str(caught.value).startswith("ledger/acme/pdf.jsonl")
    assert "restore the file" in str(caught.value)


@settings(max_examples=300)
@given(st.integers(0, len(LEDGER) - len(LINES[-1]) - 1), st.integers(1, 255))
def test_no_edited_byte_before_the_last_line_goes_unseen(position: int, change: int) -> None:
    edited = bytearray(LEDGER)
    edited[position] ^= change
    with pytest.raises(LedgerError):
        read_ledger(bytes(edited), "x")


@given(st.lists(st.from_type(Release), max_size=4, unique_by=lambda release: release.version))
def test_any_releases_round_trip(releases: list[Release]) -> None:
    assert read_ledger(write_ledger(tuple(releases)), "x") == tuple(releases)
