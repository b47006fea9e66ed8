"""Skills among ClawHub's packages: what ``clawhub package explore`` and ``package inspect`` show of them.

ClawHub counts skills as one family of its packages beside plugins, of which a hub of skills has none (shapes: CLI
0.23.3, ``schema/packages.ts``). A package is called by the bare slug where one owner has it, else ``@owner/slug``.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from generator.jsondata import dump_bytes
from generator.model import PublishedSkill, Route
from generator.write.protocols.clawhub_rows import list_row
from generator.write.protocols.clawhub_types import SkillRow, Tags

JSON = "application/json"
PACKAGES = "/api/v1/packages"
PLUGIN_LISTS = ("/api/v1/plugins", "/api/v1/code-plugins", "/api/v1/bundle-plugins")

ScanStatus = Literal["clean", "suspicious", "malicious", "not-run"]
_SCANS: dict[str, ScanStatus] = {
    "allow": "clean",
    "warn": "suspicious",
    "block": "malicious",
    "error": "not-run",
}


class PackageItem(TypedDict):
    """One skill in a list of packages."""

    name: str
    displayName: str
    family: Literal["skill"]
    channel: Literal["community"]
    isOfficial: Literal[False]
    summary: str
    ownerHandle: str
    createdAt: int
    updatedAt: int
    latestVersion: str | None
    topics: list[str]
    categories: list[str]


class PackageDetail(PackageItem):
    """One skill by itself."""

    tags: Tags
    scanStatus: ScanStatus


class PackageOwner(TypedDict):
    """Who publishes it."""

    handle: str
    displayName: str
    image: None


class PackageAnswer(TypedDict):
    """``GET /packages/{name}``."""

    package: PackageDetail
    owner: PackageOwner


class PackageList(TypedDict):
    """``GET /packages``."""

    items: list[PackageItem]
    nextCursor: str | None


class FoundPackage(TypedDict):
    """One result of a search."""

    score: int
    package: PackageItem


class PackageSearch(TypedDict):
    """``GET /packages/search``."""

    results: list[FoundPackage]


class PackageRelease(TypedDict):
    """One version in a list."""

    version: str
    createdAt: int
    changelog: str
    distTags: NotRequired[list[str]]


class PackageVersions(TypedDict):
    """``GET /packages/{name}/versions``."""

    items: list[PackageRelease]
    nextCursor: None


class PackageFile(TypedDict):
    """One file of a version."""

    path: str
    size: int
    sha256: str
    contentType: str


class PackageArtifact(TypedDict):
    """The archive of a version."""

    kind: Literal["legacy-zip"]
    sha256: str
    size: int


class PackageReleaseDetail(PackageRelease):
    """One version by itself."""

    files: list[PackageFile]
    artifact: PackageArtifact


class PackageReference(TypedDict):
    """A package by its names."""

    name: str
    displayName: str
    family: Literal["skill"]


class PackageVersionAnswer(TypedDict):
    """``GET /packages/{name}/versions/{version}``."""

    package: PackageReference
    version: PackageReleaseDetail


def package_name(owner: str, slug: str, *, holds_slug: bool) -> str:
    """What a skill is called as a package. ``search`` alone is the address of the search."""
    return slug if holds_slug and slug != "search" else f"@{owner}/{slug}"


def package_item(row: SkillRow, *, holds_slug: bool) -> PackageItem:
    """The package of a skill's row, the same for the ready list and for a router that has only rows."""
    latest = row.get("latestVersion")
    category = row["skillpress"]["category"]
    return {
        "name": package_name(row["ownerHandle"], row["slug"], holds_slug=holds_slug),
        "displayName": row["displayName"],
        "family": "skill",
        "channel": "community",
        "isOfficial": False,
        "summary": row["summary"],
        "ownerHandle": row["ownerHandle"],
        "createdAt": row["createdAt"],
        "updatedAt": row["updatedAt"],
        "latestVersion": latest["version"] if latest else None,
        "topics": row["topics"],
        "categories": [category] if category else [],
    }


def package_answers(skill: PublishedSkill) -> tuple[Route, ...]:
    """The documents of one skill: itself, its versions, and each version that may be had."""
    listing = skill.listing
    if not listing.stance.listed:
        return ()
    row = list_row(listing, skill.hub)
    item = package_item(row, holds_slug=listing.holds_slug)
    base = f"{PACKAGES}/{item['name']}"
    answer: PackageAnswer = {
        "package": {**item, "tags": row["tags"], "scanStatus": _SCANS[listing.verdict.value]},
        "owner": {"handle": listing.owner, "displayName": listing.owner, "image": None},
    }
    tags: dict[str, list[str]] = {}
    for tag, tagged in row["tags"].items():
        tags.setdefault(tagged, []).append(tag)
    routes = [Route(base, dump_bytes(answer), JSON)]
    versions: list[PackageRelease] = []
    for release in skill.releases:
        standing = skill.standing.of(release.version)
        if standing is None or not standing.servable:
            continue
        version: PackageRelease = {
            "version": release.version,
            "createdAt": release.first_seen,
            "changelog": release.changelog,
        }
        if release.version in tags:
            version["distTags"] = tags[release.version]
        versions.append(version)
        detail: PackageVersionAnswer = {
            "package": {"name": item["name"], "displayName": item["displayName"], "family": "skill"},
            "version": {
                **version,
                "files": [
                    {"path": one.path, "size": one.size, "sha256": one.sha256, "contentType": one.media_type}
                    for one in release.files
                ],
                "artifact": {
                    "kind": "legacy-zip",
                    "sha256": release.archive.sha256,
                    "size": release.archive.size,
                },
            },
        }
        routes.append(Route(f"{base}/versions/{release.version}", dump_bytes(detail), JSON))
    listed: PackageVersions = {"items": versions, "nextCursor": None}
    return (*routes, Route(f"{base}/versions", dump_bytes(listed), JSON))


def package_lists(items: list[PackageItem]) -> tuple[Route, ...]:
    """The list of all packages, and the empty ones of the families that this hub has none of."""
    every: PackageList = {"items": items, "nextCursor": None}
    none: PackageList = {"items": [], "nextCursor": None}
    empty = dump_bytes(none)
    return (Route(PACKAGES, dump_bytes(every), JSON), *(Route(path, empty, JSON) for path in PLUGIN_LISTS))
