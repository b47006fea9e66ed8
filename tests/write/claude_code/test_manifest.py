"""What of an author's plugin files is passed on: what Claude Code takes, and nothing it would refuse a plugin for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.write.protocols.claude_code_manifest import (
    accept_hooks_file,
    accept_manifest,
    accept_servers_file,
    is_address,
    read_object,
)

PATHS = ("SKILL.md", "hooks/hooks.json", "mcp.json", "agents/a.md", "commands/x/b.md", "extra/SKILL.md")
RUN = [{"hooks": [{"type": "command", "command": "true"}]}]


def accepted(document: dict[str, Any], version: str = "1.2.0") -> dict[str, Any]:
    made = accept_manifest(json.dumps(document).encode(), "demo", version, PATHS)
    value = json.loads(made)
    assert isinstance(value, dict)
    return value


UNTOUCHED = {
    "no-version": '{"name": "own"}',
    "same-version": '{ "version": "1.2.0", "name": "own", "description": "d" }\n',
    "parts": json.dumps(
        {"name": "o", "hooks": {"Stop": RUN}, "mcpServers": {"s": {"command": "x", "args": ["y"]}}}
    ),
    "paths": json.dumps(
        {
            "name": "o",
            "hooks": "./hooks/hooks.json",
            "agents": ["./agents/a.md"],
            "commands": "./commands/",
            "skills": ["./"],
        }
    ),
    "facts": json.dumps(
        {
            "name": "o",
            "author": {"name": "A", "email": "a@example.org"},
            "homepage": "https://a.example/x",
            "keywords": ["k"],
        }
    ),
}


@pytest.mark.parametrize("text", UNTOUCHED.values(), ids=UNTOUCHED)
def test_a_right_manifest_keeps_every_byte(text: str) -> None:
    assert accept_manifest(text.encode(), "demo", "1.2.0", PATHS) == text.encode()


NAMED = {"name": "o", "version": "1.2.0"}
MENDED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "stale-version": ({"name": "o", "version": "0.1"}, NAMED),
    "version-that-is-a-number": ({"name": "o", "version": 2}, NAMED),
    "no-name": ({"description": "d"}, {"name": "demo", "version": "1.2.0", "description": "d"}),
    "name-with-blank": ({"name": "a b"}, {**NAMED, "name": "demo"}),
    "name-that-is-a-list": ({"name": ["a"]}, {**NAMED, "name": "demo"}),
    "event-of-another-host": (
        {"name": "o", "hooks": {"PrePrompt": [{"type": "command", "command": "x"}], "Stop": RUN}},
        {**NAMED, "hooks": {"Stop": RUN}},
    ),
    "only-events-of-another-host": ({"name": "o", "hooks": {"PreSave": RUN}}, NAMED),
    "event-in-the-wrong-shape": ({"name": "o", "hooks": {"Stop": [{"type": "command", "command": "x"}]}}, NAMED),
    "hooks-file-outside": ({"name": "o", "hooks": "./../hooks.json"}, NAMED),
    "hooks-file-that-is-not-there": ({"name": "o", "hooks": "./hooks/other.json"}, NAMED),
    "server-without-command": ({"name": "o", "mcpServers": {"s": {"args": []}}}, NAMED),
    "author-as-text": ({"name": "o", "author": "A"}, NAMED),
    "homepage-that-is-none": ({"name": "o", "homepage": "example"}, NAMED),
    "keywords-as-text": ({"name": "o", "keywords": "a"}, NAMED),
    "unknown-field": ({"name": "o", "settings": {"x": 1}}, NAMED),
    "agents-folder": ({"name": "o", "agents": ["./agents", "./agents/a.md"]}, {**NAMED, "agents": ["./agents/a.md"]}),
    "path-without-dot": ({"name": "o", "commands": ["commands/x"]}, NAMED),
}  # fmt: skip


@pytest.mark.parametrize(("written", "wanted"), MENDED.values(), ids=MENDED)
def test_what_is_refused_is_left_out(written: dict[str, Any], wanted: dict[str, Any]) -> None:
    assert accepted(written) == wanted


NO_OBJECTS = {
    "empty": b"", "list": b"[]", "text": b'"x"', "cut": b'{"a":', "nan": b'{"a":NaN}', "deep": b"[" * 100_000,
    "latin-1": b'{"a":"\xe9"}', "bom": b"\xef\xbb\xbf{}", "large": b'{"a":"' + b"x" * 1_000_000 + b'"}',
    "long-number": b'{"a":' + b"9" * 5_000 + b"}",
}  # fmt: skip


@pytest.mark.parametrize("data", NO_OBJECTS.values(), ids=NO_OBJECTS)
def test_what_is_no_object_is_none(data: bytes) -> None:
    assert read_object(data) is None
    assert accept_hooks_file(data) is None
    assert accept_servers_file(data) is None


HOOKS_FILES: dict[str, tuple[dict[str, Any], dict[str, Any] | None]] = {
    "known-event-beside-unknown": ({"hooks": {"PrePrompt": RUN, "Stop": RUN}}, {"hooks": {"Stop": RUN}}),
    "timeout-without-end": (
        {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": 1e308}]}]}},
        {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}},
    ),
    "unknown-kind": ({"hooks": {"Stop": [{"hooks": [{"type": "spell", "command": "x"}]}]}}, None),
    "no-wrapper": ({"Stop": RUN}, None),
    "list": ({"hooks": []}, None),
}


@pytest.mark.parametrize(("written", "wanted"), HOOKS_FILES.values(), ids=HOOKS_FILES)
def test_hooks_files(written: dict[str, Any], wanted: dict[str, Any] | None) -> None:
    made = accept_hooks_file(json.dumps(written).encode())
    assert (json.loads(made) if made is not None else None) == wanted


def test_right_files_keep_every_byte() -> None:
    hooks = json.dumps(
        {"description": "d", "hooks": {"Stop": [{"matcher": "*", **RUN[0]}]}}, indent=3
    ).encode()
    servers = b'{ "mcpServers": {"s": {"type": "http", "url": "https://a.example", "headers": {"K": "v"}}} }'
    assert (accept_hooks_file(hooks), accept_servers_file(servers)) == (hooks, servers)
    flat = b'{"s": {"command": "x"}}'
    assert accept_servers_file(flat) == flat


@pytest.mark.parametrize(
    ("text", "right"),
    [("https://a.example", True), ("http://a.example:80/x?y#z", True), ("https://a", True), ("a.example", False),
     ("ftp://a.example", False), ("https://a.example/ b", False), ("https://", False), ("https://教.example", False),
     ("https://a.example:99999/", False), ("javascript:alert(1)", False)],
)  # fmt: skip
def test_addresses(text: str, right: bool) -> None:
    assert is_address(text) is right


_TEXTS = st.sampled_from(
    ["name", "hooks", "Stop", "command", "type", "./agents/a.md", "./", "", "\ud800", "x y", "stdio"]
)
_VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), _TEXTS
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_TEXTS, inner, max_size=3)),
    max_leaves=12,
)
_FIELDS = st.sampled_from(
    ["name", "version", "hooks", "mcpServers", "agents", "commands", "skills", "author", "keywords"]
)


@given(st.dictionaries(_FIELDS, _VALUES))
def test_anything_becomes_a_manifest_that_stays_as_it_is(written: dict[str, Any]) -> None:
    once = accept_manifest(json.dumps(written).encode(), "demo", "1.2.0", PATHS)
    document = read_object(once)
    assert document is not None
    assert document["name"]
    assert document.get("version", "1.2.0") == "1.2.0"
    assert accept_manifest(once, "demo", "1.2.0", PATHS) == once


@given(st.binary(max_size=300))
def test_any_bytes_are_taken(data: bytes) -> None:
    accept_manifest(data, "demo", "1.2.0", PATHS)
    accept_hooks_file(data)
    accept_servers_file(data)
