"""Whatever bytes a skill is made of, reading it ends in a manifest or in reasons, and twice the same."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.findings import BARRING, CODES
from generator.model import SkillFolder
from generator.read.manifest import read_skill
from generator.read.sidefiles import HOOKS_JSON, MCP_JSON, META_JSON, PLUGIN_JSON, SKILL_YAML
from tests.read.helpers import GOOD, package

RICH = """---
name: demo
slug: demo
displayName: Demo
description: >-
  Does one thing. Use when testing.
version: 1.2.3
license: MIT
author: {name: Ada}
homepage: https://example.com
tags: [a, b]
allowed-tools: Bash(git:*) Read
always: true
requires:
  bins: [git]
  sandbox: shell
metadata:
  openclaw: {emoji: "🧪", os: [linux], requires: {env: [KEY]}, install: [{kind: brew, formula: jq}]}
  domains: [math]
hooks:
  PreSave: [{type: command, command: x}]
mcpServers: {x: {command: y, args: [z], env: {A: b}}}
---

# Body
"""

KEYS = [
    *("name", "description", "version", "slug", "title", "tags", "topics", "license", "author", "homepage"),
    *(
        "emoji",
        "os",
        "platforms",
        "install",
        "always",
        "metadata",
        "openclaw",
        "clawdbot",
        "moltbot",
        "requires",
    ),
    *(
        "bins",
        "anyBins",
        "env",
        "config",
        "sandbox",
        "hooks",
        "mcpServers",
        "command",
        "args",
        "url",
        "matcher",
    ),
    *("PreSave", "track", "language", "domains", "taxonomy", "allowed-tools", "kind", "formula", "label"),
    *("category", "compatibility"),
]
WORDS = [
    *KEYS,
    "true",
    "false",
    "",
    "x",
    "git, jq",
    "https://example.com",
    "./hooks/hooks.json",
    "MIT",
    "1.0",
]


def check(skill: SkillFolder) -> None:
    assert skill.manifest is not None or any(f.code in BARRING for f in skill.findings)
    for note in skill.findings:
        assert note.code in CODES
        assert note.severity is CODES[note.code].severity
        assert note.message
        assert note.fix
        assert (note.line is None) == (note.column is None) or note.code == "body-not-utf8"
        assert note.line is None or note.line >= 1
        assert note.column is None or note.column >= 1
        json.dumps([note.path, note.message, note.fix]).encode()
        (note.path + note.message + note.fix).encode("utf-8")
        assert len(note.message) + len(note.fix) < 3000
    repr(skill.manifest).encode("utf-8")
    skill.body.encode("utf-8")


@given(st.binary(max_size=400))
def test_random_bytes(data: bytes) -> None:
    check(read_skill(package({"SKILL.md": data})))


@given(
    st.lists(
        st.tuples(
            st.integers(0, len(RICH.encode())),
            st.integers(0, 6),
            st.sampled_from([b"", b":", b": ", b"\n", b"\t", b"-", b"'", b'"', b"[", b"]", b"{", b"}", b"#",
                             b"&a ", b"*a",
                             b"!x ", b"\x00", b"\xff", b"---\n", b"\r", b"|", b">", b"@", "中".encode(), b"  "]),
        ),
        max_size=4,
    )
)  # fmt: skip
def test_mutations_of_a_rich_skill(changes: list[tuple[int, int, bytes]]) -> None:
    data = RICH.encode()
    for at, cut, put in changes:
        data = data[:at] + put + data[at + cut :]
    skill = read_skill(package({"SKILL.md": data}))
    check(skill)
    assert read_skill(package({"SKILL.md": data})) == skill


nested = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats() | st.sampled_from(WORDS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=5),
    max_leaves=25,
)
documents = st.dictionaries(st.sampled_from(KEYS), nested, max_size=8)


@given(documents)
def test_any_values_under_known_keys(document: dict[str, object]) -> None:
    """JSON is YAML enough for a front matter."""
    text = f"---\n{json.dumps(document)}\n---\n"
    check(read_skill(package({"SKILL.md": text})))


@pytest.mark.parametrize("name", [PLUGIN_JSON, META_JSON, HOOKS_JSON, MCP_JSON, SKILL_YAML])
@given(document=nested | documents)
def test_any_values_in_side_files(name: str, document: object) -> None:
    skill = read_skill(package({"SKILL.md": GOOD, name: json.dumps(document), "hooks/x.json": "[]"}))
    assert skill.manifest is not None
    assert not {f.code for f in skill.findings} & BARRING
    check(skill)


@given(
    st.binary(max_size=100),
    st.sampled_from([PLUGIN_JSON, META_JSON, HOOKS_JSON, MCP_JSON, SKILL_YAML, "agents/a.md"]),
)
def test_random_bytes_in_side_files(data: bytes, name: str) -> None:
    skill = read_skill(package({"SKILL.md": GOOD, name: data}))
    assert not {f.code for f in skill.findings} & BARRING
    check(skill)
