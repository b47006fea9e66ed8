"""An archive of another hub against everything that hub states of it: pure, from bytes to a package or a refusal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Final

from generator.findings import finding
from generator.model import Finding, Package, Sha256
from generator.read.archivetree import find_skills
from generator.read.package import Limits
from generator.read.paths import printable
from generator.read.sidefiles import META_JSON
from generator.read.sources.http.clawhub import StatedRelease
from generator.read.zipentries import Entries, Entry, read_entries

Fingerprint = Callable[[Iterable[tuple[str, str]]], str]
"""ClawHub's fingerprint of ``(path, sha256)`` rows: :func:`generator.write.fingerprint.fingerprint`."""

ADDED_BY_HUBS: Final = frozenset({META_JSON, "skill-card.md"})
"""What ClawHub's server puts into an archive beside the published files (contract/clawhub.md, sections 3 and 4)."""
_DO_NOT_USE: Final = "Do not use this version; tell the operator of that hub."


def check_archive(
    data: bytes, stated: StatedRelease, label: str, folder: str, limits: Limits, fingerprint: Fingerprint
) -> tuple[Package | None, tuple[Finding, ...]]:
    """The package in an archive, or None and why.

    ``label`` and ``folder`` (``owner/slug``) become the package's source and folder; paths of findings lie below
    ``folder``. What the hub added to the published files is not part of the package.
    """
    digest = sha256(data).hexdigest()
    if stated.archive is not None and digest != stated.archive:
        return None, (
            _mismatch(folder, f"The archive has the sha256 {digest}, not {stated.archive} as stated"),
        )
    read = read_entries(data, limits)
    if read.entries is None:
        return None, tuple(_below(note, folder) for note in read.findings)
    entries = _without_additions(_unwrapped(read.entries, stated), stated)
    problem = _files_problem(entries, stated, fingerprint)
    if problem is not None:
        return None, (_mismatch(folder, problem),)
    notes: list[Finding] = []
    if stated.archive is None and stated.files is None and stated.fingerprint is None:
        if stated.scanned is not None and digest != stated.scanned:
            message = f"The archive has the sha256 {digest}, not {stated.scanned}, which the hub examined"
            return None, (_mismatch(folder, message),)
        if stated.scanned is None:
            message = f"The hub states no checksum for version {stated.version}"
            notes.append(finding("hub-integrity-unstated", folder, message, "Nothing has to be done."))
    skills, loose = find_skills(Entries(tuple(entries), read.folders, read.findings), label, limits)
    found = [_below(note, folder) for note in (*loose, *(n for one in skills for n in one.findings))]
    if len(skills) != 1:
        if skills:
            fix = "Pack each skill into an archive of its own."
            found.append(
                finding("archive-several-skills", folder, f"The archive holds {len(skills)} skills", fix)
            )
        return None, (*notes, *found)
    package = skills[0].package
    return (replace(package, folder=folder) if package is not None else None), (*notes, *found)


def _unwrapped(entries: Sequence[Entry], stated: StatedRelease) -> Sequence[Entry]:
    """The entries without the one folder that all of them lie in, unless the hub lists them so."""
    tops = {entry.name.partition("/")[0] for entry in entries if "/" in entry.name}
    if len(tops) != 1 or not all("/" in entry.name for entry in entries):
        return entries
    start = f"{tops.pop()}/"
    if any(file.path.startswith(start) for file in stated.files or ()):
        return entries
    return [replace(entry, name=entry.name.removeprefix(start)) for entry in entries]


def _without_additions(entries: Sequence[Entry], stated: StatedRelease) -> list[Entry]:
    listed = None if stated.files is None else {file.path for file in stated.files}
    kept = [
        entry for entry in entries if entry.name not in ADDED_BY_HUBS or (listed and entry.name in listed)
    ]
    if listed is None:
        # Without a list only the registry's own record is known to be an addition.
        return [entry for entry in entries if entry.name != META_JSON]
    return kept


def _files_problem(entries: Sequence[Entry], stated: StatedRelease, fingerprint: Fingerprint) -> str | None:
    """How the files differ from what is stated, or None."""
    rows = {entry.name: Sha256(sha256(entry.data).hexdigest()) for entry in entries}
    if stated.files is not None:
        listed = {file.path: file.sha256 for file in stated.files}
        if missing := sorted(listed.keys() - rows.keys()):
            return f"The archive lacks {_names(missing)}, which the version's document lists"
        if added := sorted(rows.keys() - listed.keys()):
            return f"The archive holds {_names(added)}, which the version's document does not list"
        if changed := sorted(path for path, digest in rows.items() if listed[path] != digest):
            return f"The archive holds other bytes under {_names(changed)} than the version's document states"
    if stated.fingerprint is None:
        return None
    # No hub can have hashed a name that is not Unicode.
    hashable = all(path.encode("utf-8", "replace").decode() == path for path in rows)
    if not hashable or fingerprint(rows.items()) != stated.fingerprint:
        return f"The archive's files do not have the fingerprint {stated.fingerprint}, which is stated"
    return None


def _names(paths: Sequence[str]) -> str:
    shown = ", ".join(printable(path)[:80] for path in paths[:3])
    return f"{shown} and {len(paths) - 3} more" if len(paths) > 3 else shown


def _mismatch(folder: str, message: str) -> Finding:
    return finding("hub-archive-mismatch", folder, message, _DO_NOT_USE)


def _below(note: Finding, folder: str) -> Finding:
    return replace(note, path=f"{folder}/{note.path}" if note.path else folder)
