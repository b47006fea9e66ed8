"""The tree of ``agentskills-http`` (PyPI, 0.7.0 was run): names of skills, names of files, and the files.

Three documents: ``/agentskills/index.json`` with the names of all skills, ``/agentskills/SLUG/index.json`` with a
skill's files, and the files. The names under ``scripts``, ``references`` and ``assets`` are those directly in the
folder; the client passes over names with other characters than ``a-z A-Z 0-9 . _ -`` and finds them in ``files``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypedDict

from generator.model import PublishedSkill, Route
from generator.write.protocols.indexes import Indexed, json_route
from generator.write.protocols.raw_tree import INDEX_NAME, is_in_tree, paths_of, raw_routes

FOLDER: Final = "/agentskills"


class FileList(TypedDict):
    """The files of one skill, and those of its three folders by their bare names."""

    files: list[str]
    scripts: list[str]
    references: list[str]
    assets: list[str]


def hub_routes(skills: Sequence[Indexed], *, headers: bool) -> tuple[Route, ...]:
    """The names of all skills in the tree. ``headers``: the host serves raw files under inert types."""
    names = [one.listing.slug for one in skills if _is_held(one, headers=headers)]
    return (json_route(f"{FOLDER}/{INDEX_NAME}", {"skills": names}),)


def skill_answers(skill: PublishedSkill, *, headers: bool) -> tuple[Route, ...]:
    """The list of a skill's files; none where the tree does not hold it."""
    indexed = Indexed(skill.listing, skill.latest.archive, paths_of(skill))
    if not _is_held(indexed, headers=headers):
        return ()
    document: FileList = {
        "files": list(indexed.paths),
        "scripts": _names(indexed.paths, "scripts/"),
        "references": _names(indexed.paths, "references/"),
        "assets": _names(indexed.paths, "assets/"),
    }
    return (json_route(f"{FOLDER}/{skill.listing.slug}/{INDEX_NAME}", document),)


def skill_files(skill: PublishedSkill, *, headers: bool) -> tuple[Route, ...]:
    """The raw files of the latest release, for a layout in which every route is a file."""
    return raw_routes(skill, FOLDER, headers=headers) if skill_answers(skill, headers=headers) else ()


def _is_held(skill: Indexed, *, headers: bool) -> bool:
    return is_in_tree(skill, headers=headers) and not any(path.lower() == INDEX_NAME for path in skill.paths)


def _names(paths: Iterable[str], folder: str) -> list[str]:
    inside = (path.removeprefix(folder) for path in paths if path.startswith(folder))
    return [name for name in inside if "/" not in name]
