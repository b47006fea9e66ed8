"""Mend what can be mended mechanically: show it as a diff, put it in place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.check.diffs import diff_bytes
from generator.check.model import CheckedSkill, Report
from generator.check.writing import FileChange, UnwritableError, write_change
from generator.judge.mends.model import Mended
from generator.judge.mends.rounds import mend_package


@dataclass(frozen=True, slots=True)
class MendedSkill:
    """A skill and what mending makes of its files."""

    skill: CheckedSkill
    mended: Mended


def mend_skills(report: Report) -> tuple[MendedSkill, ...]:
    """What mending would change, skill by skill; nothing is written. A skill whose files cannot be read, and
    one whose ``SKILL.md`` no program can mend, is left out."""
    hosts = frozenset(profile.id for profile in report.profiles) if report.asked else frozenset()
    return tuple(
        MendedSkill(skill, mended)
        for skill in report.skills
        if skill.package is not None
        and (mended := mend_package(skill.package, hosts, place=skill.place)).changes()
    )


def diff_lines(skills: Sequence[MendedSkill], *, colour: bool) -> Iterator[str]:
    """One unified diff of all files, named as the report names them."""
    for one in skills:
        for path, before, new_path, after in one.mended.changes():
            names = (_shown(one.skill, path), _shown(one.skill, new_path))
            for line in diff_bytes(before, after, *names):
                yield _coloured(line) if colour else line


def apply_mends(skills: Sequence[MendedSkill]) -> Iterator[str]:
    """Write every change; a line for each file that says what was done, or why it is left as it is."""
    for one in skills:
        if one.skill.disk is None:
            yield f"{one.skill.shown}: not mended, since it lies in an archive; unpack it first"
            continue
        for path, before, new_path, after in one.mended.changes():
            shown = _shown(one.skill, path)
            try:
                write_change(FileChange(one.skill.disk, path, new_path, before, after))
            except UnwritableError as error:
                yield f"{shown}: not mended, since {error}"
                continue
            done = [mend.description for mend in one.mended.applied if mend.path in (path, new_path)]
            yield f"{shown}: {'; '.join(dict.fromkeys(done)) or 'mended'}"


def _shown(skill: CheckedSkill, path: str) -> str:
    return f"{skill.shown}/{path}" if skill.shown else path


def _coloured(line: str) -> str:
    codes = {"+": "32", "-": "31", "@": "36"}
    code = codes.get(line[:1])
    return f"\x1b[{code}m{line}\x1b[0m" if code else line
