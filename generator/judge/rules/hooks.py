"""Hooks: events nobody fires, types nobody runs, and shapes that are passed over.

Claude Code's events and types are those of 2.1.332; the skill-package service has three events of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generator.findings import finding
from generator.judge.model import Subject
from generator.judge.rules.brought import Brought, find_hooks, read_plugin, with_texts
from generator.judge.rules.ground import items, shown
from generator.judge.rules.nearest import nearest
from generator.model import Finding
from generator.read.nodes import MappingNode, Node, ScalarNode

CLAUDE_EVENTS: Final = (
    "SessionStart", "SessionEnd", "UserPromptSubmit", "UserPromptExpansion", "PreToolUse", "PostToolUse",
    "PostToolUseFailure", "PostToolBatch", "PermissionRequest", "PermissionDenied", "Notification", "Stop",
    "StopFailure", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "Setup", "TeammateIdle",
    "TaskCreated", "TaskCompleted", "ConfigChange", "WorktreeCreate", "WorktreeRemove", "InstructionsLoaded",
    "Elicitation", "ElicitationResult", "CwdChanged", "FileChanged", "MessageDisplay",
)  # fmt: skip
"""Events that Claude Code fires."""

SERVICE_EVENTS: Final = ("PrePrompt", "PostAgent", "PreSave")
"""Events that the skill-package service fires."""

_TYPES: Final = ("command", "prompt", "agent", "http", "mcp_tool")


def find(subject: Subject) -> Iterator[Finding]:
    """Each entry of each event that some host passes over or chokes on."""
    manifest = subject.skill.manifest
    if manifest is None or not (manifest.hooks or "hooks" in _keys(subject) or _brings_files(subject)):
        return
    found = [one for brought in find_hooks(subject, read_plugin(subject)) for one in _find_in(brought)]
    yield from with_texts(found, subject)


def _keys(subject: Subject) -> frozenset[str]:
    front = subject.skill.front
    return frozenset(front.index) if front is not None else frozenset()


def _brings_files(subject: Subject) -> bool:
    return any(f.path.startswith((".claude-plugin/", "hooks/")) for f in subject.skill.package.files)


def _find_in(brought: Brought) -> Iterator[Finding]:
    for key, node in brought.root.entries:
        event = key.value
        ours = event in CLAUDE_EVENTS
        if event in SERVICE_EVENTS:
            yield _tell(
                brought, "hook-event-unknown", key,
                f"{event} is an event of the skill-package service; Claude Code does not know it and passes the "
                "entry over",
                "Say in the text which host the hook is for, and add one for an event of Claude Code if it is "
                "meant too",
            )  # fmt: skip
        elif not ours:
            guess = nearest(event, (*CLAUDE_EVENTS, *SERVICE_EVENTS))
            fix = (
                f"Write {guess}"
                if guess
                else "Write an event such as SessionStart, PreToolUse or PostToolUse"
            )
            yield _tell(
                brought, "hook-event-unknown", key,
                f"No host fires the event {shown(event)}: Claude Code passes the entry over, and the "
                "skill-package service "
                f"knows {', '.join(SERVICE_EVENTS)} only",
                fix,
            )  # fmt: skip
            continue
        for entry in items(node) or (node,):
            yield from _find_in_entry(brought, event, ours, entry)


def _find_in_entry(brought: Brought, event: str, ours: bool, entry: Node) -> Iterator[Finding]:
    inner = entry.index.get("hooks") if isinstance(entry, MappingNode) else None
    if ours and inner is None:
        yield _tell(
            brought, "hook-shape", entry,
            f"The entry of {event} has no inner list of hooks, so Claude Code passes it over",
            f'Write "{event}": [{{"hooks": [{{"type": "command", "command": "..."}}]}}]',
        )  # fmt: skip
    elif not ours and inner is not None:
        yield _tell(
            brought, "hook-shape", entry,
            f"The entry of {event} has an inner list of hooks; the skill-package service reads a flat list",
            f'Write "{event}": [{{"type": "command", "command": "..."}}]',
        )  # fmt: skip
    for hook in items(inner) if inner is not None else (entry,):
        kind = hook.index.get("type") if isinstance(hook, MappingNode) else None
        known = _TYPES if ours else _TYPES[:1]
        if isinstance(kind, ScalarNode) and kind.value not in known:
            effect = (
                "which makes Claude Code refuse the whole plugin"
                if ours
                else "and the service runs commands only"
            )
            yield _tell(
                brought, "hook-type-unknown", kind,
                f"A hook of {event} has the type {shown(kind.value)}, {effect}",
                f"Write {nearest(kind.value, known) or known[0]}",
            )  # fmt: skip


def _tell(brought: Brought, code: str, node: Node, message: str, fix: str) -> Finding:
    return finding(code, brought.path, message, fix, node.line, node.column)
