"""The shapes of documents in formats of others, as types to make schemas of, where the writer has none.

As for :mod:`generator.write.protocols.schemas_shapes`, a test of built hubs holds that they are what is written.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from generator.write.protocols.agent_skills import Entry
from generator.write.protocols.agent_skills_legacy import LegacyEntry
from generator.write.protocols.apm import PackageVersion
from generator.write.protocols.skill_service import ServiceSkill

DiscoveryIndex = TypedDict(
    "DiscoveryIndex",
    {"$schema": Literal["https://schemas.agentskills.io/discovery/0.2.0/schema.json"], "skills": list[Entry]},
)
"""Agent Skills discovery 0.2.0."""


class LegacyIndex(TypedDict):
    """Agent Skills discovery 0.1.0."""

    skills: list[LegacyEntry]


class SkillNames(TypedDict):
    """The names of all skills in the tree of agentskills-http."""

    skills: list[str]


class ServiceList(TypedDict):
    """``GET /api/v1/skill/list`` of the skill-package service."""

    skills: list[ServiceSkill]
    total: int


class RegistryVersions(TypedDict):
    """Microsoft APM: the versions of a package that may be chosen, the latest first."""

    versions: list[PackageVersion]


class MarketplaceOwner(TypedDict):
    """Who runs a marketplace or wrote a plugin."""

    name: str


class NpmSource(TypedDict):
    """Where a plugin lies: one pinned version in this hub's npm registry."""

    source: Literal["npm"]
    package: str
    version: str
    registry: str


class Plugin(TypedDict):
    """A skill or a collection as a plugin of Claude Code."""

    name: str
    displayName: NotRequired[str]
    description: str
    author: NotRequired[MarketplaceOwner]
    homepage: NotRequired[str]
    license: NotRequired[str]
    keywords: NotRequired[list[str]]
    category: NotRequired[str]
    version: str
    dependencies: NotRequired[list[str]]
    source: NpmSource


class Marketplace(TypedDict):
    """``marketplace.json`` of Claude Code."""

    name: str
    owner: MarketplaceOwner
    description: str
    plugins: list[Plugin]


class NpmDist(TypedDict):
    """The tarball of a version and its digests."""

    tarball: str
    integrity: str
    shasum: str


class NpmManifest(TypedDict):
    """One version of an npm package. ``deprecated`` is the warning that npm prints."""

    name: str
    version: str
    description: str
    license: NotRequired[str]
    deprecated: NotRequired[str]
    dist: NpmDist


Packument = TypedDict(
    "Packument",
    {
        "_id": str,
        "name": str,
        "description": str,
        "dist-tags": dict[str, str],
        "versions": dict[str, NpmManifest],
        "time": dict[str, str],
    },
)
"""What an npm registry says of a package."""


class NpmProblem(TypedDict):
    """Why there is no packument; npm prints it."""

    error: str
