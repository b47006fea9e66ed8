"""Colours for code, by Pygments, after the sanitiser: its input is text and its output is ours."""

from __future__ import annotations

from functools import cache, lru_cache
from html import escape

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import STANDARD_TYPES, _TokenType

MAX_BLOCK = 20_000
"""Characters. A longer block stays plain: a lexer's time may grow faster than its input."""
MAX_PAGE = 100_000
"""Characters of one page that are highlighted, all blocks together."""

_ALIASES = {
    "c++": "cpp",
    "console": "console",
    "dockerfile": "docker",
    "javascript": "js",
    "jsonc": "json",
    "json5": "json",
    "markdown": "md",
    "plaintext": "text",
    "powershell": "powershell",
    "py": "python",
    "python3": "python",
    "shell": "bash",
    "shell-session": "console",
    "sh": "bash",
    "typescript": "ts",
    "yml": "yaml",
    "zsh": "bash",
}
_LANGUAGES = (
    "bash bat c clojure cmake console cpp csharp css dart diff docker elixir erlang fish go graphql groovy "
    "haskell hcl html http ini java js json jsx julia kotlin latex lua make md nginx nix objective-c perl php "
    "powershell properties protobuf python r ruby rust scala scss sql swift terraform toml ts tsx vue xml yaml "
    "zig"
)
"""The languages that are coloured; any other block stays plain."""
_LEXERS = frozenset(_LANGUAGES.split())

_UNCOLOURED = frozenset(("", "err", "esc", "n", "nx", "p", "w", "x"))
"""Classes that look like plain text in the theme; without their spans a page is half as long."""
_CACHED_BLOCK = 4_000


def highlight_code(language: str, code: str) -> str | None:
    """``code`` as HTML with Pygments' classes, or None where it is to stay plain."""
    name = _ALIASES.get(language.lower(), language.lower())
    if name not in _LEXERS or len(code) > MAX_BLOCK:
        return None
    return _highlight_cached(name, code) if len(code) <= _CACHED_BLOCK else _highlight(name, code)


@lru_cache(maxsize=1024)  # at most about 20 MB; the same blocks come again in many skills
def _highlight_cached(name: str, code: str) -> str:
    return _highlight(name, code)


def _highlight(name: str, code: str) -> str:
    # Pygments' own formatter does the same with lines and styles we never ask for, in half as much time again.
    out: list[str] = []
    previous, text = "", ""
    for _, kind, value in _lexer(name).get_tokens_unprocessed(code):
        css = _css_class(kind)
        if css == previous:
            text += value
            continue
        out.append(_span(previous, text))
        previous, text = css, value
    out.append(_span(previous, text))
    return "".join(out)


def _span(css: str, text: str) -> str:
    return f'<span class="{css}">{escape(text, quote=False)}</span>' if css else escape(text, quote=False)


@cache
def _css_class(kind: _TokenType) -> str:
    known: _TokenType | None = kind
    while known is not None and known not in STANDARD_TYPES:
        known = known.parent
    name = STANDARD_TYPES[known] if known is not None else ""
    return "" if name in _UNCOLOURED else name


@cache
def _lexer(name: str) -> Lexer:
    return get_lexer_by_name(name)
