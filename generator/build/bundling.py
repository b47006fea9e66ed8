"""The bundle of each collection: its ledger advanced, its package made of the archives of its members."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from generator.collecting import Gathering
from generator.history.ledger import LedgerError, head_of
from generator.model import Hub, Listing, Protocol, Route, TimeMs
from generator.write.archive import read_archive
from generator.write.layout import archive_file
from generator.write.protocols.claude_code_bundle import BundledSkill, BundleListing, pack_bundle
from generator.write.protocols.claude_code_ledger import BundleMember, advance, ledger_file
from generator.write.publish import Publisher


@dataclass(frozen=True, slots=True)
class Bundling:
    """What the marketplace lists of collections, their routes, and the head of every collection's ledger by name."""

    listings: tuple[BundleListing, ...] = ()
    routes: tuple[Route, ...] = ()
    heads: tuple[tuple[str, str], ...] = ()


def bundle_collections(
    publisher: Publisher, hub: Hub, gatherings: Sequence[Gathering], heads: dict[str, str], now: TimeMs
) -> Bundling:
    """Make every collection's bundle. ``heads`` are those of the last build: a ledger that is gone or shorter stops the
    build, for its numbers would come again with other content. Those of collections that are no more are kept.

    Raises:
        LedgerError: a ledger is not what the last build left.
    """
    if not hub.speaks(Protocol.CLAUDE_CODE):
        return Bundling(heads=tuple(sorted(heads.items())))
    listings: list[BundleListing] = []
    routes: list[Route] = []
    known = dict(heads)
    for gathering in gatherings:
        name = gathering.collection.name
        previous = _read(f"{publisher.root}/{ledger_file(name)}")
        if name in heads and head_of(previous) != heads[name]:
            raise LedgerError(
                f"{ledger_file(name)}: not what the last build left. Restore it from a copy of the published hub: the "
                "versions of a collection must not come again with other content."
            )
        skills = [
            (one, data)
            for one in gathering.listings
            if one.offered and (data := _archive(publisher.root, one)) is not None
        ]
        members = [
            BundleMember(one.owner, one.slug, one.version, one.archive.sha256)
            for one, _ in skills
            if one.archive is not None
        ]
        step = advance(previous, members, now, name)
        if step.ledger:
            known[name] = head_of(step.ledger)
            routes.append(Route(f"/{ledger_file(name)}", step.ledger, "application/x-ndjson"))
        if step.latest is None or not skills:
            continue
        collection = gathering.collection
        packed = pack_bundle(
            hub, name, collection.title, collection.description, step.latest.version, step.latest.first_seen,
            [BundledSkill(one.owner, one.slug, read_archive(data)) for one, data in skills],
        )  # fmt: skip
        listings.append(packed.listing)
        routes += (packed.tarball, packed.packument)
    return Bundling(tuple(listings), tuple(routes), tuple(sorted(known.items())))


def _archive(root: str, listing: Listing) -> bytes | None:
    data = _read(f"{root}/{archive_file(listing.owner, listing.slug, listing.version)}")
    if listing.archive is None or sha256(data).hexdigest() != listing.archive.sha256:
        return None
    return data


def _read(path: str) -> bytes:
    if not os.path.isfile(path):
        return b""
    with open(path, "rb") as file:
        return file.read()
