"""The ledger of a collection: it only grows, and its numbers never come back."""

from __future__ import annotations

import json

import pytest

from generator.history.ledger import LedgerError
from generator.model import Owner, Sha256, Slug, TimeMs, Version
from generator.write.protocols.claude_code_ledger import BundleMember, advance, ledger_file, read_bundles


def member(slug: str, version: str = "1.0.0", archive: str = "a", owner: str = "acme") -> BundleMember:
    return BundleMember(Owner(owner), Slug(slug), Version(version), Sha256(archive * 64))


A, B, A2 = member("aaa"), member("bbb"), member("aaa", "1.1.0", "b")


def grow(*builds: tuple[BundleMember, ...]) -> tuple[bytes, list[str]]:
    ledger, versions = b"", []
    for number, members in enumerate(builds):
        made = advance(ledger, members, TimeMs(1000 * number), "office")
        assert made.ledger.startswith(ledger)
        ledger = made.ledger
        versions.append(made.latest.version if made.latest else "-")
    return ledger, versions


STORIES: dict[str, tuple[list[tuple[BundleMember, ...]], list[str]]] = {
    "first": ([(A, B)], ["1.0.0"]),
    "nothing-new": ([(A, B), (A, B)], ["1.0.0", "1.0.0"]),
    "order-and-repetition": ([(A, B), (B, A, A)], ["1.0.0", "1.0.0"]),
    "member-updated": ([(A, B), (A2, B)], ["1.0.0", "1.0.1"]),
    "member-gone": ([(A, B), (B,)], ["1.0.0", "1.0.1"]),
    "back-again": ([(A,), (A2,), (A,)], ["1.0.0", "1.0.1", "1.0.2"]),
    "other-content-under-one-version": ([(A,), (member("aaa", "1.0.0", "c"),)], ["1.0.0", "1.0.1"]),
    "other-owner": ([(A,), (member("aaa", owner="beta"),)], ["1.0.0", "1.0.1"]),
    "never-anything": ([(), ()], ["-", "-"]),
    "nothing-for-a-while": ([(A,), (), (A,), (B,)], ["1.0.0", "1.0.0", "1.0.0", "1.0.1"]),
}


@pytest.mark.parametrize(("builds", "wanted"), STORIES.values(), ids=STORIES)
def test_versions(builds: list[tuple[BundleMember, ...]], wanted: list[str]) -> None:
    ledger, versions = grow(*builds)
    assert versions == wanted
    assert [bundle.version for bundle in read_bundles(ledger, "office")] == sorted(set(wanted) - {"-"})


def test_times_never_run_backwards() -> None:
    first = advance(b"", [A], TimeMs(5000), "office").ledger
    made = advance(first, [B], TimeMs(1000), "office").latest
    assert made is not None
    assert made.first_seen == 5000


WHOLE = grow((A,), (A, B), (B,))[0]
LINES = WHOLE.splitlines(keepends=True)
BROKEN = {
    "edited": (WHOLE.replace(b'"slug":"aaa"', b'"slug":"abc"', 1), 2, "a line before it"),
    "line-missing": (LINES[0] + LINES[2], 2, "a line before it"),
    "first-line-missing": (LINES[1] + LINES[2], 1, "a line before it"),
    "reordered": (LINES[1] + LINES[0], 1, "a line before it"),
    "cut": (WHOLE[:-1], 3, "cut off"),
    "no-json": (b"x\n", 1, "not a ledger line"),
    "unknown-key": (WHOLE.replace(b'"version":"1.0.2"', b'"version":"1.0.2","x":1'), 3, "unknown key 'x'"),
    "number-again": (LINES[0] + LINES[1].replace(b'"1.0.1"', b'"1.0.0"'), 2, "where 1.0.1 belongs"),
    "deep": (b"[" * 100_000 + b"\n", 1, "not a ledger line"),
}


@pytest.mark.parametrize(("ledger", "line", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_ledger_that_no_build_wrote_stops_it(ledger: bytes, line: int, reason: str) -> None:
    with pytest.raises(LedgerError, match=rf"office\.jsonl, line {line}: .*{reason}.*restore the file"):
        advance(ledger, [A], TimeMs(0), "office")


def test_the_form_of_a_line() -> None:
    first = json.loads(LINES[0])
    assert first == {
        "prev": "0" * 64,
        "bundle": {
            "version": "1.0.0",
            "first_seen": 0,
            "members": [{"owner": "acme", "slug": "aaa", "version": "1.0.0", "archive": "a" * 64}],
        },
    }
    assert ledger_file("office") == "ledger/collections/office.jsonl"
