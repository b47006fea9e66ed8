"""Mends of values that YAML does not read as the text they are: put in quotes, or indented with spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from generator.judge.mends.manuscript import Manuscript
from generator.judge.mends.model import Mend
from generator.judge.rules.keys import READERS, SPECIFIED
from generator.judge.rules.yaml_forms import type_of
from generator.model import Finding
from generator.read.nodes import MappingNode, Node, ScalarNode, SequenceNode, walk_scalars
from generator.read.yamladvice import quoted

_PAIR: Final = re.compile(r"(?P<head>(?P<indent> *)(?:- +)*[^\s:#\-\[{\"'][^:]*:[ \t]+)(?P<value>\S.*)")
_TAG_LIKE: Final = re.compile(r"[ \t]+#[^\s#]")
_SAFE_ITEM: Final = re.compile(r"[A-Za-z_][\w.:*()+/@,-]*(?: [\w.:*()+/@,-]+)*", re.ASCII)


def quote(value: str) -> str:
    """``value`` in the quotes that need the fewest escapes."""
    plain = value.isprintable() and "'" not in value
    return f"'{value}'" if plain and ('"' in value or "\\" in value) else quoted(value)


def written_plain(value: str) -> str:
    """``value`` as an item of a list: as it is where every YAML library reads it as this text, else quoted."""
    safe = _SAFE_ITEM.fullmatch(value) is not None and not value.endswith(":") and ": " not in value
    return (
        value if safe and type_of(value) is None and value.lower() not in ("null", "y", "n") else quote(value)
    )


def quote_value(script: Manuscript, found: Finding) -> Iterator[Mend]:
    """The value of the key on a line that YAML could not read; one of several lines becomes ``>-``."""
    line = _key_line(script, found.line or 0)
    pair = _PAIR.fullmatch(script.line(line))
    if pair is None:
        return
    value = pair["value"].rstrip()
    start = script.line_start(line) + len(pair["head"])
    more = _continuation(script, line, len(pair["indent"]))
    key = pair["head"].strip().rstrip(":").lstrip("- ")[:40]
    if not more:
        yield script.mend(
            found.code, line, f"Put the value of {key} in quotes", (start, start + len(value), quote(value))
        )
        return
    indents = {_indent(text) for text in more if text.strip()}
    # A line that starts like a key of its own may just be indented too far: only its author knows.
    if len(indents) == 1 and value[0] not in "|>" and not any(_is_key_line(text) for text in more):
        lead = f">-{script.newline}{' ' * indents.pop()}"
        yield script.mend(
            found.code, line, f"Write the value of {key} as a block of text", (start, start, lead)
        )


def _key_line(script: Manuscript, line: int) -> int:
    """The line of the key whose value goes on in ``line``, or ``line`` itself."""
    indent = _indent(script.line(line))
    for above in range(line - 1, 1, -1):
        text = script.line(above)
        if not text.strip() or _indent(text) >= indent:
            continue
        pair = _PAIR.fullmatch(text)
        return above if pair is not None and pair["value"][0] not in "#|>\"'[{&!" else line
    return line


def _is_key_line(text: str) -> bool:
    key, colon, _ = text.strip().partition(":")
    return bool(colon) and (key in SPECIFIED or key in READERS)


def _continuation(script: Manuscript, line: int, indent: int) -> list[str]:
    more: list[str] = []
    for below in range(line + 1, script.last_line + 1):
        text = script.line(below)
        if text.strip() and _indent(text) <= indent:
            break
        more.append(text)
    while more and not more[-1].strip():
        more.pop()
    return more


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def quote_untyped(script: Manuscript, front: MappingNode, found: Finding) -> Iterator[Mend]:
    """The plain scalar at the finding's place, which is a number, a date or a yes to some library."""
    node = scalar_at(front, found)
    span = script.span(node) if node is not None and node.style == "plain" else None
    if node is not None and span is not None:
        yield script.mend(
            found.code, node.line, f"Put {node.value[:40]} in quotes", (*span, quote(node.value))
        )


def quote_commented(script: Manuscript, front: MappingNode, found: Finding) -> Iterator[Mend]:
    """A description cut off at ``#42``: a word follows the sign at once, so it was meant as text."""
    node = front.get("description")
    span = script.span(node) if node is not None else None
    if not isinstance(node, ScalarNode) or node.style != "plain" or span is None:
        return
    rest = script.text[span[1] : script.line_end(node.line)]
    if _TAG_LIKE.match(rest):
        whole = (script.text[slice(*span)] + rest).rstrip()
        yield script.mend(
            found.code,
            node.line,
            "Put the whole description in quotes",
            (span[0], span[0] + len(whole), quote(whole)),
        )


def unpad(script: Manuscript, front: MappingNode, found: Finding) -> Iterator[Mend]:
    """Blanks around a quoted name."""
    node = front.get("name")
    span = script.span(node) if node is not None else None
    if isinstance(node, ScalarNode) and span is not None and node.value.strip() != node.value:
        yield script.mend(
            found.code,
            node.line,
            "Remove the blanks around the name",
            (*span, written_plain(node.value.strip())),
        )


def indent_with_spaces(script: Manuscript, found: Finding) -> Iterator[Mend]:
    """Tabs in the indentation of the front matter's lines: two spaces each."""
    changes = []
    for line in range(2, script.last_line + 1):
        text = script.line(line)
        blank = text[: len(text) - len(text.lstrip(" \t"))]
        if "\t" in blank and text.strip():
            start = script.line_start(line)
            changes.append((start, start + len(blank), blank.replace("\t", "  ")))
    if changes:
        yield script.mend(found.code, found.line, "Indent with spaces in place of tabs", *changes)


def scalar_at(front: MappingNode, found: Finding) -> ScalarNode | None:
    """The scalar at a finding's place, or None."""
    return next((n for n in walk_scalars(front) if (n.line, n.column) == (found.line, found.column)), None)


def node_at(front: MappingNode, found: Finding) -> tuple[ScalarNode, Node] | None:
    """The key and the value of a mapping, where the value stands at a finding's place."""
    stack: list[Node] = [front]
    while stack:
        node = stack.pop()
        if isinstance(node, SequenceNode):
            stack.extend(node.items)
        elif isinstance(node, MappingNode):
            for key, value in node.entries:
                if (value.line, value.column) == (found.line, found.column):
                    return key, value
                stack.append(value)
    return None
