"""Microsoft APM's registry API (apm-cli 0.35.0 was run): the versions of a package, and each version's archive.

``GET /v1/packages/{owner}/{slug}/versions`` is a document. ``.../versions/{version}/download`` gives the release's
flat zip with status 200: the client follows no redirect and asks with no query, so a router (or a rewrite rule of
the host) answers it with the file at :func:`download_target`. Every entry needs ``digest`` and ``published_at``.

A version that is withdrawn is not in the list, so no range resolves to it; a lock file names the address of the
download, which still answers for those who have pinned it.
"""

from __future__ import annotations

from typing import Final, TypedDict

from generator.history.overlay.effects import Refusal, refuse_install
from generator.jsondata import dump_bytes
from generator.model import PublishedSkill, Release, Route, ScanVerdict
from generator.write.layout import archive_file
from generator.write.protocols.atom import format_time
from generator.write.protocols.indexes import JSON, json_route

BASE: Final = "/v1/packages"


class PackageVersion(TypedDict):
    """One version. ``digest`` is of the archive, ``published_at`` the first-seen time (RFC 3339)."""

    version: str
    digest: str
    published_at: str


class Problem(TypedDict):
    """Why there is no version (RFC 9457); the client prints ``title`` and ``detail``."""

    title: str
    status: int
    detail: str


def versions_route(owner: str, slug: str) -> str:
    """Where the versions of a skill are listed."""
    return f"{BASE}/{owner}/{slug}/versions"


def download_route(owner: str, slug: str, version: str) -> str:
    """Where the client asks for an archive."""
    return f"{versions_route(owner, slug)}/{version}/download"


def download_target(owner: str, slug: str, version: str) -> str:
    """The route whose bytes answer :func:`download_route`."""
    return f"/{archive_file(owner, slug, version)}"


def skill_answers(skill: PublishedSkill) -> tuple[Route, ...]:
    """The versions that may be chosen, the latest first; or why there is none."""
    listing = skill.listing
    path = versions_route(listing.owner, listing.slug)
    chosen = [release for release in skill.releases if _is_eligible(skill, release)]
    if chosen:
        return (json_route(path, {"versions": [_entry(release) for release in chosen]}),)
    refusal = refuse_install((listing.owner, listing.slug), skill.standing) or Refusal(
        403, f"{listing.owner}/{listing.slug} is blocked by this hub's security scan."
    )
    problem: Problem = {"title": "Not offered", "status": refusal.status, "detail": refusal.text}
    return (Route(path, dump_bytes(problem), JSON, status=refusal.status),)


def _is_eligible(skill: PublishedSkill, release: Release) -> bool:
    if release.scan.verdict is ScanVerdict.BLOCK:
        return False
    standing = skill.standing.of(release.version)
    return standing is None or standing.eligible


def _entry(release: Release) -> PackageVersion:
    return {
        "version": release.version,
        "digest": f"sha256:{release.archive.sha256}",
        "published_at": format_time(release.first_seen),
    }
