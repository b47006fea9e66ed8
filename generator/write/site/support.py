"""How far each client gets on the host that the hub is built for, as a table, and our own sentences as HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from generator.model import Hub
from generator.write.site.view import escape_html

LEVELS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType({
    "works": ("allow", "Works"),
    "part": ("warn", "In part"),
    "fails": ("block", "Does not work"),
    "absent": ("absent", "Switched off"),
})  # fmt: skip
"""How far a client gets: the style of the word, and the word."""

_CODE: Final = re.compile(r"`([^`]+)`")
_ANCHORS: Final[Mapping[str, str]] = MappingProxyType({
    "people": "any-other-agent",
    "clawhub": "clawhub",
    "clawhub-old": "clawhub",
    "deeptutor": "deeptutor",
    "openclaw": "openclaw",
    "hermes-clawhub": "hermes",
    "hermes": "hermes",
    "skills": "npx-skills",
    "claude-code": "claude-code",
    "apm": "microsoft-apm",
    "qwenpaw": "qwenpaw",
    "agentskills-http": "agentskills-http",
    "skill-archives": "skill-files",
})  # fmt: skip
"""Where ``use.md`` speaks of a client."""


def client_table(hub: Hub) -> str:
    """What each client can do on the host that the hub is built for, before anybody tries."""
    where = (
        f"This hub is built for this kind of host: {hub.hosting}. There,"
        if hub.hosting
        else "The people who run this hub named no kind of host. Behind `skillpress serve`,"
    )
    told = any(one.reason for one in hub.clients)
    rows = "".join(
        f'<tr><td><a href="#{_ANCHORS[one.name]}">{escape_html(one.title)}</a></td><td>{level_badge(one.level)}</td>'
        f"{f'<td>{mark_up(upper_first(one.reason))}</td>' if told else ''}</tr>\n"
        for one in hub.clients
    )
    return (
        f"<p>{mark_up(where)} this is how far each client gets:</p>\n"
        '<div class="sp-scroll"><table class="sp-table sp-matrix sp-clients"><thead><tr><th>Client</th><th>Here</th>'
        f"{'<th>What it lacks</th>' if told else ''}</tr></thead><tbody>\n{rows}</tbody></table></div>\n"
    )


def level_badge(level: str) -> str:
    """How far a client gets as a coloured word."""
    style, word = LEVELS[level]
    return f'<span class="sp-verdict sp-verdict--{style}">{word}</span>'


def mark_up(text: str) -> str:
    """A sentence of ours as HTML: what stands in backticks is code."""
    return _CODE.sub(r"<code>\1</code>", escape_html(text))


def upper_first(text: str) -> str:
    """A reason as a sentence of its own."""
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def code_block(text: str) -> str:
    """Commands as a block that can be copied."""
    return f'<div class="highlight"><pre><code>{escape_html(text)}</code></pre></div>\n'
