"""Skill folders and their bytes out of tree objects: the same packages that a folder of the same files gives.

Blobs are the truth: no line ending is converted, no filter runs. Links, submodules and odd modes are never
followed or resolved into content.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from generator.errors import SourceError
from generator.findings import finding
from generator.model import Finding, Package, PackageFile, PackagePath, Sha256, TimeMs
from generator.read.globs import compile_glob
from generator.read.leftout import file_too_large, is_walked, package_too_large, unprintable_folder
from generator.read.package import Limits, examine_paths, is_manifest_name, join
from generator.read.paths import printable
from generator.read.sources.git.commits import read_commit
from generator.read.sources.git.objects import Damage, Header, Objects
from generator.read.sources.git.treeformat import Entry
from generator.read.sources.git.walk import PackageWalk, object_finding, submodule_finding

_MOST_FOLDERS: Final = 200_000
_LONGEST_PATH: Final = 4095
"""Bytes; deeper no file system goes, and a tree that holds itself a thousand times must end somewhere."""
_MOST_HOPS: Final = 8
_LINK_BYTES: Final = 4096
_LFS: Final = b"version https://git-lfs.github.com/spec/v1\n"
_LFS_BYTES: Final = 1024


@dataclass(frozen=True, slots=True)
class GitScan:
    """What a commit holds below a sub-path.

    ``trees`` gives each skill folder's tree id: equal ids, equal content. ``folders`` (the keys, sorted) and the
    paths of ``findings`` are relative to the sub-path. ``time`` is the commit's (committer) time.
    """

    commit: str
    time: TimeMs
    trees: Mapping[str, str]
    findings: tuple[Finding, ...]

    @property
    def folders(self) -> tuple[str, ...]:
        """Every skill folder."""
        return tuple(self.trees)


def find_skills(objects: Objects, sub_path: str = "", include: tuple[str, ...] = ()) -> GitScan:
    """Every folder at or below ``sub_path`` that holds a ``SKILL.md`` in the commit the repository is opened at.

    Walks as :func:`generator.read.sources.folder.find_skill_folders` does. A folder that cannot be read is a
    finding, and the walk goes on beside it.

    Raises:
        SourceError: the commit or the sub-path is not there, or there are over 200,000 folders.
    """
    commit = read_commit(objects)
    root = _find_folder(objects, commit.tree, sub_path)
    patterns = tuple(compile_glob(pattern) for pattern in include)
    trees: dict[str, str] = {}
    notes: list[Finding] = []
    links: list[tuple[str, Entry]] = []
    level, seen = [("", root)], 0
    while level:
        seen += len(level)
        if seen > _MOST_FOLDERS:
            raise SourceError(
                f"The repository {objects.repository.label} has over {_MOST_FOLDERS:,} folders, which is the limit. "
                "Name the folder of its skills as sub-path."
            )
        found = list(zip(level, objects.trees([tree for _, tree in level]), strict=True))
        level = []
        for (folder, tree), entries in found:
            if isinstance(entries, Damage):
                notes.append(object_finding(printable(folder), tree, entries))
                continue
            is_skill = any(
                is_manifest_name(entry.name) and not entry.is_tree and not entry.is_submodule
                for entry in entries
            )
            if is_skill and (not patterns or any(p.fullmatch(folder) for p in patterns)):
                if printable(folder) == folder:
                    trees[folder] = tree
                else:
                    notes.append(unprintable_folder(folder))
                continue
            for entry in entries:
                path = f"{folder}/{entry.name}" if folder else entry.name
                if not is_walked(entry.name):
                    continue
                if entry.is_link:
                    links.append((path, entry))
                elif entry.is_submodule:
                    notes.append(submodule_finding("", path))
                elif entry.is_tree and len(path.encode("utf-8", "surrogateescape")) > _LONGEST_PATH:
                    notes.append(_too_deep(path))
                elif entry.is_tree:
                    level.append((path, entry.object_id))
    notes += [_link_skipped(path) for path in _links_to_folders(objects, root, links)]
    return GitScan(
        commit.object_id,
        commit.time,
        dict(sorted(trees.items())),
        tuple(sorted(notes, key=lambda note: (note.path, note.code))),
    )


def read_package(
    objects: Objects, tree: str, source: str, folder: str, limits: Limits
) -> tuple[Package | None, tuple[Finding, ...]]:
    """The files of the skill whose folder is the tree object ``tree``, and what to say about them.

    ``source`` and ``folder`` are what the package carries. The package is None where a limit is passed or an
    object cannot be had. Never raises for what lies in the folder.
    """
    walk = PackageWalk(objects, folder, limits)
    entries = walk.collect(tree)
    if entries is None:
        return None, tuple(walk.notes)
    unsafe, path_notes = examine_paths(folder, entries)
    notes = [*walk.notes, *path_notes]
    safe = [(path, entry) for path, entry in entries.items() if path not in unsafe]
    if (problem := _over_limits(objects, folder, safe, limits)) is not None:
        return None, (*notes, problem)
    files: list[PackageFile] = []
    blobs = objects.read([entry.object_id for _, entry in safe], "blob", limits.max_file_bytes)
    for (path, entry), data in zip(safe, blobs, strict=True):
        if isinstance(data, Damage):
            return None, (*notes, object_finding(join(folder, path), entry.object_id, data))
        if len(data) < _LFS_BYTES and data.startswith(_LFS):
            message = f"{printable(path)} is a pointer of git LFS; the file itself is not in the repository"
            fix = "Take the file out of LFS (git lfs migrate export), or publish from a folder that has it."
            notes.append(finding("git-lfs-pointer", join(folder, path), message, fix))
        files.append(PackageFile(PackagePath(path), data, Sha256(sha256(data).hexdigest()), entry.executable))
    return Package(source, folder, tuple(files)), tuple(notes)


def _over_limits(
    objects: Objects, folder: str, files: list[tuple[str, Entry]], limits: Limits
) -> Finding | None:
    """The first file that is missing or passes a limit, before a byte of content is read."""
    total = 0
    headers = objects.describe([entry.object_id for _, entry in files])
    for (path, entry), header in zip(files, headers, strict=True):
        if isinstance(header, Damage):
            return object_finding(join(folder, path), entry.object_id, header)
        if isinstance(header, Header) and header.size > limits.max_file_bytes:
            return file_too_large(folder, path, header.size, limits)
        total += header.size
        if total > limits.max_package_bytes:
            return package_too_large(folder, limits)
    return None


def _find_folder(objects: Objects, root: str, sub_path: str) -> str:
    """The tree of ``sub_path``; SourceError where it is no folder."""
    tree = root
    walked: list[str] = []
    for segment in [part for part in sub_path.split("/") if part not in ("", ".")]:
        entries = objects.tree(tree)
        place = "/".join(walked) or "its top"
        if isinstance(entries, Damage):
            raise SourceError(f"{objects.repository.label}: the folder {place} {entries.reason}.")
        entry = next((one for one in entries if one.name == segment), None)
        if entry is None or not entry.is_tree:
            folders = ", ".join(printable(one.name) for one in entries if one.is_tree)[:200]
            there = f"; {place} holds {folders}" if folders else ""
            what = "is no folder" if entry is not None else "does not exist"
            raise SourceError(
                f"The repository {objects.repository.label} is read below {printable(sub_path)}, which {what}{there}."
            )
        walked.append(segment)
        tree = entry.object_id
    return tree


def _links_to_folders(objects: Objects, root: str, links: list[tuple[str, Entry]]) -> list[str]:
    """The links that lead to a folder of the commit, or out of what is read: where a skill may have been meant."""
    targets = objects.read([entry.object_id for _, entry in links], "blob", _LINK_BYTES)
    return [
        path
        for (path, _), target in zip(links, list(targets), strict=True)
        if isinstance(target, bytes)
        and _leads_to_folder(
            objects, root, path.rpartition("/")[0], target.decode("utf-8", "surrogateescape")
        )
    ]


def _leads_to_folder(objects: Objects, root: str, folder: str, target: str) -> bool:
    hops = 0
    done: list[str] = [part for part in folder.split("/") if part]
    todo = target.split("/")
    if target.startswith("/"):
        return True
    while todo:
        segment = todo.pop(0)
        if segment in ("", "."):
            continue
        if segment == "..":
            if not done:
                return True
            done.pop()
            continue
        entry = _entry_at(objects, root, (*done, segment))
        if entry is None:
            return False
        if entry.is_link:
            hops += 1
            data = next(objects.read([entry.object_id], "blob", _LINK_BYTES))
            if hops > _MOST_HOPS or isinstance(data, Damage) or data.startswith(b"/"):
                return True
            todo = data.decode("utf-8", "surrogateescape").split("/") + todo
        elif entry.is_tree or entry.is_submodule:
            done.append(segment)
        else:
            return False
    return True


def _entry_at(objects: Objects, root: str, path: tuple[str, ...]) -> Entry | None:
    tree, entry = root, None
    for segment in path:
        entries = objects.tree(tree)
        if isinstance(entries, Damage):
            return None
        entry = next((one for one in entries if one.name == segment), None)
        if entry is None:
            return None
        tree = entry.object_id
    return entry


def _too_deep(path: str) -> Finding:
    message = f"The folder cannot be listed: its path is longer than {_LONGEST_PATH:,} bytes"
    return finding("folder-unreadable", printable(path[:200]), message, "Flatten the folders.")


def _link_skipped(path: str) -> Finding:
    message = f"{printable(path)} is a symbolic link to a folder and is not followed"
    fix = "Name the linked folder as a source of its own."
    return finding("symlink-skipped", printable(path), message, fix)
