"""An overlay in force on a hub: whose decisions they are by now, and which of them cannot be. Pure."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from generator.findings.overlay import CODES
from generator.history.overlay.merging import resolve_renames
from generator.history.overlay.model import (
    Archived,
    Deprecated,
    Overlay,
    Place,
    Rename,
    ReviewNote,
    Ruling,
    SkillKey,
    Tag,
    Withdrawal,
)
from generator.history.overlay.refs import show_key
from generator.model import Finding, Owner, Release, Sha256, Slug, Version
from generator.versions import newest_first

Reviews = Mapping[tuple[str, Sha256], ReviewNote]
"""Reviews by rule and the sha256 of the file."""

_NO_RULING: Final = Ruling()
_HINTS: Final = 5
"""Misspelt names for which the nearest name is looked up."""
_LENGTHS: Final = 4


@dataclass(frozen=True, slots=True)
class Ground:
    """The hub that an overlay is held against.

    ``asked`` are the addresses that skill folders ask for, before any renaming. ``releases_of`` is the ledger of an
    address, oldest release first, empty where there is none; it is asked only about addresses the overlay names.
    ``folders`` are the source and folder that ask for an address.
    """

    asked: Collection[SkillKey]
    ledgers: Collection[SkillKey]
    releases_of: Callable[[SkillKey], tuple[Release, ...]]
    folders: Mapping[SkillKey, Collection[tuple[str, str]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Settled:
    """An overlay in force. ``addresses`` are former addresses and where their skills are now; ``rulings`` are by
    present address, ``holders`` say whose skill a bare slug means."""

    addresses: Mapping[SkillKey, SkillKey] = field(default_factory=dict)
    rulings: Mapping[SkillKey, Ruling] = field(default_factory=dict)
    holders: Mapping[Slug, Owner] = field(default_factory=dict)
    reviews: Reviews = field(default_factory=dict)

    def address_of(self, key: SkillKey) -> SkillKey:
        """Where the skill that asks for ``key`` is published."""
        return self.addresses.get(key, key)

    def ruling_of(self, key: SkillKey) -> Ruling:
        """What is decided about the skill at a present address."""
        return self.rulings.get(key, _NO_RULING)


def settle(overlay: Overlay, ground: Ground) -> tuple[Settled, tuple[Finding, ...]]:
    """Put an overlay in force, and tell what of it cannot be.

    Decisions about skills or versions there are not stay in force for the day they appear; a rename onto
    another skill does not. Findings are in the order of the overlay's kinds.

    Raises:
        ConfigError: renames lead in a circle.
    """
    findings: list[Finding] = []
    renames = [one for one in overlay.rename if not _is_occupied(one, ground, findings)]
    addresses = resolve_renames(renames)
    known = frozenset(addresses.get(key, key) for key in (*ground.asked, *ground.ledgers))
    hub = _Hub(addresses, known, ground)
    findings += hub.contradictions(overlay)
    settled = Settled(
        addresses=addresses,
        rulings=_rule(overlay, addresses, known),
        holders={one.slug: one.owner for one in overlay.slugs},
        reviews=reviews_of(overlay),
    )
    return settled, tuple(findings)


def reviews_of(overlay: Overlay) -> Reviews:
    """The reviews, which hold whatever else is on the hub."""
    return {
        (one.rule, one.sha256): ReviewNote(one.rule, one.sha256, one.by, one.reason)
        for one in overlay.reviews
    }


def _is_occupied(rename: Rename, ground: Ground, findings: list[Finding]) -> bool:
    """Whether another skill is at the new address already. A rename that was carried out stays for ever."""
    old, new = ground.releases_of(rename.skill), ground.releases_of(rename.target)
    contents = {(release.version, release.hashes.tree) for release in old}
    if any((release.version, release.hashes.tree) in contents for release in new):
        return False
    folders = ground.folders.get(rename.skill, ())
    if any((release.source, release.folder) in folders for release in new):
        return False  # a rename older than the skill: it never had the old address
    if not (new or rename.target in ground.asked) or not (old or rename.skill in ground.asked):
        return False
    if rename.skill not in ground.asked and not _share_a_version(old, new):
        return False  # the author renamed the folder: one skill, whose versions go on
    findings.append(
        overlay_finding(
            "overlay-rename-occupied", rename.place,
            f"{show_key(rename.skill)} cannot become {show_key(rename.target)}: another skill is published there",
            "Choose a free address; or deprecate the skill and name the other one as its successor",
        )
    )  # fmt: skip
    return True


def _share_a_version(old: Sequence[Release], new: Sequence[Release]) -> bool:
    return not {release.version for release in old}.isdisjoint(release.version for release in new)


def carry_releases(old: Sequence[Release], new: Sequence[Release]) -> tuple[Release, ...]:
    """What a renamed skill's new ledger lacks of its old one, oldest first; to be appended before anything else.

    A version the new ledger has is never carried, whatever its content.
    """
    taken = {release.version for release in new}
    return tuple(release for release in old if release.version not in taken)


@dataclass(frozen=True, slots=True)
class _Hub:
    """The hub's present addresses, to tell decisions that speak of nothing; ``hints`` counts names looked up."""

    addresses: Mapping[SkillKey, SkillKey]
    known: frozenset[SkillKey]
    ground: Ground
    hints: list[SkillKey] = field(default_factory=list)

    def contradictions(self, overlay: Overlay) -> Iterator[Finding]:
        for yank in overlay.yank:
            yield from self._check(yank.skill, yank.version, yank.place, "yank")
        for deprecation in overlay.deprecate:
            yield from self._check(deprecation.skill, None, deprecation.place, "deprecate")
            successor = deprecation.successor
            if successor is not None and self._now(successor) not in self.known:
                yield overlay_finding(
                    "overlay-successor-unknown", deprecation.place,
                    f"deprecate: {show_key(deprecation.skill)} names {show_key(successor)} as its successor, which is "
                    f"not on this hub{self._nearest(successor)}",
                    "Correct the successor, or remove it",
                )  # fmt: skip
        for archival in overlay.archive:
            yield from self._check(archival.skill, None, archival.place, "archive")
        for quarantine in overlay.quarantine:
            yield from self._check(quarantine.skill, quarantine.version, quarantine.place, "quarantine")
        for rename in overlay.rename:
            yield from self._check(rename.skill, None, rename.place, "rename")
        for feature in overlay.feature:
            yield from self._check(feature.skill, None, feature.place, "feature")
        for pin in overlay.tags:
            yield from self._check(pin.skill, pin.version, pin.place, "tags")
        for category in overlay.categories:
            yield from self._check(category.skill, None, category.place, "categories")
        for holder in overlay.slugs:
            yield from self._check((holder.owner, holder.slug), None, holder.place, "slugs")

    def _now(self, key: SkillKey) -> SkillKey:
        return self.addresses.get(key, key)

    def _check(self, key: SkillKey, version: Version | None, place: Place, kind: str) -> Iterator[Finding]:
        now = self._now(key)
        if now not in self.known:
            yield overlay_finding(
                "overlay-unknown-skill", place,
                f"{kind}: {show_key(key)} is not on this hub{self._nearest(key)}",
                "Correct the name, or remove the entry",
            )  # fmt: skip
            return
        if version is None:
            return
        versions = {release.version for address in (now, key) for release in self.ground.releases_of(address)}
        if version not in versions and versions:
            yield overlay_finding(
                "overlay-unknown-version", place,
                f"{kind}: {show_key(key)} has no version {version}; it has {_list_versions(versions)}",
                "Correct the version, or remove the entry",
            )  # fmt: skip

    def _nearest(self, key: SkillKey) -> str:
        # Comparing one name with ten thousand takes up to half a second.
        if len(self.hints) >= _HINTS:
            return ""
        self.hints.append(key)
        names = sorted(
            show_key(one)
            for one in self.known
            if one[1] == key[1] or (one[1][:1] == key[1][:1] and abs(len(one[1]) - len(key[1])) <= _LENGTHS)
        )
        close = difflib.get_close_matches(show_key(key), names, n=1, cutoff=0.6)
        return f". Did you mean {close[0]}?" if close else ""


def _list_versions(versions: Collection[Version]) -> str:
    shown = newest_first(list(versions))[:5]
    return ", ".join(shown) + (f" and {len(versions) - 5} more" if len(versions) > 5 else "")


def _rule(
    overlay: Overlay, addresses: Mapping[SkillKey, SkillKey], known: Collection[SkillKey]
) -> dict[SkillKey, Ruling]:
    """Every decision by the present address of its skill. A successor that is not on the hub is not told of: nothing
    may lead to a page that is not there."""
    rulings: dict[SkillKey, Ruling] = defaultdict(Ruling)

    def now(key: SkillKey) -> SkillKey:
        return addresses.get(key, key)

    for yank in overlay.yank:
        key, held = now(yank.skill), Withdrawal(yank.version, yank.reason)
        rulings[key] = replace(rulings[key], yanked=(*rulings[key].yanked, held))
    for quarantine in overlay.quarantine:
        key, held = now(quarantine.skill), Withdrawal(quarantine.version, quarantine.reason)
        rulings[key] = replace(rulings[key], quarantined=(*rulings[key].quarantined, held))
    for deprecation in overlay.deprecate:
        key = now(deprecation.skill)
        successor = now(deprecation.successor) if deprecation.successor is not None else None
        state = Deprecated(deprecation.reason, successor if successor in known else None)
        rulings[key] = replace(rulings[key], deprecated=state)
    for archival in overlay.archive:
        key = now(archival.skill)
        rulings[key] = replace(rulings[key], archived=Archived(archival.reason))
    for rank, feature in enumerate(overlay.feature, start=1):
        key = now(feature.skill)
        rulings[key] = replace(rulings[key], featured=rank)
    for category in overlay.categories:
        key = now(category.skill)
        rulings[key] = replace(rulings[key], category=category.category)
    for pin in overlay.tags:
        key = now(pin.skill)
        rulings[key] = replace(rulings[key], tags=(*rulings[key].tags, Tag(pin.tag, pin.version)))
    for former, key in sorted(addresses.items()):
        rulings[key] = replace(rulings[key], former=(*rulings[key].former, former))
    return dict(rulings)


def overlay_finding(code: str, place: Place, message: str, fix: str) -> Finding:
    """A finding about a decision, at the place where it is written."""
    return Finding(code, CODES[code].severity, place.file, message, fix, place.line, place.column)
