"""Markdown to HTML, unsanitised: by pyromark where it is installed, else by markdown-it-py.

Whatever stands here, its output goes through :mod:`generator.write.site.sanitise` and is trusted by nobody.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec

Renderer = Callable[[str], str]


@cache
def choose_renderer() -> Renderer:
    """The fastest renderer that this installation has."""
    return make_pyromark() if find_spec("pyromark") else make_markdown_it()


def make_pyromark() -> Renderer:
    """GitHub's dialect; raw HTML passes through."""
    from pyromark import Markdown, Options

    options = (
        Options.ENABLE_TABLES
        | Options.ENABLE_STRIKETHROUGH
        | Options.ENABLE_TASKLISTS
        | Options.ENABLE_FOOTNOTES
        | Options.ENABLE_GFM
    )
    renderer: Renderer = Markdown(options=options).html
    return renderer


def make_markdown_it() -> Renderer:
    """CommonMark with tables and strikethrough; raw HTML becomes text."""
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False, "maxNesting": 20}).enable(["table", "strikethrough"])
    return markdown.render
