"""Agent Skills discovery, version 0.1.0: an index of file names, and the files beside it.

Read by hermes-agent 0.19.0 (``WellKnownSkillSource``, which knows nothing else) and playbooks; ``skills`` looks
here last. ``skills`` and playbooks refuse the *whole* index for one bad entry: a name, an empty description, a
``..`` in a path, no ``SKILL.md``. So whatever could void it is left out. hermes reads each file as text, so a
binary file arrives changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypedDict

from generator.model import PublishedSkill, Route
from generator.write.protocols.indexes import Indexed, describe, fits_name, json_route
from generator.write.protocols.raw_tree import is_in_tree, raw_routes

FOLDER: Final = "/.well-known/skills"


class LegacyEntry(TypedDict):
    """One entry. Every file is at ``{name}/{file}`` beside the index."""

    name: str
    description: str
    files: list[str]


def hub_routes(skills: Sequence[Indexed], *, headers: bool) -> tuple[Route, ...]:
    """The index. ``headers``: the host serves raw files under inert types."""
    entries = [_entry(one) for one in skills if is_in_tree(one, headers=headers) and fits_name(one.listing)]
    return (json_route(f"{FOLDER}/index.json", {"skills": entries}),)


def skill_files(skill: PublishedSkill, *, headers: bool) -> tuple[Route, ...]:
    """The raw files of the latest release, for a layout in which every route is a file."""
    return raw_routes(skill, FOLDER, headers=headers) if fits_name(skill.listing) else ()


def _entry(skill: Indexed) -> LegacyEntry:
    listing = skill.listing
    return {"name": listing.slug, "description": describe(listing), "files": list(skill.paths)}
