"""The whole difference of two versions of a skill, and which pairs of versions are compared."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass

from generator.history.diff.files import FileChange, FileStatus, compare_files
from generator.history.diff.manifests import FieldChange, compare_manifests
from generator.history.diff.powers import PowerChanges, compare_powers
from generator.model import Release, SkillFolder, Version
from generator.versions import Precedence, precedence


@dataclass(frozen=True, slots=True)
class SkillDiff:
    """What differs between two versions; what can act comes first."""

    old: Version
    new: Version
    powers: PowerChanges
    fields: tuple[FieldChange, ...]
    files: tuple[FileChange, ...]

    def count(self, status: FileStatus) -> int:
        """Files of one status."""
        return sum(file.status is status for file in self.files)


def compare_skills(
    old_version: Version, old: SkillFolder, new_version: Version, new: SkillFolder
) -> SkillDiff:
    """Compare two versions, given as their folders were read. Pure, bounded, and never raises.

    A folder of a published version is read from its archive (:func:`generator.write.archive.read_archive`).
    """
    return SkillDiff(
        old_version,
        new_version,
        compare_powers(old, new),
        compare_manifests(old.manifest, new.manifest),
        compare_files(old.package, new.package),
    )


def choose_pairs(releases: Sequence[Release]) -> tuple[tuple[Version, Version], ...]:
    """Each version with its predecessor, in the order they were published (``releases`` oldest first).

    The predecessor is the highest lower version that was there when the version was published. So a pair once
    chosen stays: a later backport gets a pair of its own and moves no other. A version lower than all before
    it has none.
    """
    pairs: list[tuple[Version, Version]] = []
    earlier: list[tuple[Precedence, Version]] = []
    for release in releases:
        mark = precedence(release.version)
        lower = bisect_left(earlier, (mark,))
        if lower:
            pairs.append((earlier[lower - 1][1], release.version))
        insort(earlier, (mark, release.version))
    return tuple(pairs)
