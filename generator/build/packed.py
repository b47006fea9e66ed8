"""Sources whose skills come packed: archives, and other hubs. Their packages are kept in memory for the build."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace

from generator.build.gathering import Gathered, Present, Read
from generator.history.decision import Past
from generator.model import Finding, Owner, Slug, TimeMs
from generator.read.package import Limits, join
from generator.read.sources.archive import archive_skills, find_archives, read_archive_file
from generator.read.sources.http.fetching import Fetcher
from generator.read.sources.http.transport import HttpTransport
from generator.read.sources.hub import (
    RemoteGap,
    RemoteRelease,
    discover,
    federated_owner,
    list_remote,
    read_hub,
)
from generator.sources import ArchiveSource, HubSource
from generator.versions import newest_first
from generator.write.fingerprint import fingerprint


@dataclass(frozen=True, slots=True)
class PackedReader:
    """Hands out packages that were read already, by folder or locator."""

    packages: Mapping[str, Read]

    def read(self, folder: str, _limits: Limits) -> Read:
        """See :class:`~generator.build.gathering.Reader`."""
        return self.packages[folder]

    def read_past(self, past: Past, _limits: Limits) -> Read:
        """See :class:`~generator.build.gathering.Reader`."""
        return self.packages[past.locator]


def gather_archives(source: ArchiveSource, limits: Limits) -> Gathered:
    """The skills of one archive, or of every archive in a folder.

    Raises:
        SourceError: there is nothing of the kind, or it cannot be read.
    """
    root = os.fspath(source.root)
    packages: dict[str, Read] = {}
    present: dict[str, Present] = {}
    findings: list[Finding] = []
    for file in find_archives(root):
        path = f"{root}/{file.path}" if file.path else root
        contents = archive_skills(read_archive_file(path), source.label, limits, include=source.include)
        findings += [replace(one, path=join(file.stem, one.path).rstrip("/")) for one in contents.findings]
        for skill in contents.skills:
            folder = f"{file.stem}/{skill.folder}".strip("/")
            package = replace(skill.package, folder=folder) if skill.package is not None else None
            notes = tuple(replace(one, path=join(file.stem, one.path)) for one in skill.findings)
            packages[folder] = package, notes
            if skill.declared is not None and skill.declared.slug is not None:
                present[folder] = Present(slug=skill.declared.slug)
    return Gathered(
        source.label, source.owner, tuple(sorted(packages)), tuple(findings), PackedReader(packages), present
    )


def gather_hub(source: HubSource, limits: Limits) -> Gathered:
    """Every skill of another hub with all its versions; owners are kept, or prefixed where one is named.

    Raises:
        SourceError: the hub cannot be reached, or does not answer as a hub does.
    """
    fetcher = Fetcher(source.url, HttpTransport(source.url))
    listing = list_remote(discover(source.url, fetcher), fetcher)
    findings: list[Finding] = list(listing.findings)
    releases: dict[tuple[Owner, Slug], list[RemoteRelease]] = {}
    for item in read_hub(listing, fetcher, limits, {}, fingerprint, label=source.label):
        if isinstance(item, RemoteGap):
            findings += item.findings
        else:
            releases.setdefault((item.owner, item.slug), []).append(item)
    packages: dict[str, Read] = {}
    present: dict[str, Present] = {}
    for (owner, slug), known in sorted(releases.items()):
        folder = f"{owner}/{slug}"
        order = newest_first([one.version for one in known])
        known.sort(key=lambda one: order.index(one.version))
        latest, *earlier = known
        packages[folder] = replace(latest.package, folder=folder), latest.findings
        for one in earlier:
            packages[f"{folder}@{one.version}"] = replace(one.package, folder=folder), one.findings
        present[folder] = Present(
            owner=federated_owner(source.prefix, owner) if source.prefix else owner,
            slug=slug,
            version=latest.version,
            time=latest.created_at,
            changelog=latest.changelog,
            past=tuple(
                Past(
                    one.version, one.created_at or TimeMs(0), folder, f"{folder}@{one.version}", one.changelog
                )
                for one in reversed(earlier)
            ),
        )
    return Gathered(
        source.label, source.owner, tuple(sorted(present)), tuple(findings), PackedReader(packages), present
    )
