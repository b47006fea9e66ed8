"""js-yaml's directives, tags and anchors.

Facts of js-yaml 3.14 and 4.1 (lib/loader.js).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote

from generator.judge.dialects.jscursor import BLANKS, BREAKS, END, FLOW, Cursor
from generator.judge.dialects.jstags import YAML
from generator.judge.dialects.shares import Draft
from generator.judge.dialects.values import Null

_HANDLE: Final = re.compile(r"!|!!|![a-z\-]+!", re.IGNORECASE)
_TAG_CHARACTERS: Final = re.compile(
    r"(?:!|[^,\[\]{}])(?:%[0-9a-f]{2}|[0-9a-z\-#;/?:@&=+$,_.!~*'()\[\]])*", re.IGNORECASE
)
_NAME: Final = re.compile("[^ \t\n\r,\\[\\]{}\0]*")
_NO_BLANK: Final = re.compile("[^ \t\n\r\0]*")


@dataclass(slots=True)
class JsNode:
    """What stands at a place: a value, its kind (None where nothing stands there), tag and anchor."""

    value: Draft = field(default_factory=lambda: Null(""))
    kind: str | None = None
    tag: str | None = None
    anchor: str | None = None
    found: bool = False
    plain: str | None = None


@dataclass(slots=True)
class JsNames:
    """What a document has declared."""

    anchors: dict[str, Draft] = field(default_factory=dict)
    handles: dict[str, str] = field(default_factory=dict)


class Properties(Cursor):
    """A cursor that knows the names a document has declared; ``old``: js-yaml 3."""

    def __init__(self, text: str, old: bool) -> None:
        super().__init__(text)
        self._old = old
        self._names = JsNames()
        self._depth = 0

    def _directives(self) -> bool:
        version = False
        seen = False
        while self.text[self.at] != END:
            self.skip_space(comments=True)
            if self.indent > 0 or self.text[self.at] != "%":
                break
            seen = True
            self.at += 1
            words = self._words()
            if self.text[self.at] != END:
                self.break_line()
            if not words[0]:
                raise self.refuse("directive", "A directive without a name")
            if words[0] == "YAML":
                number = re.fullmatch("([0-9]+)\\.[0-9]+", words[1]) if len(words) == 2 else None
                if version or number is None or int(number[1][:9]) != 1:
                    raise self.refuse("directive", "A %YAML directive that the library does not accept")
                version = True
            elif words[0] == "TAG":
                self._declare(words[1:])
        return seen

    def _words(self) -> list[str]:
        text = self.text
        end = _NO_BLANK.match(text, self.at).end()  # type: ignore[union-attr]
        words = [text[self.at : end]]
        self.at = end
        while text[self.at] != END:
            while text[self.at] in BLANKS:
                self.at += 1
            if text[self.at] == "#":
                while text[self.at] not in BREAKS + END:
                    self.at += 1
            if text[self.at] in BREAKS + END:
                break
            end = _NO_BLANK.match(text, self.at).end()  # type: ignore[union-attr]
            words.append(text[self.at : end])
            self.at = end
        return words

    def _declare(self, words: list[str]) -> None:
        if len(words) != 2 or not _HANDLE.fullmatch(words[0]) or words[0] in self._names.handles:
            raise self.refuse("directive", "A %TAG directive that the library does not accept")
        if not _TAG_CHARACTERS.fullmatch(words[1]):
            raise self.refuse("directive", "A %TAG directive with a bad prefix")
        self._names.handles[words[0]] = words[1]

    def _name(self, kind: str) -> str:
        end = _NAME.match(self.text, self.at).end()  # type: ignore[union-attr]
        name = self.text[self.at : end]
        self.at = end
        if not name:
            raise self.refuse(kind, "The name of an anchor or alias is missing")
        return name

    def _read_anchor(self, node: JsNode) -> bool:
        if self.text[self.at] != "&":
            return False
        if node.anchor is not None:
            raise self.refuse("anchor", "A second anchor for one value")
        self.at += 1
        node.anchor = self._name("anchor")
        return True

    def _read_tag(self, node: JsNode) -> bool:
        text = self.text
        if text[self.at] != "!":
            return False
        if node.tag is not None:
            raise self.refuse("tag", "A second tag for one value")
        self.at += 1
        if text[self.at] == "<":
            end = text.find(">", self.at + 2)
            if end < 0:
                raise self.refuse("tag", "A tag in <> is never closed")
            node.tag = _percent_decoded(self._checked(text[self.at + 1 : end]))
            self.at = end + 1
            return True
        handle, name = self._short_tag()
        declared = self._names.handles.get(handle)
        if declared is not None:
            node.tag = declared + name
        elif handle in {"!", "!!"}:
            node.tag = ("!" if handle == "!" else YAML) + name
        else:
            raise self.refuse("tag", f"The tag handle {handle[:60]} is not declared")
        return True

    def _short_tag(self) -> tuple[str, str]:
        text = self.text
        handle = "!"
        if text[self.at] == "!":
            handle = "!!"
            self.at += 1
        end = _NO_BLANK.match(text, self.at).end()  # type: ignore[union-attr]
        name = text[self.at : end]
        self.at = end
        first, bang, rest = name.partition("!")
        if bang:
            if handle == "!!" or "!" in rest or not _HANDLE.fullmatch(f"!{first}!"):
                raise self.refuse("tag", "A tag with a ! where none may stand")
            handle, name = f"!{first}!", rest
        if any(char in FLOW for char in name):
            raise self.refuse("tag", "A tag with a bracket, brace or comma")
        return handle, _percent_decoded(self._checked(name))

    def _checked(self, name: str) -> str:
        if name and not _TAG_CHARACTERS.fullmatch(name):
            raise self.refuse("tag", "A tag with a character that none may have")
        return name


def _percent_decoded(name: str) -> str:
    return unquote(name) if "%" in name else name
