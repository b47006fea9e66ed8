"""What the judge finds about plugin manifests, hooks, MCP servers and subagents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.findings.info import CodeInfo
from generator.model import Severity

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING
_PLUGIN: Final = ".claude-plugin/plugin.json"
_HOOKS: Final = "hooks/hooks.json"

CODES: Final[Mapping[str, CodeInfo]] = {
    "skill-ships-plugin-manifest": CodeInfo(
        _ERROR,
        "The skill is a plugin too",
        "Copied into Claude Code's user folder, its hooks and MCP servers run at the next start without a question.",
        "Ship plugin and skill apart, or tell readers what runs.",
        "judge",
        ".claude-plugin/plugin.json",
        "references/plugin.json",
        "paths",
    ),
    "plugin-name-invalid": CodeInfo(
        _ERROR,
        "The plugin manifest has no usable name",
        "Claude Code refuses a manifest without a name, with blanks in it or with a reserved prefix.",
        "Write words of a-z and 0-9 joined by hyphens.",
        "judge",
        '{"name": "My Plugin"}',
        '{"name": "my-plugin"}',
        _PLUGIN,
    ),
    "plugin-path-invalid": CodeInfo(
        _ERROR,
        "A path of the plugin manifest cannot be used",
        "Paths start with ./, stay inside, and name files that are there; otherwise Claude Code refuses the manifest.",
        "Write a path such as ./agents/reviewer.md.",
        "judge",
        '{"name": "demo", "skills": "SKILL.md"}',
        '{"name": "demo", "skills": "./SKILL.md"}',
        _PLUGIN,
    ),
    "plugin-field-invalid": CodeInfo(
        _ERROR,
        "A field of the plugin manifest has the wrong kind of value",
        "Claude Code refuses a manifest whose author is no object, whose keywords are no list, and the like.",
        "Write the value in the form the message names.",
        "judge",
        '{"name": "demo", "author": "Ada"}',
        '{"name": "demo", "author": {"name": "Ada"}}',
        _PLUGIN,
    ),
    "plugin-field-unknown": CodeInfo(
        _WARNING,
        "A field of the plugin manifest is not known",
        "Claude Code passes it over, so what it says has no effect.",
        "Correct its spelling or remove it.",
        "judge",
        '{"name": "demo", "keyword": ["pdf"]}',
        '{"name": "demo", "keywords": ["pdf"]}',
        _PLUGIN,
    ),
    "hook-event-unknown": CodeInfo(
        _WARNING,
        "A hook waits for an event that a host does not fire",
        "Claude Code passes such an entry over; the skill-package service has three events of its own.",
        "Write an event of the host the hook is for.",
        "judge",
        '{"hooks": {"PreTool": [{"hooks": [{"type": "command", "command": "true"}]}]}}',
        '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "true"}]}]}}',
        _HOOKS,
    ),
    "hook-type-unknown": CodeInfo(
        _ERROR,
        "A hook is of a type that nobody runs",
        "One such hook makes Claude Code refuse the whole plugin.",
        "Write command, prompt, agent, http or mcp_tool.",
        "judge",
        '{"hooks": {"PreToolUse": [{"hooks": [{"type": "shell", "command": "true"}]}]}}',
        '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "true"}]}]}}',
        _HOOKS,
    ),
    "hook-shape": CodeInfo(
        _WARNING,
        "A hook is written in the other host's form",
        "Claude Code reads a list of hooks inside each entry, the skill-package service a flat list.",
        "Write it in the form of the host that fires the event.",
        "judge",
        '{"hooks": {"PreToolUse": [{"type": "command", "command": "true"}]}}',
        '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "true"}]}]}}',
        _HOOKS,
    ),
    "mcp-server-shape": CodeInfo(
        _WARNING,
        "An MCP server is dropped",
        "Claude Code leaves out a server of unknown type, without what its type needs, or with variables that "
        "are no texts.",
        "Write the fields the message names.",
        "judge",
        '{"mcpServers": {"notes": {"command": "notes", "env": {"PORT": 8080}}}}',
        '{"mcpServers": {"notes": {"command": "notes", "env": {"PORT": "8080"}}}}',
        ".mcp.json",
    ),
    "subagent-incomplete": CodeInfo(
        _WARNING,
        "A subagent has no description",
        "Hosts choose a subagent by its description, so nobody ever starts this one.",
        "Write description: with when to start it.",
        "judge",
        "---\nname: reviewer\n---\n\nReview the text.",
        "---\nname: reviewer\ndescription: Reviews a text. Start after writing.\n---\n\nReview the text.",
        "agents/reviewer.md",
    ),
    "openai-yaml-invalid": CodeInfo(
        _WARNING,
        "A field of Codex's side file is passed over",
        "Codex ignores values of agents/openai.yaml that are too long, no colour, or name no file of the skill.",
        "Write the value in the form the message names.",
        "judge",
        "interface:\n  brand_color: red",
        'interface:\n  brand_color: "#CC0000"',
        "agents/openai.yaml",
    ),
}
