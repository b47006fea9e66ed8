"""The text a finding points at, as it stands in its file.

A finding made from a plain value carries that value. For all others the file's own line is looked up once the
skill is read, so that a skill about which there is nothing to say costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from generator.findings import shorten_text
from generator.model import Finding, Package
from generator.read.nodes import LINE_BREAK, MAX_BYTES

_ABOUT_NOTHING = frozenset({"name-missing", "description-empty"})
"""Findings about a key that is not there point at the first key, which is no mistake."""

_MOST_BYTES = 4 * MAX_BYTES
"""Bytes of a file that are looked at; a place far down in a huge text has no excerpt."""


def fill_texts(found: Sequence[Finding], package: Package) -> list[Finding]:
    """The findings with their texts; those that have one, or name no line and column, stay as they are."""
    lines_of: dict[str, list[str]] = {}
    filled = []
    for one in found:
        if one.text or one.line is None or one.column is None or _is_about_nothing(one):
            filled.append(one)
            continue
        lines = lines_of.get(one.path)
        if lines is None:
            lines = lines_of[one.path] = _lines(package, one.path)
        line = lines[one.line - 1] if one.line <= len(lines) else ""
        filled.append(replace(one, text=shorten_text(excerpt(line, one.column))))
    return filled


def excerpt(line: str, column: int) -> str:
    """What is written at a column (from 1) of a line: a quoted text with its quotes, else the rest of the line."""
    rest = line[column - 1 :].rstrip()
    quote = rest[:1]
    if quote not in ("'", '"'):
        return rest
    at = 1
    while at < len(rest):
        if quote == '"' and rest[at] == "\\":
            at += 2
        elif rest[at] != quote:
            at += 1
        elif quote == "'" and rest[at + 1 : at + 2] == quote:
            at += 2
        else:
            return rest[: at + 1]
    return rest


def _is_about_nothing(one: Finding) -> bool:
    return one.code in _ABOUT_NOTHING and one.column == 1


def _lines(package: Package, path: str) -> list[str]:
    folder = package.folder
    inside = path[len(folder) + 1 :] if folder and path.startswith(f"{folder}/") else path
    file = package.file(inside)
    if file is None:
        return []
    return LINE_BREAK.split(file.data[:_MOST_BYTES].decode("utf-8-sig", "replace"))
