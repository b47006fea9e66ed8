"""Reading a skill so that nothing about one skill stops the others."""

from __future__ import annotations

from generator.findings import finding
from generator.model import Finding, Package, SkillFolder


def read_guarded(package: Package, found: tuple[Finding, ...]) -> SkillFolder:
    """Read a skill; a defect of ours on one skill must not stop the others, so it becomes a finding."""
    # Loaded only by a build that has something to read: an unchanged hub should not wait for it.
    from generator.read.manifest import read_skill

    try:
        return read_skill(package, found)
    except Exception as error:
        place = f"{package.folder}/SKILL.md".lstrip("/")
        problem = finding(
            "skill-unreadable", place, f"Skillpress failed on this skill ({type(error).__name__})",
            "Report this folder to the makers of Skillpress; the other skills are not affected",
        )  # fmt: skip
        return SkillFolder(package, None, "", 1, (*found, problem))
