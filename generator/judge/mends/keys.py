"""Mends of keys: moved below ``metadata``, spelled as hosts read them, written once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from generator.judge.mends.hosts import Hosts
from generator.judge.mends.manuscript import Manuscript, block_entries
from generator.judge.mends.model import Mend
from generator.judge.mends.quoting import quote
from generator.judge.rules.keys import READERS, SPECIFIED
from generator.judge.rules.yaml_forms import type_of
from generator.model import Finding
from generator.read.nodes import MappingNode, Node, ScalarNode

_Form = Callable[[str], str | None]
_STRICT: Final = ("agentskills", "anthropic", "claude-ai-api", "deerflow")
"""Hosts that refuse a key they do not know."""
_FAMILIES: Final = {
    "Claude Code": "claude-code",
    "ClawHub": "clawhub",
    "DeepTutor": "deeptutor",
    "DeepTutor's hub": "deeptutor",
    "DeepTutor's import": "deeptutor",
    "DeerFlow": "deerflow",
    "Hermes": "hermes",
    "OpenClaw": "openclaw",
    "VS Code": "vscode-copilot",
}
_SHOWN_ONLY: Final = frozenset(
    {"version", "author", "homepage", "links", "changelog", "slug", "displayName", "title", "category", "topics",
     "keywords", "emoji"}
)  # fmt: skip
"""Keys that change what is shown, not what a host does: they stay only for a host that was asked for."""
TEXT_KEYS: Final = ("name", "description")
"""Keys for which a list or a mapping is wrong however it is written."""
_KNOWN_FORMS: Final = {re.sub(r"[ _-]", "", key.lower()): key for key in (*SPECIFIED, *READERS)}


def move_unknown(script: Manuscript, front: MappingNode, found: Finding, hosts: Hosts) -> Iterator[Mend]:
    """The key at the finding's place, with its text, below ``metadata``; keys that a host reads stay."""
    entries = block_entries(script, front)
    entry = next((e for e in entries if (e[0].line, e[0].column) == (found.line, found.column)), None)
    if entry is None or not hosts.any_of(*_STRICT) or _stays(entry[0].value, hosts):
        return
    key, value, first, last = entry
    if not isinstance(value, ScalarNode) or value.is_null:
        return
    target = _metadata_end(script, front, entries, key.value)
    if target is None:
        return
    at, indent, header = target
    lines = [_indented(script, line, indent) for line in range(first, last + 1)]
    span = script.span(value)
    if value.style == "plain" and type_of(value.value) is not None and span is not None:
        start = span[0] - script.line_start(first)
        text = script.line(first)
        lines[0] = indent + text[:start] + quote(value.value) + text[start + len(value.value) :]
    moved = header + "".join(line + script.newline for line in lines)
    yield script.mend(
        found.code,
        first,
        f"Move {key.value[:40]} below metadata",
        (script.line_start(first), script.next_line(last), ""),
        (at, at, moved),
    )


def _stays(key: str, hosts: Hosts) -> bool:
    readers = [_FAMILIES[label] for label in READERS.get(key, ()) if label in _FAMILIES]
    if key in _SHOWN_ONLY and not hosts.chosen:
        return False
    return hosts.any_of(*readers) if readers else key in READERS and key not in _SHOWN_ONLY


def _metadata_end(
    script: Manuscript, front: MappingNode, entries: Sequence[tuple[ScalarNode, Node, int, int]], key: str
) -> tuple[int, str, str] | None:
    """Where a line below ``metadata`` goes, its indentation, and the line that must come before it."""
    entry = next((e for e in entries if e[0].value == "metadata"), None)
    if entry is None:
        return None if "metadata" in front.index else (script.end, "  ", f"metadata:{script.newline}")
    value = entry[1]
    if not isinstance(value, MappingNode) or key in value.index or not block_entries(script, value):
        return None
    return script.next_line(entry[3]), " " * (value.column - 1), ""


def _indented(script: Manuscript, line: int, indent: str) -> str:
    text = script.line(line)
    return indent + text if text.strip() else text


def rename_vendor(script: Manuscript, front: MappingNode, found: Finding) -> Iterator[Mend]:
    """A vendor's name in ``metadata`` that no host reads, to ``openclaw``."""
    metadata = front.get("metadata")
    if not isinstance(metadata, MappingNode) or "openclaw" in metadata.index:
        return
    yield from _rename(script, metadata, found, lambda _: "openclaw")


def rename_key(script: Manuscript, front: MappingNode, found: Finding) -> Iterator[Mend]:
    """A key in capitals or with other joints, to the form that hosts read."""
    pair = next(((k, v) for k, v in front.entries if (k.line, k.column) == (found.line, found.column)), None)
    if pair is None or (_known_form(pair[0].value) in TEXT_KEYS and not isinstance(pair[1], ScalarNode)):
        return
    yield from _rename(script, front, found, _known_form)


def _known_form(name: str) -> str | None:
    plain = re.sub(r"[ _-]", "", name.lower())
    return _KNOWN_FORMS.get(plain)


def _rename(script: Manuscript, root: MappingNode, found: Finding, form: _Form) -> Iterator[Mend]:
    for key, _ in root.entries:
        if (key.line, key.column) == (found.line, found.column):
            name, span = form(key.value), script.span(key)
            if name is not None and span is not None and name not in root.index:
                written = script.text[slice(*span)].replace(key.value, name)
                yield script.mend(
                    found.code, key.line, f"Write {name} in place of {key.value[:40]}", (*span, written)
                )


def drop_repeated(script: Manuscript, found: Finding) -> Iterator[Mend]:
    """A second line that is the same as an earlier one, letter by letter, and stands for one key."""
    line = found.line or 0
    text = script.line(line).rstrip()
    indent = len(text) - len(text.lstrip(" "))
    below = script.line(line + 1)
    if not re.match(r" *[\w.-]+:[ \t]+\S", text) or (
        below.strip() and len(below) - len(below.lstrip(" ")) > indent
    ):
        return
    for above in range(line - 1, 1, -1):
        other = script.line(above)
        if other.strip() and len(other) - len(other.lstrip(" ")) < indent:
            return
        if other.rstrip() == text:
            yield script.mend(
                found.code,
                line,
                f"Remove the second {text.strip().partition(':')[0][:40]}, which says the same",
                (script.line_start(line), script.next_line(line), ""),
            )
            return
