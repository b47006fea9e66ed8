"""Every finding code there is: one table, and the one list of what bars a skill.

Codes that also exist as lint rules of the hosts (frontmatter-bom, gate-wrong-type...) carry the same name
here and there. ``why`` and ``fix`` describe the kind; a finding's own message and fix name the case.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from generator.findings import (
    archives,
    decide,
    fields,
    files,
    frontmatter,
    git,
    judge_catalog,
    judge_skill,
    judge_tools,
    overlay,
    protocols,
    remote,
    yaml,
)
from generator.findings.info import CodeInfo, Layer
from generator.model import Finding

__all__ = ["BARRING", "CODES", "CodeInfo", "Layer", "bars", "finding"]

_LONGEST_TEXT: Final = 120

CODES: Final[Mapping[str, CodeInfo]] = MappingProxyType(
    {
        **frontmatter.CODES,
        **yaml.CODES,
        **fields.CODES,
        **files.CODES,
        **decide.CODES,
        **judge_skill.CODES,
        **judge_catalog.CODES,
        **judge_tools.CODES,
        **archives.CODES,
        **git.CODES,
        **remote.CODES,
        **overlay.CODES,
        **protocols.CODES,
    }
)
"""Every finding code and what it means."""

BARRING: Final[frozenset[str]] = frozenset(
    {
        # No front matter that can be read.
        "frontmatter-missing",
        "frontmatter-program",
        "frontmatter-not-on-first-line",
        "frontmatter-unterminated",
        "frontmatter-empty",
        "frontmatter-too-large",
        "frontmatter-not-mapping",
        "encoding-not-utf8-or-control-char",
        "yaml-unquoted-colon",
        "yaml-indicator-start",
        "yaml-bracketed-argument-hint",
        "yaml-unterminated-quote",
        "yaml-stray-syntax",
        "yaml-duplicate-key",
        "yaml-anchor",
        "yaml-merge-key",
        "yaml-multiple-documents",
        "yaml-complex-key",
        "yaml-too-deep",
        "yaml-too-many-nodes",
        "yaml-too-large",
        "yaml-syntax",
        "skill-md-not-regular",
        "skill-unreadable",
        "git-object-damaged",
        "git-tree-invalid",
        # An archive that no reader can be sure of, or without a skill: nothing of it is published.
        "archive-unreadable",
        "archive-unsupported",
        "archive-encrypted",
        "archive-extra-data",
        "archive-overlap",
        "archive-header-mismatch",
        "archive-content-mismatch",
        "archive-ratio",
        "archive-duplicate-entry",
        "archive-link",
        "archive-special-entry",
        "archive-without-skill",
        # Nothing to choose it by.
        "description-empty",
        # Unsafe or colliding names.
        "path-absolute",
        "path-dot-segment",
        "path-backslash",
        "path-colon",
        "path-control-char",
        "path-not-nfc",
        "path-not-portable",
        "path-too-deep",
        "path-too-long",
        "path-git-lookalike",
        "path-not-utf8",
        "path-collision",
        "slug-reserved",
        "slug-collision",
        "version-changed",
        # Over the limits.
        "package-too-many-files",
        "package-file-too-large",
        "package-too-large",
    }
)
"""The codes that bar a skill from publication. Every other finding stands on a published skill."""


def finding(
    code: str,
    path: str,
    message: str,
    fix: str,
    line: int | None = None,
    column: int | None = None,
    text: str = "",
) -> Finding:
    """A finding whose severity comes from :data:`CODES`; KeyError for a code that is not in the table.

    ``text`` is the offending text at the place; only its first line is kept, and at most 120 characters.
    """
    shown = shorten_text(text) if text else ""
    return Finding(code, CODES[code].severity, path, message, fix, line, column, (), shown)


def shorten_text(text: str) -> str:
    """An offending text as findings keep it: its first line, at most 120 characters of it."""
    return text.partition("\n")[0][:_LONGEST_TEXT]


def bars(findings: tuple[Finding, ...]) -> bool:
    """True where at least one finding bars its skill from publication."""
    return any(f.code in BARRING for f in findings)
