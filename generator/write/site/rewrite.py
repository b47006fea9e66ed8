"""What we make of sanitised HTML: heading ids, links that lead somewhere, coloured code, no remote images.

Works on the sanitiser's output only: balanced, attributes in double quotes, text without a bare ``<``. Each
tag is read whole, so nothing inside an attribute can be taken for a tag.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape, unescape

from generator.write.site.highlight import MAX_PAGE, highlight_code
from generator.write.site.links import LinkResolver
from generator.write.site.sanitise import LINK_REL

HEADING_SHIFT = 2
"""An author's ``# Title`` is below the page's h1 and the section's h2: levels move down by two, at most to h6."""

_TOKEN = re.compile(
    r'<pre><code(?: class="language-([^"]*)")?>([^<]*)</code></pre>'
    r'|<(/?)(a|h[1-6]|img|input|table)((?: [a-z-]+="[^"]*")*)>'
    r'|<[a-z][a-z0-9]*(?: [a-z-]+="[^"]*")+>'
)
"""A code block, a tag we change, or another tag with attributes, which is stepped over as a whole."""

_ATTRIBUTE = re.compile(r' ([a-z-]+)="([^"]*)"')
_TAG = re.compile(r'<[^<>"]*(?:"[^"]*"[^<>"]*)*>')
_TITLE_PIECES, _TITLE_LENGTH = 60, 200  # headings can be nested and long; a title need not be
_NOT_IN_IDS = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class TocEntry:
    """One heading. ``level`` is the author's (1 to 6), ``title`` is text, not HTML."""

    level: int
    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Rewritten:
    """Final HTML, its headings in order, and the links that lead nowhere, as written."""

    html: str
    toc: tuple[TocEntry, ...]
    broken_links: tuple[str, ...]


def rewrite_html(html: str, links: LinkResolver, footnotes: frozenset[str] = frozenset()) -> Rewritten:
    """Rewrite sanitised ``html``. ``footnotes`` are labels whose links turn to text without being broken."""
    return _Rewriter(links, footnotes).run(html)


class _Rewriter:
    """One pass over one document; holds what has been written so far."""

    def __init__(self, links: LinkResolver, footnotes: frozenset[str]) -> None:
        self.links = links
        self.footnotes = footnotes
        self.out: list[str] = []
        self.toc: list[TocEntry] = []
        self.ids: set[str] = set()
        self.next_number: dict[str, int] = {}
        self.broken: dict[str, None] = {}
        self.headings: list[int] = []  # places in ``out`` of the open headings
        self.anchors: list[str] = []  # how each open link is to be closed
        self.fragments: list[tuple[int, str, str]] = []  # place of the opening tag, its id, its title
        self.fragment_ends: list[int] = []
        self.code_left = MAX_PAGE

    def run(self, html: str) -> Rewritten:
        end = 0
        for match in _TOKEN.finditer(html):
            if match.start() > end:
                self.out.append(html[end : match.start()])
            end = match.end()
            language, code, closes, tag, attributes = match.groups()
            if code is not None:
                self.out.append(self.code_block(language, code))
            elif tag is None:
                self.out.append(match.group())
            elif closes:
                self.close_tag(tag, match.group())
            else:
                self.open_tag(tag, attributes, match.group())
        self.out.append(html[end:])
        self.settle_fragments()
        return Rewritten("".join(self.out), tuple(self.toc), tuple(self.broken))

    def code_block(self, language: str | None, escaped: str) -> str:
        if language and len(escaped) <= self.code_left:
            coloured = highlight_code(language, unescape(escaped))
            if coloured is not None:
                self.code_left -= len(escaped)
                return f'<div class="highlight"><pre><code>{coloured}</code></pre></div>'
        return f'<div class="highlight"><pre><code>{escaped}</code></pre></div>'

    def open_tag(self, tag: str, attributes: str, whole: str) -> None:
        if tag == "a":
            self.open_link({k: unescape(v) for k, v in _ATTRIBUTE.findall(attributes)})
        elif tag == "img":
            self.image({k: unescape(v) for k, v in _ATTRIBUTE.findall(attributes)})
        elif tag == "input":
            ticked = ' checked="' in attributes
            box = '<span class="sp-task" role="img" aria-label="{}">{}</span>'
            self.out.append(box.format("done", "☑") if ticked else box.format("to do", "☐"))
        elif tag == "table":
            self.out.append(f'<div class="sp-scroll">{whole}')
        else:
            self.headings.append(len(self.out))
            self.out.append(whole)

    def close_tag(self, tag: str, whole: str) -> None:
        if tag == "a" and self.anchors:
            if self.anchors[-1] == "</fragment>":
                self.fragment_ends.append(len(self.out))
            self.out.append(self.anchors.pop())
        elif tag == "table":
            self.out.append(f"{whole}</div>")
        elif self.headings:
            self.close_heading(int(tag[1]))

    def close_heading(self, level: int) -> None:
        start = self.headings.pop()
        inner = "".join(self.out[start + 1 : start + 1 + _TITLE_PIECES])
        title = " ".join(unescape(_TAG.sub("", inner)).split())[:_TITLE_LENGTH]
        shifted = min(level + HEADING_SHIFT, 6)
        if title:
            identifier = self.new_id(title)
            self.out[start] = f'<h{shifted} class="sp-h{level}" id="{escape(identifier)}">'
            self.toc.append(TocEntry(level, identifier, title))
        else:
            self.out[start] = f'<h{shifted} class="sp-h{level}">'
        self.out.append(f"</h{shifted}>")

    def new_id(self, title: str) -> str:
        base = "s-" + (_NOT_IN_IDS.sub("", title.lower()).strip().replace(" ", "-")[:80] or "section")
        identifier, number = base, self.next_number.get(base, 0)
        while identifier in self.ids:
            number += 1
            identifier = f"{base}-{number}"
        self.next_number[base] = number
        self.ids.add(identifier)
        return identifier

    def open_link(self, attributes: dict[str, str]) -> None:
        href, title = attributes.get("href"), attributes.get("title")
        tooltip = f' title="{escape(title)}"' if title else ""
        if href and href.startswith("#"):
            self.fragments.append((len(self.out), href, tooltip))
            self.anchors.append("</fragment>")
            self.out.append("")
            return
        target = self.links.resolve(href) if href else None
        if target is None:
            if href:
                self.broken[href] = None
            self.anchors.append("</span>")
            self.out.append(f'<span class="sp-unlinked"{tooltip}>')
        else:
            self.anchors.append("</a>")
            self.out.append(f'<a href="{escape(target)}"{tooltip} rel="{LINK_REL}">')

    def image(self, attributes: dict[str, str]) -> None:
        source = attributes.get("src", "")
        label = escape(f"[image: {attributes.get('alt') or source.rsplit('/', 1)[-1][:80] or 'untitled'}]")
        target = self.links.resolve(source)
        if target is None and source:
            self.broken[source] = None
        if target is None or self.anchors:
            self.out.append(f'<span class="sp-image">{label}</span>')
        else:
            self.out.append(f'<a class="sp-image" href="{escape(target)}" rel="{LINK_REL}">{label}</a>')

    def settle_fragments(self) -> None:
        """Headings may come after the links to them, so these links are written last."""
        ends = iter(self.fragment_ends)
        for place, href, tooltip in self.fragments:
            identifier = f"s-{href[1:].lower()}"
            end = next(ends)
            if identifier in self.ids:
                self.out[place], self.out[end] = f'<a href="#{escape(identifier)}"{tooltip}>', "</a>"
            else:
                self.out[place], self.out[end] = f'<span class="sp-unlinked"{tooltip}>', "</span>"
                if len(href) > 1 and href[1:] not in self.footnotes:
                    self.broken[href] = None
