"""Front matter of every kind, drawn at random: what authors, their editors and other generators write."""

from __future__ import annotations

import random
from typing import Final

VALUES: Final = (
    "x", "Does a thing", "a: b", "Use when: x, y", "@at", "`tick", "%pct", "[a] b", "[a, b]", "{a: b}", "{a}", '"q"',
    "'q'", '"q" tail', "'it''s'", "- dash", "? q", "! bang", "!tag v", "&anc v", "*ali", "# c", "x # c", "x #nc", "x#y",
    "#42 fix", "see #42", "1.0", "1", "0x_", "0o7", "007", "1e3", "1_000", ".5", ".inf", ".nan", "~", "null", "Null",
    "yes", "No", "on", "true", '"true"', "2024-01-01", "2026-02-30", "2026-02-30T25:00:00", "12:30:45", "1:2", "0b1",
    "=", "<<", "|", ">", "|-\n  text: x\n  more # y", ">-\n  folded\n  text", "\n  - a\n  - b",
    "\n  a: b\n  c: 1", "\n- a\n- b", "", '""', "x\n  cont", "x\n  cont: y", "\u65e5\u672c\u8a9e: x",
    "\U0001f469\u200d\U0001f4bb", "zw\u200bsp", "\u202ebidi", "a\tb", "tab\t# c", "\tlead", "trailing  ",
    "Read, Write", "Read Grep", "Bash(git:*) Read", '[Read, "Bash(git:*)"]', "\n  - Read\n  - Bash(a: b)", "[]", "{}",
    "[read_file]", "mac, linux", "[macos]", "windows", "git", "[git, jq]", "{bins: git}", "\n  bins: git",
    "\n    bins: [git]\n    env: X", "\\back", '"esc \\n \\" x"', "http://a.b/c", "http://a: b", "C:\\x", "**", "-",
    "---", "--- x", "...", "1.2.3", "a, b", "key: [x, y: z]", "a > b", "<b>x</b>", "x, # c", '"unclosed', "'unclosed",
    "[unclosed", "{unclosed", "x]", "x}",
)  # fmt: skip
KEYS: Final = (
    "license", "compatibility", "metadata", "allowed-tools", "version", "author", "tags", "always", "requires", "os",
    "homepage", "argument-hint", "disable-model-invocation", "user-invocable", "model", "hooks", "Name", "Description",
    "allowed_tools", "tools", "foo", '"quoted"', "'sq'", "? cx", "foo bar", "x.y", "emoji", "slug", "platforms", "env",
    "bins", "when_to_use", "required-secrets", "paths", "mcpServers", "keywords", "name", "description",
)  # fmt: skip
_INNER_KEYS: Final = (
    "author", "version", "openclaw", "clawdbot", "clawdis", "hermes", "a", "requires", "OpenClaw", "tags", "os", '"k"',
)  # fmt: skip
_NAMES: Final = ("demo", "demo", "demo", '"demo"', "Demo", '" demo"', "1", "demo # n")
_OPENINGS: Final = ("---", "---", "---", "--- ", "\ufeff---", " ---", "\n---")
_CLOSINGS: Final = ("---", "---", "---", "--- ", "...", " ---", "")
_BODIES: Final = ("\n# Body\n\nDo it.", "\nbody\n", "", " x: y\n---\n")
_ODD: Final = ("\r\n", "\n", "\r", "\u2028", "\x85", "\x00", "\t")


def draw_skill_md(rng: random.Random) -> bytes:
    """A ``SKILL.md`` that may be good, broken, or broken in several ways at once."""
    lines = []
    if rng.random() < 0.9:
        lines.append(f"name: {rng.choice(_NAMES)}")
    if rng.random() < 0.9:
        good = rng.random() < 0.5
        lines.append(f"description: {'Does one thing. Use when testing.' if good else rng.choice(VALUES)}")
    for _ in range(rng.randint(0, 4)):
        lines.append(_draw_entry(rng))
        if rng.random() < 0.25:
            lines.append(rng.choice(("# comment", "  # indented comment", "#c", "")))
    if rng.random() < 0.3:
        rng.shuffle(lines)
    text = "\n".join([rng.choice(_OPENINGS), *lines, rng.choice(_CLOSINGS), rng.choice(_BODIES)])
    text = text.replace("\n", rng.choice(("\n", "\n", "\n", "\r\n", "\r")))
    if rng.random() < 0.1:
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice(_ODD) + text[at:]
    return text.encode()


def _draw_entry(rng: random.Random) -> str:
    key = rng.choice(KEYS)
    if key != "metadata" or rng.random() < 0.2:
        return f"{key}:{rng.choice((' ', ' ', ' ', '  ', '', chr(9)))}{rng.choice(VALUES)}"
    indent = rng.choice((" ", "  ", "    "))
    entry = "metadata:"
    for _ in range(rng.randint(1, 3)):
        value = rng.choice(VALUES).replace("\n", f"\n{indent}")
        entry += f"\n{indent}{rng.choice(_INNER_KEYS)}: {value}"
        if rng.random() < 0.2:
            entry += f"\n{indent}# inner comment"
    return entry
