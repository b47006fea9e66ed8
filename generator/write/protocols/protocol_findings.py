"""What keeps a skill out of an index, told to its author.

The codes of :func:`find_problems` must be among the listing's codes before any index is written: the indexes
leave out by them what they cannot see for themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from generator.findings.protocols import CODES
from generator.judge.dialects.libraries import read_yaml
from generator.judge.dialects.values import Entries, Text
from generator.model import Finding, SkillFolder, Slug
from generator.read.package import join
from generator.read.paths import printable
from generator.write.protocols.bundles import text_of
from generator.write.protocols.indexes import MANIFEST, NAME_MAX
from generator.write.protocols.raw_tree import INDEX_NAME, is_active, is_hidden, is_served, is_unaddressed

ACTIVE_FILE: Final = "raw-tree-active-file"
"""The code of a skill that is left out of raw trees only where the host sets no headers."""
# parseFrontmatter of skills 1.5.18 and 1.7.4: the first closing line wins, whatever follows the dashes.
_FENCE: Final = re.compile(r"---\r?\n(.*?)\r?\n---", re.DOTALL)


def find_problems(skill: SkillFolder, slug: Slug) -> tuple[Finding, ...]:
    """Why indexes and installers that need no archive leave this skill out; never raises, never bars."""
    return (*_name(skill, slug), *_front_matter(skill), *_paths(skill), *_binary(skill))


def _name(skill: SkillFolder, slug: Slug) -> Iterator[Finding]:
    if len(slug) > NAME_MAX:
        yield _found(
            "discovery-name",
            join(skill.package.folder, MANIFEST),
            f"The name {slug} has {len(slug)} characters; indexes take {NAME_MAX}.",
            f"Write a name or slug of at most {NAME_MAX} characters into {MANIFEST}.",
        )


def _front_matter(skill: SkillFolder) -> Iterator[Finding]:
    file = skill.package.file(MANIFEST)
    if file is None:
        return  # skill-md-missing-exact-name says so already
    path = join(skill.package.folder, MANIFEST)
    text = file.data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    block = _FENCE.match(text)
    if block is None:
        yield _found(
            "discovery-front-matter",
            path,
            "The command npx skills sees no front matter: it wants a line of exactly three dashes before and after it.",
            f"Make the first line of {MANIFEST} --- and the line after the front matter --- too, without blanks.",
            1,
            1,
        )
        return
    known = skill.front if block[1].strip("\n") == skill.front_text.strip("\n") else None
    reading = read_yaml("yaml-2", block[1], known)
    if reading.fault is not None or not isinstance(reading.value, Entries):
        yield _found(
            "discovery-front-matter",
            path,
            "The command npx skills does not read this front matter as YAML with keys and values.",
            f"Keep the front matter of {MANIFEST} to plain YAML; quote texts with signs that mean something.",
            1,
            1,
        )
        return
    keys = reading.value
    if not isinstance(keys.get("name"), Text):
        yield _found(
            "discovery-no-name",
            path,
            "The command npx skills wants a text as the name and finds none.",
            f'Add name: to {MANIFEST}, in quotes where it looks like a number: name: "2048".',
            1,
            1,
        )
    if not isinstance(keys.get("description"), Text):
        yield _found(
            "discovery-no-description",
            path,
            "The command npx skills wants a text as the description and finds none.",
            f"Write the description in {MANIFEST} as one text in quotes.",
            1,
            1,
        )


_PATH_CODES: Final[tuple[tuple[str, Callable[[str], bool], str, str], ...]] = (
    (
        "raw-tree-path",
        is_unaddressed,
        "The path {path} means something else in an address; installers that fetch single files cannot get it.",
        "Rename {path} to letters, digits, dots, dashes and underscores.",
    ),
    (
        "raw-tree-hidden-file",
        is_hidden,
        "The file {path} is hidden, and web servers give out no hidden files; it is in archives only.",
        "Nothing, where installers take archives; else move what they need to a name without a dot.",
    ),
    (
        "raw-tree-server-file",
        is_served,
        "The file {path} is of a kind that web servers run or obey; it is given out in archives only.",
        "Rename {path}, or leave it out of the skill.",
    ),
    (
        ACTIVE_FILE,
        is_active,
        "The file {path} is of a kind that browsers render or run; without headers it is given out in archives only.",
        "Nothing where the hosting sets headers; else rename {path} so that it ends in .txt.",
    ),
    (
        "raw-tree-index-file",
        lambda path: path.lower() == INDEX_NAME,
        "The file {path} has the name of the list of files in the tree of agentskills-http.",
        "Move {path} into a folder of the skill, such as assets/.",
    ),
)


def _paths(skill: SkillFolder) -> Iterator[Finding]:
    """One finding a code, about the first such file: one is enough to leave the skill out."""
    for code, holds, message, fix in _PATH_CODES:
        path = next((file.path for file in skill.package.files if holds(file.path)), None)
        if path is not None:
            shown = printable(path)
            yield _found(
                code, join(skill.package.folder, path), message.format(path=shown), fix.format(path=shown)
            )


def _binary(skill: SkillFolder) -> Iterator[Finding]:
    file = next((file for file in skill.package.files if text_of(file.data) is None), None)
    if file is not None:
        shown = printable(file.path)
        yield _found(
            "bundle-binary-file",
            join(skill.package.folder, file.path),
            f"The file {shown} is no UTF-8 text, which a bundle for QwenPaw cannot carry.",
            "Nothing; installers that unpack the archive get the file as it is.",
        )


def _found(
    code: str, path: str, message: str, fix: str, line: int | None = None, column: int | None = None
) -> Finding:
    return Finding(code, CODES[code].severity, path, message, fix, line, column)
