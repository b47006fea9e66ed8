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
    r"<(?:h[1-6]>([^<]*)</h([1-6])>"
    r'|pre><code(?: class="language-([^"]*)")?>([^<]*)</code></pre>'
    r"|/(?:a|h[1-6]|table)>"
    r'|([a-z][a-z0-9]*)(?: [a-z-]+="[^"]*")+>'
    r"|(?:table|input|img|a|h[1-6])>)"
)
"""A heading of text alone, a code block, the end of a tag we change, a tag with attributes (changed, or stepped
over as a whole), or one of ours without. Each starts with a letter or mark of its own: most tags fit none."""

_ATTRIBUTE = re.compile(r'([a-z-]+)="([^"]*)"')
_TAG = re.compile(r'<[^<>"]*(?:"[^"]*"[^<>"]*)*>')
_DONE = '<span class="sp-task" role="img" aria-label="done">☑</span>'
_TO_DO = '<span class="sp-task" role="img" aria-label="to do">☐</span>'
_TITLE_PIECES, _TITLE_LENGTH = 60, 200  # headings can be nested and long; a title need not be
_CHANGED = frozenset({"a", "h1", "h2", "h3", "h4", "h5", "h6", "img", "input", "table"})
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
        out, end = self.out, 0
        for match in _TOKEN.finditer(html):
            start, stop = match.span()
            text, level, language, code, tag = match.groups()
            if tag is not None and tag not in _CHANGED and not self.headings:
                continue  # it goes out with the text around it
            if start > end:
                out.append(html[end:start])
            end = stop
            if level is not None:
                self.plain_heading(text, int(level))
            elif code is not None:
                out.append(self.code_block(language, code))
            elif html[start + 1] == "/":
                self.close_tag(html[start + 2 : stop - 1], match.group())
            else:
                self.open_tag(match.group())
        out.append(html[end:])
        self.settle_fragments()
        return Rewritten("".join(out), tuple(self.toc), tuple(self.broken))

    def code_block(self, language: str | None, escaped: str) -> str:
        if language and len(escaped) <= self.code_left:
            coloured = highlight_code(language, unescape(escaped))
            if coloured is not None:
                self.code_left -= len(escaped)
                return f'<div class="highlight"><pre><code>{coloured}</code></pre></div>'
        return f'<div class="highlight"><pre><code>{escaped}</code></pre></div>'

    def open_tag(self, whole: str) -> None:
        tag, _, attributes = whole[1:-1].partition(" ")
        if tag == "a":
            self.open_link(_read_attributes(attributes))
        elif tag == "img":
            self.image(_read_attributes(attributes))
        elif tag == "input":
            self.out.append(_DONE if 'checked="' in attributes else _TO_DO)
        elif tag == "table":
            self.out.append(f'<div class="sp-scroll">{whole}')
        else:
            if tag in _CHANGED:
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

    def plain_heading(self, text: str, level: int) -> None:
        out, shifted = self.out, min(level + HEADING_SHIFT, 6)
        out.append(self.heading(text, level, shifted))
        if text:  # as many pieces as a heading with other tags inside would come in
            out.append(text)
        out.append(f"</h{shifted}>")

    def close_heading(self, level: int) -> None:
        start, shifted = self.headings.pop(), min(level + HEADING_SHIFT, 6)
        inner = _TAG.sub("", "".join(self.out[start + 1 : start + 1 + _TITLE_PIECES]))
        self.out[start] = self.heading(inner, level, shifted)
        self.out.append(f"</h{shifted}>")

    def heading(self, text: str, level: int, shifted: int) -> str:
        """The opening tag of a heading that reads ``text`` (escaped), which from now on is in the contents."""
        title = " ".join(unescape(text).split())[:_TITLE_LENGTH]
        if not title:
            return f'<h{shifted} class="sp-h{level}">'
        identifier = self.new_id(title)
        self.toc.append(TocEntry(level, identifier, title))
        return f'<h{shifted} class="sp-h{level}" id="{identifier}">'

    def new_id(self, title: str) -> str:
        """A name of letters, digits, ``_`` and ``-`` that no other heading has."""
        base = title.lower()
        if not base.replace(" ", "").isalnum():  # most titles are words alone, which this sees sooner
            base = _NOT_IN_IDS.sub("", base).strip()
        base = "s-" + (base.replace(" ", "-")[:80] or "section")
        identifier = base
        if base in self.ids:
            number = self.next_number.get(base, 0)
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


def _read_attributes(attributes: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in _ATTRIBUTE.findall(attributes)}
