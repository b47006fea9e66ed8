"""What every source agrees on: the limits of a package, its names, and what is never part of one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from generator.findings import finding
from generator.model import Finding, Package, PackageFile
from generator.read.paths import find_collisions, path_notice, path_problem, printable

MANIFEST_NAME: Final = "SKILL.md"
"""The one spelling every installer knows."""

DOT_ENTRIES_KEPT: Final = frozenset({".claude-plugin", ".mcp.json"})
"""Dot entries at the top of a skill that belong to it: its plugin manifest and its MCP servers."""

_CACHE_NAMES: Final = frozenset(
    {
        ".cache",
        ".DS_Store",
        ".git",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".venv",
        "__MACOSX",
        "__pycache__",
        "desktop.ini",
        "Thumbs.db",
    }
)
_CACHE_NAME: Final = re.compile(r"\._.*|.*\.py[co]|.*~|\.#.*|.*\.sw[op]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Limits:
    """The most a package may hold; more bars it. Sizes in bytes."""

    max_files: int = 1000
    max_file_bytes: int = 10 * 2**20
    max_package_bytes: int = 50 * 2**20


def is_cache(name: str) -> bool:
    """True for what systems and editors leave behind: left out in silence, whatever it is."""
    return name in _CACHE_NAMES or (not name.isalnum() and _CACHE_NAME.fullmatch(name) is not None)


def is_manifest_name(name: str) -> bool:
    """True for ``SKILL.md`` in any case: wrong-case names are found and reported, never passed over."""
    return len(name) == len(MANIFEST_NAME) and name.lower() == "skill.md"


def manifest_file(package: Package) -> PackageFile | None:
    """The package's ``SKILL.md``; the first wrong-case one where it has no exact one."""
    wrong_case = None
    for file in package.files:
        if file.path == MANIFEST_NAME:
            return file
        if wrong_case is None and is_manifest_name(file.path):
            wrong_case = file
    return wrong_case


def join(folder: str, path: str) -> str:
    """``path`` of a skill in ``folder``, relative to the source's root and printable."""
    return printable(f"{folder}/{path}" if folder and path else folder or path)


def examine_paths(folder: str, paths: Iterable[str]) -> tuple[frozenset[str], tuple[Finding, ...]]:
    """Which of a package's paths are unsafe, and every finding about its names.

    Unsafe paths must be left out of the package: they are no :class:`~generator.model.PackagePath`.
    """
    unsafe: set[str] = set()
    notes: list[Finding] = []
    safe: list[str] = []
    for path in paths:
        problem = path_problem(path)
        if problem is not None:
            unsafe.add(path)
        else:
            safe.append(path)
            problem = path_notice(path)
        if problem is not None:
            notes.append(
                finding(problem.code, join(folder, path), problem.message, problem.fix, text=printable(path))
            )
    for first, second in find_collisions(safe):
        message = f"{printable(second)} and {printable(first)} are one name on systems that ignore case"
        notes.append(
            finding(
                "path-collision",
                join(folder, second),
                message,
                "Rename or remove one of the two.",
                text=printable(second),
            )
        )
    return frozenset(unsafe), tuple(notes)
