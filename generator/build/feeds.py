"""What a build adds to the hub's feeds: where every release stands now, and which files it changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from generator.build.ledgers import Ledgers
from generator.build.standings import unlisted_standing
from generator.build.worker import Written
from generator.history.decision import SkillKey
from generator.mirror.local import change_files, list_files, mark_file, read_file
from generator.mirror.plan import is_safe
from generator.model import Hub, Listing, Owner, Route, Slug, TimeMs
from generator.write.layout import archive_file, ledger_file
from generator.write.protocols.atom import FeedEntry, feed_route, shared_feeds
from generator.write.protocols.changefeed import advance, open_feed
from generator.write.protocols.changes import (
    INDEX_FILE,
    STATE_FILE,
    ChangesError,
    Feed,
    FileMark,
    change_file,
)
from generator.write.protocols.events import SkillStanding, SkillStatus, Standings
from generator.write.publish import Publisher

Entries = Mapping[SkillKey, tuple[FeedEntry, ...]]
"""The releases of each listed skill as feeds show them."""


def collect_entries(listings: Iterable[Listing], before: Entries, written: Sequence[Written]) -> Entries:
    """The entries of every listed skill: of this build, or as the last one had them."""
    fresh = {one.key: one.entries for one in written if one.listing is not None}
    keys = [(Owner(listing.owner), Slug(listing.slug)) for listing in listings]
    return {key: fresh[key] if key in fresh else before.get(key, ()) for key in keys}


def atom_routes(hub: Hub, entries: Entries) -> tuple[Route, ...]:
    """The feeds of the hub, its publishers and its categories."""
    return tuple(
        feed_route(hub, feed) for feed in shared_feeds(hub, (e for own in entries.values() for e in own))
    )


def open_change_feed(root: str) -> Feed | None:
    """The change feed as the last build left it; None where there is none that can be read."""
    index = read_file(root, INDEX_FILE)
    if index is None:
        return None
    try:
        feed = open_feed(index, read_file(root, STATE_FILE), lambda path: read_file(root, path))
    except ChangesError:
        return None
    # A mirror must find every change the index names; one that is further behind compares with the state.
    there = takewhile(lambda mark: os.path.isfile(f"{root}/{change_file(mark.sequence)}"), feed.index.changes)
    kept = tuple(there)
    return replace(feed, index=replace(feed.index, changes=kept)) if kept else None


def collect_standings(
    keys: Iterable[SkillKey],
    listings: Sequence[Listing],
    written: Sequence[Written],
    ledgers: Ledgers,
    feed: Feed | None,
    moved: Mapping[SkillKey, SkillKey],
    root: str,
) -> Standings:
    """Where every skill that has a ledger stands: a listed one that was not written stands where it stood.

    Args:
        keys: every skill that has a ledger.
        moved: former addresses, and the ones they have now.
    """
    known = feed.state.standings if feed is not None and feed.state is not None else {}
    fresh = {one.key: one.standing for one in written if one.standing is not None}
    listed = {(Owner(one.owner), Slug(one.slug)) for one in listings}
    standings: dict[str, SkillStanding] = {}
    for key in sorted(keys):
        name = "/".join(key)
        standing = fresh.get(key) or known.get(name) if key in listed else None
        if standing is None:
            releases = ledgers.releases(key)
            lost = [
                one.version
                for one in releases
                if not os.path.isfile(f"{root}/{archive_file(*key, one.version)}")
            ]
            standing = unlisted_standing(releases, lost, to="/".join(moved.get(key, ())))
        standings[name] = standing
    return standings


def advance_feed(
    publisher: Publisher, feed: Feed | None, written: Sequence[Written], standings: Standings
) -> tuple[Route, ...]:
    """Write the change feed after everything but the root document is in place; its routes, the index last.

    What was written in this process is read again, what workers wrote they have marked. Everything else is looked
    at by name: a file that neither this build nor the feed knows is read, one that the feed knows and is not there
    is gone. So a build after a killed one, one that carried versions forward, and one that lost the feed's state
    come to the same.
    """
    root = publisher.root
    known = feed.state.files if feed is not None and feed.state is not None else {}
    present = {path for path in list_files(root) if is_safe(path)}
    marks = {path: mark for one in written for path, mark in one.marks}
    seen = {path: mark for path, mark in marks.items() if path in present}
    unknown = present - known.keys() | present & publisher.touched
    # The ledger of a skill that is not listed may have come from another copy of the hub.
    gone = (SkillStatus.REMOVED, SkillStatus.RENAMED)
    unlisted = {ledger_file(*name.split("/")) for name, one in standings.items() if one.status in gone}
    seen |= _read_marks(root, (unknown | unlisted & present) - seen.keys())
    time = max((one.at for skill in standings.values() for one in skill.releases), default=TimeMs(0))
    _, routes, dropped = advance(feed, seen, known.keys() - present, standings, time)
    if feed is None:
        # Changes of a feed that cannot be read any more are in no row.
        dropped = tuple(sorted(set(change_files(root)) - {route.path[1:] for route in routes}))
    for route in routes:
        publisher.write(route.path[1:], route.body)
    for path in dropped:
        publisher.remove(path)
    return routes


def _read_marks(root: str, paths: Iterable[str]) -> dict[str, FileMark]:
    marks = ((path, mark_file(root, path)) for path in sorted(paths))
    return {path: mark for path, mark in marks if mark is not None}
