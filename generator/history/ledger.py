"""The ledger of one skill: an append-only JSON-lines document, one line a release, oldest first.

Each line carries the sha256 of the line before it (``prev``, 64 zeros in the first), so that a missing,
reordered or edited line is found when the ledger is read. The ledger is public, and it is the input of the
next build: first-seen times and published versions come from here and nowhere else.
"""

from __future__ import annotations

import hashlib

from generator.errors import SkillpressError
from generator.jsondata import JsonShapeError, dump_bytes, from_plain, load_json, to_plain
from generator.model import Release

GENESIS = "0" * 64


class LedgerError(SkillpressError):
    """A ledger is not what a build wrote: a line is missing, edited, or not understood."""


def append_release(ledger: bytes, release: Release) -> bytes:
    """The ledger with one more line. The earlier lines keep every byte."""
    lines = ledger.splitlines()
    previous = hashlib.sha256(lines[-1]).hexdigest() if lines else GENESIS
    return ledger + dump_bytes({"prev": previous, "release": to_plain(release)}) + b"\n"


def write_ledger(releases: tuple[Release, ...]) -> bytes:
    """A whole ledger, oldest release first."""
    ledger = b""
    for release in releases:
        ledger = append_release(ledger, release)
    return ledger


def read_ledger(ledger: bytes, name: str) -> tuple[Release, ...]:
    """The releases of a ledger, oldest first, the hash chain checked.

    ``name`` says in errors which ledger it is.

    Raises:
        LedgerError: the chain is broken or a line is not a release.
    """
    releases: list[Release] = []
    previous = GENESIS
    if ledger and not ledger.endswith(b"\n"):
        raise _broken(name, ledger.count(b"\n") + 1, "the last line is cut off")
    for number, line in enumerate(ledger.splitlines(), start=1):
        try:
            document = load_json(line)
            stated, plain = document["prev"], document["release"]
            release = from_plain(Release, plain)
        except (ValueError, KeyError, TypeError) as error:
            reason = str(error) if isinstance(error, JsonShapeError) else "not a ledger line"
            raise _broken(name, number, reason) from None
        if stated != previous:
            raise _broken(name, number, "a line before it is missing or was edited")
        if any(release.version == earlier.version for earlier in releases):
            raise _broken(name, number, f"version {release.version} is recorded twice")
        releases.append(release)
        previous = hashlib.sha256(line).hexdigest()
    return tuple(releases)


def head_of(ledger: bytes) -> str:
    """The sha256 of the last line: what the hub's index of ledgers remembers of it."""
    lines = ledger.splitlines()
    return hashlib.sha256(lines[-1]).hexdigest() if lines else GENESIS


def check_head(ledger: bytes, head: str, name: str) -> None:
    """Check that a ledger still holds the line that was its last when the index was written.

    It may be longer: a build that was killed has appended to it and not reached the index.

    Raises:
        LedgerError: that line is gone, so the ledger was cut off, emptied or edited.
    """
    lines = ledger.splitlines()
    if not any(hashlib.sha256(line).hexdigest() == head for line in reversed(lines)):
        raise _broken(name, len(lines), "the line that was the last is missing or was edited")


def _broken(name: str, line: int, reason: str) -> LedgerError:
    return LedgerError(
        f"{name}, line {line}: {reason}. A ledger is only ever appended to: restore the file from a copy of the "
        "published hub or from version control. Published versions must not be lost, so the build stops here."
    )
