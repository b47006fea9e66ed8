"""The Markdown twin of each page of the site, made of the page itself, for agents and crawlers.

Only our own pages come here, whose markup we know; a skill's page has a twin of its own
(:mod:`generator.write.protocols.skill_twin`). A twin lies beside its page, so its relative links lead where the page's
do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from textwrap import indent
from typing import Final

from generator.model import Route
from generator.write.protocols.skill_twin import MARKDOWN, fence

_ARTICLE: Final = re.compile(rb"<article\b[^>]*>(.*?)</article>", re.DOTALL)
_DROPPED: Final = frozenset({"script", "style", "svg", "form", "button", "template", "noscript"})
_VOID: Final = frozenset({"br", "img", "input", "hr", "wbr", "meta", "link", "source", "col"})
_BLOCKS: Final = frozenset(
    {"p", "div", "section", "aside", "header", "dd", "details", "summary", "table", "blockquote", "nav"}
)
_LISTS: Final = frozenset({"ul", "ol", "dl"})
_HEADINGS: Final = {f"h{level}": "#" * level for level in range(1, 7)}
_SPANS: Final = {"a": "", "strong": "**", "b": "**", "em": "*", "i": "*"}
_MARKS: Final = re.compile(r"[\\`*_\[\]<>]|&(?=#?\w+;)")
_LEADING: Final = re.compile(r"[#+~=-]|\d{1,9}(?=[.)])")
"""What would make a line something else than a paragraph, where text starts with it."""
_TICKS: Final = re.compile(r"`+")
_SPACE: Final = re.compile(r"\s+")
_BLANKS: Final = re.compile(r"\n{3,}")
_ADDRESS: Final = str.maketrans(
    {"(": "%28", ")": "%29", " ": "%20", "<": "%3C", ">": "%3E", "\\": "%5C", "\n": ""}
)


def page_twin(page: Route) -> Route | None:
    """The twin of a page at a path that ends in ``/``; None where there is no text to take."""
    article = _ARTICLE.search(page.body)
    if article is None or not page.path.endswith("/"):
        return None
    text = markdown_of(article[1].decode("utf-8"))
    return Route(f"{page.path}index.md", (text + "\n").encode("utf-8", "replace"), MARKDOWN)


def markdown_of(html: str) -> str:
    """Our own HTML as Markdown (CommonMark with tables). Text stays text: no mark in it means anything."""
    writer = _Writer()
    writer.feed(html)
    writer.close()
    return writer.text()


def _code_span(text: str) -> str:
    """A text as inline code, within more backticks than it has in a row."""
    text = _SPACE.sub(" ", text).strip()
    if not text:
        return ""
    ticks = "`" * (max((len(run) for run in _TICKS.findall(text)), default=0) + 1)
    gap = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{gap}{text}{gap}{ticks}"


@dataclass(slots=True)
class _List:
    """A list that is open: its tag, the number of items begun, and how far their text is indented."""

    tag: str
    count: int = 0
    width: int = 2


class _Writer(HTMLParser):
    """Collects blocks of Markdown; one use."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._blocks: list[str] = []
        self._line: list[str] = []
        self._start = ""
        self._dropping: list[str] = []
        self._spans: list[tuple[str, str, int]] = []
        self._lists: list[_List] = []
        self._raw: list[str] | None = None
        self._code: list[str] | None = None
        self._row: list[str] | None = None
        self._rows = 0

    def text(self) -> str:
        """Everything collected."""
        self._end_block()
        return _BLANKS.sub("\n\n", "\n".join(self._blocks)).strip()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if self._dropping or _is_hidden(tag, given):
            if tag not in _VOID:
                self._dropping.append(tag)
        elif self._raw is None and self._code is None:
            self._open(tag, given)

    def _open(self, tag: str, given: Mapping[str, str | None]) -> None:
        if tag == "code" or (tag == "pre" and self._row is not None):
            self._code = []
        elif tag in _SPANS:
            self._open_span(tag, given.get("href") or "")
        elif tag in ("br", "span"):
            # Spans that the style sheet sets apart have no blank between them.
            self._line.append(" ")
        elif tag in ("td", "th"):
            self._line = []
        elif self._row is not None:
            self._line.append(" ")  # a cell is one line, whatever is in it
        elif tag == "pre":
            self._end_block()
            self._raw = []
        elif tag in _HEADINGS:
            self._end_block()
            self._start = f"{_HEADINGS[tag]} "
        elif tag in ("li", "dt"):
            self._open_item()
        elif tag == "tr":
            self._end_block()
            self._row = []
        elif tag in _LISTS:
            self._end_block()
            self._lists.append(_List(tag))
        elif tag in _BLOCKS:
            self._open_block(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._dropping:
            while self._dropping and self._dropping.pop() != tag:
                pass
        elif self._raw is not None:
            if tag == "pre":
                self._blocks += ["", indent(fence("".join(self._raw), ""), self._inside()), ""]
                self._raw = None
        elif self._code is not None:
            if tag in ("code", "pre"):
                self._line.append(_code_span("".join(self._code)))
                self._code = None
        else:
            self._close(tag)

    def _close(self, tag: str) -> None:
        if tag in _SPANS:
            self._close_span(tag)
        elif tag in ("td", "th"):
            if self._row is not None:
                self._row.append(self._take().replace("|", "\\|"))
        elif tag == "tr":
            self._end_row()
        elif self._row is not None:
            self._line.append(" ")
        elif tag == "dt":
            self._line.append(": ")
        elif tag in _LISTS:
            self._end_block()
            if self._lists:
                self._lists.pop()
            self._end_paragraph()
        elif tag in _HEADINGS or tag == "li" or tag in _BLOCKS:
            self._end_block()
            self._end_paragraph()

    def handle_data(self, data: str) -> None:
        if self._dropping:
            return
        if self._raw is not None:
            self._raw.append(data)
        elif self._code is not None:
            self._code.append(data)
        else:
            self._line.append(_MARKS.sub(r"\\\g<0>", _SPACE.sub(" ", data)))

    def _inside(self) -> str:
        """What a block inside the open lists starts with."""
        return " " * sum(one.width for one in self._lists)

    def _open_item(self) -> None:
        self._end_block()
        if not self._lists:
            self._lists.append(_List("ul"))
        item = self._lists[-1]
        item.count += 1
        mark = f"{item.count}. " if item.tag == "ol" else "- "
        item.width = len(mark)
        self._start = f"{self._inside()[item.width :]}{mark}"

    def _open_block(self, tag: str) -> None:
        # What stands first in an item of a list goes on its line, and what a term means on the term's.
        begun = "".join(self._line).strip()
        if not (self._start and not begun) and not (tag == "dd" and begun.endswith(":")):
            self._end_block()
        if tag == "table":
            self._end_block()
            self._rows = 0
            if self._blocks and self._blocks[-1]:
                self._blocks.append("")

    def _open_span(self, tag: str, address: str) -> None:
        if self._line and self._line[-1].endswith((")", "*")):
            self._line.append(" ")  # what a style sheet sets apart
        self._spans.append((tag, address, len(self._line)))

    def _close_span(self, tag: str) -> None:
        while self._spans:
            opened, address, start = self._spans.pop()
            if opened == tag:
                break
        else:
            return
        words = "".join(self._line[start:])
        bare = _SPACE.sub(" ", words).strip()
        before, after = (" " if words[:1] == " " else ""), (" " if words[-1:] == " " else "")
        if tag == "a":
            made = f"[{bare}]({address.translate(_ADDRESS)})" if address else bare
        else:
            made = f"{_SPANS[tag]}{bare}{_SPANS[tag]}"
        self._line[start:] = [part for part in (before, made, after) if part] if bare else []

    def _end_row(self) -> None:
        if self._row:
            self._blocks.append(f"| {' | '.join(self._row)} |")
            if not self._rows:
                self._blocks.append(f"|{' --- |' * len(self._row)}")
            self._rows += 1
        self._row = None

    def _end_paragraph(self) -> None:
        if not self._lists:
            self._blocks.append("")

    def _end_block(self) -> None:
        if self._row is not None:
            return
        words = self._take()
        if words:
            item = self._start.lstrip()[:1] not in ("", "#")
            if self._blocks and self._blocks[-1] and not item:
                self._blocks.append("")
            if (leading := _LEADING.match(words)) is not None:
                end = leading.end() if leading[0].isdigit() else 0
                words = f"{words[:end]}\\{words[end:]}"
            inside = "" if item or self._start else self._inside()
            self._blocks.append(f"{inside}{self._start}{words}")
            if self._start.startswith("#"):
                self._blocks.append("")
        self._start = ""

    def _take(self) -> str:
        words = _SPACE.sub(" ", "".join(self._line)).strip()
        self._line = []
        self._spans = [(tag, address, 0) for tag, address, _ in self._spans]
        return words


def _is_hidden(tag: str, given: Mapping[str, str | None]) -> bool:
    """Whether people do not see it as text, or it does nothing without a browser."""
    return (
        tag in _DROPPED
        or "hidden" in given
        or given.get("aria-hidden") == "true"
        or given.get("class") == "headerlink"
    )
