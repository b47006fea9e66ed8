"""The Markdown twin of each page of the site, made of the page itself, for agents and crawlers.

Only our own pages come here, whose markup we know; a skill's page has a twin of its own
(:mod:`generator.write.protocols.skill_twin`). A twin lies beside its page, so its relative links lead where the page's
do.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final

from generator.model import Route
from generator.write.protocols.skill_twin import MARKDOWN, fence

_ARTICLE: Final = re.compile(rb"<article\b[^>]*>(.*?)</article>", re.DOTALL)
_DROPPED: Final = frozenset({"script", "style", "svg", "form", "button", "template", "noscript"})
_VOID: Final = frozenset({"br", "img", "input", "hr", "wbr", "meta", "link", "source", "col"})
_BLOCKS: Final = frozenset(
    {
        "p",
        "div",
        "section",
        "aside",
        "ul",
        "ol",
        "dl",
        "dt",
        "dd",
        "details",
        "summary",
        "table",
        "blockquote",
        "nav",
    }
)
_HEADINGS: Final = {f"h{level}": "#" * level for level in range(1, 7)}
_MARKS: Final = re.compile(r"([\\`*_\[\]<>])")
_SPACE: Final = re.compile(r"\s+")
_BLANKS: Final = re.compile(r"\n{3,}")


def page_twin(page: Route) -> Route | None:
    """The twin of a page at a path that ends in ``/``; None where there is no text to take."""
    article = _ARTICLE.search(page.body)
    if article is None or not page.path.endswith("/"):
        return None
    writer = _Writer()
    writer.feed(article[1].decode("utf-8"))
    writer.close()
    return Route(f"{page.path}index.md", (writer.text() + "\n").encode("utf-8", "replace"), MARKDOWN)


class _Writer(HTMLParser):
    """Collects blocks of Markdown; one use."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._blocks: list[str] = []
        self._line: list[str] = []
        self._start = ""
        self._dropped = 0
        self._dropping: list[str] = []
        self._links: list[tuple[str, int]] = []
        self._lists: list[str] = []
        self._raw: list[str] | None = None
        self._code = 0
        self._row: list[str] | None = None
        self._rows = 0

    def text(self) -> str:
        """Everything collected."""
        self._end_block()
        return _BLANKS.sub("\n\n", "\n".join(self._blocks)).strip()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if self._dropping:
            if tag not in _VOID:
                self._dropping.append(tag)
            return
        if tag in _DROPPED or given.get("aria-hidden") == "true" or given.get("class") == "headerlink":
            if tag not in _VOID:
                self._dropping.append(tag)
            return
        if self._raw is not None:
            return
        if tag == "pre":
            self._end_block()
            self._raw = []
        elif tag in _HEADINGS:
            self._end_block()
            self._start = f"{_HEADINGS[tag]} "
        elif tag == "li":
            self._end_block()
            self._start = f"{'  ' * max(0, len(self._lists) - 1)}- "
        elif tag in ("td", "th"):
            self._line = []
        elif tag == "tr":
            self._end_block()
            self._row = []
        elif tag == "table":
            self._end_block()
            self._rows = 0
        elif tag == "code":
            self._code += 1
        elif tag == "a" and given.get("href"):
            self._links.append((given["href"] or "", len(self._line)))
        elif tag in ("br", "span"):
            # Spans that the style sheet sets apart have no blank between them.
            self._line.append(" ")
        elif tag in _BLOCKS:
            self._open_block(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._dropping:
            while self._dropping and self._dropping.pop() != tag:
                pass
            return
        if self._raw is not None:
            if tag == "pre":
                self._blocks += ["", fence("".join(self._raw), ""), ""]
                self._raw = None
            return
        if tag in ("td", "th"):
            if self._row is not None:
                self._row.append(self._take().replace("|", "\\|"))
        elif tag == "tr":
            self._end_row()
        elif tag == "code":
            self._code = max(0, self._code - 1)
        elif tag == "a" and self._links:
            self._end_link()
        elif tag in _HEADINGS or tag == "li" or tag in _BLOCKS:
            if tag in ("ul", "ol") and self._lists:
                self._end_block()
                self._lists.pop()
            self._close_block(tag)

    def handle_data(self, data: str) -> None:
        if self._dropping:
            return
        if self._raw is not None:
            self._raw.append(data)
        elif self._code:
            ticks = "``" if "`" in data else "`"
            self._line.append(f"{ticks}{_SPACE.sub(' ', data)}{ticks}")
        else:
            self._line.append(_MARKS.sub(r"\\\1", _SPACE.sub(" ", data)))

    def _open_block(self, tag: str) -> None:
        # What stands first in an item of a list goes on its line.
        if not (self._start and not "".join(self._line).strip()):
            self._end_block()
        if tag in ("ul", "ol"):
            self._end_block()
            self._lists.append(tag)

    def _close_block(self, tag: str) -> None:
        if self._row is not None and tag in _BLOCKS:
            self._line.append(" ")
            return
        self._end_block()
        if not self._lists:
            self._blocks.append("")

    def _end_link(self) -> None:
        address, start = self._links.pop()
        words = _SPACE.sub(" ", "".join(self._line[start:])).strip()
        self._line[start:] = (
            [f"[{words}]({address.replace(')', '%29').replace(' ', '%20')})"] if words else []
        )

    def _end_row(self) -> None:
        if self._row:
            self._blocks.append(f"| {' | '.join(self._row)} |")
            if not self._rows:
                self._blocks.append(f"|{' --- |' * len(self._row)}")
            self._rows += 1
        self._row = None

    def _end_block(self) -> None:
        if self._row is not None:
            return
        words = self._take()
        if words:
            item = self._start.lstrip().startswith("-")
            if self._blocks and self._blocks[-1] and not item:
                self._blocks.append("")
            inside = "  " * len(self._lists) if not item and not self._start else ""
            self._blocks.append(f"{inside}{self._start}{words}")
            if self._start.startswith("#"):
                self._blocks.append("")
        self._start = ""

    def _take(self) -> str:
        words = _SPACE.sub(" ", "".join(self._line)).strip()
        self._line = []
        return words
