"""The ledger of one collection: which skills, in which versions, each version of its bundle held.

Append-only JSON lines as for skills (``ledger/collections/{name}.jsonl``): a collection has no version of its author's,
yet an installer must see a number that grows whenever the content changes and never comes back.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from generator.history.ledger import GENESIS, LedgerError
from generator.jsondata import JsonShapeError, dump_bytes, from_plain, load_json, to_plain
from generator.model import Owner, Sha256, Slug, TimeMs, Version


@dataclass(frozen=True, slots=True)
class BundleMember:
    """One skill in one version. ``archive`` is the sha256 of its zip: the content, whatever the number says."""

    owner: Owner
    slug: Slug
    version: Version
    archive: Sha256


@dataclass(frozen=True, slots=True)
class Bundle:
    """One version of a collection. ``members`` are sorted by owner and slug."""

    version: Version
    first_seen: TimeMs
    members: tuple[BundleMember, ...]


@dataclass(frozen=True, slots=True)
class Advance:
    """A ledger after a build, and the version that is the latest now; None where the collection never held a skill."""

    ledger: bytes
    latest: Bundle | None


def ledger_file(name: str) -> str:
    """Where a collection's ledger lies; also its route without the leading slash. No owner is ``collections``."""
    return f"ledger/collections/{name}.jsonl"


def advance(previous: bytes, members: Iterable[BundleMember], now: TimeMs, name: str) -> Advance:
    """The ledger with one more line where the members differ from the last line's: version 1.0.0, then 1.0.1, ...

    Members that return to what they once were make a new version too. No members make none: there is nothing to
    install, and the number waits.

    Raises:
        LedgerError: ``previous``, the ledger of the collection ``name``, is not what a build wrote.
    """
    known = read_bundles(previous, name)
    latest = known[-1] if known else None
    wanted = tuple(sorted(set(members), key=lambda one: (one.owner, one.slug, one.version)))
    if not wanted or (latest is not None and latest.members == wanted):
        return Advance(previous, latest)
    # Times never run backwards along a ledger, whatever the clock of this machine says.
    seen = now if latest is None else TimeMs(max(now, latest.first_seen))
    added = Bundle(Version(f"1.0.{len(known)}"), seen, wanted)
    lines = previous.splitlines()
    prev = hashlib.sha256(lines[-1]).hexdigest() if lines else GENESIS
    return Advance(previous + dump_bytes({"prev": prev, "bundle": to_plain(added)}) + b"\n", added)


def read_bundles(ledger: bytes, name: str) -> tuple[Bundle, ...]:
    """The versions of a collection, oldest first, the hash chain and the numbers checked.

    Raises:
        LedgerError: naming the line that is not what a build wrote.
    """
    if ledger and not ledger.endswith(b"\n"):
        raise _broken(name, ledger.count(b"\n") + 1, "the last line is cut off")
    bundles: list[Bundle] = []
    previous = GENESIS
    for number, line in enumerate(ledger.splitlines(), start=1):
        try:
            document = load_json(line)
            stated, bundle = document["prev"], from_plain(Bundle, document["bundle"])
        except (ValueError, KeyError, TypeError) as error:
            reason = str(error) if isinstance(error, JsonShapeError) else "not a ledger line"
            raise _broken(name, number, reason) from None
        if stated != previous:
            raise _broken(name, number, "a line before it is missing or was edited")
        if bundle.version != f"1.0.{len(bundles)}":
            raise _broken(name, number, f"the version is {bundle.version} where 1.0.{len(bundles)} belongs")
        bundles.append(bundle)
        previous = hashlib.sha256(line).hexdigest()
    return tuple(bundles)


def _broken(name: str, line: int, reason: str) -> LedgerError:
    return LedgerError(
        f"{ledger_file(name)}, line {line}: {reason}. A ledger is only ever appended to: restore the file from a copy "
        "of the published hub or from version control. Published versions must not be lost, so the build stops here."
    )
