"""js-yaml's view of a text: a cursor that knows its line, and the scalars read at it.

Facts of js-yaml 3.14 and 4.1 (lib/loader.js): LF, CR and CRLF end a line, NEL and U+2028 do not; a plain or
block scalar may hold no control character but tab, a quoted one none below U+0020 but tab.
"""

from __future__ import annotations

import re
from typing import Final

from generator.judge.dialects.faults import Refused
from generator.judge.dialects.whitespace import join_halves

END: Final = "\0"
BLANKS: Final = " \t"
BREAKS: Final = "\n\r"
SPACES: Final = " \t\n\r"
FLOW: Final = ",[]{}"

_UNPRINTABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff\ud800-\udfff]")
_NOT_JSON: Final = re.compile("[\x00-\x08\x0a-\x1f]")
_NO_PLAIN_START: Final = frozenset(" \t\n\r,[]{}#&*!|>'\"%@`")
_TO_BREAK: Final = re.compile("[^\n\r\0]*")
_INDENT: Final = re.compile(" *")
_RUN: Final = re.compile("[^:# \t\n\r,\\[\\]{}\0]+")
_QUOTED_RUN: Final = {"'": re.compile("[^'\n\r\0]+"), '"': re.compile('[^"\\\\\n\r\0]+')}
_ESCAPES: Final = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "\t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    " ": " ",
    '"': '"',
    "/": "/",
    "\\": "\\",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}
_HEX_DIGITS: Final = {"x": 2, "u": 4, "U": 8}


class Cursor:
    """A place in the text; ``text`` ends in one NUL more than the author wrote."""

    def __init__(self, text: str) -> None:
        self.text = text + END
        self.at = 0
        self.line = 0
        self.line_start = 0
        self.indent = 0
        self.first_tab = -1

    def refuse(self, kind: str, message: str) -> Refused:
        """An exception to raise at this place."""
        return Refused(kind, min(self.at, len(self.text) - 1), message)

    def break_line(self) -> None:
        """Step over one line end."""
        text = self.text
        if text.startswith("\r\n", self.at):
            self.at += 2
        elif text[self.at] in BREAKS:
            self.at += 1
        else:
            raise self.refuse("syntax", "A line end is expected here")
        self.line += 1
        self.line_start = self.at
        self.first_tab = -1

    def skip_space(self, comments: bool) -> int:
        """Step over blanks, line ends and comments; the number of line ends."""
        text = self.text
        count = 0
        while True:
            while (char := text[self.at]) in BLANKS:
                if char == "\t" and self.first_tab < 0:
                    self.first_tab = self.at
                self.at += 1
            if comments and char == "#":
                self.at = _to_break(text, self.at)
                char = text[self.at]
            if char not in BREAKS:
                return count
            self.break_line()
            count += 1
            start = self.at
            self.at = _INDENT.match(text, start).end()  # type: ignore[union-attr]
            self.indent = self.at - start

    def at_document_mark(self) -> bool:
        """Whether ``---`` or ``...`` stands alone here (the caller knows that a line starts here)."""
        text = self.text
        return text.startswith(("---", "..."), self.at) and text[self.at + 3] in SPACES + END

    def read_plain(self, least: int, flow: bool) -> str | None:
        """A plain scalar whose further lines are indented by ``least``, or None where none starts here."""
        text = self.text
        char = text[self.at]
        if char in _NO_PLAIN_START:
            return None
        if char in "?-" and (text[self.at + 1] in SPACES or (flow and text[self.at + 1] in FLOW)):
            return None
        parts: list[str] = []
        start = end = self.at
        pending = False
        line = self.line
        while (char := text[self.at]) != END:
            if char == ":":
                after = text[self.at + 1]
                if after in SPACES or (flow and after in FLOW):
                    break
            elif char == "#":
                if self.at > 0 and text[self.at - 1] in SPACES:
                    break
            elif (self.at == self.line_start and self.at_document_mark()) or (flow and char in FLOW):
                break
            elif char in BREAKS:
                place = (self.line, self.line_start, self.indent)
                line = self.line
                self.skip_space(comments=False)
                if self.indent >= least:
                    pending = True
                    continue
                self.at = end
                self.line, self.line_start, self.indent = place
                break
            if pending:
                parts += (self._printable(start, end), _folded(self.line - line))
                start = end = self.at
                pending = False
            run = _RUN.match(text, self.at)
            if run is not None and self.at != self.line_start:
                self.at = end = run.end()
                continue
            if char not in BLANKS:
                end = self.at + 1
            self.at += 1
        parts.append(self._printable(start, end))
        return "".join(parts) or None

    def _printable(self, start: int, end: int) -> str:
        found = _UNPRINTABLE.search(self.text, start, end)
        if found is not None:
            self.at = found.start()
            raise self.refuse("control-character", "A control character stands in a value")
        return self.text[start:end]

    def _json(self, start: int, end: int) -> str:
        found = _NOT_JSON.search(self.text, start, end)
        if found is not None:
            self.at = found.start()
            raise self.refuse("control-character", "A control character stands in a quoted value")
        return self.text[start:end]

    def read_quoted(self) -> str:
        """A scalar in the quotes that stand here."""
        text = self.text
        quote = text[self.at]
        self.at += 1
        parts: list[str] = []
        start = end = self.at
        while (char := text[self.at]) != END:
            if char == quote:
                parts.append(self._json(start, self.at))
                self.at += 1
                if quote == '"' or text[self.at] != "'":
                    return join_halves("".join(parts))
                start = self.at
                self.at += 1
                end = self.at
            elif char == "\\" and quote == '"':
                parts += (self._json(start, self.at), self._escape())
                start = end = self.at
            elif char in BREAKS:
                parts.append(self._json(start, end))
                parts.append(_folded(self.skip_space(comments=False)))
                start = end = self.at
            elif self.at == self.line_start and self.at_document_mark():
                raise self.refuse("quote", "The document ends inside quotes")
            else:
                # Blanks before a line end stay: the library does not trim them.
                run = _QUOTED_RUN[quote].match(text, self.at)
                self.at = end = run.end() if run is not None else self.at + 1
        raise self.refuse("quote", "The quotes are never closed")

    def _escape(self) -> str:
        self.at += 1
        char = self.text[self.at]
        if char in BREAKS:
            self.skip_space(comments=False)
            return ""
        if char in _ESCAPES:
            self.at += 1
            return _ESCAPES[char]
        digits = _HEX_DIGITS.get(char, 0)
        code = self.text[self.at + 1 : self.at + 1 + digits]
        if not digits or len(code) != digits or not re.fullmatch("[0-9A-Fa-f]+", code):
            raise self.refuse("escape", "A backslash escape that YAML does not know")
        self.at += 1 + digits
        number = int(code, 16)
        if number <= 0x10FFFF:
            return chr(number)
        # The library computes with 32 signed bits: a character, or two lone surrogates, which are no text.
        return chr(number & 0xFFFF) if number >= 0x80000000 else "\ufffd\ufffd"

    def read_block_scalar(self, least: int) -> str:
        """The scalar that ``|`` or ``>`` begins here; lines are indented by ``least`` or more."""
        text = self.text
        folded = text[self.at] == ">"
        chomp = ""
        width = 0
        self.at += 1
        while (char := text[self.at]) in "+-0123456789":
            if char in "+-":
                if chomp:
                    raise self.refuse("indicator", "A block scalar's header repeats + or -")
                chomp = char
            elif char == "0" or width:
                raise self.refuse("indicator", "A block scalar's indentation is one digit from 1 to 9")
            else:
                width = int(char)
            self.at += 1
        if char in BLANKS:
            while (char := text[self.at]) in BLANKS:
                self.at += 1
            if char == "#":
                self.at = _to_break(text, self.at)
        fixed = width > 0
        return self._block_lines(folded, chomp, least + width - 1 if fixed else least, fixed)

    def _block_lines(self, folded: bool, chomp: str, width: int, fixed: bool) -> str:
        text = self.text
        parts: list[str] = []
        empty = 0
        read = deeper = False
        while text[self.at] != END:
            self.break_line()
            start = self.at
            stop = _INDENT.match(text, start).end()  # type: ignore[union-attr]
            self.at = min(stop, start + width) if fixed else stop
            self.indent = max(self.at - start, 0)
            if not fixed and self.indent > width:
                width = self.indent
            char = text[self.at]
            if char in BREAKS:
                empty += 1
                continue
            if self.indent < width:
                if chomp == "+":
                    parts.append("\n" * (1 + empty if read else empty))
                elif chomp == "" and read:
                    parts.append("\n")
                break
            if not folded or char in BLANKS:
                parts.append("\n" * (1 + empty if read else empty))
                deeper = folded
            elif deeper:
                deeper = False
                parts.append("\n" * (empty + 1))
            elif empty:
                parts.append("\n" * empty)
            elif read:
                parts.append(" ")
            read = fixed = True
            empty = 0
            begin = self.at
            self.at = _to_break(text, begin)
            parts.append(self._printable(begin, self.at))
        return "".join(parts)


def _to_break(text: str, at: int) -> int:
    found = _TO_BREAK.match(text, at)
    return found.end() if found else at


def _folded(line_ends: int) -> str:
    return " " if line_ends == 1 else "\n" * (line_ends - 1) if line_ends else ""
