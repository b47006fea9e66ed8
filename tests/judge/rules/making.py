"""Subjects made of a few lines, and what the rules find in them."""

from __future__ import annotations

from collections.abc import Mapping

from generator.judge.model import Place, Subject
from generator.judge.rules import find_all
from generator.model import Finding
from generator.read.manifest import read_skill
from tests.read.helpers import Content, package

HEAD = "name: demo\ndescription: Does one thing. Use when testing."


def skill_md(*lines: str, body: str = "Do it.\n") -> str:
    """A good SKILL.md with these front matter lines after name and description."""
    return "\n".join(["---", HEAD, *lines, "---", "", body])


def subject(
    text: Content | None = None, files: Mapping[str, Content] | None = None, place: Place | None = None
) -> Subject:
    """A skill of this SKILL.md and these files beside it."""
    place = place or Place("demo")
    text = skill_md() if text is None else text
    return Subject(read_skill(package({"SKILL.md": text, **(files or {})}, place.folder)), place)


def found(one: Subject, code: str) -> list[Finding]:
    """What the rules find under a code, in order."""
    return [f for f in find_all(one) if f.code == code]


def codes(one: Subject) -> set[str]:
    return {f.code for f in find_all(one)}


def spot(one: Finding) -> tuple[int | None, int | None, str]:
    return one.line, one.column, one.text
