"""Findings with the file that an editor, GitHub or a code scanner can open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.check.model import CheckedSkill, Report
from generator.model import Finding


@dataclass(frozen=True, slots=True)
class PlacedFinding:
    """A finding and its file. ``file`` exists on disk: the archive where the finding lies in one, and
    ``SKILL.md`` where it is about a whole folder. ``line`` and ``column`` are None where the file has no such
    place. ``message`` names the entry of an archive, since ``file`` cannot."""

    finding: Finding
    file: str
    line: int | None
    column: int | None
    message: str
    skill: CheckedSkill | None


def placed_findings(report: Report) -> Iterator[PlacedFinding]:
    """Every finding of a report, loose ones first."""
    for loose in report.loose:
        yield _place(loose.finding, loose.shown, loose.archive, None)
    for skill in report.skills:
        for found in skill.findings:
            about_folder = found.path == skill.path and skill.archive is None
            shown = skill.shown_manifest if about_folder else skill.shown_path(found)
            yield _place(found, shown, skill.archive, skill)


def _place(found: Finding, shown: str, archive: str | None, skill: CheckedSkill | None) -> PlacedFinding:
    if archive is None:
        return PlacedFinding(found, shown, found.line, found.column, found.message, skill)
    entry = shown[len(archive) :].lstrip("/")
    place = ":".join([entry, *(str(n) for n in (found.line, found.column) if n is not None)])
    message = f"{place}: {found.message}" if entry else found.message
    return PlacedFinding(found, archive, None, None, message, skill)
