"""The scalars npm ``yaml`` 2 cuts out of a text, and the cursor it does it with.

Facts of yaml 2.9 (dist/parse/lexer.js): only LF and CRLF end a line; how far a scalar goes is decided by the
indentation the line before it asked for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

EMPTY: Final = frozenset(("", " ", "\t", "\n", "\r"))
FLOW: Final = frozenset(",[]{}")
SPACES: Final = re.compile(" *")
BLANKS: Final = re.compile("[ \t]*")
_NAME: Final = re.compile("[^ ,\\[\\]{}\n\r\t]*")
_HEADER: Final = re.compile("[^ \t\n\r#]*")
_RUN: Final = re.compile("[^: \t\r\n,\\[\\]{}]+")
_SINGLE: Final = {
    "-": "item",
    "?": "explicit",
    ":": "colon",
    "{": "open",
    "[": "open",
    "}": "close",
    "]": "close",
    ",": "comma",
    "\n": "newline",
    "\r\n": "newline",
    "\ufeff": "bom",
}
_BY_FIRST: Final = {
    " ": "space",
    "\t": "space",
    "#": "comment",
    "%": "directive",
    "*": "alias",
    "&": "anchor",
    "!": "tag",
    "'": "single",
    '"': "double",
    "|": "header",
    ">": "header",
}


@dataclass(slots=True)
class Token:
    """A piece of the text: ``kind``, where it starts, and what it is.

    ``indent`` is filled in by the tree builder: the indentation of the line as far as it was read.
    """

    kind: str
    at: int
    source: str
    indent: int = 0


class TokenCursor:
    """A place in the text, and the tokens cut so far."""

    def __init__(self, text: str, lenient: bool) -> None:
        self._text = text
        self._lenient = lenient
        self._size = len(text)
        self._at = 0
        self._found: list[Token] = []
        self._width = -1
        self._keep = False
        self._flow_key = False
        self._flow_level = 0
        self._next_indent = 0
        self._indent = 0
        self._line_end = -1

    def _char(self, at: int) -> str:
        return self._text[at] if 0 <= at < self._size else ""

    def _push(self, end: int, kind: str = "") -> int:
        if end <= self._at:
            return 0
        source = self._text[self._at : end]
        kind = kind or (_SINGLE.get(source) or _BY_FIRST.get(source[0], "unknown"))
        self._found.append(Token(kind, self._at, source))
        size = end - self._at
        self._at = end
        return size

    def _scalar(self, end: int) -> None:
        # A scalar may be empty, and still is a token.
        end = max(end, self._at)
        self._found.append(Token("scalar", self._at, self._text[self._at : end]))
        self._at = end

    def _mark(self, kind: str) -> None:
        self._found.append(Token(kind, self._at, ""))

    def _spaces(self, tabs: bool) -> int:
        found = (BLANKS if tabs else SPACES).match(self._text, self._at)
        assert found is not None
        return self._push(found.end(), "space")

    def _newline(self) -> int:
        if self._text.startswith("\n", self._at):
            return self._push(self._at + 1)
        return self._push(self._at + 2) if self._text.startswith("\r\n", self._at) else 0

    def _end_of_line(self) -> int:
        """Where this line ends, without its line end."""
        if self._line_end < self._at:
            end = self._text.find("\n", self._at)
            self._line_end = self._size if end < 0 else end
        end = self._line_end
        return end - 1 if end < self._size and self._char(end - 1) == "\r" and end > self._at else end

    def _marker(self, at: int) -> bool:
        return self._text.startswith(("---", "..."), at) and self._char(at + 3) in EMPTY

    def _name_end(self) -> int:
        found = _NAME.match(self._text, self._at)
        assert found is not None
        return found.end()

    def _continues(self, at: int) -> int:
        """Where a scalar goes on in the line that starts at ``at``, or -1 where it does not."""
        if self._next_indent > 0:
            found = SPACES.match(self._text, at)
            assert found is not None
            indent = found.end() - at
            if self._text.startswith("\r\n", at + indent):
                return at + indent + 1
            more = self._char(at + indent) == "\n" or indent >= self._next_indent
            return at + indent if more else -1
        return -1 if self._marker(at) else at

    def _quoted(self) -> str:
        text = self._text
        quote = text[self._at]
        end = self._closing(quote)
        if end >= 0:
            line = text.find("\n", self._at, end)
            while line >= 0:
                on = self._continues(line + 1)
                if on < 0:
                    end = line - (2 if self._char(line - 1) == "\r" else 1)
                    break
                line = text.find("\n", on, end)
        self._push(
            min((self._size if end < 0 else end) + 1, self._size), "single" if quote == "'" else "double"
        )
        return "flow" if self._flow_level else "doc"

    def _closing(self, quote: str) -> int:
        text = self._text
        end = text.find(quote, self._at + 1)
        if quote == "'":
            while end >= 0 and self._char(end + 1) == "'":
                end = text.find("'", end + 2)
            return end
        while end >= 0:
            start = end
            while text[start - 1] == "\\" and start > 0:
                start -= 1
            if (end - start) % 2 == 0:
                return end
            end = text.find('"', end + 1)
        return end

    def _header(self) -> None:
        found = _HEADER.match(self._text, self._at)
        assert found is not None
        signs = re.match("[-+1-9]*", found[0][1:])
        assert signs is not None
        self._keep = "+" in signs[0]
        digits = [char for char in signs[0] if char.isdigit()]
        self._width = int(digits[-1]) - 1 if digits else -1
        self._push(found.end(), "header")

    def _block_scalar(self) -> str:
        text = self._text
        found = re.compile("(?: |\n|\r(?=\n))*").match(text, self._at)
        assert found is not None
        line = text.rfind("\n", self._at, found.end())
        line = line if line >= 0 else self._at - 1
        indent = text.count(" ", line + 1, found.end())
        if indent >= self._next_indent:
            if self._width < 0:
                self._next_indent = indent
            else:
                self._next_indent = self._width + (self._next_indent or 1)
            while (on := self._continues(line + 1)) >= 0:
                line = text.find("\n", on)
                if line < 0:
                    line = self._size
                    break
        found = SPACES.match(text, min(line + 1, self._size))
        assert found is not None
        if self._char(found.end()) == "\t":
            found = re.compile("[\t \r\n]*").match(text, found.end())
            assert found is not None
            line = found.end() - 1
        elif not self._keep:
            line = self._drop_empty_lines(line, indent)
        self._scalar(min(line + 1, self._size))
        return self._line_start()

    def _drop_empty_lines(self, line: int, indent: int) -> int:
        while True:
            last = line - 1
            if self._char(last) == "\r":
                last -= 1
            at = last
            while self._char(at) == " ":
                at -= 1
            if self._char(at) == "\n" and at >= self._at and at + 1 + indent > last:
                line = at
            else:
                return line

    def _plain(self) -> str:
        text = self._text
        flow = self._flow_level > 0
        end = at = self._at - 1
        while True:
            at += 1
            char = self._char(at)
            if char == "":
                break
            if char == ":":
                after = self._char(at + 1)
                if after in EMPTY or (flow and after in FLOW):
                    break
                end = at
            elif char in EMPTY:
                after = self._char(at + 1)
                if char == "\r":
                    if after == "\n":
                        at += 1
                        char = "\n"
                        after = self._char(at + 1)
                    else:
                        end = at
                if after == "#" or (flow and after in FLOW and after != ""):
                    break
                if char == "\n":
                    on = self._continues(at + 1)
                    if on < 0:
                        break
                    at = max(at, on - 2)
            elif flow and char in FLOW:
                break
            else:
                run = _RUN.match(text, at)
                end = at = run.end() - 1 if run else at
        self._scalar(end + 1)
        return "flow" if flow else "doc"

    def _line_start(self) -> str:
        raise NotImplementedError
