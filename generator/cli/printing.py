"""Text of unknown origin on a terminal: nothing in it may move the cursor, change colours or turn words round."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable

import click


def make_visible(text: str) -> str:
    """The text with every character that prints nothing (controls, bidi, zero width) written as an escape."""
    if text.isprintable():
        return text
    return "".join(ch if ch.isprintable() else _escape(ch) for ch in text)


def print_lines(lines: Iterable[str], *, err: bool = False) -> None:
    """Print lines that may hold an author's words."""
    for line in lines:
        click.echo(make_visible(line), err=err)


def print_json(document: object) -> None:
    """Print a JSON document, with everything that prints nothing as JSON escapes.

    On an output that is not UTF-8 (a Windows pipe, say) everything outside ASCII is escaped.
    """
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps(document, ensure_ascii=not utf8, indent=2)
    click.echo("".join(ch if ch.isprintable() or ch == "\n" else json.dumps(ch)[1:-1] for ch in text))


def _escape(ch: str) -> str:
    return f"\\x{ord(ch):02x}" if ord(ch) < 0x100 else f"\\u{{{ord(ch):x}}}"
