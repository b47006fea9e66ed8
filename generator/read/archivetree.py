"""The skills among the files of an archive: the very packages that its unpacked folder would give.

The rules are those of :mod:`generator.read.sources.folder`: a folder with a ``SKILL.md`` is a skill and what lies
deeper is its; dot names, ``node_modules`` and caches are not searched. Only what an unpacked folder cannot
hold, a name that leads out of it, is new here, and refuses the whole archive.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from generator.findings import finding
from generator.model import Finding, Package, PackageFile, PackagePath, Sha256
from generator.read.globs import compile_glob
from generator.read.leftout import (
    HUB_MARKS,
    SkillNotes,
    file_too_large,
    is_hidden,
    is_walked,
    package_too_large,
    part_left_out,
    too_many_files,
    unprintable_folder,
)
from generator.read.package import Limits, examine_paths, is_manifest_name
from generator.read.paths import path_problem, printable
from generator.read.zipentries import Entries, Entry

_LEADING_OUT: Final = frozenset({"path-absolute", "path-dot-segment", "path-backslash"})


@dataclass(frozen=True, slots=True)
class SkillInTree:
    """One skill of an archive. ``package`` is None where a limit is passed, as for a folder.

    Paths of ``findings`` are relative to the archive.
    """

    folder: str
    package: Package | None
    findings: tuple[Finding, ...]


def find_skills(
    read: Entries, label: str, limits: Limits, include: tuple[str, ...] = ()
) -> tuple[tuple[SkillInTree, ...], tuple[Finding, ...]]:
    """The skills of an archive, sorted by folder, and what to say about the archive itself.

    ``limits`` are those of one package; ``include`` are globs on the skill's folder, as for a folder source.
    """
    if read.entries is None:
        return (), read.findings
    leading_out = [*_leading_out([*(entry.name for entry in read.entries), *read.folders])]
    if leading_out:
        return (), (*read.findings, *leading_out)
    folders = _skill_folders(read.entries, include)
    named = [folder for folder in folders if printable(folder) == folder]
    loose = [unprintable_folder(folder) for folder in folders if printable(folder) != folder]
    if not folders:
        fix = "Pack the folder that holds SKILL.md, so that SKILL.md lies at the top or in one folder."
        loose.append(finding("archive-without-skill", "", "The archive holds no SKILL.md", fix))
    by_folder: dict[str, list[Entry]] = {folder: [] for folder in named}
    notes: dict[str, list[Finding]] = {folder: [] for folder in named}
    for entry in read.entries:
        holder = _holder(entry.name, by_folder)
        if holder is not None:
            by_folder[holder].append(entry)
    for note in read.findings:
        holder = _holder(note.path, by_folder) if note.path else None
        (loose if holder is None else notes[holder]).append(note)
    skills = [_Skill(label, folder, limits, notes[folder]).read(by_folder[folder]) for folder in named]
    return tuple(skills), tuple(loose)


def _leading_out(names: Iterable[str]) -> Iterable[Finding]:
    for name in names:
        problem = path_problem(name)
        if problem is not None and problem.code in _LEADING_OUT:
            yield finding(problem.code, printable(name), problem.message, problem.fix)


def _skill_folders(entries: Sequence[Entry], include: tuple[str, ...]) -> list[str]:
    """Folders with a ``SKILL.md`` where a folder source would look, none inside another."""
    patterns = tuple(compile_glob(pattern) for pattern in include)
    found: set[str] = set()
    for entry in entries:
        folder, _, name = entry.name.rpartition("/")
        walked = all(is_walked(part) for part in folder.split("/")) if folder else True
        if walked and is_manifest_name(name) and (not patterns or any(p.fullmatch(folder) for p in patterns)):
            found.add(folder)
    return sorted(folder for folder in found if not any(around in found for around in _around(folder)))


def _around(folder: str) -> Iterable[str]:
    while folder:
        folder = folder.rpartition("/")[0]
        yield folder


def _holder(path: str, skills: dict[str, list[Entry]]) -> str | None:
    """The skill folder that a path lies in, or None."""
    if path in skills:
        return path
    return next((folder for folder in _around(path) if folder in skills), None)


class _Skill:
    """Reads one skill; one use."""

    def __init__(self, label: str, folder: str, limits: Limits, notes: list[Finding]) -> None:
        self.label = label
        self.folder = folder
        self.limits = limits
        self.notes = notes
        self.told = SkillNotes(folder, notes)

    def read(self, entries: Sequence[Entry]) -> SkillInTree:
        start = len(self.folder) + 1 if self.folder else 0
        kept = self._without_left_out({entry.name[start:]: entry for entry in entries})
        self.notes.sort(key=lambda note: (note.path, note.code))
        unsafe, path_notes = examine_paths(self.folder, kept)
        self.notes.extend(path_notes)
        files = [(path, entry) for path, entry in kept.items() if path not in unsafe]
        over = self._over(len(kept), files)
        if over is not None:
            return SkillInTree(self.folder, None, (*self.notes, over))
        package = Package(
            self.label,
            self.folder,
            tuple(
                PackageFile(
                    PackagePath(path), entry.data, Sha256(sha256(entry.data).hexdigest()), entry.executable
                )
                for path, entry in files
            ),
        )
        return SkillInTree(self.folder, package, tuple(self.notes))

    def _without_left_out(self, by_path: dict[str, Entry]) -> dict[str, Entry]:
        hubs = _built_hubs(by_path)
        kept: dict[str, Entry] = {}
        told: set[str] = set()
        for path in sorted(by_path):
            left_out = part_left_out(path, hubs)
            if left_out is None:
                kept[path] = by_path[path]
                if "/" in path and is_manifest_name(path.rpartition("/")[2]):
                    self.told.tell_nested(path)
            elif left_out and left_out not in told:
                told.add(left_out)
                if is_hidden(left_out.rpartition("/")[2], top="/" not in left_out):
                    self.told.skip_hidden(left_out)
                else:
                    self.told.skip_hub(left_out)
        return kept

    def _over(self, count: int, files: Sequence[tuple[str, Entry]]) -> Finding | None:
        """The limit that the skill passes, or None."""
        if count > self.limits.max_files:
            return too_many_files(self.folder, self.limits)
        for path, entry in files:
            if len(entry.data) > self.limits.max_file_bytes:
                return file_too_large(self.folder, path, len(entry.data), self.limits)
        if sum(len(entry.data) for _, entry in files) > self.limits.max_package_bytes:
            return package_too_large(self.folder, self.limits)
        return None


def _built_hubs(paths: Iterable[str]) -> frozenset[str]:
    """Folders inside a skill that hold the output of a build: it must not become part of the skill."""
    marked: dict[str, set[str]] = {}
    for path in paths:
        parts = path.split("/")
        for number in range(1, len(parts)):
            if parts[number] in HUB_MARKS:
                marked.setdefault("/".join(parts[:number]), set()).add(parts[number])
    return frozenset(folder for folder, marks in marked.items() if len(marks) == len(HUB_MARKS))
