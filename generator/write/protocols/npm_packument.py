"""What an npm registry says of a package: the packument, and the routes of its tarballs.

Read by npm 11.19 and by Claude Code 2.1.197, which calls it. They ask for ``{registry}/@scope%2fname``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from generator.hidden import without_hidden
from generator.history.overlay.effects import refuse_install, skill_badges
from generator.history.overlay.model import ReleaseStanding
from generator.jsondata import dump_bytes
from generator.model import Cache, PublishedSkill, Route, TimeMs, Version
from generator.write.layout import tarball_file
from generator.write.protocols.atom import format_time
from generator.write.protocols.npm_tarball import Tarball

REGISTRY: Final = "/npm"
"""The registry's path below the hub's base."""
TARBALL_TYPE: Final = "application/gzip"
_JSON: Final = "application/json"


@dataclass(frozen=True, slots=True)
class PackageVersion:
    """One version of a package; ``deprecated`` is the warning npm prints, empty for none."""

    version: Version
    first_seen: TimeMs
    tarball: Tarball
    url: str
    license: str | None = None
    deprecated: str = ""


def package_name(owner: str, slug: str) -> str:
    """A skill's name in the registry."""
    return f"@{owner}/{slug}"


def packument_path(package: str) -> str:
    """The route of a package's packument."""
    return f"{REGISTRY}/{package}"


def tarball_path(owner: str, slug: str, version: str) -> str:
    """The route of a release's tarball, beside its zip."""
    return f"/{tarball_file(owner, slug, version)}"


def tarball_route(owner: str, slug: str, version: str, data: bytes) -> Route:
    """The tarball of a release. Its bytes never change."""
    return Route(tarball_path(owner, slug, version), data, TARBALL_TYPE, Cache.IMMUTABLE)


def skill_packument(skill: PublishedSkill, tarballs: Mapping[Version, Tarball]) -> Route:
    """The packument of a skill: each version that is given out, those that nobody should choose ``deprecated``.

    ``tarballs`` holds what is known of the versions' tarballs; one that is not in it is not offered. Where the hub
    gives nothing out the answer is the reason, which npm prints, with its status.
    """
    key = skill.listing.owner, skill.listing.slug
    package = package_name(*key)
    offered = []
    for release, one in zip(skill.releases, skill.standing.releases, strict=True):
        if one.servable and release.version in tarballs:
            path = tarball_path(*key, release.version)
            offered.append(
                PackageVersion(
                    version=release.version,
                    first_seen=release.first_seen,
                    tarball=tarballs[release.version],
                    url=f"{skill.hub.url}{path}",
                    license=release.license,
                    deprecated=_warning(skill, one),
                )
            )
    if not offered:
        refusal = refuse_install(key, skill.standing)
        text = refusal.text if refusal is not None else f"{package} has no tarball at this hub."
        status = refusal.status if refusal is not None else 404
        return Route(packument_path(package), dump_bytes({"error": text}), _JSON, status=status)
    tags = {tag.name: tag.version for tag in skill.standing.tags}
    return packument_route(package, without_hidden(skill.listing.description), offered, tags)


def packument_route(
    package: str, description: str, versions: Iterable[PackageVersion], tags: Mapping[str, Version]
) -> Route:
    """The packument of a package with at least one version. Tags of versions that are not there are left out."""
    oldest_first = sorted(versions, key=lambda one: one.first_seen)
    times = {str(one.version): format_time(one.first_seen) for one in oldest_first}
    dates = list(times.values())
    document = {
        "_id": package,
        "name": package,
        "description": description,
        "dist-tags": {name: version for name, version in sorted(tags.items()) if version in times},
        "versions": {one.version: _manifest(package, description, one) for one in oldest_first},
        "time": {"created": dates[0], "modified": dates[-1], **times},
    }
    return Route(packument_path(package), dump_bytes(document), _JSON)


def _manifest(package: str, description: str, one: PackageVersion) -> dict[str, Any]:
    manifest: dict[str, Any] = {"name": package, "version": one.version, "description": description}
    if one.license:
        manifest["license"] = one.license
    if one.deprecated:
        manifest["deprecated"] = one.deprecated
    manifest["dist"] = {
        "tarball": one.url,
        "integrity": one.tarball.integrity,
        "shasum": one.tarball.shasum,
    }
    return manifest


def _warning(skill: PublishedSkill, one: ReleaseStanding) -> str:
    notes = [f"Yanked: {one.yanked}"] if one.yanked is not None else []
    notes += [
        f"{badge.word}: {badge.text}" for badge in skill_badges(skill.standing) if badge.kind == "deprecated"
    ]
    return " ".join(notes)
