"""Text of unknown origin on a terminal: nothing in it may move the cursor, change colours or turn words round."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable

import click

from generator.visible import make_visible


def print_lines(lines: Iterable[str], *, err: bool = False) -> None:
    """Print lines that may hold an author's words."""
    for line in lines:
        click.echo(make_visible(line), err=err)


def print_json(document: object) -> None:
    """Print a JSON document, with everything that prints nothing as JSON escapes.

    On an output that is not UTF-8 (a Windows pipe, say) everything outside ASCII is escaped.
    """
    utf8 = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"
    text = json.dumps(document, ensure_ascii=not utf8, indent=2)
    click.echo("".join(ch if ch.isprintable() or ch == "\n" else json.dumps(ch)[1:-1] for ch in text))
