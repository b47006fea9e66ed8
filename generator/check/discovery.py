"""Every skill below a folder as hosts meet it: hidden, grouped, nested, in ``node_modules``, linked.

Wider than the build's own walk (:mod:`generator.read.sources.folder`), which takes what may be published: an
author wants to know what becomes of the others too. Folders are only listed; no file is opened and no link
is followed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from generator.findings import finding
from generator.judge.model import Place
from generator.model import Finding
from generator.read.package import MANIFEST_NAME, is_cache, is_manifest_name
from generator.read.paths import printable

SKILLS: Final = "skills"
"""The name of a folder that hosts scan: where there is one, places are relative to it."""

_MODULES: Final = "node_modules"
_DEEPEST_MODULE: Final = 6
"""Levels below ``node_modules`` that are searched: the most any host descends from its folder of skills."""

_PROGRESS_STEP: Final = 500

Progress = Callable[[str, int], None]
"""Called now and then with what is done and how many of it are: ``folders searched``, 500."""


@dataclass(frozen=True, slots=True)
class FoundSkill:
    """A skill folder, relative to the folder that was searched (``""`` is that folder itself)."""

    folder: str
    place: Place


@dataclass(frozen=True, slots=True)
class Discovery:
    """What lies below a folder: skills sorted by folder, and findings that belong to none of them."""

    skills: tuple[FoundSkill, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class _Manifest:
    """What the listing of a skill folder tells about its ``SKILL.md``."""

    link: bool
    hard_link: bool


@dataclass(frozen=True, slots=True)
class _Listing:
    """One folder: its manifest if it is a skill, the folders in it to search, the links that lead to folders."""

    manifest: _Manifest | None
    folders: tuple[str, ...]
    links: tuple[str, ...]
    modules: bool


def find_skills(root: str, name: str, progress: Progress | None = None) -> Discovery:
    """Every skill at or below the folder ``root``, in the file system's own names.

    ``name`` is what the folder is called; it stands for the place of a skill that is ``root`` itself.
    """
    walk = _Walk(root, progress)
    walk.run()
    linked = {folder: _Manifest(False, False) for folder in walk.linked_skills(is_skills=name == SKILLS)}
    known = {**walk.manifests, **linked}
    roots = _skills_roots(known, is_skills=name == SKILLS)
    skills = tuple(
        FoundSkill(folder, replace(_place(folder, known, roots, name), folder_link=folder in linked))
        for folder in sorted(known)
    )
    notes = [*walk.notes, *(_link_skipped(link) for link in walk.links if link not in linked)]
    return Discovery(skills, tuple(sorted(notes, key=lambda note: (note.path, note.code))))


def place_of(folder: str, name: str) -> Place:
    """The place of a skill that was named by itself: its parent is the folder of skills."""
    manifest = _list(folder).manifest
    return Place(name, None, bool(manifest and manifest.link), bool(manifest and manifest.hard_link))


def is_skill_folder(folder: str) -> bool:
    """True where the folder holds a ``SKILL.md`` in any case; OSError where it cannot be listed."""
    return _list(folder).manifest is not None


class _Walk:
    """Lists folders from the root down; one use."""

    def __init__(self, root: str, progress: Progress | None) -> None:
        self._root = root
        self._progress = progress
        self.manifests: dict[str, _Manifest] = {}
        self.links: list[str] = []
        self.notes: list[Finding] = []

    def run(self) -> None:
        """Fill ``manifests`` and ``notes``."""
        waiting = [""]
        modules: list[str] = []
        looked_at = 0
        while waiting:
            folder = waiting.pop()
            looked_at += 1
            if self._progress is not None and looked_at % _PROGRESS_STEP == 0:
                self._progress("folders searched", looked_at)
            listing = self._look(folder)
            if listing is not None:
                if listing.modules and folder not in self.manifests:
                    modules.append(folder)
                waiting.extend(
                    _joined(folder, name) for name in listing.folders if _is_searched(folder, name)
                )
            if not waiting:
                # Modules count only beside skills, and those are known once everything else has been seen.
                holders = {_parent(skill) for skill in self.manifests if skill}
                waiting = [_joined(folder, _MODULES) for folder in modules if folder in holders]
                modules = []

    def _look(self, folder: str) -> _Listing | None:
        try:
            listing = _list(f"{self._root}/{folder}" if folder else self._root)
        except OSError as error:
            message = f"The folder cannot be listed: {error.strerror or error}"
            shown = printable(_as_text(folder))
            self.notes.append(
                finding("folder-unreadable", shown, message, "Correct its permissions or remove it.")
            )
            return None
        if listing.manifest is not None:
            self.manifests[folder] = listing.manifest
        elif _MODULES not in folder.split("/") and not self._is_inside_skill(folder):
            self.links.extend(_joined(folder, name) for name in listing.links)
        return listing

    def linked_skills(self, *, is_skills: bool) -> list[str]:
        """The links that hosts which follow them take for skills: among other skills, and a manifest behind them."""
        holders = {_parent(skill) for skill in self.manifests if skill}
        return [
            link
            for link in self.links
            for above in (_parent(link),)
            if (above in holders or _name(above) == SKILLS or (not above and is_skills))
            and os.path.lexists(f"{self._root}/{link}/{MANIFEST_NAME}")
        ]

    def _is_inside_skill(self, folder: str) -> bool:
        """True below a skill, whose links are that skill's own findings."""
        return any(outer in self.manifests for outer in _ancestors(folder))


def _is_searched(folder: str, name: str) -> bool:
    """True for a folder worth entering: everywhere but deep below, or hidden in, ``node_modules``."""
    segments = folder.split("/")
    if _MODULES not in segments:
        return True
    return name[0] != "." and len(segments) - segments.index(_MODULES) <= _DEEPEST_MODULE


def _list(path: str) -> _Listing:
    """What one folder holds. Raises OSError."""
    folders: list[str] = []
    links: list[str] = []
    manifest: _Manifest | None = None
    modules = False
    with os.scandir(path) as entries:
        for entry in entries:
            name = entry.name
            link = entry.is_symlink()
            if is_manifest_name(name) and (link or not entry.is_dir(follow_symlinks=False)):
                if manifest is None or name == MANIFEST_NAME:
                    manifest = _Manifest(link, not link and entry.stat(follow_symlinks=False).st_nlink > 1)
            elif link:
                if not is_cache(name) and _leads_to_folder(entry):
                    links.append(name)
            elif name == _MODULES:
                modules = modules or entry.is_dir(follow_symlinks=False)
            elif not is_cache(name) and entry.is_dir(follow_symlinks=False):
                folders.append(name)
    return _Listing(manifest, tuple(sorted(folders, reverse=True)), tuple(sorted(links)), modules)


def _leads_to_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return True


def _skills_roots(skills: dict[str, _Manifest], *, is_skills: bool) -> dict[str, str]:
    """For each skill that is in no other one: the folder of skills that a host would be pointed at."""
    holders = {_parent(skill) for skill in skills if skill}
    roots: dict[str, str] = {}
    for skill in skills:
        above = _ancestors(skill)
        named = [folder for folder in above if _name(folder) == SKILLS and _MODULES not in folder.split("/")]
        if project := _project_root(skill):
            roots[skill] = project
        elif named:
            roots[skill] = named[0]
        elif is_skills:
            roots[skill] = ""
        else:
            roots[skill] = next((folder for folder in reversed(above) if folder in holders), "")
    return roots


def _place(folder: str, skills: dict[str, _Manifest], roots: dict[str, str], name: str) -> Place:
    around = [outer for outer in _ancestors(folder) if outer in skills]
    project = _project_root(folder)
    if project is not None:
        around = [outer for outer in around if outer.startswith(f"{project}/")]
    manifest = skills[folder]
    if not around:
        own = _as_text(_below(folder, roots[folder]) if folder else name)
        return Place(own, None, manifest.link, manifest.hard_link)
    outermost = _place(around[-1], skills, roots, name).folder
    inside = _below(around[0], around[-1])
    return Place(
        f"{outermost}/{_as_text(_below(folder, around[-1]))}",
        f"{outermost}/{_as_text(inside)}" if inside else outermost,
        manifest.link,
        manifest.hard_link,
    )


def _project_root(folder: str) -> str | None:
    """The folder of skills of an agent's own settings (``.claude/skills``) that ``folder`` lies in, or None.

    An agent that works in the project is pointed at it, also where the project itself is a skill.
    """
    for above in _ancestors(folder):
        if _name(above) == SKILLS and _name(_parent(above)).startswith("."):
            return above
    return None


def _link_skipped(path: str) -> Finding:
    shown = printable(_as_text(path))
    message = f"{shown} is a symbolic link to a folder and is not followed"
    return finding("symlink-skipped", shown, message, "Check the linked folder by its own name.")


def _as_text(name: str) -> str:
    """A name from the file system as text: its bytes are UTF-8, whatever encoding the locale claims."""
    return name if name.isascii() else os.fsencode(name).decode("utf-8", "surrogateescape")


def _ancestors(folder: str) -> Sequence[str]:
    """The folders around ``folder``, innermost first, down to ``""``; none for ``""`` itself."""
    above: list[str] = []
    while folder:
        folder = _parent(folder)
        above.append(folder)
    return above


def _parent(folder: str) -> str:
    return folder.rpartition("/")[0]


def _name(folder: str) -> str:
    return folder.rpartition("/")[2]


def _below(folder: str, root: str) -> str:
    if folder == root:
        return ""
    return folder[len(root) + 1 :] if root else folder


def _joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
