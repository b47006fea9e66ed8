"""Reads a whole page as a browser would, for the tests of pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID_TAGS = "area base br col embed hr img input link meta source track wbr path rect circle"
_VOID = frozenset(_VOID_TAGS.split())


@dataclass(slots=True)
class PageFacts:
    """What the tests ask of a page."""

    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    title: str = ""
    unclosed: list[str] = field(default_factory=list)

    def links(self) -> list[str]:
        """Every address the page names."""
        return [
            value
            for tag, attributes in self.tags
            for name, value in attributes.items()
            if name in ("href", "src", "action") and not (tag == "a" and value == "")
        ]

    def ids(self) -> list[str]:
        """Every id, in order."""
        return [attributes["id"] for _, attributes in self.tags if "id" in attributes]

    def words(self) -> str:
        """All text, blanks squeezed."""
        return " ".join(" ".join(self.text).split())

    def structure(self) -> list[tuple[str, tuple[str, ...]]]:
        """Tags with the names of their attributes."""
        return [(tag, tuple(sorted(attributes))) for tag, attributes in self.tags]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.facts = PageFacts()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.facts.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in _VOID:
            return
        if not self.open or self.open[-1] != tag:
            self.facts.unclosed.append(f"</{tag}> inside <{self.open[-1] if self.open else ''}>")
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "title":
            self.facts.title += data
        elif not self.open or self.open[-1] != "script":
            self.facts.text.append(data)


def read_page(html: bytes) -> PageFacts:
    """The facts of ``html``."""
    reader = _Reader()
    reader.feed(html.decode())
    reader.close()
    return reader.facts
