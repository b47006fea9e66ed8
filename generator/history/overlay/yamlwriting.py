"""Writes YAML: texts, entries inside braces, and entries as lines, so that every reader reads what was meant."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final

Value = str | Mapping[str, str]
"""What an entry can be set to: a text, or texts by key."""
STEP: Final = 2
"""Columns from one level to the next."""

_PLAIN = re.compile(r"[A-Za-z](?:[^\n:#]|:(?! |$)|(?<! )#)*")
_WORDS: Final = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
_FLOW: Final = frozenset(",[]{}")


def write_scalar(text: str, *, flow: bool = False) -> str:
    """A text as a YAML scalar on one line: plain where no reader could misunderstand it, else in double quotes."""
    plain = (
        _PLAIN.fullmatch(text) is not None
        and text.isprintable()
        and text == text.strip()
        and text.lower() not in _WORDS
        and not (flow and _FLOW.intersection(text))
    )
    return text if plain else _quote(text)


def _quote(text: str) -> str:
    """A text in double quotes; JSON's escapes are YAML's, and what does not print is always one."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(ch if ch.isprintable() else f"\\U{ord(ch):08x}" for ch in quoted)


def _write_key(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_./@-]*", text) else _quote(text)


def flow_mapping(value: Mapping[str, str]) -> str:
    """A mapping in braces, on one line."""
    inside = ", ".join(f"{_write_key(key)}: {write_scalar(text, flow=True)}" for key, text in value.items())
    return f"{{{inside}}}"


def flow_entry(path: list[str], value: Value) -> str:
    """An entry to be put into braces, with the mappings that lead to it."""
    key, *rest = path
    if rest:
        inside = f"{{{flow_entry(rest, value)}}}"
    else:
        inside = write_scalar(value, flow=True) if isinstance(value, str) else flow_mapping(value)
    return f"{_write_key(key)}: {inside}"


def block_lines(path: list[str], value: Value, column: int) -> list[str]:
    """An entry as lines that start at a column (from 0), with the mappings that lead to it."""
    key, *rest = path
    indent = " " * column
    if rest:
        return [f"{indent}{_write_key(key)}:", *block_lines(rest, value, column + STEP)]
    if isinstance(value, str) or not value:
        return [f"{indent}{_write_key(key)}: {write_scalar(value) if isinstance(value, str) else '{}'}"]
    inner = " " * (column + STEP)
    return [
        f"{indent}{_write_key(key)}:",
        *(f"{inner}{_write_key(name)}: {write_scalar(text)}" for name, text in value.items()),
    ]
