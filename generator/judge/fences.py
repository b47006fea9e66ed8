"""The rules by which hosts find the front matter in a text: a table of named functions, one a rule.

Every function takes the text as its host sees it (decoded, byte order mark and line ends already treated) and
runs in time linear in its length, also where the host's own regular expression would not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Block:
    """What a rule finds. ``text`` is the front matter (empty unless ``state`` is found), ``body`` what follows
    it, or the whole text where there is none; ``line`` is the line of the file on which ``text`` starts.
    ``missing``: no opening line; ``open``: no closing one; ``program``: the host would run it."""

    state: Literal["found", "missing", "open", "program"]
    text: str
    body: str
    line: int = 1


@dataclass(frozen=True, slots=True)
class FenceRule:
    """One rule: in words for the documentation, and as a function."""

    meaning: str
    find: Callable[[str], Block]


# What \s means to Python's re and to JavaScript's RegExp differs in a few characters.
_PYTHON_BLANKS: Final = re.compile(r"\s*")
_SCRIPT_SPACE: Final = "\t\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_SCRIPT_BLANKS: Final = re.compile(f"[\n{_SCRIPT_SPACE}]*")
_TRIMMED: Final = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_HERMES_CLOSE: Final = re.compile(r"\n---\s*\n")
_OPENCLAW_OPEN: Final = re.compile(f"---[{_SCRIPT_SPACE}]*\n")
_OPENCLAW_CLOSE: Final = re.compile(f"(?:\\A|\n)---[{_SCRIPT_SPACE}]*(?:\n|\\Z)")
_BARE: Final = re.compile(r"^---[\t ]*$", re.MULTILINE)
_EDITOR: Final = re.compile(f"---[{_SCRIPT_SPACE}]*")
_GRAY_WORDS: Final = frozenset({"", "yaml", "yml", "json"})
# Behind the opening ---, these make gray-matter run the front matter as a program.
_PROGRAM_WORDS: Final = frozenset({"js", "javascript"})


def _missing(text: str) -> Block:
    return Block("missing", "", text)


def _open(text: str) -> Block:
    return Block("open", "", text)


def _below_line(text: str, body: str) -> Block:
    """A block whose text begins behind the opening ``---``: the rest of that line is left out where it is empty."""
    if text.startswith("\n"):
        return Block("found", text[1:], body, 2)
    return Block("found", text[2:], body, 2) if text.startswith("\r\n") else Block("found", text, body)


def _blank_run(text: str, blanks: re.Pattern[str]) -> tuple[int, int] | None:
    """Where the last line end in the blanks after ``---`` stands, and the one before it (-1 for none)."""
    if not text.startswith("---"):
        return None
    run = blanks.match(text, 3)
    end = run.end() if run is not None else 3
    last = text.rfind("\n", 3, end)
    return None if last < 0 else (last, text.rfind("\n", 3, last))


def find_prefix(text: str) -> Block:
    """``^---\\s*\\n(.*?)\\n---`` of Python hosts: the first later line that starts with ``---`` closes."""
    lines = _blank_run(text, _PYTHON_BLANKS)
    if lines is None:
        return _missing(text)
    last, before = lines
    close = text.find("\n---", last + 1)
    if close >= 0:
        return Block("found", text[last + 1 : close], text[close + 4 :], text.count("\n", 0, last + 1) + 1)
    if before >= 0 and text.startswith("---", last + 1):
        return Block("found", text[before + 1 : last], text[last + 4 :], text.count("\n", 0, last))
    return _open(text)


def find_exact(text: str) -> Block:
    """``^---\\n(.*?)\\n---``: the opening line is exactly ``---``."""
    if not text.startswith("---"):
        return _missing(text)
    if not text.startswith("---\n"):
        return _open(text)
    close = text.find("\n---", 4)
    return _open(text) if close < 0 else Block("found", text[4:close], text[close + 4 :], 2)


def find_anywhere(text: str) -> Block:
    """Claude Code: closes at the first ``---``, be it in the middle of a line."""
    lines = _blank_run(text, _SCRIPT_BLANKS)
    if lines is None:
        return _missing(text)
    start = lines[0] + 1
    close = text.find("---", start)
    line = text.count("\n", 0, start) + 1
    return _open(text) if close < 0 else Block("found", text[start:close], text[close + 3 :], line)


def find_split(text: str) -> Block:
    """skills-ref: the text is split at its first two ``---``, wherever they stand."""
    if not text.startswith("---"):
        return _missing(text)
    parts = text.split("---", 2)
    return _open(text) if len(parts) < 3 else _below_line(parts[1], parts[2])


def find_trimmed(text: str) -> Block:
    """Codex: a first line and a later one that are ``---`` once blanks around them are taken away."""
    start = text.find("\n") + 1
    if (text[: start - 1] if start else text).strip(_TRIMMED) != "---":
        return _missing(text)
    found = _closing_line(text, start, lambda line: line.strip(_TRIMMED) == "---") if start else None
    if found is None:
        return _open(text)
    close, body = found
    if close == start:
        return _missing(text)
    return Block("found", text[start : close - 1].replace("\r\n", "\n").removesuffix("\r"), text[body:], 2)


def _closing_line(text: str, start: int, closes: Callable[[str], bool]) -> tuple[int, int] | None:
    """Where the first line from ``start`` on that closes begins, and where the one after it does."""
    while True:
        end = text.find("\n", start)
        if closes(text[start:] if end < 0 else text[start:end]):
            return start, len(text) if end < 0 else end + 1
        if end < 0:
            return None
        start = end + 1


def find_gray(text: str) -> Block:
    """gray-matter: ``---`` but not ``----``; a word behind it names a language; no closing line: all is YAML."""
    if not text.startswith("---") or text.startswith("----"):
        return _missing(text)
    rest = text[3:]
    line_end = rest.find("\n")
    # Without a line end its search fails with -1, and it takes all but the last character for the word.
    first = rest[:-1] if line_end < 0 else rest[:line_end].removesuffix("\r")
    word = first.strip()
    if word.lower() in _PROGRAM_WORDS:
        return Block("program", "", text)
    if word.lower() not in _GRAY_WORDS:
        return _missing(text)
    if word:
        rest = rest[len(first) :]
    close = rest.find("\n---")
    if close < 0:
        return _below_line(rest, "")
    return _below_line(rest[:close], rest[close + 4 :])


def find_gemini(text: str) -> Block:
    """Gemini CLI: lines that are exactly ``---`` to open and start with ``---`` to close; LF or CRLF."""
    start = 4 if text.startswith("---\n") else 5 if text.startswith("---\r\n") else 0
    if not start:
        return _missing(text)
    close = text.find("\n---", start)
    if close < 0:
        return _open(text)
    end = close - 1 if close > start and text[close - 1] == "\r" else close
    return Block("found", text[start:end], text[close + 4 :], 2)


def find_openclaw(text: str) -> Block:
    """OpenClaw: a first line and a later one of ``---`` and blanks only."""
    opening = _OPENCLAW_OPEN.match(text)
    if opening is None:
        return _missing(text)
    tail = text[opening.end() :]
    closing = _OPENCLAW_CLOSE.search(tail)
    if closing is None:
        return _open(text)
    return Block("found", tail[: closing.start()], tail[closing.end() :], 2)


def find_hermes(text: str) -> Block:
    """Hermes: starts with ``---``, whatever follows; closes at a line of ``---`` and blanks with a line end."""
    if not text.startswith("---"):
        return _missing(text)
    closing = _HERMES_CLOSE.search(text, 3)
    return _open(text) if closing is None else _below_line(text[3 : closing.start()], text[closing.end() :])


def find_bare(text: str) -> Block:
    """ClawHub: a first line and a later one of ``---`` and spaces or tabs only."""
    opening = _BARE.match(text)
    if opening is None:
        return _missing(text)
    closing = _BARE.search(text, opening.end() + 1)
    if closing is None or opening.end() == len(text):
        return _open(text)
    start = opening.end() + 1
    return Block("found", text[start : max(closing.start() - 1, start)], text[closing.end() :], 2)


def find_editor(text: str) -> Block:
    """VS Code: a first line of ``---`` and blanks; without such a closing line all is front matter."""
    start = text.find("\n") + 1
    if _EDITOR.fullmatch(text[: start - 1] if start else text) is None:
        return _missing(text)
    found = _closing_line(text, start, lambda line: _EDITOR.fullmatch(line) is not None) if start else None
    if found is None:
        return Block("found", text[start:] if start else "", "", 2)
    close, body = found
    return Block("found", text[start : max(close - 1, start)], text[body:], 2)


FENCES: Final[Mapping[str, FenceRule]] = MappingProxyType(
    {
        "prefix": FenceRule(
            "Opens with --- and blanks at the very start, closes at the next line that starts with ---.",
            find_prefix,
        ),
        "exact": FenceRule(
            "Opens with a line that is exactly ---, closes at the next line that starts with ---.", find_exact
        ),
        "anywhere": FenceRule(
            "Opens with --- and blanks at the very start, closes at the next --- even in the middle of a line.",
            find_anywhere,
        ),
        "split": FenceRule(
            "Everything between the first two ---, wherever the second one stands.", find_split
        ),
        "trimmed": FenceRule("Lines that are --- once the blanks around them are taken away.", find_trimmed),
        "gray-matter": FenceRule(
            "Opens with --- but not ----; a word behind it names a language; closes at the next line that starts "
            "with ---; never closed, the rest of the file is YAML.",
            find_gray,
        ),
        "crlf-exact": FenceRule(
            "Opens with a line that is exactly ---, LF or CRLF, closes at the next line that starts with ---.",
            find_gemini,
        ),
        "blank-ended": FenceRule("Lines of --- with nothing but blanks behind it.", find_openclaw),
        "loose-open": FenceRule(
            "Opens with --- whatever follows it, closes at a line of --- and blanks that has a line end.",
            find_hermes,
        ),
        "bare-lines": FenceRule("Lines of --- with nothing but spaces and tabs behind it.", find_bare),
        "to-the-end": FenceRule(
            "Lines of --- with nothing but blanks behind it; never closed, all of the file is front matter.",
            find_editor,
        ),
    }
)
"""The fence rules by name."""
