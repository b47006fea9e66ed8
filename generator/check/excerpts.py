"""The source line that a finding is about, with a caret line under the offending text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from generator.check.widths import show_line
from generator.model import Finding, Package

ROOM: Final = 96
"""Cells of a source line that are shown."""

_BOM: Final = "\ufeff"
_BOM_CODE: Final = "frontmatter-bom"
_LINES: Final = re.compile(r"\r\n|\n|\r")


class Excerpts:
    """Excerpts of one skill's files; each file is decoded once."""

    def __init__(self, path: str, package: Package | None) -> None:
        self._path = path
        self._package = package
        self._lines: dict[str, Sequence[str]] = {}

    def lines_of(self, found: Finding) -> tuple[str, ...]:
        """Source line and caret line, or nothing where the finding names no place that is there."""
        source = self.source_line(found)
        if source is None or found.line is None:
            return ()
        number = str(found.line)
        length = len(found.text) if found.column and found.code != _BOM_CODE else 0
        shown = show_line(source, found.column or 1, length, ROOM)
        caret = " " * shown.start + "^" * shown.cells if found.column else ""
        lines = [f"{number} | {shown.text}".rstrip()]
        if caret:
            lines.append(f"{' ' * len(number)} | {caret}")
        return tuple(lines)

    def source_line(self, found: Finding) -> str | None:
        """The line as decoded text, or None."""
        if self._package is None or found.line is None or not found.path.startswith(self._path):
            return None
        name = found.path[len(self._path) :].lstrip("/")
        if name not in self._lines:
            file = self._package.file(name)
            self._lines[name] = () if file is None else _split(file.data)
        lines = self._lines[name]
        if found.line > len(lines):
            return None
        line = lines[found.line - 1]
        # A byte order mark is shown where it is the matter itself; no other column counts it.
        if line.startswith(_BOM) and found.code != _BOM_CODE:
            return line.removeprefix(_BOM)
        return line


def _split(data: bytes) -> Sequence[str]:
    return _LINES.split(data.decode("utf-8", "replace"))
