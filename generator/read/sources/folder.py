"""A local folder as a source: find its skill folders, then read one as bytes.

Two steps, so that a build can hash without parsing. Nothing is followed (symbolic links), nothing but
regular files is opened, and no file is loaded before its size is known to be within the limits. Paths are
plain strings here: ``pathlib`` on this path costs three times as much (``performance.md`` section 9).
"""

from __future__ import annotations

import os
import stat
import sys
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from generator.errors import SourceError
from generator.findings import finding
from generator.model import Finding, Package, PackageFile, PackagePath, Sha256
from generator.read.globs import compile_glob
from generator.read.leftout import (
    HUB_MARKS,
    SkillNotes,
    file_too_large,
    is_walked,
    package_too_large,
    too_many_files,
    unprintable_folder,
)
from generator.read.package import (
    Limits,
    examine_paths,
    is_manifest_name,
    join,
)
from generator.read.paths import printable

_OPEN_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_UTF8_NAMES: Final = sys.getfilesystemencoding().lower() == "utf-8"


@dataclass(frozen=True, slots=True)
class FolderScan:
    """Skill folders below a root, relative and sorted (``""`` is the root itself), and what to say about
    the source that belongs to no skill."""

    folders: tuple[str, ...]
    findings: tuple[Finding, ...]


def find_skill_folders(root: str, include: tuple[str, ...] = ()) -> FolderScan:
    """Every folder at or below ``root`` that holds a ``SKILL.md`` (in any case), without reading a file.

    The walk stops at a skill folder: what lies deeper is that skill's files. With ``include`` (globs on the
    relative folder, see :mod:`generator.read.globs`) only matching folders count, and the walk goes on below
    the others.
    ``.git``, ``node_modules``, names that start with a dot, caches and symbolic links are not entered.
    Raises :class:`~generator.errors.SourceError` where ``root`` is no folder.
    """
    if not os.path.isdir(root):
        reason = "is not a folder" if os.path.exists(root) else "does not exist"
        raise SourceError(f"The source {root} {reason}. Name a folder that holds skill folders.")
    patterns = tuple(compile_glob(p) for p in include)
    folders: list[str] = []
    notes: list[Finding] = []
    stack = [""]
    while stack:
        folder = stack.pop()
        try:
            with os.scandir(f"{root}/{_os_name(folder)}" if folder else root) as entries:
                listing = list(entries)
        except OSError as error:
            notes.append(_folder_unreadable(folder, error))
            continue
        children: list[str] = []
        links: list[Finding] = []
        is_skill = False
        for entry in listing:
            name = _as_text(entry.name)
            if is_manifest_name(name) and not entry.is_dir(follow_symlinks=False):
                is_skill = True
            elif entry.is_symlink():
                if is_walked(name) and _leads_to_folder(entry):
                    links.append(_link_skipped(_joined(folder, name)))
            elif is_walked(name) and entry.is_dir(follow_symlinks=False):
                children.append(_joined(folder, name))
        if is_skill and (not patterns or any(p.fullmatch(folder) for p in patterns)):
            if printable(folder) == folder:
                folders.append(folder)
            else:
                notes.append(unprintable_folder(folder))
        else:
            # Links inside a skill are that skill's findings, not the source's.
            notes.extend(links)
            stack.extend(children)
    return FolderScan(tuple(sorted(folders)), tuple(sorted(notes, key=lambda n: (n.path, n.code))))


def read_package(
    root: str, source: str, folder: str, limits: Limits
) -> tuple[Package | None, tuple[Finding, ...]]:
    """The files of the skill in ``folder`` as bytes, and what to say about them.

    ``source`` is the label the package carries. The package is None where a limit is passed or a file cannot
    be read: a package holds all of its files or does not exist. Files with unsafe paths are left out, with
    a finding that bars the skill. Never raises for what lies in the folder.
    """
    base = f"{root}/{_os_name(folder)}" if folder else root
    walk = _Walk(base, folder, limits)
    paths = walk.collect()
    if paths is None:
        return None, tuple(walk.notes)
    unsafe, path_notes = examine_paths(folder, paths)
    walk.notes.extend(path_notes)
    files: list[PackageFile] = []
    total = 0
    for path in paths:
        if path in unsafe:
            continue
        try:
            read = _read_file(f"{base}/{_os_name(path)}", limits.max_file_bytes)
        except OSError as error:
            message = f"The file cannot be read: {error.strerror or error}"
            fix = "Correct its permissions, or build again once the folder no longer changes."
            walk.notes.append(finding("skill-unreadable", join(folder, path), message, fix))
            return None, tuple(walk.notes)
        if isinstance(read, int):
            walk.notes.append(file_too_large(folder, path, read, limits))
            return None, tuple(walk.notes)
        data, executable = read
        total += len(data)
        if total > limits.max_package_bytes:
            walk.notes.append(package_too_large(folder, limits))
            return None, tuple(walk.notes)
        files.append(PackageFile(PackagePath(path), data, Sha256(sha256(data).hexdigest()), executable))
    return Package(source, folder, tuple(files)), tuple(walk.notes)


class _Walk:
    """Collects the paths of one skill folder; one use."""

    def __init__(self, base: str, folder: str, limits: Limits) -> None:
        self._base = base
        self._folder = folder
        self._limits = limits
        self._told = SkillNotes(folder)
        self.notes = self._told.notes

    def collect(self) -> list[str] | None:
        """Sorted paths of all regular files, or None where there are too many or a folder is unreadable."""
        paths: list[str] = []
        stack = [""]
        while stack:
            inside = stack.pop()
            try:
                with os.scandir(f"{self._base}/{_os_name(inside)}" if inside else self._base) as entries:
                    # Sorted, because which findings are kept must not depend on the file system.
                    found = sorted(entries, key=_name)
                    if inside and {entry.name for entry in found} >= HUB_MARKS:
                        self._told.skip_hub(inside)
                        continue
                    for entry in found:
                        name = _as_text(entry.name)
                        path = f"{inside}/{name}" if inside else name
                        if entry.is_symlink():
                            self._told.skip_link(path, name, top=not inside)
                        elif self._told.leaves_out(name, path, top=not inside):
                            continue
                        elif entry.is_dir(follow_symlinks=False):
                            stack.append(path)
                        elif entry.is_file(follow_symlinks=False):
                            paths.append(path)
                            if inside and is_manifest_name(name):
                                self._told.tell_nested(path)
                        else:
                            self._told.skip_special(path, name, top=not inside)
                        if len(paths) > self._limits.max_files:
                            self.notes.append(too_many_files(self._folder, self._limits))
                            return None
            except OSError as error:
                message = f"The folder cannot be listed: {error.strerror or error}"
                fix = "Correct its permissions, or build again once the folder no longer changes."
                self.notes.append(finding("skill-unreadable", join(self._folder, inside), message, fix))
                return None
        paths.sort()
        self.notes.sort(key=lambda n: (n.path, n.code))
        return paths


def _read_file(path: str, max_bytes: int) -> tuple[bytes, bool] | int:
    """Bytes and executable bit of a regular file, or its size where that is over ``max_bytes``.

    The file is judged after it is opened, so that nothing can take its place in between; a pipe neither
    blocks (``O_NONBLOCK``) nor is read. Raises OSError.
    """
    fd = os.open(path, _OPEN_FLAGS)
    try:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(0, "it is not a regular file any more")
        size = status.st_size
        if size > max_bytes:
            return size
        data = os.read(fd, size + 1)
        # Regular files come in one piece nearly everywhere; network file systems may cut them.
        while len(data) < size and (more := os.read(fd, size + 1 - len(data))):
            data += more
        if len(data) != size:
            raise OSError(0, "it changed while it was read")
        return data, bool(status.st_mode & 0o111)
    finally:
        os.close(fd)


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name


def _as_text(name: str) -> str:
    """A name from the file system as text: its bytes are UTF-8, whatever encoding the locale claims."""
    return name if _UTF8_NAMES or name.isascii() else os.fsencode(name).decode("utf-8", "surrogateescape")


def _os_name(path: str) -> str:
    """The opposite of :func:`_as_text`: a path as this process's ``open`` wants it."""
    return path if _UTF8_NAMES or path.isascii() else os.fsdecode(path.encode("utf-8", "surrogateescape"))


def _joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _leads_to_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return True


def _folder_unreadable(folder: str, error: OSError) -> Finding:
    message = f"The folder cannot be listed: {error.strerror or error}"
    return finding("folder-unreadable", printable(folder), message, "Correct its permissions or remove it.")


def _link_skipped(path: str) -> Finding:
    message = f"{printable(path)} is a symbolic link to a folder and is not followed"
    return finding(
        "symlink-skipped", printable(path), message, "Name the linked folder as a source of its own."
    )
