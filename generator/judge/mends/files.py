"""Mends of the file itself: its name, its encoding, invisible characters, and the fences of the front matter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from generator.judge.mends.manuscript import Manuscript
from generator.judge.mends.model import Edit, Mend
from generator.model import Finding, PackageFile
from generator.read.package import MANIFEST_NAME

_WIDE: Final = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
    (b"-\x00-\x00", "utf-16-le"),
    (b"\x00-\x00-", "utf-16-be"),
)
_CONTROLS: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff]+")
"""C0, DEL and stray byte order marks print nothing. C1 codes are left: they are letters of a wrong encoding."""
_UNSEEN: Final = re.compile(
    "(?:[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|(?<=[\x20-\x7e])[\u200c\u200d](?=[\x20-\x7e]))+"
)
"""Joiners join letters and emoji of other scripts; between two ASCII characters they do nothing."""
_LONE_CR: Final = re.compile(r"\r(?!\n)")
_EARLY_BLANKS: Final = re.compile(r"\ufeff?(\s+)---[ \t]*(?:\r\n|\n|\r)")
_INDENTED_CLOSE: Final = re.compile(r"(?<=[\r\n])([ \t]+)---[ \t]*(?=[\r\n]|\Z)")


def rename(file: PackageFile, found: Finding) -> Iterator[Mend]:
    """``skill.md`` in any other case to ``SKILL.md``."""
    yield Mend(found.code, file.path, None, f"Rename {file.path} to {MANIFEST_NAME}", rename_to=MANIFEST_NAME)


def drop_mark(script: Manuscript, found: Finding) -> Iterator[Mend]:
    """A byte order mark at the start of the file."""
    if script.text.startswith("\ufeff"):
        yield script.mend(found.code, 1, "Remove the byte order mark", (0, 1, ""))


def decode_wide(file: PackageFile, found: Finding) -> Iterator[Mend]:
    """UTF-16 or UTF-32 with a mark, or with the fence's own zeros, to UTF-8."""
    name = next((name for start, name in _WIDE if file.data.startswith(start)), None)
    if name is None:
        return
    try:
        text = file.data.decode(name)
        data = text.removeprefix("\ufeff").encode()
    except UnicodeError:
        return
    whole = Edit(0, len(file.data), data)
    yield Mend(found.code, file.path, None, f"Write the file in UTF-8 in place of {name.upper()}", (whole,))


def drop_controls(script: Manuscript, found: Finding) -> Iterator[Mend]:
    """Control characters between the fences."""
    changes = [(at.start(), at.end(), "") for at in _CONTROLS.finditer(script.text, script.start, script.end)]
    if changes:
        yield script.mend(found.code, found.line, "Remove control characters from the front matter", *changes)


def drop_unseen(script: Manuscript, found: Finding) -> Iterator[Mend]:
    """Zero-width and direction-changing characters between the fences, lines of comment aside."""
    changes = [
        (at.start(), at.end(), "")
        for at in _UNSEEN.finditer(script.text, script.start, script.end)
        if not script.line(script.line_of(at.start())).lstrip().startswith("#")
    ]
    if changes:
        yield script.mend(
            found.code, found.line, "Remove invisible characters from the front matter", *changes
        )


def straighten_fences(script: Manuscript, found: Finding) -> Iterator[Mend]:
    """Blanks after a fence, ``...`` in the place of ``---``, and lone carriage returns as line ends."""
    opening, closing = script.opening, script.closing
    if opening is None or closing is None:
        return
    if opening[2]:
        yield script.mend(found.code, 1, "Remove the blanks after the opening ---", (*opening.span(2), ""))
    line = script.last_line + 1
    if closing[2]:
        yield script.mend(found.code, line, "Remove the blanks after the closing ---", (*closing.span(2), ""))
    if closing[1] == "...":
        yield script.mend(found.code, line, "Close the front matter with ---", (*closing.span(1), "---"))
    if _LONE_CR.search(script.text, 0, closing.start()):
        line_end = "\r\n" if "\r\n" in script.text else "\n"
        changes = [(at.start(), at.end(), line_end) for at in _LONE_CR.finditer(script.text)]
        yield script.mend(found.code, 1, "Write LF in place of lone carriage returns", *changes)


def close_block(script: Manuscript, found: Finding) -> Iterator[Mend]:
    """A closing fence that is indented."""
    if script.opening is None or script.closing is not None:
        return
    at = _INDENTED_CLOSE.search(script.text, script.start)
    if at is not None:
        yield script.mend(
            found.code, found.line, "Remove the blanks before the closing ---", (*at.span(1), "")
        )


def lead_with_fence(script: Manuscript, found: Finding) -> Iterator[Mend]:
    """Empty lines (and nothing else) before the opening fence, and its indentation."""
    at = _EARLY_BLANKS.match(script.text)
    if at is not None:
        yield script.mend(
            found.code, found.line, "Remove the blanks before the opening ---", (*at.span(1), "")
        )
