"""Reading a skill so that nothing about one skill stops the others, and what only a build finds out."""

from __future__ import annotations

from generator.findings import finding
from generator.judge.model import ContextCost, Judgement, Place, Subject
from generator.model import Finding, ScanReport, ScanVerdict, SkillFolder, Version


def subject_of(skill: SkillFolder, name: str) -> Subject:
    """A skill as it lies in a host's folder of skills, directly and under ``name``."""
    return Subject(skill, Place(name))


def judge_guarded(skill: SkillFolder, name: str, between: tuple[Finding, ...]) -> Judgement:
    """Judge a skill as it lies in a host's folder of skills under ``name``; what fails on it becomes a finding.

    ``between`` is what the skill and others do to each other.
    """
    # Loaded only by a build that has something to judge.
    from generator.judge.judgement import add_findings, judge_skill
    from generator.judge.profiles import load_profiles

    try:
        return add_findings(judge_skill(subject_of(skill, name), load_profiles()), between)
    except Exception as error:
        problem = finding(
            "skill-unjudged", f"{skill.package.folder}/SKILL.md".lstrip("/"),
            f"Skillpress failed to judge this skill ({type(error).__name__})",
            "Report this folder to the makers of Skillpress; the skill is published without verdicts of hosts",
        )  # fmt: skip
        return Judgement((*skill.findings, *between, problem), (), (), ContextCost(0, 0, ()))


def scan_findings(folder: SkillFolder, report: ScanReport) -> tuple[Finding, ...]:
    """What the author should know of the scan."""
    code = {
        ScanVerdict.BLOCK: "scan-blocked",
        ScanVerdict.WARN: "scan-warned",
        ScanVerdict.ERROR: "scan-warned",
    }
    if report.verdict not in code:
        return ()
    base = folder.package.folder
    if report.error is not None:
        return (
            finding(
                code[report.verdict], f"{base}/SKILL.md".lstrip("/"), f"The security scan failed: {report.error}",
                "Installers are told that there is no verdict; build again, and report the folder if it stays so",
            ),
        )  # fmt: skip
    return tuple(
        finding(
            "scan-blocked" if hit.level is ScanVerdict.BLOCK else "scan-warned",
            f"{base}/{hit.path}".lstrip("/"), f"{hit.message} (rule {hit.rule})",
            "Remove it, or explain in the text why it is needed", line=hit.line,
        )
        for hit in report.hits
    )  # fmt: skip


def bumped(folder: SkillFolder, declared: Version, version: Version) -> Finding:
    """A skill that was published under a version of the hub's, because its own was taken by other content."""
    return finding(
        "version-bumped", f"{folder.package.folder}/SKILL.md".lstrip("/"),
        f"Version {declared} is published with other content, so this content is published as {version}",
        f"Write `version: {version}`, and raise it with each change",
    )  # fmt: skip


def unsteady(folder: str) -> Finding:
    """A folder that somebody is writing to while it is read."""
    return finding(
        "skill-unreadable", f"{folder}/SKILL.md".lstrip("/"), "Files of this folder changed while they were being read",
        "Build again when nobody writes there, or keep what is written out of the skill's folder",
    )  # fmt: skip
