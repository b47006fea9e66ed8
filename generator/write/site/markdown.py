"""An author's Markdown as safe HTML for a skill's page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape

from generator.write.site.commonmark import Renderer, choose_renderer
from generator.write.site.links import LinkResolver
from generator.write.site.rewrite import TocEntry, rewrite_html
from generator.write.site.sanitise import sanitise_html

MAX_RENDERED = 512 * 1024
"""Characters of a body that are rendered; what follows is shown as text of which the page says so."""

_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_DECEPTIVE = re.compile(
    "[\u180e\u200b\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Zero width and direction changes: shown, in prose as in code, because a reader decides by what is seen.

Marks that real text needs (U+200C to U+200F) stay as they are.
"""
_ALIGNED_CELL = re.compile(r'<(t[hd]) style="text-align: (left|center|right)">')
_LEFT_LANGUAGE = re.compile(r'<code class="language-[^"]*">')
_FOOTNOTE = re.compile(r'<sup class="footnote-reference"><a href="#([^"]*)">')


@dataclass(frozen=True, slots=True)
class Rendered:
    """A body on its page.

    ``html`` holds only allow-listed elements and ours; ``toc`` its headings in order; ``broken_links`` what
    leads nowhere, as written. ``cut`` is true where the body was longer than :data:`MAX_RENDERED`.
    """

    html: str
    toc: tuple[TocEntry, ...]
    broken_links: tuple[str, ...]
    cut: bool = False


def render_markdown(text: str, links: LinkResolver, renderer: Renderer | None = None) -> Rendered:
    """Render ``text``; never raises for what an author wrote.

    ``renderer`` is the Markdown dialect (default: the best one installed). Its output always passes the
    sanitiser; ids, links and colours are added after that, by us.
    """
    cut = len(text) > MAX_RENDERED
    if cut:
        text = text[: text.rfind("\n", 0, MAX_RENDERED) + 1 or MAX_RENDERED]
    text = _CONTROLS.sub("\ufffd", text)
    if not text.isascii():
        text = _DECEPTIVE.sub(lambda match: f"<U+{ord(match.group()):04X}>", text)
    html = (renderer or choose_renderer())(text)
    footnotes = frozenset(_FOOTNOTE.findall(html)) if "footnote-reference" in html else frozenset()
    if "<t" in html:
        html = _ALIGNED_CELL.sub(r'<\1 align="\2">', html)
    clean = sanitise_html(html)
    if clean is None:
        return Rendered(f'<pre class="sp-plain">{escape(text)}</pre>', (), (), cut)
    done = rewrite_html(clean, links, footnotes)
    # What was no whole block of code keeps the class that told its language, which nobody needs.
    html = _LEFT_LANGUAGE.sub("<code>", done.html) if '<code class="language-' in done.html else done.html
    return Rendered(html, done.toc, done.broken_links, cut)
