"""From the paths on a command line to skills that can be judged: folders, ``SKILL.md`` files and archives."""

from __future__ import annotations

import os
import posixpath
import re
import stat
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from generator.check.discovery import Progress, find_skills, place_of
from generator.check.model import LooseFinding
from generator.errors import SkillpressError
from generator.findings import finding
from generator.judge.model import Place
from generator.model import Finding, Package, SkillFolder
from generator.read.guarded import read_guarded
from generator.read.package import Limits, is_manifest_name
from generator.read.paths import printable
from generator.read.sources.folder import read_package

if TYPE_CHECKING:
    from generator.read.archive_reader import ArchivedSkill

ARCHIVE_SUFFIXES: Final = (".skill", ".zip")
_MOST_ARCHIVE_OVERHEAD: Final = 2**20
"""Bytes that an archive may have beyond its files."""
_VERSION_TAIL: Final = re.compile(r"-v?\d+(?:\.\d+)+(?:[-+.][0-9A-Za-z.+-]*)?\Z")


class UnusablePathError(SkillpressError):
    """A path on the command line that is nothing we can check."""


@dataclass(frozen=True, slots=True)
class ReadItem:
    """One skill as read; see :class:`~generator.check.model.CheckedSkill` for the names it goes by.

    ``skill`` is None where its files cannot be read; ``findings`` then say why, and are else empty.
    """

    path: str
    shown: str
    archive: str | None
    disk: str | None
    place: Place
    skill: SkillFolder | None
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadResult:
    """Everything that one path gave."""

    items: tuple[ReadItem, ...]
    loose: tuple[LooseFinding, ...]


def read_path(given: str, *, alone: bool, limits: Limits, progress: Progress | None = None) -> ReadResult:
    """Everything to check at one path of the command line; ``alone`` where it is the only one.

    Raises:
        UnusablePathError: it does not exist, or is no folder, ``SKILL.md`` or archive.
    """
    base = os.path.basename(given)
    if os.path.isdir(given):
        return _read_folder(given, alone=alone, limits=limits, progress=progress)
    if not os.path.lexists(given):
        raise UnusablePathError(
            f"{printable(given)} does not exist. Name a folder, a SKILL.md or an archive."
        )
    if is_manifest_name(base):
        return _read_manifest_path(os.path.dirname(given) or os.curdir, alone=alone, limits=limits)
    if base.lower().endswith(ARCHIVE_SUFFIXES):
        return _read_archive(given, alone=alone, limits=limits)
    raise UnusablePathError(
        f"{printable(given)} is no skill. Name a folder, a SKILL.md, or an archive that ends in .skill or .zip."
    )


def _read_folder(given: str, *, alone: bool, limits: Limits, progress: Progress | None) -> ReadResult:
    name = _folder_name(given)
    shown_root = _shown(given)
    found = find_skills(given, name, progress)
    is_skill = any(not one.folder for one in found.skills)
    alone_base, base_among_others = (name, _skill_label(given)) if is_skill else ("", _label(given))
    base = alone_base if alone else base_among_others
    items = tuple(
        _read_skill(
            f"{given}/{one.folder}" if one.folder else given,
            _below(base, one.folder),
            _below(shown_root, one.folder),
            one.place,
            limits,
        )
        for one in found.skills
    )
    notes = list(found.findings)
    if not items and not any(note.code == "folder-unreadable" for note in notes):
        message = "The folder holds no skill: there is no file SKILL.md in it or below it"
        fix = "Name a folder that holds SKILL.md, or one with skill folders below it."
        notes.append(finding("frontmatter-missing", "", message, fix))
    loose = tuple(
        LooseFinding(replace(note, path=_below(base, note.path) or "."), _below(shown_root, note.path) or ".")
        for note in notes
    )
    return ReadResult(items, loose)


def _read_manifest_path(folder: str, *, alone: bool, limits: Limits) -> ReadResult:
    name = _folder_name(folder)
    try:
        place = place_of(folder, name)
    except OSError as error:
        raise UnusablePathError(f"{printable(folder)} cannot be listed: {error.strerror}.") from None
    return ReadResult(
        (_read_skill(folder, name if alone else _skill_label(folder), _shown(folder), place, limits),), ()
    )


def _read_skill(disk: str, path: str, shown: str, place: Place, limits: Limits) -> ReadItem:
    path, shown = printable(path), printable(shown)
    if place.folder_link:
        message = (
            f"{place.name} is a symbolic link to a folder, which is not followed: its skill was not examined"
        )
        note = finding("symlink-skipped", path, message, "Check the linked folder by its own name.")
        return ReadItem(
            path, shown, None, disk, place, SkillFolder(Package(place.name, path, ()), None, "", 1, (note,))
        )
    package, notes = read_package(disk, place.name, "", limits)
    notes = tuple(replace(note, path=_below(path, note.path)) for note in notes)
    if printable(place.folder) != place.folder:
        message = f"The skill's folder {printable(place.folder)} has a name that is not printable UTF-8"
        notes = (*notes, finding("path-not-utf8", path, message, "Rename the folder."))
    if package is None:
        return ReadItem(path, shown, None, disk, place, None, notes)
    skill = read_guarded(Package(package.source, path, package.files), notes)
    return ReadItem(path, shown, None, disk, place, skill)


# --- archives --------------------------------------------------------------------------------------


def _read_archive(given: str, *, alone: bool, limits: Limits) -> ReadResult:
    from generator.read.archive_reader import read_archive_package  # a folder has no use for it

    shown = printable(_shown(given))
    stem = _VERSION_TAIL.sub("", os.path.basename(given).rpartition(".")[0]) or "skill"
    base = stem if alone else _label(given)
    data = _read_file(given, limits.max_package_bytes + _MOST_ARCHIVE_OVERHEAD)
    if isinstance(data, int):
        message = f"The archive has {data:,} bytes; a skill may have {limits.max_package_bytes:,}"
        fix = "Remove files that the skill does not need."
        problem = finding("package-too-large", printable(base), message, fix)
        return ReadResult((_unread(printable(base), shown, stem, (problem,)),), ())
    skills, notes = read_archive_package(data, stem, limits)
    if not skills:
        problems = tuple(replace(note, path=_below(printable(base), note.path)) for note in notes)
        return ReadResult((_unread(printable(base), shown, stem, problems),), ())
    items = tuple(_archived(one, skills, stem, base, shown, alone=alone) for one in skills)
    # What is wrong with the archive is told once: with its skill, or by itself where it has several.
    outer = [item for item, one in zip(items, skills, strict=True) if one.inside is None]
    if len(outer) > 1:
        label = printable(os.path.basename(given) if alone else base)
        loose = tuple(
            LooseFinding(replace(note, path=_below(label, note.path)), _below(shown, note.path), shown)
            for note in notes
        )
        return ReadResult(items, loose)
    return ReadResult(tuple(_with_notes(item, notes) if item is outer[0] else item for item in items), ())


def _archived(
    one: ArchivedSkill, skills: tuple[ArchivedSkill, ...], stem: str, base: str, shown: str, *, alone: bool
) -> ReadItem:
    folder = one.package.folder
    outer = [skill.package.folder for skill in skills if skill.inside is None]
    own = max((f for f in outer if not f or folder == f or folder.startswith(f + "/")), key=len)
    name = own.rpartition("/")[2] or stem
    rest = folder[len(own) :].strip("/")
    inside = None if one.inside is None else _below(name, one.inside[len(own) :].strip("/"))
    # Several skills are told apart by their folders in the archive; one goes by its own folder's name.
    inner = folder if len(outer) > 1 else _below(name, rest)
    path = printable(inner if alone else _below(base, inner))
    prefix = printable(folder)
    notes = tuple(
        replace(note, path=_below(path, note.path[len(prefix) :].strip("/"))) for note in one.findings
    )
    skill = read_guarded(Package(one.package.source, path, one.package.files), notes)
    return ReadItem(path, _below(shown, prefix), shown, None, Place(_below(name, rest), inside), skill)


def _with_notes(item: ReadItem, notes: tuple[Finding, ...]) -> ReadItem:
    assert item.skill is not None
    own = tuple(replace(note, path=_below(item.path, note.path)) for note in notes)
    return replace(item, skill=replace(item.skill, findings=(*own, *item.skill.findings)))


def _unread(path: str, shown: str, stem: str, findings: tuple[Finding, ...]) -> ReadItem:
    return ReadItem(path, shown, shown, None, Place(stem), None, findings)


def _read_file(path: str, most: int) -> bytes | int:
    """The bytes of a regular file, or its size where that is over ``most``."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(path, flags), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise UnusablePathError(f"{printable(path)} is not a regular file. Name an archive.")
            return status.st_size if status.st_size > most else file.read(most + 1)
    except OSError as error:
        raise UnusablePathError(f"{printable(path)} cannot be read: {error.strerror}.") from None


# --- names -----------------------------------------------------------------------------------------


def _folder_name(given: str) -> str:
    """What a folder is called, also where it was named ``.`` or with a slash at its end."""
    return os.path.basename(os.path.abspath(given)) or "skill"


def _label(given: str) -> str:
    """A path as typed, in one spelling: no ``./`` before and no slash after it, ``/`` between names."""
    return posixpath.normpath(given.replace(os.sep, "/"))


def _skill_label(given: str) -> str:
    """:func:`_label` of a folder that is a skill: its last part is always the folder's name."""
    label = _label(given)
    return f"{label}/{_folder_name(given)}" if label.rpartition("/")[2] in (".", "..") else label


def _shown(given: str) -> str:
    """A path for people and editors: as typed, but relative where it lies below the current folder."""
    path = os.path.normpath(given)
    if os.path.isabs(path):
        here = os.getcwd()
        if path == here or path.startswith(here.rstrip(os.sep) + os.sep):
            path = os.path.relpath(path, here)
    shown = path.replace(os.sep, "/")
    return "" if shown == "." else shown


def _below(base: str, rest: str) -> str:
    return f"{base}/{rest}" if base and rest else base or rest
