"""What of an author's plugin files Claude Code can take, by a fixed list.

Claude Code 2.1.197 refuses a whole plugin for one field it cannot take: for an event in ``plugin.json`` that another
host knows (``PrePrompt``), for a missing name. An event it does not know in ``hooks/hooks.json`` costs every hook of
that file. And the version in ``plugin.json`` wins over the marketplace's, so that an author's stale one keeps users
from every update. What is written here lands in tarballs, whose bytes never change: the lists are frozen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import Any, Final

from generator.jsondata import dump_bytes

_LONGEST: Final = 1_000_000
_TEXTS: Final = ("$schema", "displayName", "description", "license", "repository")
_ADDRESS: Final = re.compile(
    r"https?://[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,4})?(?:[/?#][!-~]*)?"
)
_LONGEST_TIMEOUT: Final = 86_400
_EVENTS: Final = frozenset(
    (
        "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "Notification", "UserPromptSubmit",
        "UserPromptExpansion", "SessionStart", "SessionEnd", "Stop", "StopFailure", "SubagentStart", "SubagentStop",
        "PreCompact", "PostCompact", "PermissionRequest", "PermissionDenied", "Setup", "TeammateIdle", "TaskCreated",
        "TaskCompleted", "Elicitation", "ElicitationResult", "ConfigChange", "WorktreeCreate", "WorktreeRemove",
        "InstructionsLoaded", "CwdChanged", "FileChanged", "MessageDisplay",
    )
)  # fmt: skip
"""The events of 2.1.197, as its error message lists them."""


def read_object(data: bytes) -> dict[str, Any] | None:
    """A JSON object; None for anything that JavaScript would not read as one, and for more than 1 MB."""
    if len(data) > _LONGEST:
        return None
    try:
        value = json.loads(data.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _refuse(text: str) -> None:
    raise ValueError(text)


def accept_manifest(data: bytes, slug: str, version: str, paths: Collection[str]) -> bytes:
    """The author's ``plugin.json`` as Claude Code takes it, for one version of a skill whose files are ``paths``.

    These very bytes where nothing stands in the way; else a document of the fields that are right, with the release's
    version, and the slug where there is no usable name. ``data`` is an object by :func:`read_object`.
    """
    written = read_object(data) or {}
    kept = dict(_fields(written, frozenset(paths)))
    name = written.get("name")
    usable = isinstance(name, str) and name and " " not in name
    accepted = {"name": name if usable else slug, "version": version, **kept}
    return data if accepted == {"version": version, **written} else dump_bytes(accepted)


def _fields(written: dict[str, Any], paths: Collection[str]) -> Iterator[tuple[str, Any]]:
    for key in _TEXTS:
        if isinstance(written.get(key), str):
            yield key, written[key]
    if isinstance(written.get("homepage"), str) and is_address(written["homepage"]):
        yield "homepage", written["homepage"]
    if isinstance(written.get("defaultEnabled"), bool):
        yield "defaultEnabled", written["defaultEnabled"]
    author = written.get("author")
    if isinstance(author, dict) and _is_text(author.get("name")):
        yield (
            "author",
            {key: author[key] for key in ("name", "email", "url") if isinstance(author.get(key), str)},
        )
    keywords = written.get("keywords")
    if isinstance(keywords, list) and all(isinstance(word, str) for word in keywords):
        yield "keywords", keywords
    for key, accept in (("hooks", accept_hooks), ("mcpServers", accept_servers)):
        value = written.get(key)
        if isinstance(value, str) and value.endswith(".json") and _is_inside(value, paths):
            yield key, value
        elif accepted := accept(value):
            yield key, accepted
    for key in ("commands", "agents", "skills"):
        value = written.get(key)
        listed = value if isinstance(value, list) else [value]
        inside = [path for path in listed if isinstance(path, str) and _is_inside(path, paths)]
        if key == "agents":
            inside = [path for path in inside if path.endswith(".md")]
        if inside:
            yield key, value if inside == listed else inside


def is_address(text: str) -> bool:
    """Whether this is a web address by any reader's rules; Claude Code refuses a plugin for a homepage that is none."""
    return _ADDRESS.fullmatch(text) is not None


def _is_inside(path: str, paths: Collection[str]) -> bool:
    if not path.startswith("./") or ".." in path.split("/"):
        return False
    plain = path[2:].rstrip("/")
    return not plain or plain in paths or any(one.startswith(f"{plain}/") for one in paths)


def accept_hooks(value: object) -> dict[str, Any]:
    """The commands and prompts at events that Claude Code knows, in its shape; {} where there are none.

    ``value`` maps events to lists of ``{"matcher": ..., "hooks": [{"type": "command", "command": ...}]}``.
    """
    if not isinstance(value, dict):
        return {}
    accepted = {event: _groups(groups) for event, groups in value.items() if event in _EVENTS}
    return {event: groups for event, groups in accepted.items() if groups}


def _groups(value: object) -> list[dict[str, Any]]:
    accepted = []
    for group in value if isinstance(value, list) else ():
        if not isinstance(group, dict) or not isinstance(group.get("hooks"), list):
            continue
        hooks = [hook for hook in map(_command, group["hooks"]) if hook]
        if hooks:
            matcher = {"matcher": group["matcher"]} if isinstance(group.get("matcher"), str) else {}
            accepted.append({**matcher, "hooks": hooks})
    return accepted


def _command(hook: object) -> dict[str, Any]:
    kind = hook.get("type") if isinstance(hook, dict) else None
    if not isinstance(hook, dict) or kind not in ("command", "prompt") or not _is_text(hook.get(kind)):
        return {}
    accepted: dict[str, Any] = {"type": kind, kind: hook[kind]}
    timeout = hook.get("timeout")
    if isinstance(timeout, int | float) and not isinstance(timeout, bool) and 0 < timeout <= _LONGEST_TIMEOUT:
        accepted["timeout"] = timeout
    if isinstance(hook.get("async"), bool):
        accepted["async"] = hook["async"]
    return accepted


def accept_servers(value: object) -> dict[str, Any]:
    """The MCP servers whose command or address can be read; {} where there are none."""
    if not isinstance(value, dict):
        return {}
    accepted = {name: _server(server) for name, server in value.items() if name}
    return {name: server for name, server in accepted.items() if server}


def _server(server: object) -> dict[str, Any]:
    if not isinstance(server, dict):
        return {}
    kind = server.get("type", "stdio")
    if kind == "stdio" and _is_text(server.get("command")):
        accepted: dict[str, Any] = {"command": server["command"]}
        args, texts = server.get("args"), ("env",)
        if isinstance(args, list) and all(isinstance(one, str) for one in args):
            accepted["args"] = args
    elif kind in ("http", "sse", "ws") and _is_text(server.get("url")):
        accepted, texts = {"type": kind, "url": server["url"]}, ("headers",)
    else:
        return {}
    for key in texts:
        table = server.get(key)
        if isinstance(table, dict) and all(isinstance(one, str) for one in table.values()):
            accepted[key] = table
    return accepted


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def accept_hooks_file(data: bytes) -> bytes | None:
    """``hooks/hooks.json`` as Claude Code takes it, these very bytes where it takes them; None where it holds nothing
    for Claude Code."""
    written = read_object(data)
    own = written.get("hooks") if written is not None else None
    hooks = accept_hooks(own)
    return data if hooks and hooks == own else dump_bytes({"hooks": hooks}) if hooks else None


def accept_servers_file(data: bytes) -> bytes | None:
    """``.mcp.json`` as Claude Code takes it, these very bytes where it takes them; None where it holds no server."""
    written = read_object(data)
    own = written.get("mcpServers", written) if written is not None else None
    servers = accept_servers(own)
    return data if servers and servers == own else dump_bytes({"mcpServers": servers}) if servers else None
