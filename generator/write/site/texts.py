"""Which of a package's texts can be read on its page, below the table of its files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from generator.judge.powers import is_script
from generator.model import FileEntry, PublishedSkill
from generator.write.site.view import escape_visible

MAX_TEXT = 20_000
"""Bytes of a file that is shown. A longer one is in the archive only: half a file would mislead."""
MAX_TEXTS = 10
"""Files that are shown."""
MAX_SHOWN = 60_000
"""Characters of HTML in all, so that escaping cannot swell a page."""


@dataclass(frozen=True, slots=True)
class ViewedText:
    """One file's text. ``id`` is its place on the page, ``html`` the text, escaped, with what hides shown."""

    id: str
    path: str
    html: str


def choose_texts(skill: PublishedSkill) -> Mapping[str, ViewedText]:
    """The texts that the page shows, by path, in the order of the release's files.

    Programs are chosen first, because they are what a reader should see before all else. A file is text where
    it is UTF-8. ``SKILL.md`` is not among them; it is shown with the instructions.
    """
    entries = {
        file.path: (number, file)
        for number, file in enumerate(skill.latest.files, 1)
        if 0 < file.size <= MAX_TEXT and file.path != "SKILL.md"
    }
    if not entries:
        return {}
    chosen: list[tuple[int, ViewedText]] = []
    left = MAX_SHOWN
    contents = {file.path: file for file in skill.folder.package.files if file.path in entries}
    for number, entry in sorted(entries.values(), key=_urgency):
        file = contents.get(entry.path)
        # The page shows a release: a folder that holds other bytes by now has nothing to show of it.
        if file is None or file.sha256 != entry.sha256:
            continue
        try:
            html = escape_visible(file.data.decode("utf-8"))
        except UnicodeDecodeError:
            continue
        if len(html) > left:
            continue
        left -= len(html)
        chosen.append((number, ViewedText(f"text-{number}", entry.path, html)))
        if len(chosen) == MAX_TEXTS:
            break
    return {text.path: text for _, text in sorted(chosen, key=lambda pair: pair[0])}


def _urgency(numbered: tuple[int, FileEntry]) -> tuple[bool, int]:
    number, entry = numbered
    return not (entry.executable or is_script(entry.path)), number
