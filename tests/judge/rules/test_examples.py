"""Every code shows its mistake: reading and judging the example yields the code, and the mended form does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.findings import CODES
from generator.judge.identity import identify
from generator.judge.model import Place, Subject
from generator.judge.profiles import load_profiles
from generator.judge.rules import find_all, links, tools
from generator.model import Slug
from generator.read.manifest import read_skill
from generator.read.package import Limits, examine_paths
from generator.read.sources.folder import read_package
from generator.write.protocols.protocol_findings import find_problems
from tests.judge.rules.making import HEAD
from tests.read.helpers import Content, package, write_tree

WITHOUT = {
    # Too long to show.
    "frontmatter-too-large": "64 kB of text",
    "yaml-too-large": "64 kB of text",
    "yaml-too-many-nodes": "2,000 values",
    "description-too-long": "1,025 characters",
    "description-over-listing-cut": "1,537 characters",
    "compatibility-too-long": "501 characters",
    "skill-md-too-large": "256,001 bytes",
    "path-too-long": "256 characters",
    "package-too-many-files": "1,001 files",
    "package-file-too-large": "a file of 10 MB",
    "package-too-large": "files of 50 MB",
    # Not a text.
    "body-not-utf8": "bytes that are no text",
    "path-not-utf8": "bytes that are no text",
    "symlink-skipped": "a link",
    "special-file-skipped": "a pipe",
    "skill-md-not-regular": "a link",
    "link-or-unsafe-path": "a link",
    "folder-unreadable": "permissions",
    "skill-unreadable": "permissions",
    # A place, or more than one skill or file.
    "place-hidden": "the folder around the skill",
    "place-skipped": "the folder around the skill",
    "place-too-deep": "the folder around the skill",
    "agent-name-collision": "two files",
    "slug-collision": "two skills",
    "slug-shared": "two skills",
    "version-changed": "two builds",
    "archive-missing": "two builds",
    "source-empty": "no skill at all",
    "version-bumped": "two builds",
    "skill-unjudged": "a defect of ours",
    "scan-blocked": "the scan's own page shows its rules",
    "scan-warned": "the scan's own page shows its rules",
}
"""Codes without an example, and why."""

CROSS_SKILL = {
    "link-sibling-missing",
    "name-collision-in-registry",
    "mcp-server-collision",
    "name-contains-autoload-name",
    "folder-case-collision",
}
ELSEWHERE = {"mention-missing-file"}
"""Codes of other families that show none: their own tests do."""

_SHOWN_ELSEWHERE = (
    "archive-", "bundle-", "collection-", "discovery-", "git-", "hosting-", "hub-", "meta-", "overlay-", "raw-tree-",
)  # fmt: skip
"""Families about archives, repositories, hubs, protocols and an operator's decisions: their own tests have cases."""

_WALKED = {"nested-skill-md", "entry-skipped"}


def front_matter(text: str) -> str:
    """The whole SKILL.md that an example's lines stand for."""
    if "---" in text or text.startswith("#"):
        return text
    keys = {line.partition(":")[0] for line in text.split("\n")}
    head = [line for line in HEAD.split("\n") if line.partition(":")[0] not in keys]
    return "\n".join(["---", *head, text, "---", "", "Do it.", ""])


def codes_of(text: str, where: str, code: str, root: Path) -> set[str]:
    files: dict[str, Content] = {"SKILL.md": front_matter("license: MIT")}
    notes = ()
    if where == "paths":
        paths = text.split("\n")
        if code == "skill-md-missing-exact-name":
            files = {paths[0]: files["SKILL.md"]}
        elif code in _WALKED:
            write_tree(root, {f"demo/{path}": content for path, content in files.items()})
            write_tree(root, {f"demo/{path}": "" for path in paths})
            made, notes = read_package(str(root), "source", "demo", Limits())
            assert made is not None
            return {f.code for f in read_skill(made, notes).findings}
        else:
            unsafe, notes = examine_paths("demo", paths)
            files |= {path: "" for path in paths if path not in unsafe}
    elif where:
        files[where] = text
    else:
        files["SKILL.md"] = front_matter(text)
    skill = read_skill(package(files), notes)
    subject = Subject(skill, Place("demo"))
    found = [*skill.findings, *find_all(subject), *links.find(subject)]
    if code.startswith("allowed-tools-"):
        found += tools.find(subject, load_profiles())
    found += find_problems(skill, Slug("demo"))
    if skill.manifest is not None:
        found += identify(skill, skill.manifest).findings
    return {f.code for f in found}


@pytest.mark.parametrize("code", [code for code, info in CODES.items() if info.example])
def test_an_example_shows_its_mistake_and_the_mended_one_does_not(code: str, tmp_path: Path) -> None:
    info = CODES[code]
    assert info.mended
    shown = codes_of(info.example, info.example_in, code, tmp_path / "example")
    mended = codes_of(info.mended, info.example_in, code, tmp_path / "mended")
    assert code in shown
    assert code not in mended
    # The mended form must not trade the mistake for a worse one.
    worse = {c for c in mended - shown if CODES[c].severity == "error"}
    assert not worse


def test_codes_without_an_example_are_known() -> None:
    without = {
        code for code, info in CODES.items() if not info.example and not code.startswith(_SHOWN_ELSEWHERE)
    }
    assert without == WITHOUT.keys() - {"archive-missing"} | (without & (CROSS_SKILL | ELSEWHERE))
