"""The readers of hosts that look at lines where YAML has failed or left something out, by the host's name.

Sources: Gemini CLI 0.61.0 dist/src/skills/skillLoader.js; hermes-agent 0.19.0 agent/skill_utils.py; OpenClaw
2026.9.6 dist/frontmatter-*.mjs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from generator.judge.dialects.whitespace import JS_SPACE

_NO_BREAK: Final = "[^\n\r\u2028\u2029]*"
_GEMINI_KEY: Final = re.compile(f"[{JS_SPACE}]*(name|description):[{JS_SPACE}]*({_NO_BREAK})")
_GEMINI_MORE: Final = re.compile(f"[ \t]+[^{JS_SPACE}]")
_OPENCLAW_KEY: Final = re.compile(f"([\\w-]+):[{JS_SPACE}]*({_NO_BREAK})", re.ASCII)


def read_lines(name: str, text: str) -> Mapping[str, str]:
    """The keys and texts that host ``name`` (a key of :data:`LINE_READERS`) finds in ``text`` line by line."""
    return LINE_READERS[name](text)


def _read_gemini(text: str) -> Mapping[str, str]:
    """``name:`` and ``description:`` at any indentation; indented lines after the latter belong to it."""
    found: dict[str, str] = {}
    lines = re.split("\r?\n", text)
    at = 0
    while at < len(lines):
        match = _GEMINI_KEY.fullmatch(lines[at])
        at += 1
        if match is None:
            continue
        parts = [match[2].strip(JS_SPACE)]
        while match[1] == "description" and at < len(lines) and _GEMINI_MORE.match(lines[at]):
            parts.append(lines[at].strip(JS_SPACE))
            at += 1
        found[match[1]] = " ".join(filter(None, parts))
    return found


def _read_hermes(text: str) -> Mapping[str, str]:
    """Every line with a colon, cut at its first one."""
    pairs = (line.split(":", 1) for line in text.strip().split("\n") if ":" in line)
    return {key.strip(): value.strip() for key, value in pairs}


def _read_openclaw(text: str) -> Mapping[str, str]:
    """Keys at the start of a line; what YAML leaves out or makes null is taken from here."""
    found: dict[str, str] = {}
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        match = _OPENCLAW_KEY.fullmatch(lines[at])
        at += 1
        if match is None:
            continue
        value = match[2].strip(JS_SPACE)
        if value == "" and lines[at : at + 1] and lines[at][:1] in (" ", "\t"):
            start = at
            while at < len(lines) and lines[at][:1] in ("", " ", "\t"):
                at += 1
            value = "\n".join(lines[start:at]).strip(JS_SPACE)
        elif value[:1] in ("'", '"') and value[-1] == value[0]:
            value = value[1:-1]
        if value:
            found[match[1]] = value
    return found


LINE_READERS: Final[Mapping[str, Callable[[str], Mapping[str, str]]]] = MappingProxyType(
    {"gemini": _read_gemini, "hermes": _read_hermes, "openclaw": _read_openclaw}
)
"""Every line reader by its host's name."""
