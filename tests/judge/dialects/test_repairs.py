"""Each host's repair, as its released program does it."""

from __future__ import annotations

import pytest

from generator.judge.dialects.repairs import REPAIRS, repair_text

CASES = {
    "codex quotes a colon and a blank": ("codex", "a: b: c", "a: 'b: c'"),
    "codex doubles single quotes": ("codex", "a: it's b: c", "a: 'it''s b: c'"),
    "codex keeps a comment": ("codex", "a: b: c # d", "a: 'b: c' # d"),
    "codex quotes an at sign": ("codex", "a: @b", "a: '@b'"),
    "codex quotes a backtick": ("codex", "a: `b` c", "a: '`b` c'"),
    "codex quotes a broken list": ("codex", "a: [b] c", "a: '[b] c'"),
    "codex quotes braces that repeat a key": ("codex", "a: {b: 1, b: 2}", "a: '{b: 1, b: 2}'"),
    "codex keeps a good list": ("codex", "a: [b, c]", None),
    "codex keeps braces as a key": ("codex", "a: {{ x }}", None),
    "codex keeps an asterisk": ("codex", "a: *b", None),
    "codex keeps a quote with a tail": ("codex", 'a: "b" c', None),
    "codex keeps a colon at the end": ("codex", "a: b:", None),
    "codex keeps a block scalar": ("codex", "a: |\n  b: c: d\ne: f", None),
    "codex leaves a block scalar at its end": ("codex", "a: >\n  b\nc: d: e", "a: >\n  b\nc: 'd: e'"),
    "codex repairs indented keys": ("codex", "a:\n  b: c: d", "a:\n  b: 'c: d'"),
    "codex drops CR where it repairs": ("codex", "a: b: c\r\nd: e\r\n", "a: 'b: c'\nd: e"),
    "codex needs a blank after the colon": ("codex", "a:b: c", None),
    "opencode makes a block scalar": ("opencode", "a: b: c", "a: |-\n  b: c"),
    "opencode takes any colon": ("opencode", "a: b:c", "a: |-\n  b:c"),
    "opencode keeps a quoted value": ("opencode", 'a: "b: c" d', None),
    "opencode keeps a dashed key": ("opencode", "a-b: c: d", None),
    "opencode keeps indented lines": ("opencode", "a:\n  b: c: d", None),
    "opencode keeps a comment": ("opencode", "# a: b: c", None),
    "opencode keeps what has no colon": ("opencode", "a: [b] c", None),
    "opencode breaks a block header with a colon": ("opencode", "a: |- # b: c", "a: |-\n  |- # b: c"),
    "openclaw quotes a description": ("openclaw", "description: a: b", 'description: "a: b"'),
    "openclaw quotes a description's bracket": ("openclaw", "description: [a] b", 'description: "[a] b"'),
    "openclaw quotes a summary's colon": ("openclaw", "summary: a: b", 'summary: "a: b"'),
    "openclaw keeps a summary's bracket": ("openclaw", "summary: [a] b", None),
    "openclaw keeps other keys": ("openclaw", "license: a: b", None),
    "openclaw keeps a nested description": ("openclaw", "a:\n  description: b: c", None),
    "openclaw repairs one after another": (
        "openclaw",
        "description: a: b\nsummary: c: d",
        'description: "a: b"\nsummary: "c: d"',
    ),
    "openclaw quotes an alias": ("openclaw", "description: *a", 'description: "*a"'),
    "openclaw strips quotes around the whole": ("openclaw", "description: 'a' b'", 'description: "a\' b"'),
    "openclaw keeps a good text": ("openclaw", "description: a", None),
    "claude-code quotes a colon": ("claude-code", "a: b: c", 'a: "b: c"'),
    "claude-code escapes": ("claude-code", 'a: b\\ "c": d', 'a: "b\\\\ \\"c\\": d"'),
    "claude-code quotes indicators": ("claude-code", "a: *b*", 'a: "*b*"'),
    "claude-code keeps a list": ("claude-code", "a: [b, c]", None),
    "claude-code quotes two lists": ("claude-code", "a: [b] [c]", 'a: "[b] [c]"'),
    "claude-code keeps quoted values": ("claude-code", "a: 'b: c'", None),
    "claude-code keeps keys with digits": ("claude-code", "a1: b: c", None),
    "claude-code keeps lines that end in CR": ("claude-code", "a: b: c\r\n", None),
    "claude-code turns tabs into blanks": ("claude-code", "a:\n\t\tb: c", "a:\n    b: c"),
    "claude-code quotes a block header": ("claude-code", "a: |\n  b", 'a: "|"\n  b'),
}


@pytest.mark.parametrize(("name", "text", "repaired"), CASES.values(), ids=CASES.keys())
def test_repairs(name: str, text: str, repaired: str | None) -> None:
    assert repair_text(name, text) == repaired


def test_every_repair_has_cases() -> None:
    assert {name for name, _, _ in CASES.values()} == set(REPAIRS)
