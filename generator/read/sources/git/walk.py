"""The files of one skill folder in a tree: what belongs to the skill, and a finding for what does not.

The order of the walk and its words are those of :mod:`generator.read.sources.folder`, so that a skill says the
same about itself whichever way it is read.
"""

from __future__ import annotations

from typing import Final

from generator.findings import finding
from generator.model import Finding
from generator.read.leftout import HUB_MARKS, SkillNotes, too_many_files
from generator.read.package import Limits, is_manifest_name, join
from generator.read.paths import printable
from generator.read.sources.git.objects import Damage, Objects
from generator.read.sources.git.treeformat import Entry

_ENTRIES_A_FILE: Final = 100
"""Entries looked at for each file a package may have: a tree may hold itself again and again, without a file."""


class PackageWalk:
    """Collects the entries of one skill folder; one use. ``notes`` are the findings."""

    def __init__(self, objects: Objects, folder: str, limits: Limits) -> None:
        self._objects = objects
        self._folder = folder
        self._limits = limits
        self._told = SkillNotes(folder)
        self.notes = self._told.notes

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
            if inside and {entry.name for entry in entries} >= HUB_MARKS:
                self._told.skip_hub(inside)
                continue
            for entry in sorted(entries, key=_name):
                path = f"{inside}/{entry.name}" if inside else entry.name
                if entry.is_tree:
                    if not self._told.leaves_out(entry.name, path, top=not inside):
                        stack.append((path, entry.object_id))
                elif self._is_file(entry, path, top=not inside):
                    files[path] = entry
                seen += 1
                if len(files) > self._limits.max_files or seen > _ENTRIES_A_FILE * self._limits.max_files:
                    self.notes.append(too_many_files(self._folder, self._limits))
                    return None
        self.notes.sort(key=lambda note: (note.path, note.code))
        return dict(sorted(files.items()))

    def _is_file(self, entry: Entry, path: str, top: bool) -> bool:
        if entry.is_link:
            self._told.skip_link(path, entry.name, top=top)
            return False
        if self._told.leaves_out(entry.name, path, top=top):
            return False
        if entry.is_file:
            if not top and is_manifest_name(entry.name):
                self._told.tell_nested(path)
            return True
        if entry.is_submodule:
            self._told.skip_note(submodule_finding(self._folder, path))
        else:
            what = f"has mode {entry.mode:06o}, which is no regular file, and is left out"
            self._told.skip_special(path, entry.name, top=top, what=what)
        return False


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
