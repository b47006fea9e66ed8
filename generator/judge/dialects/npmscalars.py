"""How npm ``yaml`` 2 unfolds a scalar's text: plain, quoted or block.

Facts of yaml 2.9 (dist/compose/resolve-flow-scalar.js, resolve-block-scalar.js). Each function tells its faults
to ``report(offset, code)``, the offset within the scalar, and goes on.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from generator.judge.dialects.whitespace import join_halves

Report = Callable[[int, str], None]

_BAD_START: Final = frozenset("\t,%|>@`")
_RUN: Final = re.compile("[^\\\\\r\n \t]+")
_BLANKS: Final = re.compile("[ \t]+")
_AFTER_BREAK: Final = re.compile("(?:[ \t\n]|\r(?=\n))*")
_ESCAPES: Final = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
    " ": " ",
    '"': '"',
    "/": "/",
    "\\": "\\",
    "\t": "\t",
}
_DIGITS: Final = {"x": 2, "u": 4, "U": 8}


def unfold_plain(source: str, report: Report) -> str:
    """A plain scalar's text."""
    if source[:1] in _BAD_START and source:
        report(0, "BAD_SCALAR_START")
    return _fold(source)


def unfold_single(source: str, report: Report) -> str:
    """The text in single quotes."""
    if len(source) == 1 or not source.endswith("'"):
        report(len(source), "MISSING_CHAR")
    return _fold(source[1:-1]).replace("''", "'")


def _fold(source: str) -> str:
    if "\n" not in source:
        return source
    lines = source.split("\n")
    parts = [_line(lines[0]).rstrip(" \t")]
    gap = " "
    for line in map(_line, lines[1:-1]):
        shown = line.strip(" \t")
        if shown:
            parts += (gap, shown)
            gap = " "
        elif gap == "\n":
            parts.append("\n")
        else:
            gap = "\n"
    parts += (gap, lines[-1].lstrip(" \t"))
    return "".join(parts)


def _line(line: str) -> str:
    return line.removesuffix("\r")


def unfold_double(source: str, report: Report) -> str:
    """The text in double quotes, its escapes resolved."""
    parts: list[str] = []
    at = 1
    last = len(source) - 1
    while at < last:
        char = source[at]
        if char == "\r" and source.startswith("\r\n", at):
            at += 1
        elif char == "\n":
            found = _AFTER_BREAK.match(source, at + 1)
            assert found is not None
            parts.append("\n" * found[0].count("\n") or " ")
            at = found.end()
        elif char == "\\":
            text, at = _escape(source, at, report)
            parts.append(text)
        elif char in " \t":
            found = _BLANKS.match(source, at)
            assert found is not None
            at = found.end()
            if not source.startswith(("\n", "\r\n"), at):
                parts.append(found[0])
        else:
            found = _RUN.match(source, at, last)
            parts.append(found[0] if found else char)
            at = found.end() if found else at + 1
    if len(source) == 1 or not source.endswith('"'):
        report(len(source), "MISSING_CHAR")
    return join_halves("".join(parts))


def _escape(source: str, at: int, report: Report) -> tuple[str, int]:
    char = source[at + 1 : at + 2]
    if char in _ESCAPES:
        return _ESCAPES[char], at + 2
    for line_end in ("\n", "\r\n"):
        if source.startswith(line_end, at + 1):
            after = at + 1 + len(line_end)
            while source[after : after + 1] in (" ", "\t"):
                after += 1
            return "", after
    digits = _DIGITS.get(char)
    if digits is None:
        report(at, "BAD_DQ_ESCAPE")
        return source[at : at + 2], at + 2
    code = source[at + 2 : at + 2 + digits]
    if re.fullmatch("[0-9a-fA-F]+", code) and len(code) == digits and int(code, 16) <= 0x10FFFF:
        return chr(int(code, 16)), at + 2 + digits
    report(at, "BAD_DQ_ESCAPE")
    return source[at : at + 2 + digits], at + 2 + digits


def unfold_block(source: str, header: str, indent: int, at_root: bool, report: Report) -> str:
    """A block scalar's text; ``indent`` is that of the collection around it."""
    width, chomp = _header(header)
    found = re.split("\n( *)", source)
    first = re.match(" *", found[0])
    assert first is not None
    lines = [(first[0], found[0][first.end() :])] if source else []
    lines += zip(found[1::2], found[2::2], strict=True)
    stop = len(lines)
    while stop and lines[stop - 1][1] in ("", "\r"):
        stop -= 1
    if stop == 0:
        return "\n" * max(1, len(lines) - 1) if chomp == "+" and lines else ""
    trim = indent + width
    start = 0
    for index, (blanks, content) in enumerate(lines[:stop]):
        if content in ("", "\r"):
            if width == 0 and len(blanks) > trim:
                trim = len(blanks)
            continue
        if len(blanks) < trim:
            report(len(blanks), "MISSING_CHAR")
        if width == 0:
            trim = len(blanks)
        start = index
        if trim == 0 and not at_root:
            report(0, "BAD_INDENT")
        break
    for index in range(len(lines) - 1, stop - 1, -1):
        if len(lines[index][0]) > trim:
            stop = index + 1
            break
    text = "".join(f"{blanks[trim:]}\n" for blanks, _ in lines[:start])
    text += _block_lines(lines[start:stop], trim, header[0] == ">", report)
    if chomp == "+":
        text += "".join(f"\n{blanks[trim:]}" for blanks, _ in lines[stop:])
        return text if text.endswith("\n") else text + "\n"
    return text if chomp == "-" else text + "\n"


def _header(header: str) -> tuple[int, str]:
    width = 0
    chomp = ""
    for char in header[1:]:
        if not chomp and char in "-+":
            chomp = char
        elif not width and char in "123456789":
            width = int(char)
    return width, chomp


def is_bad_header(header: str) -> bool:
    """Whether a block scalar's header holds more than one sign and one digit."""
    return re.fullmatch("[|>](?:[-+][1-9]?|[1-9][-+]?)?", header) is None


def _block_lines(lines: list[tuple[str, str]], trim: int, folded: bool, report: Report) -> str:
    parts: list[str] = []
    gap = ""
    deeper = False
    for blanks, raw in lines:
        content = _line(raw)
        if content and len(blanks) < trim:
            report(0, "BAD_INDENT")
            blanks = ""
        if not folded:
            parts += (gap, blanks[trim:], content)
            gap = "\n"
        elif len(blanks) > trim or content[:1] == "\t":
            if gap == " ":
                gap = "\n"
            elif not deeper and gap == "\n":
                gap = "\n\n"
            parts += (gap, blanks[trim:], content)
            gap = "\n"
            deeper = True
        elif content == "":
            if gap == "\n":
                parts.append("\n")
            else:
                gap = "\n"
        else:
            parts += (gap, content)
            gap = " "
            deeper = False
    return "".join(parts)
