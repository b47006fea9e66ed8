"""The nouns of mending: an edit in bytes, a mend, and what became of a package."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from generator.model import Finding, Package


@dataclass(frozen=True, slots=True)
class Edit:
    """Bytes ``start`` to ``end`` (not included) of a file, and what stands there afterwards."""

    start: int
    end: int
    replacement: bytes

    def touches(self, other: Edit) -> bool:
        """True where the two cannot both be made without asking in which order."""
        return self.start <= other.end and other.start <= self.end


@dataclass(frozen=True, slots=True)
class Mend:
    """One mechanical correction for one finding.

    ``path`` is the file's path in its package; ``line`` where the mistake stands (None: the whole file).
    ``description`` says in a few words what is done. Either ``edits`` or ``rename_to`` is given.
    """

    code: str
    path: str
    line: int | None
    description: str
    edits: tuple[Edit, ...] = ()
    rename_to: str | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A mend that was tried and not kept, and why."""

    mend: Mend
    reason: str


@dataclass(frozen=True, slots=True)
class Mended:
    """A package before and after; ``renames`` are pairs of paths, ``findings`` what is left to say."""

    before: Package
    after: Package
    renames: tuple[tuple[str, str], ...]
    applied: tuple[Mend, ...]
    refused: tuple[Refusal, ...]
    findings: tuple[Finding, ...]

    def changes(self) -> tuple[tuple[str, bytes, str, bytes], ...]:
        """Every file that changed: old path, old bytes, new path, new bytes."""
        new_path = dict(self.renames)
        after = {str(file.path): file.data for file in self.after.files}
        pairs = ((str(file.path), file.data) for file in self.before.files)
        return tuple(
            (path, data, new_path.get(path, path), after[new_path.get(path, path)])
            for path, data in pairs
            if path in new_path or after[path] != data
        )


def choose(mends: Iterable[Mend]) -> tuple[Mend, ...]:
    """The mends that can be made together, earlier ones first; the others wait for the next round."""
    taken: list[Mend] = []
    for mend in mends:
        if not any(edit.touches(other) for edit in mend.edits for one in taken for other in one.edits):
            taken.append(mend)
    return tuple(taken)


def apply(data: bytes, mends: Iterable[Mend]) -> bytes:
    """``data`` with the edits of ``mends`` that can be made together; every other byte stays as it is."""
    edits = [edit for mend in choose(mends) for edit in mend.edits]
    # An insertion comes before what is removed at the same place.
    for edit in sorted(edits, key=lambda e: (e.start, e.end), reverse=True):
        data = data[: edit.start] + edit.replacement + data[edit.end :]
    return data
