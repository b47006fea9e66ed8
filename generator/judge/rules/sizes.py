"""``SKILL.md`` over what a host reads, and packages over what the strictest installer takes.

The portable budget is the smallest of all hosts: Hermes' guard (50 files, 256 KB a file, 1 MB in all) and
DeepTutor's import (a whitelist of suffixes).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generator.findings import finding
from generator.judge.model import Subject
from generator.judge.rules.ground import file_path, listed, skill_path
from generator.model import Finding, PackageFile
from generator.read.nodes import place_of
from generator.read.package import manifest_file

MAX_FILES: Final = 50
MAX_FILE_BYTES: Final = 256 * 1024
MAX_TOTAL_BYTES: Final = 1024 * 1024
READ_PREFIX: Final = 4_000
"""Characters of ``SKILL.md`` in which Hermes looks for the front matter, its fences included."""
READ_CUT: Final = 100_000
"""Characters that DeepTutor hands to the model, and that Hermes writes."""

_BYTE_LIMITS: Final = (
    (256_000, "OpenClaw refuses"),
    (1_000_000, "Claude Code passes over, and DeepTutor's import refuses"),
)
_IMPORTED: Final = frozenset(
    (
        "", "md", "markdown", "txt", "rst", "py", "js", "mjs", "ts", "sh", "rb", "lua", "r", "json", "jsonl", "yaml",
        "yml", "toml", "ini", "cfg", "csv", "tsv", "html", "htm", "css", "xml", "sql", "jinja", "j2", "tmpl",
        "template",
    )
)  # fmt: skip
_NATIVE: Final = frozenset((
    "exe", "dll", "so", "dylib", "bin", "dat", "com", "msi", "dmg", "app", "deb", "rpm", "scr", "jar", "apk",
    "pkg",
))  # fmt: skip
_NATIVE_STARTS: Final = (
    b"\x7fELF", b"MZ\x90", b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
)  # fmt: skip
_ARCHIVES: Final = frozenset(("zip", "tar", "gz", "tgz", "bz2", "tbz2", "xz", "txz", "7z", "rar", "whl"))
_ARCHIVE_STARTS: Final = (b"PK\x03\x04", b"\x1f\x8b", b"7z\xbc\xaf\x27\x1c")
_OFFICE: Final = frozenset(("docx", "xlsx", "pptx", "dotx", "xltx", "potx", "odt", "ods", "odp", "epub"))
"""Zip files by their first bytes, yet documents and no archives to their readers."""
_FOLDERS: Final = ("references/", "templates/", "scripts/", "assets/")
_OWN_PLACES: Final = (*_FOLDERS, "agents/", "hooks/", ".claude-plugin/")
_OWN_FILES: Final = frozenset({"skill.yaml", "_meta.json", ".mcp.json"})
_COMMON_FILES: Final = ("license", "licence", "readme", "changelog", "notice", "copying", "authors")
_RESERVED: Final = "skill-card.md"


def find(subject: Subject) -> Iterator[Finding]:
    """What is too large, or a kind of file that an installer leaves out or refuses."""
    skill = manifest_file(subject.skill.package)
    if skill is not None:
        yield from _find_large_text(subject, skill)
    files = subject.skill.package.files
    if len(files) > 1 or (skill is not None and skill.size > MAX_FILE_BYTES):
        yield from _find_over_budget(subject, files)
        yield from _find_odd_files(subject, files)


def _find_large_text(subject: Subject, file: PackageFile) -> Iterator[Finding]:
    passed = [f"{who} more than {limit:,} bytes" for limit, who in _BYTE_LIMITS if file.size > limit]
    text = file.data.decode("utf-8", "replace") if file.size > READ_PREFIX else ""
    if len(text) > READ_CUT:
        passed.append(f"DeepTutor's agent reads, and Hermes writes, {READ_CUT:,} characters at most")
    if passed:
        line, column = place_of(text, READ_CUT) if len(text) > READ_CUT else (None, None)
        yield finding(
            "skill-md-too-large", skill_path(subject),
            f"SKILL.md has {file.size:,} bytes ({len(text):,} characters): {'; '.join(passed)}",
            "Move chapters into files below references/ and link to them", line, column,
        )  # fmt: skip
    front = subject.skill.front_text
    fences = len("---\n---\n")
    if len(front) + fences > READ_PREFIX and subject.skill.body_line > 1:
        line, column = place_of(text, READ_PREFIX)
        yield finding(
            "skill-md-too-large", skill_path(subject),
            f"The front matter has {len(front) + fences:,} characters, and Hermes reads the first {READ_PREFIX:,} "
            "only: it "
            "finds no closing --- and loses name, description and all gates",
            "Move long values below the closing ---", line, column,
        )  # fmt: skip


def _find_over_budget(subject: Subject, files: tuple[PackageFile, ...]) -> Iterator[Finding]:
    code = "package-budget"
    place = subject.skill.package.folder or skill_path(subject)
    if len(files) > MAX_FILES:
        yield finding(
            code, place,
            f"The skill has {len(files)} files; Hermes' guard marks more than {MAX_FILES}, DeepTutor's import "
            "takes 500",
            "Remove files that the skill does not need, or join small ones",
        )  # fmt: skip
    large = [file for file in files if file.size > MAX_FILE_BYTES]
    if large:
        shown = listed([f"{file.path} ({file.size:,} bytes)" for file in large])
        yield finding(
            code, file_path(subject, large[0].path),
            f"Over {MAX_FILE_BYTES // 1024} KB: {shown}. Hermes' guard marks such files, ClawHub does not examine them",
            "Shrink the file or link to it", text=large[0].path,
        )  # fmt: skip
    total = sum(file.size for file in files)
    if total > MAX_TOTAL_BYTES:
        yield finding(
            code, place,
            f"The skill has {total:,} bytes in all; Hermes blocks community skills over {MAX_TOTAL_BYTES:,}",
            "Remove files that the skill does not need, or link to them",
        )  # fmt: skip


def _find_odd_files(subject: Subject, files: tuple[PackageFile, ...]) -> Iterator[Finding]:
    dropped: list[str] = []
    native: list[str] = []
    archives: list[str] = []
    outside: list[str] = []
    for file in files:
        path = file.path
        name = path.rpartition("/")[2]
        suffix = name.rpartition(".")[2].lower() if "." in name[1:] else ""
        if suffix in _NATIVE or file.data.startswith(_NATIVE_STARTS):
            native.append(path)
        elif suffix in _ARCHIVES or (suffix not in _OFFICE and file.data.startswith(_ARCHIVE_STARTS)):
            archives.append(path)
        elif suffix not in _IMPORTED and path[0] != ".":
            dropped.append(path)
        if not path.startswith(_OWN_PLACES) and not _belongs_at_top(path):
            outside.append(path)
        if ".." in path:
            yield finding(
                "path-double-dot", file_path(subject, path),
                f"The name {path} holds two dots in a row, and npx skills then refuses the whole list of a site that "
                "offers the skill",
                f"Rename it to {path.replace('..', '.')}", text=path,
            )  # fmt: skip
        if name.lower() == _RESERVED:
            yield finding(
                "file-name-reserved", file_path(subject, path),
                f"The file {name} is one that ClawHub makes itself, so publishing a skill with one is refused there",
                "Rename the file", text=path,
            )  # fmt: skip
    kinds = (
        ("package-budget", dropped, "DeepTutor's import leaves out files with such endings",
         "Use one of the endings it takes (md, txt, json, csv, html, py, js, sh ...), or link to the file"),
        ("native-binary", native, "DeerFlow's installer and Hermes' guard refuse a skill with programs for a machine",
         "Ship the source, or tell how to install the program"),
        ("nested-archive", archives, "DeerFlow warns of archives, and DeepTutor's import leaves them out",
         "Put the files themselves into the skill"),
        ("support-file-outside-folders", outside,
         "Agents on Hermes and DeerFlow may only write below references/, templates/, scripts/ and assets/",
         "Move files that an agent may change below one of these folders"),
    )  # fmt: skip
    for code, paths, why, fix in kinds:
        if paths:
            yield finding(code, file_path(subject, paths[0]), f"{why}: {listed(paths)}", fix, text=paths[0])


def _belongs_at_top(path: str) -> bool:
    if "/" in path:
        return False
    low = path.lower()
    return low == "skill.md" or path in _OWN_FILES or low.startswith(_COMMON_FILES)
