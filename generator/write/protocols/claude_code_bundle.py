"""A collection as one package: the skills of its members, one folder each.

A member that brings hooks, servers, agents or commands is not in the package: a plugin has one root, and those files
name it. It becomes a dependency of the bundle's plugin, which Claude Code (2.1.197) installs with it and tells of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generator.history.overlay.model import SkillKey
from generator.model import Hub, Owner, PackageFile, Route, Slug, TimeMs, Version
from generator.write.protocols.claude_code_names import bundle_scope
from generator.write.protocols.claude_code_package import (
    brings_parts,
    list_programs,
    package_json,
    place_skill,
)
from generator.write.protocols.npm_packument import (
    PackageVersion,
    package_name,
    packument_route,
    tarball_path,
    tarball_route,
)
from generator.write.protocols.npm_tarball import digest_tarball, pack_tarball

_FOLDER = "collections"


@dataclass(frozen=True, slots=True)
class BundledSkill:
    """A member's address and the files of the version that is in the bundle."""

    owner: Owner
    slug: Slug
    files: Sequence[PackageFile]


@dataclass(frozen=True, slots=True)
class BundleListing:
    """One collection in the marketplace. ``dependencies`` are the members that are plugins of their own."""

    name: str
    title: str
    description: str
    version: Version
    dependencies: tuple[SkillKey, ...] = ()


@dataclass(frozen=True, slots=True)
class PackedBundle:
    """One version of a collection, ready: its listing, its tarball, its packument."""

    listing: BundleListing
    tarball: Route
    packument: Route


def bundle_package(hub: Hub, name: str) -> str:
    """A collection's name in the registry."""
    return package_name(bundle_scope(hub), name)


def pack_bundle(
    hub: Hub,
    name: str,
    title: str,
    description: str,
    version: Version,
    seen: TimeMs,
    skills: Sequence[BundledSkill],
) -> PackedBundle:
    """A collection in the version its ledger gives it, first seen at ``seen``.

    Only this version is offered: a bundle repeats what its members keep anyway, each under its own versions.
    """
    ordered = sorted(skills, key=lambda one: (one.owner, one.slug))
    plain = [one for one in ordered if not brings_parts(one.slug, one.files)]
    package = bundle_package(hub, name)
    about = description or title
    members = [("package.json", package_json(package, version, about, None))]
    programs: list[str] = []
    for one, folder in zip(plain, _folders(plain), strict=True):
        members += place_skill(folder, one.files)
        programs += list_programs(folder, one.files)
    data = pack_tarball(members, programs)
    url = f"{hub.url}{tarball_path(_FOLDER, name, version)}"
    offered = PackageVersion(version, seen, digest_tarball(data), url)
    latest: Mapping[str, Version] = {"latest": version}
    return PackedBundle(
        BundleListing(
            name,
            title,
            description,
            version,
            tuple((one.owner, one.slug) for one in ordered if one not in plain),
        ),
        tarball_route(_FOLDER, name, version, data),
        packument_route(package, about, [offered], latest),
    )


def _folders(skills: Sequence[BundledSkill]) -> list[str]:
    count = Counter(one.slug for one in skills)
    return [one.slug if count[one.slug] == 1 else f"{one.owner}--{one.slug}" for one in skills]
