"""Plugin manifests, MCP servers, subagents and Codex's side file, as ``claude plugin validate`` and Codex take them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Final

from generator.findings import finding
from generator.judge.model import Subject
from generator.judge.rules.brought import Brought, find_servers, read_plugin, read_tree, with_texts
from generator.judge.rules.ground import file_path, items, listed, mapping, scalar, shown
from generator.judge.rules.hooks import CLAUDE_EVENTS
from generator.judge.rules.nearest import nearest
from generator.judge.rules.yaml_forms import type_of
from generator.model import Finding
from generator.read.nodes import MappingNode, Node, ScalarNode, SequenceNode, kind_of
from generator.read.sidefiles import PLUGIN_JSON

_FIELDS: Final = (
    "$schema", "name", "displayName", "version", "description", "author", "homepage", "repository", "license",
    "keywords", "icon", "privacyPolicy", "engines", "commands", "agents", "skills", "hooks", "mcpServers",
    "lspServers", "outputStyles", "workflows", "settings", "userConfig", "channels", "dependencies",
    "defaultEnabled", "experimental",
)  # fmt: skip
_PATH_FIELDS: Final = frozenset(
    ("commands", "agents", "skills", "hooks", "mcpServers", "lspServers", "outputStyles", "icon")
)
_TEXT_FIELDS: Final = ("name", "displayName", "version", "description", "homepage", "license")
_RESERVED: Final = ("claude-", "anthropic-")
_KEBAB: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SERVER_TYPES: Final = ("stdio", "http", "sse", "ws")
_COLOUR: Final = re.compile(r"#[0-9A-Fa-f]{6}")
_OPENAI_YAML: Final = "agents/openai.yaml"
_OPENAI_LONGEST: Final = {"display_name": 64, "short_description": 1024, "default_prompt": 1024}


def find(subject: Subject) -> Iterator[Finding]:
    """What a skill brings beside its text and some host would refuse, drop or run unasked."""
    manifest = subject.skill.manifest
    paths = [f.path for f in subject.skill.package.files]
    if len(paths) == 1 and (manifest is None or not manifest.mcp_servers):
        return
    plugin = read_plugin(subject) if PLUGIN_JSON in paths else None
    found: list[Finding] = []
    if PLUGIN_JSON in paths:
        found.append(_ships(subject))
    if plugin is not None:
        found.extend(_find_in_plugin(plugin, frozenset(paths)))
    if plugin is not None or ".mcp.json" in paths or (manifest is not None and manifest.mcp_servers):
        for brought in find_servers(subject, plugin):
            found.extend(_find_in_servers(brought))
    if _OPENAI_YAML in paths:
        found.extend(_find_in_openai(subject, frozenset(paths)))
    yield from with_texts(found, subject)
    yield from _find_agents(subject)


def _ships(subject: Subject) -> Finding:
    manifest = subject.skill.manifest
    runs = []
    if manifest is not None:
        own = (hook for hook in manifest.hooks if hook.event in CLAUDE_EVENTS)
        runs = [f"{hook.event}: {hook.command[:60]}" for hook in own]
        runs += [f"MCP server {s.name[:40]}: {(s.command or s.url or '')[:60]}" for s in manifest.mcp_servers]
    what = f": {listed(runs)}" if runs else ""
    return finding(
        "skill-ships-plugin-manifest", file_path(subject, PLUGIN_JSON),
        "Copied into Claude Code's user folder, the skill becomes a plugin whose hooks and MCP servers run without a "
        f"question{what}",
        "Ship the plugin on its own and the skill without .claude-plugin/, or tell on its page what it runs", 1, 1,
    )  # fmt: skip


def _find_in_plugin(plugin: Brought, paths: frozenset[str]) -> Iterator[Finding]:
    root = plugin.root
    yield from _find_plugin_name(plugin)
    for key, value in root.entries:
        if key.value not in _FIELDS:
            guess = nearest(key.value, _FIELDS)
            yield _tell(
                plugin, "plugin-field-unknown", key,
                f"Claude Code does not know the field {shown(key.value)} of a plugin manifest and passes it over",
                f"Write {guess}" if guess else "Remove the field",
            )  # fmt: skip
        elif (wanted := _wanted(key.value, value)) is not None:
            yield _tell(
                plugin, "plugin-field-invalid", value,
                f"The field {key.value} holds {kind_of(value)} where {wanted} belongs, so Claude Code refuses the "
                "manifest",
                f"Write {wanted}",
            )  # fmt: skip
        elif key.value in _PATH_FIELDS:
            for path in items(value) or (value,):
                yield from _find_bad_path(plugin, key.value, path, paths)


def _wanted(key: str, value: Node) -> str | None:
    """What belongs where a value of another kind stands; None where it is right."""
    if key in _TEXT_FIELDS:
        return None if isinstance(value, ScalarNode) and value.style != "plain" else "a text"
    if key == "author":
        return None if isinstance(value, MappingNode) else 'an object: {"name": "..."}'
    if key == "keywords":
        return None if isinstance(value, SequenceNode) else 'a list: ["..."]'
    return None


def _find_plugin_name(plugin: Brought) -> Iterator[Finding]:
    code = "plugin-name-invalid"
    node = scalar(plugin.root, "name")
    if node is None or not node.value.strip():
        if not isinstance(plugin.root.index.get("name"), MappingNode | SequenceNode):
            message = "The plugin manifest has no name, so Claude Code refuses it"
            yield _tell(
                plugin, code, node or plugin.root, message, 'Write "name": "..." with words joined by hyphens'
            )
        return
    name = node.value
    kebab = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "my-plugin"
    if any(c.isspace() for c in name):
        message = f"The plugin's name {shown(name)} contains blanks, so Claude Code refuses the manifest"
        yield _tell(plugin, code, node, message, f'Write "name": "{kebab}"')
    elif name.startswith(_RESERVED):
        bare = kebab.partition("-")[2] or "my-plugin"
        message = f"The plugin's name {shown(name)} starts with a reserved prefix, so Claude Code refuses the manifest"
        yield _tell(plugin, code, node, message, f'Write "name": "{bare}"')
    elif not _KEBAB.fullmatch(name):
        message = f"The plugin's name {shown(name)} is not words of a-z and 0-9 with hyphens, which claude.ai asks for"
        yield _tell(plugin, code, node, message, f'Write "name": "{kebab}"')


def _find_bad_path(plugin: Brought, key: str, node: Node, paths: frozenset[str]) -> Iterator[Finding]:
    if not isinstance(node, ScalarNode) or node.style == "plain":
        return
    path = node.value
    if path.startswith(("https://", "http://")) and key == "icon":
        return
    inside = path.replace("${CLAUDE_PLUGIN_ROOT}", ".", 1)
    plain = posixpath.normpath(inside)
    why = fix = ""
    if ".." in inside.split("/"):
        why, fix = "leads out of the plugin with ..", "Write a path inside the plugin, such as ./commands"
    elif not inside.startswith("./"):
        why, fix = "does not start with ./", f'Write "./{inside.lstrip("/")}"'
    elif key == "agents" and not inside.endswith(".md"):
        why, fix = "does not end in .md", "Name the files of agents one by one, such as ./agents/reviewer.md"
    elif plain != "." and plain not in paths and not any(p.startswith(f"{plain}/") for p in paths):
        why, fix = "is not in the skill", "Add the file, or remove the path"
    if why:
        yield _tell(
            plugin, "plugin-path-invalid", node,
            f"The path {shown(path)} of {key} {why}, so Claude Code refuses the manifest", fix,
        )  # fmt: skip


def _find_in_servers(brought: Brought) -> Iterator[Finding]:
    code = "mcp-server-shape"
    for key, node in brought.root.entries:
        if not isinstance(node, MappingNode):
            continue
        name = shown(key.value)
        kind = scalar(node, "type")
        has = {field for field in ("command", "url") if scalar(node, field) is not None}
        if kind is not None and kind.value not in _SERVER_TYPES:
            yield _tell(
                brought, code, kind,
                f"The MCP server {name} has the type {shown(kind.value)}; Claude Code knows "
                f"{', '.join(_SERVER_TYPES)} and "
                "drops the server",
                f"Write {nearest(kind.value, _SERVER_TYPES) or ('stdio' if 'command' in has else 'http')}",
            )  # fmt: skip
        elif (
            has and kind is not None and (wanted := "command" if kind.value == "stdio" else "url") not in has
        ):
            yield _tell(
                brought, code, kind,
                f"The MCP server {name} is of type {kind.value} and has no {wanted}, so Claude Code drops it",
                f"Add {wanted}, or write another type",
            )  # fmt: skip
        elif has == {"url"} and kind is None:
            yield _tell(
                brought, code, key,
                f"The MCP server {name} has a url and no type; Claude Code then takes it for stdio, misses its "
                "command and "
                "drops it",
                'Add "type": "http" (or "sse", "ws")',
            )  # fmt: skip
        for variable, value in _variables(node):
            if not isinstance(value, ScalarNode) or _is_untyped(value, brought):
                yield _tell(
                    brought, code, value,
                    f"The variable {variable.value[:40]} of the MCP server {name} is not a text, so Claude Code "
                    "drops the server",
                    "Put the value in double quotes",
                )  # fmt: skip


def _variables(node: MappingNode) -> tuple[tuple[ScalarNode, Node], ...]:
    env = mapping(node, "env")
    return env.entries if env is not None else ()


def _is_untyped(value: ScalarNode, brought: Brought) -> bool:
    if value.style != "plain":
        return False
    return brought.path.endswith(".json") or value.is_null or type_of(value.value) is not None


def _find_in_openai(subject: Subject, paths: frozenset[str]) -> Iterator[Finding]:
    tree = read_tree(subject, _OPENAI_YAML)
    interface = mapping(tree.root, "interface") if tree is not None else None
    if tree is None or interface is None:
        return
    code = "openai-yaml-invalid"
    for key, longest in _OPENAI_LONGEST.items():
        node = scalar(interface, key)
        if node is not None and len(node.value) > longest:
            message = f"The field interface.{key} has {len(node.value):,} characters; Codex takes {longest:,} at most"
            yield _tell(tree, code, node, message, f"Shorten it to {longest:,} characters")
    colour = scalar(interface, "brand_color")
    if colour is not None and not _COLOUR.fullmatch(colour.value):
        message = f"The field interface.brand_color is {shown(colour.value)}, which Codex passes over"
        yield _tell(tree, code, colour, message, 'Write six hexadecimal digits: "#1A2B3C"')
    for key in ("icon_small", "icon_large"):
        icon = scalar(interface, key)
        if icon is not None and posixpath.normpath(icon.value) not in paths:
            message = f"The field interface.{key} names {shown(icon.value)}, which is not in the skill"
            yield _tell(tree, code, icon, message, "Put the icon below assets/ and write its path")


def _find_agents(subject: Subject) -> Iterator[Finding]:
    manifest = subject.skill.manifest
    if manifest is None or not manifest.subagents:
        return
    unread = {f.path for f in subject.skill.findings if f.code == "subagent-invalid"}
    for agent in manifest.subagents:
        path = file_path(subject, agent.path)
        if path not in unread and not agent.description:
            yield finding(
                "subagent-incomplete", path,
                f"The subagent {shown(agent.name)} has no description, so no host knows when to start it",
                "Add a front matter line description: with when to start it", 1, 1, "---",
            )  # fmt: skip


def _tell(brought: Brought, code: str, node: Node, message: str, fix: str) -> Finding:
    return finding(code, brought.path, message, fix, node.line, node.column)
