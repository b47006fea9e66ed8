"""The files of one skill folder in a tree: what belongs to the skill, and a finding for what does not.

The order of the walk and its words are those of :mod:`generator.read.sources.folder`, so that a skill says the
same about itself whichever way it is read.
"""

from __future__ import annotations

from typing import Final

from generator.findings import finding
from generator.model import Finding
from generator.read.package import (
    DOT_ENTRIES_KEPT,
    MANIFEST_NAME,
    Limits,
    is_cache,
    is_manifest_name,
    join,
)
from generator.read.paths import printable
from generator.read.sources.git.objects import Damage, Objects
from generator.read.sources.git.treeformat import Entry

_HUB_MARKS: Final = frozenset({".skillpress", "hub.json"})
_MOST_SKIP_FINDINGS: Final = 50
_ENTRIES_A_FILE: Final = 100
"""Entries looked at for each file a package may have: a tree may hold itself again and again, without a file."""


class PackageWalk:
    """Collects the entries of one skill folder; one use. ``notes`` are the findings."""

    def __init__(self, objects: Objects, folder: str, limits: Limits) -> None:
        self._objects = objects
        self._folder = folder
        self._limits = limits
        self._skipped = 0
        self.notes: list[Finding] = []

    def collect(self, root: str) -> dict[str, Entry] | None:
        """All regular files by path, sorted; None where there are too many or a folder cannot be read."""
        files: dict[str, Entry] = {}
        stack = [("", root)]
        seen = 0
        while stack:
            inside, tree = stack.pop()
            entries = self._objects.tree(tree)
            if isinstance(entries, Damage):
                self.notes.append(object_finding(join(self._folder, inside), tree, entries))
                return None
            if inside and {entry.name for entry in entries} >= _HUB_MARKS:
                self._skip("entry-skipped", inside, "is a built hub and is left out", "Build it elsewhere.")
                continue
            for entry in sorted(entries, key=_name):
                path = f"{inside}/{entry.name}" if inside else entry.name
                if entry.is_tree:
                    if not self._left_out(entry.name, path, top=not inside):
                        stack.append((path, entry.object_id))
                elif self._is_file(entry, path, top=not inside):
                    files[path] = entry
                seen += 1
                if len(files) > self._limits.max_files or seen > _ENTRIES_A_FILE * self._limits.max_files:
                    self._too_many()
                    return None
        self.notes.sort(key=lambda note: (note.path, note.code))
        return dict(sorted(files.items()))

    def _is_file(self, entry: Entry, path: str, top: bool) -> bool:
        if entry.is_link:
            self._skip_link(path, entry.name, top)
            return False
        if self._left_out(entry.name, path, top):
            return False
        if entry.is_file:
            if not top and is_manifest_name(entry.name):
                self._nested(path)
            return True
        self._skip_special(entry, path, top)
        return False

    def _too_many(self) -> None:
        message = f"The skill has over {self._limits.max_files:,} files, which is the limit"
        fix = "Remove files that the skill does not need."
        self.notes.append(finding("package-too-many-files", self._folder, message, fix))

    def _left_out(self, name: str, path: str, top: bool) -> bool:
        if name[0] != "." and name != "node_modules":
            return is_cache(name)
        if top and name in DOT_ENTRIES_KEPT:
            return False
        if not is_cache(name):
            fix = "Rename it if the skill needs it."
            self._skip("entry-skipped", path, "is not part of the published skill", fix)
        return True

    def _skip_link(self, path: str, name: str, top: bool) -> None:
        if top and is_manifest_name(name):
            self._not_regular(path, "a symbolic link")
        elif not is_cache(name):
            fix = "Put a regular file or folder in its place."
            self._skip("symlink-skipped", path, "is a symbolic link and is left out", fix)

    def _skip_special(self, entry: Entry, path: str, top: bool) -> None:
        if entry.is_submodule:
            self._skipped += 1
            if self._skipped <= _MOST_SKIP_FINDINGS:
                self.notes.append(submodule_finding(self._folder, path))
        elif top and is_manifest_name(entry.name):
            self._not_regular(path, "not a regular file")
        else:
            what = f"has mode {entry.mode:06o}, which is no regular file, and is left out"
            self._skip("special-file-skipped", path, what, "Remove it.")

    def _not_regular(self, path: str, what: str) -> None:
        message = f"{printable(path)} is {what}, which is never read"
        fix = f"Put a regular file named {MANIFEST_NAME} in its place."
        self.notes.append(finding("skill-md-not-regular", join(self._folder, path), message, fix))

    def _skip(self, code: str, path: str, what: str, fix: str) -> None:
        self._skipped += 1
        if self._skipped <= _MOST_SKIP_FINDINGS:
            self.notes.append(finding(code, join(self._folder, path), f"{printable(path)} {what}", fix))

    def _nested(self, path: str) -> None:
        self._skipped += 1
        if self._skipped <= _MOST_SKIP_FINDINGS:
            message = f"{printable(path)} lies inside another skill; here it is one of that skill's files"
            fix = "Rename it, for instance to SKILL.example.md, or move that skill beside this one."
            self.notes.append(finding("nested-skill-md", join(self._folder, path), message, fix))


def object_finding(place: str, object_id: str, damage: Damage) -> Finding:
    """An object that a skill (or the walk to it) needs and that cannot be had; ``place`` as :func:`join` gives it."""
    code = "git-tree-invalid" if damage.malformed else "git-object-damaged"
    message = f"{place or 'The top folder'} (object {object_id}) {damage.reason}"
    fix = (
        "Rewrite the folder with an ordinary git, and commit it again."
        if damage.malformed
        else "Run git fsck in the repository and clone it again, as a whole."
    )
    return finding(code, place, message, fix)


def submodule_finding(folder: str, path: str) -> Finding:
    """A submodule, which is never fetched."""
    message = f"{printable(path)} is a submodule: its files are in another repository, and are left out"
    fix = "Name that repository as a source of its own, or commit the files here."
    return finding("git-submodule-skipped", join(folder, path), message, fix)


def _name(entry: Entry) -> str:
    return entry.name
