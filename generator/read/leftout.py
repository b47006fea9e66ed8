"""What of a skill's folder is no part of the skill, and the words for it: the same whichever way the folder is read."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field
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

HUB_MARKS: Final = frozenset({".skillpress", "hub.json"})
"""Entries that tell the output of a build: inside a skill it must not become part of that skill."""
MOST_NOTES: Final = 50
"""Findings about left-out entries kept for one skill; an archive of thousands of links says no more."""


def is_walked(name: str) -> bool:
    """Whether skills are looked for in a folder of this name."""
    return name[:1] != "." and name != "node_modules" and not is_cache(name)


def is_hidden(name: str, *, top: bool) -> bool:
    """Whether an entry is no part of a skill. ``top`` says that it lies directly in the skill's folder."""
    return (name[:1] == "." or name == "node_modules") and not (top and name in DOT_ENTRIES_KEPT)


def part_left_out(path: str, hubs: Container[str] = ()) -> str | None:
    """The part of a file's ``path`` that keeps it out of its skill: ``""`` for a cache, None where it stays.

    ``hubs`` are folders that hold the output of a build.
    """
    segments = path.split("/")
    for number, name in enumerate(segments):
        if is_cache(name):
            return ""
        here = "/".join(segments[: number + 1])
        if is_hidden(name, top=not number) or here in hubs:
            return here
    return None


@dataclass(slots=True)
class SkillNotes:
    """Collects what to say of the entries of one skill in ``folder``; those left out are bounded."""

    folder: str
    notes: list[Finding] = field(default_factory=list)
    _count: int = 0

    def leaves_out(self, name: str, path: str, *, top: bool) -> bool:
        """Whether an entry is no part of the skill, which is told unless it is a cache."""
        if is_cache(name):
            return True
        hidden = is_hidden(name, top=top)
        if hidden:
            self.skip_hidden(path)
        return hidden

    def skip(self, code: str, path: str, what: str, fix: str) -> None:
        """An entry is left out."""
        if self._is_told():
            self.notes.append(finding(code, join(self.folder, path), f"{printable(path)} {what}", fix))

    def skip_note(self, note: Finding) -> None:
        """An entry is left out, in words of its own."""
        if self._is_told():
            self.notes.append(note)

    def skip_hidden(self, path: str) -> None:
        """A hidden entry is left out."""
        if self._is_told():
            self.notes.append(hidden_note(self.folder, path))

    def skip_hub(self, path: str) -> None:
        """The output of a build is left out."""
        self.skip("entry-skipped", path, "is a built hub and is left out", "Build it elsewhere.")

    def skip_link(self, path: str, name: str, *, top: bool) -> None:
        """A symbolic link is left out."""
        if top and is_manifest_name(name):
            self._not_regular(path, "a symbolic link")
        elif not is_cache(name):
            fix = "Put a regular file or folder in its place."
            self.skip("symlink-skipped", path, "is a symbolic link and is left out", fix)

    def skip_special(
        self, path: str, name: str, *, top: bool, what: str = "is not a regular file and is left out"
    ) -> None:
        """Something that is no file, folder or link is left out."""
        if top and is_manifest_name(name):
            self._not_regular(path, "not a regular file")
        else:
            self.skip("special-file-skipped", path, what, "Remove it.")

    def tell_nested(self, path: str) -> None:
        """A ``SKILL.md`` lies below the skill's own."""
        if self._is_told():
            self.notes.append(nested_note(self.folder, path))

    def _is_told(self) -> bool:
        self._count += 1
        return self._count <= MOST_NOTES

    def _not_regular(self, path: str, what: str) -> None:
        message = f"{printable(path)} is {what}, which is never read"
        fix = f"Put a regular file named {MANIFEST_NAME} in its place."
        self.notes.append(finding("skill-md-not-regular", join(self.folder, path), message, fix))


def hidden_note(folder: str, path: str) -> Finding:
    """A hidden entry is left out."""
    message = f"{printable(path)} is not part of the published skill"
    return finding("entry-skipped", join(folder, path), message, "Rename it if the skill needs it.")


def nested_note(folder: str, path: str) -> Finding:
    """A ``SKILL.md`` lies below the skill's own."""
    message = f"{printable(path)} lies inside another skill; here it is one of that skill's files"
    fix = "Rename it, for instance to SKILL.example.md, or move that skill beside this one."
    return finding("nested-skill-md", join(folder, path), message, fix)


def too_many_files(folder: str, limits: Limits) -> Finding:
    """The skill has more files than it may have."""
    message = f"The skill has over {limits.max_files:,} files, which is the limit"
    fix = "Remove files that the skill does not need."
    return finding("package-too-many-files", folder, message, fix)


def file_too_large(folder: str, path: str, size: int, limits: Limits) -> Finding:
    """A file of ``size`` bytes is larger than it may be."""
    message = f"The file has {size:,} bytes; the limit is {limits.max_file_bytes:,}"
    return finding("package-file-too-large", join(folder, path), message, "Shrink it or link to it.")


def package_too_large(folder: str, limits: Limits) -> Finding:
    """The skill's files together are larger than they may be."""
    message = f"The skill has over {limits.max_package_bytes:,} bytes, which is the limit"
    return finding("package-too-large", folder, message, "Remove files that the skill does not need.")


def unprintable_folder(folder: str) -> Finding:
    """A skill's folder has a name that no output can hold."""
    message = f"The skill's folder {printable(folder)} has a name that is not printable UTF-8"
    return finding("path-not-utf8", printable(folder), message, "Rename the folder.")
