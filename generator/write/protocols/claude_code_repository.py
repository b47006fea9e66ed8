"""``.claude-plugin/marketplace.json`` for people who clone the repository that a hub is built from.

Its plugins lie in the repository, so they have no version of ours: Claude Code (2.1.197) then counts each commit as
one, and what is installed is what is checked out. ``claude plugin marketplace add OWNER/REPOSITORY`` or a path.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from generator.history.overlay.model import SkillKey
from generator.jsondata import dump_bytes
from generator.model import Hub, Listing
from generator.write.protocols.claude_code import describe_marketplace, describe_plugin, is_offered
from generator.write.protocols.claude_code_manifest import accept_manifest, read_object
from generator.write.protocols.claude_code_names import bundle_name, marketplace_name, plugin_names

REPOSITORY_FILE: Final = ".claude-plugin/marketplace.json"


@dataclass(frozen=True, slots=True)
class RepositorySkill:
    """A skill whose folder is in the repository: ``folder`` relative to its top, ``""`` for the top itself.

    ``paths`` are the skill's files, ``manifest`` is its own ``.claude-plugin/plugin.json``.
    """

    listing: Listing
    folder: str
    paths: tuple[str, ...] = ()
    manifest: bytes | None = None


@dataclass(frozen=True, slots=True)
class RepositoryCollection:
    """A collection and its members."""

    name: str
    title: str
    description: str
    members: tuple[SkillKey, ...]


def repository_folder(base: str, source: str, folder: str) -> str | None:
    """Where a skill's folder lies in the repository; None where it is outside.

    ``base`` is the folder of ``hub.yml`` relative to the repository's top, ``source`` the path of the source as written
    there, ``folder`` the skill's relative to the source.
    """
    if source.startswith("/") or "://" in source or "\\" in source:
        return None
    path = posixpath.normpath(posixpath.join(base, source, folder))
    if path == ".." or path.startswith(("../", "/")):
        return None
    return "" if path == "." else path


def repository_marketplace(
    hub: Hub, skills: Sequence[RepositorySkill], collections: Iterable[RepositoryCollection] = ()
) -> bytes:
    """The marketplace of a repository. Its name differs from the hub's, so that one user can have both."""
    offered = sorted(
        (one for one in skills if is_offered(one.listing)),
        key=lambda one: (one.listing.slug, one.listing.owner),
    )
    folders = {(one.listing.owner, one.listing.slug): one.folder for one in offered}
    names = plugin_names(one.listing for one in offered)
    plugins = [
        {**describe_plugin(one.listing, names[key]), **_place(one)}
        for one in offered
        if (key := (one.listing.owner, one.listing.slug)) in names
    ]
    for collection in sorted(collections, key=lambda one: one.name):
        inside = [_relative(folders[key]) for key in collection.members if key in folders]
        if inside:
            plugins.append(_describe_collection(collection, inside))
    name = f"{marketplace_name(hub)}-repository"
    return dump_bytes(describe_marketplace(hub, name, plugins)) + b"\n"


def _place(skill: RepositorySkill) -> dict[str, Any]:
    """The folder as the plugin; where Claude Code would refuse the author's manifest, the skill alone."""
    path = _relative(skill.folder)
    if skill.manifest is None or _is_right(skill, skill.manifest):
        return {"source": path}
    return {"source": "./", "strict": False, "skills": [path]}


def _is_right(skill: RepositorySkill, manifest: bytes) -> bool:
    written = read_object(manifest)
    version = written.get("version") if written is not None else None
    stated = version if isinstance(version, str) else skill.listing.version
    return (
        written is not None and accept_manifest(manifest, skill.listing.slug, stated, skill.paths) == manifest
    )


def _describe_collection(collection: RepositoryCollection, skills: list[str]) -> dict[str, Any]:
    return {
        "name": bundle_name(collection.name),
        "displayName": collection.title or collection.name,
        "description": collection.description or collection.title,
        "source": "./",
        "strict": False,
        "skills": skills,
    }


def _relative(folder: str) -> str:
    return f"./{folder}"
