"""Colours for code, by Pygments, after the sanitiser: its input is text and its output is ours."""

from __future__ import annotations

from functools import cache
from html import escape
from sys import getsizeof

from pygments.lexer import Lexer
from pygments.token import STANDARD_TYPES, _TokenType

from generator.write.site.lexing import make_lexer

MAX_BLOCK = 5_000
"""Characters. A longer block stays plain: a lexer's time may grow faster than its input."""
MAX_SLOW_BLOCK = 1_500
"""Characters, for a language whose lexer is quadratic on some input."""
MAX_PAGE = 40_000
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

_SLOW = frozenset(["c", "cpp", "csharp", "hcl", "ini", "java", "lua", "make", "md", "terraform"])
"""Measured: one block of 20,000 characters of the wrong kind keeps these lexers busy for seconds."""

_UNCOLOURED = frozenset(("", "err", "esc", "n", "nx", "p", "w", "x"))
"""Classes that look like plain text in the theme; without their spans a page is half as long."""
_CACHE_SIZE = 12_000_000
"""Bytes a process keeps: all blocks of some thousand skills. Translations of a skill repeat its code."""


class BlockCache:
    """Coloured blocks, those used last, at most ``limit`` bytes of code and HTML together."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self._blocks: dict[tuple[str, str], str] = {}

    def highlight(self, name: str, code: str) -> str:
        """``code`` in the language ``name`` as HTML, kept or new."""
        html = self._blocks.pop((name, code), None)
        if html is None:
            html = _highlight(name, code)
            self.size += getsizeof(code) + getsizeof(html)
        self._blocks[name, code] = html
        while self.size > self.limit:
            oldest = next(iter(self._blocks))
            self.size -= getsizeof(oldest[1]) + getsizeof(self._blocks.pop(oldest))
        return html


class _CssClasses(dict[_TokenType, str]):
    """The class of each kind of token, worked out when it is first asked for."""

    def __missing__(self, kind: _TokenType) -> str:
        known: _TokenType | None = kind
        while known is not None and known not in STANDARD_TYPES:
            known = known.parent
        name = STANDARD_TYPES[known] if known is not None else ""
        self[kind] = css = "" if name in _UNCOLOURED else name
        return css


_CACHE = BlockCache(_CACHE_SIZE)
_CSS_CLASSES = _CssClasses()


def highlight_code(language: str, code: str) -> str | None:
    """``code`` as HTML with Pygments' classes, or None where it is to stay plain."""
    name = _ALIASES.get(language.lower(), language.lower())
    if name not in _LEXERS or len(code) > (MAX_SLOW_BLOCK if name in _SLOW else MAX_BLOCK):
        return None
    return _CACHE.highlight(name, code)


def _highlight(name: str, code: str) -> str:
    # Pygments' own formatter does the same with lines and styles we never ask for, in half as much time again.
    out: list[str] = []
    classes = _CSS_CLASSES
    previous, text = "", ""
    for _, kind, value in _lexer(name).get_tokens_unprocessed(code):
        css = classes[kind]
        if css == previous:
            text += value
            continue
        out.append(_span(previous, text))
        previous, text = css, value
    out.append(_span(previous, text))
    return "".join(out)


def _span(css: str, text: str) -> str:
    if not text.isalnum():  # most tokens are words, and words have nothing to escape
        text = escape(text, quote=False)
    return f'<span class="{css}">{text}</span>' if css else text


@cache
def _lexer(name: str) -> Lexer:
    return make_lexer(name)
