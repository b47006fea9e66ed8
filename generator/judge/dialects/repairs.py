"""The repairs hosts try on a front matter that their YAML library has refused, by the host's name.

Each takes the text between the fences and gives the text the host reads next, with the same library; a fault
in that one is final. Sources: codex-rs/skills/src/parser.rs; OpenCode's config/markdown.ts as shipped in
1.18.33; OpenClaw 2026.9.6 dist/frontmatter-*.mjs; Claude Code 2.1.332.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from generator.judge.dialects.bunyaml import read_bun
from generator.judge.dialects.npmcompose import compose_npm
from generator.judge.dialects.npmnodes import NpmFault, NpmNode
from generator.judge.dialects.serdeyaml import read_serde
from generator.judge.dialects.values import Entries, Items, Text, Value
from generator.judge.dialects.whitespace import JS_SPACE, RUST_SPACE

_FREE_TEXTS: Final = frozenset({"description", "read_when", "summary"})

_CODEX_COMMENT: Final = re.compile(f"(?:^|(?<=[{RUST_SPACE}]))#")
_CODEX_COLON: Final = re.compile(f":[{RUST_SPACE}]")
_OPENCODE_KEY: Final = re.compile(
    f"([a-zA-Z_][a-zA-Z0-9_]*)[{JS_SPACE}]*:[{JS_SPACE}]*([^\n\r\u2028\u2029]*)"
)
_CLAUDE_KEY: Final = re.compile(f"([a-zA-Z_-]+):[{JS_SPACE}]+([^{JS_SPACE}][^\n\r\u2028\u2029]*)")
_CLAUDE_RISKY: Final = re.compile("[{}\\[\\]*&#!|>%@`]|: ")
_CLAUDE_TABS: Final = re.compile("(?:(?<=[\n\r\u2028\u2029])|\\A)\t+")
_OPENCLAW_KEY: Final = re.compile(
    f"(?:([\\w-]+)|\"([\\w-]+)\"|'([\\w-]+)'):[{JS_SPACE}]*([^\n\r\u2028\u2029]*)", re.ASCII
)
_OPENCLAW_HEADER: Final = re.compile("[|>](?:[1-9][+-]?|[+-][1-9]?)?")


def repair_text(name: str, text: str) -> str | None:
    """The text the host ``name`` (a key of :data:`REPAIRS`) reads instead, or None where it changes nothing."""
    repaired = REPAIRS[name](text)
    return repaired if repaired != text else None


def _repair_codex(text: str) -> str:
    """Put single quotes around a one-line value with a colon and a blank in it, or that begins a broken flow."""
    lines = text.split("\n")
    lines = [line.removesuffix("\r") for line in (lines[:-1] if lines[-1] == "" else lines)]
    block: int | None = None
    changed = False
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip(" "))
        if block is not None:
            if not line.strip(RUST_SPACE) or indent > block:
                continue
            block = None
        key, colon, value = line.partition(":")
        if not colon or not key.strip(RUST_SPACE) or (value and value[0] not in RUST_SPACE):
            continue
        rest = value.lstrip(RUST_SPACE)
        found = _CODEX_COMMENT.search(rest)
        scalar = (rest[: found.start()] if found else rest).rstrip(RUST_SPACE)
        if scalar[:1] in ("|", ">"):
            block = indent
        if scalar[:1] in ("", "|", ">", "'", '"'):
            continue
        if _CODEX_COLON.search(scalar) or (scalar[0] in "[{@`" and _refuses(scalar)):
            comment = rest[len(scalar) :] if found else ""
            blanks = value[: len(value) - len(rest)]
            quoted = scalar.replace("'", "''")
            lines[number] = f"{key}:{blanks}'{quoted}'{comment}"
            changed = True
    return "\n".join(lines) if changed else text


def _refuses(scalar: str) -> bool:
    reading = read_serde(scalar, struct=False)
    return reading.fault is not None or _has_duplicates(reading.value)


def _has_duplicates(value: Value | None) -> bool:
    if isinstance(value, Entries):
        return bool(value.duplicates) or any(_has_duplicates(item) for _, item in value.entries)
    return isinstance(value, Items) and any(map(_has_duplicates, value.items))


def _repair_opencode(text: str) -> str:
    """Turn a top-level value with a colon in it into a block scalar, unless it is quoted."""
    lines: list[str] = []
    # Its own search for the closing line leaves the CR before it out.
    for line in re.split("\r?\n", text.removesuffix("\r")):
        shown = line.strip(JS_SPACE)
        found = _OPENCODE_KEY.fullmatch(line)
        if shown == "" or shown[0] == "#" or line[0] in JS_SPACE or found is None:
            lines.append(line)
            continue
        value = found[2].strip(JS_SPACE)
        if value in ("", ">", "|") or value[0] in "'\"" or ":" not in value:
            lines.append(line)
        else:
            lines += (f"{found[1]}: |-", f"  {value}")
    return "\n".join(lines)


def _repair_claude_code(text: str) -> str:
    """Put double quotes around a one-line value with a risky character; two blanks for a tab of indentation."""
    lines = [_quote_risky(line) for line in text.split("\n")]
    return _CLAUDE_TABS.sub(lambda found: "  " * len(found[0]), "\n".join(lines))


def _quote_risky(line: str) -> str:
    found = _CLAUDE_KEY.fullmatch(line)
    if found is None:
        return line
    value = found[2]
    if value[0] in "'\"" and value[-1] == value[0]:
        return line
    if value[0] == "[" and value[-1] == "]" and isinstance(read_bun(value).value, Items):
        return line
    if _CLAUDE_RISKY.search(value) is None:
        return line
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'{found[1]}: "{escaped}"'


def _repair_openclaw(text: str) -> str:
    """Quote the free text at the place of the first fault, at most three times."""
    for _ in _FREE_TEXTS:
        document = compose_npm(text)
        root = document.root
        if root is None or root.kind != "map":
            return text
        at = _openclaw_place(root, document.faults)
        if at is None:
            return text
        repaired = _quote_field(text, root, at, document.faults[0].code if document.faults else "")
        if repaired == text:
            return text
        text = repaired
    return text


def _openclaw_place(root: NpmNode, faults: list[NpmFault]) -> int | None:
    if faults:
        return faults[0].at
    for key, value in root.pairs:
        if value is not None and value.kind == "alias" and key.value == Text("description"):
            return key.at
    return None


def _quote_field(text: str, root: NpmNode, at: int, code: str) -> str:
    start = text.rfind("\n", 0, at + 1) + 1
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    found = _OPENCLAW_KEY.fullmatch(text[start:end])
    if found is None:
        return text
    name = found[1] or found[2] or found[3]
    value = found[4].strip(JS_SPACE)
    top = any(key.value == Text(name) and key.at == start for key, _ in root.pairs)
    colon = code == "BLOCK_AS_IMPLICIT_KEY" and ": " in value
    if not value or not top or name not in _FREE_TEXTS or _OPENCLAW_HEADER.fullmatch(value):
        return text
    if name != "description" and not colon:
        return text
    bare = value[1:-1] if value[0] in "'\"" and value[-1] == value[0] else value
    return f"{text[:start]}{name}: {json.dumps(bare, ensure_ascii=False)}{text[end:]}"


REPAIRS: Final[Mapping[str, Callable[[str], str]]] = MappingProxyType(
    {
        "codex": _repair_codex,
        "opencode": _repair_opencode,
        "openclaw": _repair_openclaw,
        "claude-code": _repair_claude_code,
    }
)
"""Every repair by its host's name."""
