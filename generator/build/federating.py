"""Another hub as a source of a build: what comes is kept on a shelf, and read from there when it is needed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from generator.build.gathering import Gathered, Present, Read
from generator.build.shelf import HubShelf, open_shelf, read_shelved
from generator.findings import finding
from generator.history.decision import Past
from generator.model import Finding, Owner, Slug
from generator.read.package import Limits
from generator.read.sources.http.fetching import Fetcher
from generator.read.sources.http.integrity import check_archive
from generator.read.sources.http.remote import RemoteGap, RemoteKept, RemoteListing, RemoteRelease
from generator.read.sources.http.transport import HttpTransport
from generator.read.sources.hub import discover, federated_owner, list_remote, read_hub
from generator.sources import HubSource
from generator.versions import newest_first
from generator.write.fingerprint import fingerprint

_PASSING: Final = frozenset({"hub-answer-missing", "hub-answer-invalid"})
"""What may be better with the next build."""


def gather_hub(source: HubSource, work: str, limits: Limits) -> Gathered:
    """Every skill of another hub with all its versions; owners are kept, or prefixed where one is named.

    What came before is kept below ``work``: an unchanged hub costs a few requests.

    Raises:
        SourceError: the hub cannot be reached, does not answer as a hub does, or nothing can be kept.
    """
    shelf = open_shelf(f"{work}/hubs/{hashlib.sha256(source.url.encode()).hexdigest()[:20]}")
    fetcher = Fetcher(source.url, HttpTransport(source.url), remembered=shelf, seen=shelf)
    try:
        listing = list_remote(discover(source.url, fetcher), fetcher)
        releases, findings = _take_all(listing, fetcher, shelf, source.label, limits)
    finally:
        shelf.store()
    if not any(one.code in _PASSING for one in findings):
        shelf.sweep()
    kept: dict[str, RemoteKept] = {}
    present: dict[str, Present] = {}
    for (owner, slug), known in sorted(releases.items()):
        folder = f"{owner}/{slug}"
        order = newest_first([one.version for one in known])
        known.sort(key=lambda one: order.index(one.version))
        latest, *earlier = known
        kept[folder] = latest
        kept.update((f"{folder}@{one.version}", one) for one in earlier)
        present[folder] = Present(
            owner=federated_owner(source.prefix, owner) if source.prefix else owner,
            slug=slug,
            version=latest.version,
            time=latest.stated.created_at,
            changelog=latest.stated.changelog,
            past=tuple(
                Past(
                    one.version, one.stated.created_at, folder, f"{folder}@{one.version}",
                    one.stated.changelog,
                )
                for one in reversed(earlier)
            ),
        )  # fmt: skip
    return Gathered(
        source.label, source.owner, tuple(sorted(present)), (*listing.findings, *findings),
        HubReader(shelf.folder, source.label, kept), present,
    )  # fmt: skip


def _take_all(
    listing: RemoteListing, fetcher: Fetcher, shelf: HubShelf, label: str, limits: Limits
) -> tuple[dict[tuple[Owner, Slug], list[RemoteKept]], list[Finding]]:
    """Every release as it lies on the shelf now, and what to say of the others."""
    releases: dict[tuple[Owner, Slug], list[RemoteKept]] = {}
    findings: list[Finding] = []
    unread: set[tuple[Owner, Slug]] = set()
    for item in read_hub(listing, fetcher, limits, shelf, fingerprint, label=label):
        key = (item.owner, item.slug)
        if isinstance(item, RemoteGap):
            findings += item.findings
            if any(one.code in _PASSING for one in item.findings):
                unread.add(key)
            continue
        if isinstance(item, RemoteRelease):
            shelf.put(item.sha256, item.archive)
            content = fingerprint((file.path, file.sha256) for file in item.package.files)
            if not shelf.give(*key, item.version, item.sha256, content):
                findings.append(_changed(item))
            item = RemoteKept(*key, item.stated, item.sha256)
        releases.setdefault(key, []).append(item)
    for skill in listing.skills:
        place = f"{skill.owner}/{skill.slug}"
        if (skill.owner, skill.slug) in unread:
            shelf.marks.pop(place, None)
        else:
            shelf.marks[place] = skill.mark
    return releases, findings


def _changed(item: RemoteRelease) -> Finding:
    place = f"{item.owner}/{item.slug}"
    message = f"{place}@{item.version} now has other files than those that were taken over first"
    return finding("hub-version-changed", place, message, "Ask that hub for a new version.")


@dataclass(frozen=True, slots=True)
class HubReader:
    """Reads packages of another hub from what is kept of it. ``kept`` are releases by folder or locator."""

    shelf: str
    label: str
    kept: Mapping[str, RemoteKept]

    def read(self, folder: str, limits: Limits) -> Read:
        """See :class:`~generator.build.gathering.Reader`."""
        one = self.kept[folder]
        place = f"{one.owner}/{one.slug}"
        data = read_shelved(self.shelf, one.sha256)
        if data is None:
            message = f"The archive of {place}@{one.version} has vanished from the folder where it was kept"
            return None, (finding("hub-answer-missing", place, message, "Build again."),)
        return check_archive(data, one.stated, self.label, place, limits, fingerprint)

    def read_past(self, past: Past, limits: Limits) -> Read:
        """See :class:`~generator.build.gathering.Reader`."""
        return self.read(past.locator, limits)
