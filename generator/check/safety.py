"""Words of unknown origin in a log: nothing in them is a command to a terminal or to a CI runner."""

from __future__ import annotations

from generator.visible import make_visible


def safe(text: str) -> str:
    """The text with everything that prints nothing as escapes, and GitHub's ``##[command]`` broken up: its
    runner obeys that anywhere in a line."""
    return make_visible(text).replace("##[", "##\\[")


def safe_line(line: str) -> str:
    """A whole line that GitHub's runner does not take for a ``::command::``, which it obeys at a line's start."""
    words = line.lstrip()
    return f"{line[: len(line) - len(words)]}\\{words}" if words.startswith("::") else line
