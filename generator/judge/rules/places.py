"""Where a skill folder lies: folders that some host never looks into, nesting, and files that are links.

Discovery as each host's released code does it: Claude Code, DeepTutor and Gemini CLI look one level deep, npx
skills five, Codex and OpenClaw six.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generator.findings import finding
from generator.judge.model import Subject
from generator.judge.rules.ground import skill_path
from generator.model import Finding
from generator.read.package import MANIFEST_NAME, join

_ONE_LEVEL: Final = "Claude Code, DeepTutor and Gemini CLI look one level below their skills folder"
_FIVE_LEVELS: Final = "npx skills looks five levels deep, Codex and OpenClaw six"
_SKIPPED: Final = {
    "node_modules": "Gemini CLI, OpenClaw, Hermes and npx skills never look into node_modules",
    "__pycache__": "Hermes and npx skills never look into __pycache__",
    "build": "The program npx skills never looks into build",
    "dist": "The program npx skills never looks into dist",
    "site-packages": "Hermes never looks into site-packages",
    "venv": "Hermes never looks into venv",
}


def find(subject: Subject) -> Iterator[Finding]:
    """Links in the place of ``SKILL.md``, and places that hosts do not scan."""
    place = subject.place
    path = skill_path(subject)
    if place.manifest_link:
        yield finding(
            "link-or-unsafe-path", join(subject.skill.package.folder, MANIFEST_NAME),
            "SKILL.md is a symbolic link: OpenClaw, Codex and DeepTutor's import refuse it, the skill-package "
            "service allows "
            "no links at all, and it may point outside the skill",
            "Put a regular file named SKILL.md in the place of the link",
        )  # fmt: skip
    if place.hard_link:
        yield finding(
            "link-or-unsafe-path", path,
            "SKILL.md is a hard link (the file has another name too), and OpenClaw refuses such a skill",
            "Copy the file: cp SKILL.md SKILL.copy && mv SKILL.copy SKILL.md",
        )  # fmt: skip
    if place.inside is not None:
        yield finding(
            "nested-skill-md", path,
            f"The skill lies inside the skill {place.inside}: Codex and OpenCode load both, Claude Code, Gemini "
            "CLI, OpenClaw "
            "and DeepTutor never see this one, and DeerFlow refuses to install the outer one",
            "Move it beside the outer skill, or rename its SKILL.md, for instance to SKILL.example.md",
        )  # fmt: skip
    if "/" not in place.folder and place.folder[:1] != ".":
        return
    parts = place.folder.split("/")
    hidden = next((part for part in parts if part.startswith(".")), None)
    if hidden is not None:
        yield finding(
            "place-hidden", path,
            f"The folder {hidden} is hidden: Codex, Gemini CLI, OpenClaw and DeepTutor do not look into it",
            f"Rename it to {hidden.lstrip('.') or 'a name without a dot'}", text=hidden,
        )  # fmt: skip
    skipped = next((part for part in parts if part in _SKIPPED), None)
    if skipped is not None:
        yield finding(
            "place-skipped",
            path,
            _SKIPPED[skipped],
            "Move the skill to a folder of another name",
            text=skipped,
        )
    if len(parts) > 1 and place.inside is None:
        deep = len(parts) > 5
        yield finding(
            "place-too-deep", path,
            f"The skill lies {len(parts)} levels below the skills folder; "
            f"{_ONE_LEVEL}{', ' + _FIVE_LEVELS if deep else ''}",
            "Move its folder directly into the skills folder", text=place.folder,
        )  # fmt: skip
