"""Two versions of a skill for the tests of differences, read as a build reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from generator.model import Package, SkillFolder
from generator.read.manifest import read_skill
from tests.samples import make_package

FRONT = "---\nname: demo\ndescription: Shows one thing. Use it in tests.\n{more}---\n\n# Demo\n\n{body}\n"


def make_folder(
    files: Mapping[str, bytes | str] | None = None,
    *,
    front: str = "",
    body: str = "Do the thing.",
    executable: tuple[str, ...] = (),
) -> SkillFolder:
    """A skill folder with a ``SKILL.md`` of these lines and other files beside it."""
    package = make_package({"SKILL.md": FRONT.format(more=front, body=body), **(files or {})})
    made = tuple(replace(file, executable=file.path in executable) for file in package.files)
    return read_skill(Package(package.source, package.folder, made), ())
