"""The list of contents beside a page: its sections and, on a skill's page, the author's headings below one of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from generator.write.site.rewrite import TocEntry
from generator.write.site.view import escape_html

Entry = tuple[str, str]
"""The id of a section and its title."""

_SECTIONS: Sequence[Entry] = (
    ("install", "Install"),
    ("agents", "Which agents load it"),
    ("needs", "What it needs and runs"),
    ("instructions", "Instructions"),
    ("files", "Files"),
    ("versions", "Versions"),
    ("checks", "Checks"),
    ("identity", "Fingerprints"),
)
_LEVELS = (3, 2, 1)
_MAX_ENTRIES = 25


def _section(entry: Entry) -> str:
    identifier, title = entry
    return (
        f'<li class="md-nav__item"><a href="#{escape_html(identifier)}" class="md-nav__link">'
        f'<span class="md-ellipsis">{escape_html(title)}</span></a>\n'
    )


_OPENING = (
    '<nav class="md-nav md-nav--secondary" aria-label="On this page">\n'
    '<label class="md-nav__title" for="__toc"><span class="md-nav__icon md-icon"></span>On this page</label>\n'
    '<ul class="md-nav__list" data-md-component="toc" data-md-scrollfix>\n'
)
_CLOSING = "</ul>\n</nav>"
_UP_TO_HEADINGS = _OPENING + "</li>\n".join(map(_section, _SECTIONS[:4]))
_FROM_HEADINGS = "</li>\n" + "".join(_section(one) + "</li>\n" for one in _SECTIONS[4:]) + _CLOSING


def render_contents(toc: Sequence[TocEntry]) -> str:
    """The HTML of a skill page's list. ``toc`` are all headings of the author's text."""
    headings = "".join(
        [
            f'<li class="md-nav__item"><a href="#{escape_html(entry.id)}" class="md-nav__link sp-toc{entry.level}">'
            f'<span class="md-ellipsis">{escape_html(entry.title)}</span></a></li>\n'
            for entry in _choose_headings(toc)
        ]
    )
    if headings:
        headings = (
            '<nav class="md-nav" aria-label="Instructions"><ul class="md-nav__list">\n'
            f"{headings}</ul></nav>\n"
        )
    return f"{_UP_TO_HEADINGS}{headings}{_FROM_HEADINGS}"


def render_entries(entries: Iterable[Entry]) -> str:
    """The HTML of another page's list: its sections, in order."""
    return _OPENING + "".join(_section(entry) + "</li>\n" for entry in entries) + _CLOSING


def _choose_headings(toc: Sequence[TocEntry]) -> Sequence[TocEntry]:
    """As deep as leaves a list that can be taken in."""
    chosen: Sequence[TocEntry] = ()
    for level in _LEVELS:
        chosen = [entry for entry in toc if entry.level <= level]
        if len(chosen) <= _MAX_ENTRIES:
            return chosen
    return chosen[:_MAX_ENTRIES]
