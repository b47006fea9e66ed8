"""Skills in a ``.skill`` or ``.zip``: the same packages as a folder gives, or findings that say why not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from generator.findings import finding
from generator.model import Finding, Package, PackageFile, PackagePath, Sha256
from generator.read.leftout import MOST_NOTES, hidden_note, nested_note, part_left_out
from generator.read.package import Limits, examine_paths, is_cache, is_manifest_name
from generator.read.paths import path_problem, printable
from generator.read.zipentries import Entry, read_entries


@dataclass(frozen=True, slots=True)
class ArchivedSkill:
    """One skill of an archive.

    ``package.folder`` is its folder in the archive, ``""`` where ``SKILL.md`` lies at the top. ``inside`` is
    the folder of the skill that it is nested in, or None. Paths of ``findings`` are relative to the archive.
    """

    package: Package
    inside: str | None
    findings: tuple[Finding, ...]


def read_archive_package(
    data: bytes, label: str, limits: Limits
) -> tuple[tuple[ArchivedSkill, ...], tuple[Finding, ...]]:
    """The skills of a zip, sorted by folder, and what to say about the archive itself.

    ``label`` is the packages' source. Nothing is written to disk. An archive that two programs could read in
    two ways (see :mod:`generator.read.zipentries`) gives no skill at all; entries with unsafe names, and links,
    are left out with an error. Paths of the findings are relative to the archive, ``""`` for the archive
    itself. Never raises for what the bytes hold.
    """
    read = read_entries(data, limits)
    if read.entries is None:
        return (), read.findings
    unsafe, path_notes = examine_paths("", [entry.name for entry in read.entries])
    notes = [*read.findings, *path_notes, *_folder_problems(read.folders)]
    safe = sorted((entry for entry in read.entries if entry.name not in unsafe), key=_name)
    folders = sorted({_folder_of(entry.name) for entry in safe if _is_manifest(entry.name)})
    if not folders:
        message = "The archive holds no SKILL.md"
        fix = "Pack the folder that holds SKILL.md, so that SKILL.md lies at the top or in one folder."
        return (), (*notes, finding("archive-without-skill", "", message, fix))
    outer = [folder for folder in folders if _enclosing(folder, folders) is None]
    if len(outer) > 1:
        notes.append(_several(outer))
    skills = tuple(
        _read_one(label, folder, _enclosing(folder, folders), safe, [n for n in notes if _owner(n, folders) == folder])
        for folder in folders
    )  # fmt: skip
    loose = [note for note in notes if _owner(note, folders) is None]
    loose.extend(_outside(safe, outer))
    return skills, tuple(loose)


def _read_one(
    label: str, folder: str, inside: str | None, entries: Sequence[Entry], notes: list[Finding]
) -> ArchivedSkill:
    kept: list[PackageFile] = []
    skipped: dict[str, Finding] = {}
    for entry in entries:
        path = _below(entry.name, folder)
        if path is None:
            continue
        left_out = part_left_out(path)
        if left_out is not None:
            if left_out and len(skipped) < MOST_NOTES:
                skipped.setdefault(left_out, hidden_note(folder, left_out))
            continue
        if "/" in path and _is_manifest(path):
            skipped[path] = nested_note(folder, path)
        digest = Sha256(sha256(entry.data).hexdigest())
        kept.append(PackageFile(PackagePath(path), entry.data, digest, entry.executable))
    found = sorted((*notes, *skipped.values()), key=lambda note: (note.path, note.code))
    return ArchivedSkill(Package(label, folder, tuple(kept)), inside, tuple(found))


def _folder_problems(folders: Iterable[str]) -> Iterable[Finding]:
    for folder in folders:
        problem = path_problem(folder)
        if problem is not None:
            yield finding(problem.code, printable(folder), problem.message, problem.fix)


def _outside(entries: Iterable[Entry], outer: Sequence[str]) -> Iterable[Finding]:
    """Files that lie beside the skills: no host installs them."""
    names = [
        entry.name
        for entry in entries
        if all(_below(entry.name, folder) is None for folder in outer) and part_left_out(entry.name) != ""
    ]
    for name in names[:MOST_NOTES]:
        message = f"{printable(name)} lies outside the skill's folder and is left out"
        yield finding(
            "entry-skipped", printable(name), message, "Move it into the skill's folder if it is needed."
        )


def _several(outer: Sequence[str]) -> Finding:
    named = ", ".join(printable(folder) or "the top" for folder in outer[:3])
    more = f" and {len(outer) - 3} more" if len(outer) > 3 else ""
    message = f"The archive holds {len(outer)} skills: {named}{more}"
    return finding("archive-several-skills", "", message, "Pack each skill into an archive of its own.")


def _owner(note: Finding, folders: Sequence[str]) -> str | None:
    """The innermost skill folder that a finding's path lies in; None where it is the archive's own."""
    if not note.path:
        return None
    holding = [folder for folder in folders if _below(note.path, printable(folder)) is not None]
    return max(holding, key=len, default=None)


def _enclosing(folder: str, folders: Sequence[str]) -> str | None:
    """The innermost other skill folder around ``folder``."""
    around = [other for other in folders if other != folder and _below(folder, other) is not None]
    return max(around, key=len, default=None)


def _below(path: str, folder: str) -> str | None:
    """``path`` relative to ``folder``, or None where it lies elsewhere."""
    if not folder:
        return path
    return path[len(folder) + 1 :] if path.startswith(folder + "/") else None


def _is_manifest(path: str) -> bool:
    """A ``SKILL.md`` in a folder where skills are looked for: hidden ones too, caches and modules not."""
    *folders, name = path.split("/")
    return is_manifest_name(name) and not any(is_cache(f) or f == "node_modules" for f in folders)


def _folder_of(path: str) -> str:
    return path.rpartition("/")[0]


def _name(entry: Entry) -> str:
    return entry.name
