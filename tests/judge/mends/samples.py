"""Skills to mend."""

from __future__ import annotations

from generator.model import SkillFolder
from generator.read.manifest import read_skill
from tests.read.helpers import Content, package

HEAD = "name: demo\ndescription: Does one thing. Use when testing."


def bare(*lines: str) -> str:
    """A SKILL.md with exactly these lines of front matter."""
    return "\n".join(["---", *lines, "---", "", "# Body", "", "Do the thing.", ""])


def skill_of(skill_md: Content) -> SkillFolder:
    return read_skill(package({"SKILL.md": skill_md}, "demo"))
