"""What to tell an author whose YAML does not parse: read off the line, with a line to paste.

Parsers name the place where they gave up; the mistake is usually the value of the key on that line or of
the key the line continues. The order of the checks is from certain to likely.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from generator.read.nodes import LINE_BREAK

_PAIR: Final = re.compile(r"(?P<head>[ ]*(?:- +)*(?P<key>[^\s:#\-\[{\"'][^:]*):[ \t]+)(?P<value>\S.*)")
_TWO_BRACKETS: Final = re.compile(r"\[[^\]]*\]\s*\[")
_CONFLICT: Final = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")
_LONGEST_PASTE: Final = 300


@dataclass(frozen=True, slots=True)
class Advice:
    """A finding code with its words and its place; ``line`` and ``column`` count from 0 here."""

    code: str
    message: str
    fix: str
    line: int
    column: int


def explain(
    text: str, line: int, column: int, context_line: int, context_column: int, problem: str
) -> Advice:
    """Advice for an error at ``line``/``column``, met while reading what began at the context place."""
    lines = LINE_BREAK.split(text)
    here = lines[line] if line < len(lines) else ""
    if "nesting depth" in problem:
        return Advice("yaml-too-deep", "Values are nested too deeply", "Flatten the structure.", line, column)
    for number in (line, line - 1, context_line):
        if 0 <= number < len(lines) and lines[number].startswith(_CONFLICT):
            return Advice(
                "yaml-stray-syntax",
                "A conflict marker of git stands in the file",
                "Resolve the merge conflict and remove the marker lines.",
                number,
                0,
            )
    for number in (line, line - 1):
        if 0 <= number < len(lines) and (tab := _indenting_tab(lines[number])) is not None:
            return Advice(
                "yaml-stray-syntax", "A tab is used as indentation", "Indent with spaces.", number, tab
            )
    quote = lines[context_line][context_column : context_column + 1] if context_line < len(lines) else ""
    if quote in ("'", '"') and ("end of stream" in problem or "document" in problem):
        return Advice(
            "yaml-unterminated-quote",
            "The quoted value that starts here is never closed",
            f"Add the missing {quote} at the end of the value.",
            context_line,
            context_column,
        )
    if (pair := _PAIR.match(here)) and (advice := _value_advice(pair, line, column)):
        return advice
    if "mapping values are not allowed" in problem:
        return _continued(lines, line, column)
    if "escape" in problem:
        return Advice(
            "yaml-syntax",
            "A backslash in double quotes starts an escape that YAML does not know",
            "Use single quotes, or write the backslash twice.",
            line,
            column,
        )
    if "could not find expected ':'" in problem:
        return Advice(
            "yaml-syntax",
            "This line is neither 'key: value' nor indented to continue the line above",
            "Indent the line, or join it with the line above.",
            context_line,
            context_column,
        )
    if here[column : column + 1] in ("@", "`", "%"):
        return Advice(
            "yaml-indicator-start",
            f"A value cannot start with {here[column]}",
            f"Put it in double quotes: {_pasted(quoted(here[column:].strip()))}",
            line,
            column,
        )
    return Advice(
        "yaml-syntax",
        f"The YAML cannot be read here: {problem}",
        "Correct the line; when in doubt put the value in double quotes.",
        line,
        column,
    )


def quoted(value: str) -> str:
    """``value`` as a double-quoted YAML scalar."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t") + '"'


def _value_advice(pair: re.Match[str], line: int, column: int) -> Advice | None:
    value = pair["value"].rstrip()
    start = len(pair["head"])
    fix = f"Put the value in double quotes: {_pasted(pair['head'].lstrip() + quoted(value))}"
    if _TWO_BRACKETS.match(value):
        return Advice(
            "yaml-bracketed-argument-hint",
            "Two bracketed words after one key are two YAML lists in one place",
            fix,
            line,
            start,
        )
    if value[0] in "@`%*&!":
        message = f"A value cannot start with {value[0]} without quotes"
        return Advice("yaml-indicator-start", message, fix, line, start)
    if value[0] in "[{\"'|>":
        end = {"[": "]", "{": "}"}.get(value[0], value[0])
        closed = value.find(end, 1) if value[0] in "[{\"'" else 0
        # Still open, or the mistake lies inside the brackets or quotes: nothing is known about the tail.
        if closed < 0 or column < start + closed:
            return None
        message = f"Text follows a value that starts with {value[0]}"
        return Advice("yaml-indicator-start", message, fix, line, start)
    if (colon := re.search(r":(?:\s|$)", value)) is not None:
        message = f"The value of {_short(pair['key'])!r} contains ': ' without quotes"
        return Advice("yaml-unquoted-colon", message, fix, line, start + colon.start())
    return None


def _continued(lines: list[str], line: int, column: int) -> Advice:
    """A colon in a line that continues the value of a key above it."""
    indent = len(lines[line]) - len(lines[line].lstrip(" ")) if line < len(lines) else 0
    for number in range(line - 1, max(-1, line - 200), -1):
        pair = _PAIR.match(lines[number])
        if pair and len(lines[number]) - len(lines[number].lstrip(" ")) < indent:
            key = _short(pair["key"])
            return Advice(
                "yaml-unquoted-colon",
                f"The value of {key!r}, which continues here, contains ': ' without quotes",
                f"Write '{key}: >-' and the whole text indented on the lines below it.",
                line,
                column,
            )
    return Advice(
        "yaml-unquoted-colon",
        "A ': ' stands where no key can be",
        "Put the value in double quotes, or correct the indentation.",
        line,
        column,
    )


def _indenting_tab(line: str) -> int | None:
    blank = line[: len(line) - len(line.lstrip())]
    at = blank.find("\t")
    return at if at >= 0 and line.strip() else None


def _short(key: str) -> str:
    return key.strip()[:60]


def _pasted(line: str) -> str:
    return line if len(line) <= _LONGEST_PASTE else "(the line is too long to show)"
