"""Rules about hooks, plugin manifests, MCP servers, subagents and Codex's side file."""

from __future__ import annotations

import json

import pytest

from tests.judge.rules.making import codes, found, skill_md, spot, subject
from tests.read.helpers import Content

PLUGIN = ".claude-plugin/plugin.json"
HOOKS = "hooks/hooks.json"
NESTED = {"hooks": [{"type": "command", "command": "x"}]}
FLAT = {"type": "command", "command": "x"}

HOOK_CASES: dict[str, tuple[object, list[tuple[str, str]]]] = {
    "as Claude Code reads them": ({"PreToolUse": [NESTED], "SessionStart": [NESTED]}, []),
    "as the service reads them": ({"PrePrompt": [FLAT]}, [("hook-event-unknown", '"PrePrompt"')]),
    "misspelt": ({"PreToolUes": [NESTED]}, [("hook-event-unknown", '"PreToolUes"')]),
    "flat for Claude Code": ({"Stop": [FLAT]}, [("hook-shape", "{")]),
    "nested for the service": (
        {"PreSave": [NESTED]}, [("hook-event-unknown", '"PreSave"'), ("hook-shape", "{")]),
    "type": ({"PreToolUse": [{"hooks": [{"type": "shell", "command": "x"}]}]}, [("hook-type-unknown", '"shell"')]),
    "prompt type": ({"PreToolUse": [{"hooks": [{"type": "prompt", "prompt": "x"}]}]}, []),
    "prompt type for the service": (
        {"PreSave": [{"type": "prompt", "command": "x"}]},
        [("hook-event-unknown", '"PreSave"'), ("hook-type-unknown", '"prompt"')]),
    "number": ({"Stop": [1]}, [("hook-shape", "1")]),
}  # fmt: skip


@pytest.mark.parametrize("where", ["file", "plugin", "front matter"])
@pytest.mark.parametrize("case", HOOK_CASES)
def test_hooks(case: str, where: str) -> None:
    events, expected = HOOK_CASES[case]
    if where == "file":
        one = subject(files={HOOKS: json.dumps({"hooks": events}, indent=1)})
    elif where == "plugin":
        one = subject(files={PLUGIN: json.dumps({"name": "demo", "hooks": events}, indent=1)})
    else:
        one = subject(skill_md(f"hooks: {json.dumps(events)}"))
    kinds = ("hook-event-unknown", "hook-shape", "hook-type-unknown")
    notes = [note for code in kinds for note in found(one, code)]
    assert sorted(note.code for note in notes) == sorted(code for code, _ in expected)
    texts = {note.text for note in notes}
    if where != "front matter":
        assert all(any(text.startswith(start) for text in texts) for _, start in expected)
    assert all(note.line and note.column for note in notes)


def test_a_plugin_may_name_the_file_of_its_hooks() -> None:
    files: dict[str, Content] = {
        PLUGIN: '{"name": "demo", "hooks": "./my-hooks.json"}',
        "my-hooks.json": '{"hooks": {"Nothing": []}}',
    }
    note = found(subject(files=files), "hook-event-unknown")[0]
    assert (note.path, *spot(note)) == ("demo/my-hooks.json", 1, 12, '"Nothing"')


PLUGINS: dict[str, tuple[object, list[tuple[str, str]]]] = {
    "good": (
        {"name": "demo", "author": {"name": "Ada"}, "keywords": ["a"], "agents": ["./agents/a.md"], "version": "1.0.0"},
        []),
    "no name": ({"version": "1.0.0"}, [("plugin-name-invalid", "{")]),
    "empty name": ({"name": ""}, [("plugin-name-invalid", '""')]),
    "blanks": ({"name": "my plugin"}, [("plugin-name-invalid", '"my plugin"')]),
    "reserved": ({"name": "claude-notes"}, [("plugin-name-invalid", '"claude-notes"')]),
    "capitals": ({"name": "Demo"}, [("plugin-name-invalid", '"Demo"')]),
    "list as a name": ({"name": ["demo"]}, [("plugin-field-invalid", '["demo"]}')]),
    "author": ({"name": "demo", "author": "Ada"}, [("plugin-field-invalid", '"Ada"')]),
    "keywords": ({"name": "demo", "keywords": "a, b"}, [("plugin-field-invalid", '"a, b"')]),
    "number": ({"name": "demo", "version": 1.0}, [("plugin-field-invalid", "1.0}")]),
    "unknown": ({"name": "demo", "autor": "Ada"}, [("plugin-field-unknown", '"autor"')]),
    "bare path": ({"name": "demo", "agents": "agents/a.md"}, [("plugin-path-invalid", '"agents/a.md"')]),
    "way out": ({"name": "demo", "commands": "./../x"}, [("plugin-path-invalid", '"./../x"')]),
    "no agent file": ({"name": "demo", "agents": "./agents"}, [("plugin-path-invalid", '"./agents"')]),
    "missing": ({"name": "demo", "commands": "./commands"}, [("plugin-path-invalid", '"./commands"')]),
    "folder": ({"name": "demo", "skills": "./agents"}, []),
    "itself": ({"name": "demo", "skills": "./"}, []),
    "root variable": ({"name": "demo", "skills": "${CLAUDE_PLUGIN_ROOT}/agents"}, []),
}  # fmt: skip


@pytest.mark.parametrize("case", PLUGINS)
def test_plugin_manifests(case: str) -> None:
    manifest, expected = PLUGINS[case]
    agent = "---\nname: a\ndescription: Does it.\n---\n"
    one = subject(files={PLUGIN: json.dumps(manifest), "agents/a.md": agent})
    kinds = ("plugin-name-invalid", "plugin-path-invalid", "plugin-field-invalid", "plugin-field-unknown")
    notes = [note for code in kinds for note in found(one, code)]
    assert [note.code for note in notes] == [code for code, _ in expected]
    for note, (_, text) in zip(notes, expected, strict=True):
        assert note.text.startswith(text)
        assert note.path == f"demo/{PLUGIN}"
        assert note.line == 1
        assert json.dumps(manifest)[(note.column or 0) - 1 :].startswith(note.text)


def test_a_plugin_manifest_is_told_with_what_it_runs() -> None:
    manifest = {
        "name": "demo",
        "hooks": {"SessionStart": [NESTED], "PrePrompt": [FLAT]},
        "mcpServers": {"notes": {"command": "notes-server"}},
    }
    note = found(subject(files={PLUGIN: json.dumps(manifest)}), "skill-ships-plugin-manifest")[0]
    assert "SessionStart: x, MCP server notes: notes-server" in note.message
    assert "PrePrompt" not in note.message


SERVERS: dict[str, tuple[object, list[str]]] = {
    "stdio": ({"command": "x", "args": ["y"], "env": {"A": "b"}}, []),
    "http": ({"type": "http", "url": "https://x.example"}, []),
    "unknown type": ({"type": "websocket", "url": "https://x.example"}, ['"websocket"']),
    "type without its address": ({"type": "http", "command": "x"}, ['"http"']),
    "type without its command": ({"type": "stdio", "url": "https://x.example"}, ['"stdio"']),
    "address without a type": ({"url": "https://x.example"}, ['"x"']),
    "number as a variable": ({"command": "x", "env": {"A": 1}}, ["1"]),
    "list as a variable": ({"command": "x", "env": {"A": ["b"]}}, ['["b"]']),
}


@pytest.mark.parametrize("where", [".mcp.json", PLUGIN])
@pytest.mark.parametrize("case", SERVERS)
def test_mcp_servers(case: str, where: str) -> None:
    server, texts = SERVERS[case]
    one = subject(files={where: json.dumps({"name": "demo", "mcpServers": {"x": server}})})
    notes = found(one, "mcp-server-shape")
    assert len(notes) == len(texts)
    for note, text in zip(notes, texts, strict=True):
        assert note.text.startswith(text)
        assert note.path == f"demo/{where}"


def test_mcp_servers_of_the_front_matter() -> None:
    lines = ("mcpServers:", "  x:", "    command: y", "    env:", "      PORT: 8080", "      A: b")
    notes = found(subject(skill_md(*lines)), "mcp-server-shape")
    assert [spot(note) for note in notes] == [(8, 13, "8080")]


def test_subagents() -> None:
    files: dict[str, Content] = {
        "agents/a.md": "---\nname: a\n---\n",
        "agents/b.md": "---\nname: b\ndescription: Does it.\n---\n",
        "agents/c.md": "no front matter",
    }
    notes = found(subject(files=files), "subagent-incomplete")
    assert [(note.path, note.line) for note in notes] == [("demo/agents/a.md", 1)]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (f"display_name: {'x' * 64}", False),
        (f"display_name: {'x' * 65}", True),
        ("brand_color: red", True),
        ('brand_color: "#1A2b3C"', False),
        ("icon_small: assets/a.html", False),
        ("icon_large: assets/b.html", True),
    ],
)
def test_codex_side_file(line: str, told: bool) -> None:
    files: dict[str, Content] = {"agents/openai.yaml": f"interface:\n  {line}\n", "assets/a.html": "x"}
    notes = found(subject(files=files), "openai-yaml-invalid")
    assert len(notes) == told
    if told:
        assert (notes[0].path, notes[0].line) == ("demo/agents/openai.yaml", 2)
        assert notes[0].text


@pytest.mark.parametrize("path", [PLUGIN, HOOKS, ".mcp.json", "agents/openai.yaml"])
@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", "1", '{"hooks": [], "mcpServers": [], "interface": []}', "\x00"]
)
def test_side_files_that_are_nothing(path: str, text: str) -> None:
    codes(subject(files={path: text}))
