"""The operator's decisions in a build: settled over all skills, renames carried out, what is wrong with them told."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

from generator.build.ledgers import Ledgers
from generator.history.decision import Decision, Draft, SkillKey
from generator.history.overlay.applying import stand, tag_findings, void_reviews
from generator.history.overlay.effects import former_slugs, hold_slugs, redirects
from generator.history.overlay.model import Overlay
from generator.history.overlay.settling import Ground, Settled, carry_releases, settle
from generator.model import Catalog, Finding, Listing, Owner, Sha256, Slug
from generator.write.layout import Layout, Naming, archive_file, file_for, ledger_file, withheld_file
from generator.write.publish import Publisher
from generator.write.root import Moves

_ALIASES = ("", "/install", "/verify", "/versions")
"""The documents a plain host has at a former address; from there clients go on with the present one."""


def note_places(overlay: Overlay) -> str:
    """Every decision with its place: equal text, equal decisions and equal findings about them."""
    every = [one for kind in fields(Overlay) for one in getattr(overlay, kind.name)]
    return repr([(one, str(one.place)) for one in every]) if every else ""


def digest_addresses(overlay: Overlay, settled: Settled) -> str:
    """One digest over what may touch every skill: renames and reviews; empty where there are none."""
    if not settled.addresses and not overlay.reviews:
        return ""
    return hashlib.sha256(repr((sorted(settled.addresses.items()), overlay.reviews)).encode()).hexdigest()


def ground_of(drafts: Sequence[Draft], ledgers: Ledgers) -> Ground:
    """The hub as the overlay is held against it."""
    asked = {(draft.owner, draft.slug) for draft in drafts if draft.slug is not None and not draft.barred}
    folders: dict[SkillKey, set[tuple[str, str]]] = {}
    for draft in drafts:
        if draft.slug is not None:
            folders.setdefault((draft.owner, draft.slug), set()).add((draft.label, draft.folder))
    return Ground(asked=asked, ledgers=ledgers.skills(), releases_of=ledgers.releases, folders=folders)


@dataclass(frozen=True, slots=True)
class Readdressing:
    """Gives drafts the address that their skill has by now."""

    settled: Settled

    def __call__(self, draft: Draft) -> Draft:
        """The draft as it is published."""
        if draft.slug is None or not self.settled.addresses:
            return draft
        owner, slug = self.settled.address_of((draft.owner, draft.slug))
        return draft if (owner, slug) == (draft.owner, draft.slug) else replace(draft, owner=owner, slug=slug)


def carry_histories(publisher: Publisher, ledgers: Ledgers, settled: Settled) -> None:
    """Begin the ledgers of renamed skills with the releases of their old ones, archives first copied.

    Done once for each rename: a ledger that holds the releases already is left alone.
    """
    for old, now in sorted(settled.addresses.items()):
        carried = carry_releases(ledgers.releases(old), ledgers.releases(now))
        if not carried:
            continue
        publisher.write(ledger_file(*now), ledgers.carry(now, carried))
    for old, now in sorted(settled.addresses.items()):
        for release in ledgers.releases(old):
            place, source = archive_file(*now, release.version), archive_file(*old, release.version)
            if any(os.path.isfile(f"{publisher.root}/{one}") for one in (place, withheld_file(place))):
                continue
            for one, to in ((source, place), (withheld_file(source), withheld_file(place))):
                data = _read_file(f"{publisher.root}/{one}")
                if hashlib.sha256(data).hexdigest() == release.archive.sha256:
                    publisher.write(to, data)
                    break


def hold(decision: Decision, settled: Settled) -> Decision:
    """The decision with the slugs' holders that the operator names."""
    if not settled.holders:
        return decision
    keys = [one.key for one in decision.publications] + [one.key for one in decision.retentions]
    held = hold_slugs(keys, settled)
    return replace(
        decision,
        publications=tuple(replace(one, holds_slug=one.key in held) for one in decision.publications),
        retentions=tuple(replace(one, holds_slug=one.key in held) for one in decision.retentions),
    )


def present_keys(ledgers: Ledgers, settled: Settled) -> list[SkillKey]:
    """Every skill that has a ledger, once, at its present address."""
    return sorted({settled.address_of(key) for key in ledgers.skills()})


def find_contradictions(
    overlay: Overlay, drafts: Sequence[Draft], ledgers: Ledgers, listings: Sequence[Listing]
) -> tuple[Finding, ...]:
    """What of the overlay cannot be, now that the build has published what is new.

    Raises:
        LedgerError: a ledger that was just written cannot be read.
    """
    settled, found = settle(overlay, ground_of(drafts, ledgers))
    pinned = sorted({settled.address_of(pin.skill) for pin in overlay.tags})
    tags = tuple(
        finding
        for key in pinned
        for finding in tag_findings(
            overlay, key, stand(settled.ruling_of(key), ledgers.releases(key), settled.reviews), settled
        )
    )
    used = {
        (rule, Sha256(digest))
        for listing in listings
        for rule, _, digest in (one.partition(" ") for one in listing.stance.reviewed)
    }
    return (*found, *tags, *void_reviews(overlay.reviews, used))


def find_moves(catalog: Catalog, settled: Settled) -> Moves:
    """What the router knows of former addresses."""
    keys = {_key(listing) for listing in catalog.listings}
    return Moves(redirects(keys, settled), former_slugs(keys, settled))


def alias_files(
    root: str, catalog: Catalog, moves: Moves, layout: Layout, naming: Naming
) -> Iterator[tuple[str, bytes]]:
    """The files that a plain host needs at former addresses: documents of the present skill, and a page that leads
    to its own. None in the packed layout, which has a router."""
    if layout is Layout.PACKED or not moves.addresses:
        return
    from generator.write.protocols.clawhub_rows import page_url, skill_base
    from generator.write.site.moved import moved_page

    listing_of = {_key(listing): listing for listing in catalog.listings}
    for old, now in moves.addresses:
        listing = listing_of[now]
        base = skill_base(listing)
        formers = [f"/api/v1/owners/{old[0]}/skills/{old[1]}"]
        if moves.slugs.get(old[1]) == now:
            formers.append(f"/api/v1/skills/{old[1]}")
        for former in formers:
            for suffix in _ALIASES:
                data = _read_file(f"{root}/{file_for(base + suffix, naming)}")
                if data:  # the ClawHub API may be switched off
                    yield file_for(former + suffix, naming), data
        page = moved_page("/".join(old), "/".join(now), page_url(catalog.hub, *now))
        yield file_for(f"/{old[0]}/skills/{old[1]}/", naming), page


def _key(listing: Listing) -> SkillKey:
    return Owner(listing.owner), Slug(listing.slug)


def _read_file(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""
