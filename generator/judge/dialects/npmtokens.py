"""The tokens npm ``yaml`` 2 cuts a text into.

Facts of yaml 2.9 (dist/parse/lexer.js): a token is cut by what the line before it made of the indentation, so
that one wrong line ends a flow collection early.
"""

from __future__ import annotations

import re
from typing import Final

from generator.judge.dialects.npmcursor import BLANKS, EMPTY, FLOW, Token, TokenCursor

_TAG: Final = re.compile("!(?:[0-9A-Za-z\\-#;/?:@&=+$_.!~*'()]|%[0-9A-Fa-f]{2})*")
_VERBATIM: Final = re.compile("!<[^ \t\n\r>]*>?")


def cut_tokens(text: str, lenient: bool) -> list[Token]:
    """All tokens of a text, in order; the kinds ``document`` and ``flow-error`` stand for no text.

    ``lenient``: a closing bracket or a comma of a flow collection may stand at the start of a line.
    """
    return _Lexer(text, lenient).run()


class _Lexer(TokenCursor):
    def run(self) -> list[Token]:
        states = {
            "stream": self._stream,
            "block": self._block_start,
            "doc": self._document,
            "flow": self._flow,
        }
        state = "stream"
        while self._at < self._size:
            state = states[state]()
        return self._found

    def _stream(self) -> str:
        end = self._end_of_line()
        if self._char(self._at) == "\ufeff":
            self._push(self._at + 1)
        if self._char(self._at) == "%" and self._at < end:
            line = self._text[self._at : end]
            found = re.search("[ \t]#", line)
            words = (line[: found.start()] if found else line).rstrip(" \t")
            self._push(self._at + len(words))
            self._spaces(tabs=True)
            self._push(end)
            return "stream"
        if self._at_line_end():
            self._spaces(tabs=True)
            self._push(end)
            self._newline()
            return "stream"
        self._mark("document")
        return self._line_start()

    def _at_line_end(self) -> bool:
        found = BLANKS.match(self._text, self._at)
        assert found is not None
        at = found.end()
        return self._char(at) in ("", "#", "\n") or self._text.startswith("\r\n", at)

    def _line_start(self) -> str:
        if self._marker(self._at):
            start = self._char(self._at) == "-"
            self._push(self._at + 3, "doc-start" if start else "doc-end")
            self._indent = self._next_indent = 0
            return "doc" if start else "stream"
        self._indent = self._spaces(tabs=False)
        if self._next_indent > self._indent and self._char(self._at + 1) not in EMPTY:
            self._next_indent = self._indent
        return self._block_start()

    def _block_start(self) -> str:
        if self._char(self._at) in ("-", "?", ":") and self._char(self._at + 1) in EMPTY:
            size = self._push(self._at + 1) + self._spaces(tabs=True)
            self._next_indent = self._indent + 1
            self._indent += size
            return "block"
        return "doc"

    def _document(self) -> str:
        self._spaces(tabs=True)
        end = self._end_of_line()
        self._indicators()
        char = self._char(self._at) if self._at < end else ""
        if char in ("#", ""):
            self._push(end)
            self._newline()
            return self._line_start()
        if char in "{[":
            self._push(self._at + 1)
            self._flow_key = False
            self._flow_level = 1
            return "flow"
        if char in "}]":
            self._push(self._at + 1)
            return "doc"
        if char == "*":
            self._push(self._name_end(), "alias")
            return "doc"
        if char in "\"'":
            return self._quoted()
        if char in "|>":
            self._header()
            self._spaces(tabs=True)
            self._push(end)
            self._newline()
            return self._block_scalar()
        return self._plain()

    def _flow(self) -> str:
        indent = -1
        while True:
            lines = self._newline()
            spaces = 0
            if lines:
                spaces = self._spaces(tabs=False)
                self._indent = indent = spaces
            spaces += self._spaces(tabs=True)
            if lines + spaces == 0:
                break
        char = self._char(self._at)
        if (0 <= indent < self._next_indent and char != "#") or (indent == 0 and self._marker(self._at)):
            closes = indent == self._next_indent - 1 and self._flow_level == 1 and char in ("]", "}")
            if self._lenient and not self._marker(self._at):
                closes = char in ("]", "}", ",")
            if not closes:
                self._flow_level = 0
                self._mark("flow-error")
                return self._line_start()
        end = self._end_of_line()
        while self._char(self._at) == "," and self._at < end:
            self._push(self._at + 1)
            self._spaces(tabs=True)
            self._flow_key = False
        self._indicators()
        return self._flow_value(self._char(self._at) if self._at < end else "", end)

    def _flow_value(self, char: str, end: int) -> str:
        if char == "":
            return "flow"
        if char == "#":
            self._push(end)
            return "flow"
        if char in "{[":
            self._push(self._at + 1)
            self._flow_key = False
            self._flow_level += 1
            return "flow"
        if char in "}]":
            self._push(self._at + 1)
            self._flow_key = True
            self._flow_level -= 1
            return "flow" if self._flow_level else "doc"
        if char == "*":
            self._push(self._name_end(), "alias")
            return "flow"
        if char in "\"'":
            self._flow_key = True
            return self._quoted()
        if char == ":" and (self._flow_key or self._char(self._at + 1) in EMPTY | {","}):
            self._flow_key = False
            self._push(self._at + 1)
            self._spaces(tabs=True)
            return "flow"
        self._flow_key = False
        return self._plain()

    def _indicators(self) -> None:
        while True:
            char = self._char(self._at)
            if char == "!":
                pattern = _VERBATIM if self._char(self._at + 1) == "<" else _TAG
                found = pattern.match(self._text, self._at)
                assert found is not None
                self._push(found.end(), "tag")
            elif char == "&":
                self._push(self._name_end(), "anchor")
            elif char in ("-", "?", ":"):
                flow = self._flow_level > 0
                after = self._char(self._at + 1)
                if after not in EMPTY and not (flow and after in FLOW):
                    return
                if not flow:
                    self._next_indent = self._indent + 1
                else:
                    self._flow_key = False
                self._push(self._at + 1)
            else:
                return
            self._spaces(tabs=True)
