"""Keys of the front matter: which program reads which, and which refuses what it does not know.

The specification has six keys. claude.ai's upload, quick_validate, skills-ref and DeerFlow's installer (which
knows four more) refuse a skill with any other; agents pass it over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from generator.judge.model import Subject
from generator.judge.rules.ground import listed, mapping, shown, tell
from generator.judge.rules.nearest import nearest
from generator.judge.rules.yaml_forms import type_of
from generator.model import Finding
from generator.read.nodes import MappingNode, Node, ScalarNode
from generator.read.yamladvice import quoted

SPECIFIED: Final = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
"""The keys of the Agent Skills specification."""

_DEERFLOW_TOO: Final = frozenset({"version", "author", "required-secrets", "secrets-autonomous"})

READERS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        **dict.fromkeys(
            ("when_to_use", "argument-hint", "arguments", "model", "effort", "context", "agent", "hooks", "shell",
             "disallowed-tools", "paths"),
            ("Claude Code",),
        ),
        **dict.fromkeys(
            ("disable-model-invocation", "user-invocable"), ("Claude Code", "OpenClaw", "VS Code")
        ),
        **dict.fromkeys(("command-dispatch", "command-tool", "command-arg-mode"), ("OpenClaw",)),
        **dict.fromkeys(("required-secrets", "secrets-autonomous"), ("DeerFlow",)),
        **dict.fromkeys(("platforms", "environments", "prerequisites"), ("Hermes",)),
        **dict.fromkeys(("primaryEnv", "dependencies", "links"), ("ClawHub",)),
        **dict.fromkeys(
            ("track", "language", "domains", "stages", "forms", "audiences", "changelog"), ("DeepTutor's hub",)
        ),
        **dict.fromkeys(
            ("slug", "displayName", "title", "category", "topics", "keywords", "emoji", "os", "install", "mcpServers"),
            ("Skillpress",),
        ),
        "author": ("DeerFlow", "ClawHub", "Skillpress"),
        "version": ("DeerFlow", "ClawHub", "Skillpress"),
        "homepage": ("OpenClaw", "ClawHub", "Skillpress"),
        "tags": ("DeepTutor", "Skillpress"),
        "always": ("DeepTutor",),
        "bins": ("DeepTutor's import",),
        "env": ("ClawHub", "DeepTutor's import"),
        "requires": ("DeepTutor", "ClawHub"),
    }
)  # fmt: skip
"""Keys beyond the specification, and who reads them at the top of the front matter."""

_KNOWN: Final = (*SPECIFIED, *READERS)
_PLAIN_FORMS: Final[Mapping[str, str]] = MappingProxyType(
    {re.sub(r"[^a-z0-9]", "", key.lower()): key for key in _KNOWN}
)
_NESTED_ON_PURPOSE: Final = frozenset(
    {"openclaw", "clawdbot", "clawdis", "moltbot", "clawdhub", "hermes", "nanobot", "requires", "taxonomy"}
)
"""Keys below ``metadata`` whose readers want a mapping there."""


def find(subject: Subject) -> Iterator[Finding]:
    """Keys that a strict program refuses, and values below ``metadata`` that are no texts."""
    front = subject.skill.front
    if front is None:
        return
    for key, value in front.entries:
        if key.value not in SPECIFIED:
            yield _unknown(subject, front, key, value)
    inner = mapping(front, "metadata")
    if inner is not None:
        yield from _find_untyped(subject, inner)


def _unknown(subject: Subject, front: MappingNode, key: ScalarNode, value: Node) -> Finding:
    name = key.value
    readers = READERS.get(name)
    if readers is None and (meant := _other_form(name)) is not None and meant not in front.index:
        return tell(
            subject, "key-wrong-case", key,
            f"The key {shown(name)} is not read as {meant}: hosts compare keys letter by letter",
            f"Write {meant}:",
        )  # fmt: skip
    refused = "claude.ai upload, quick_validate and skills-ref refuse the skill for it"
    if name not in _DEERFLOW_TOO:
        refused = (
            "claude.ai upload, quick_validate, skills-ref and DeerFlow's installer refuse the skill for it"
        )
    if readers is not None:
        who = f"read by {listed(readers)} only"
        return tell(
            subject, "unknown-frontmatter-key", key,
            f"The key {shown(name)} is {who}; {refused}",
            f"Move it below metadata: where those programs must accept the skill ({_moved(name, value)})",
        )  # fmt: skip
    guess = _guess(name)
    fix = f"Move it below metadata: ({_moved(name, value)})"
    if guess is not None:
        fix = (
            f"If you mean {guess}, write {guess}: ; otherwise move it below metadata: ({_moved(name, value)})"
        )
    return tell(
        subject, "unknown-frontmatter-key", key, f"The key {shown(name)} is read by no host; {refused}", fix
    )


def _other_form(name: str) -> str | None:
    """The known key that differs from ``name`` by capitals, underscores or hyphens only."""
    meant = _PLAIN_FORMS.get(re.sub(r"[^a-z0-9]", "", name.lower()))
    return meant if meant != name else None


@lru_cache(maxsize=1024)
def _guess(name: str) -> str | None:
    return nearest(name, _KNOWN)


def _moved(name: str, value: Node) -> str:
    """The lines to write below ``metadata``, in words on one line."""
    if not isinstance(value, ScalarNode):
        return f"`metadata:`, and below it `  {name}:` with its parts indented by four spaces"
    text = value.value
    if len(text) > 60 or "\n" in text:
        return f"`metadata:`, and below it `  {name}: ...`"
    as_is = value.style == "plain" and text and type_of(text) is None
    return f"`metadata:`, and below it `  {name}: {text if as_is else quoted(text)}`"


def _find_untyped(subject: Subject, inner: MappingNode) -> Iterator[Finding]:
    found: list[tuple[ScalarNode, Node, str]] = []
    for key, value in inner.entries:
        if key.value in _NESTED_ON_PURPOSE:
            continue
        if not isinstance(value, ScalarNode):
            found.append((key, value, "holds parts of its own"))
        elif value.style == "plain" and (kind := type_of(value.value)) is not None:
            found.append((key, value, f"is {kind} to YAML"))
    if not found:
        return
    key, value, what = found[0]
    others = [f"metadata.{k.value[:40]}" for k, _, _ in found[1:]]
    more = f" (likewise {listed(others)})" if others else ""
    fix = "Write it as one text in quotes"
    if isinstance(value, ScalarNode):
        fix = f"Put it in quotes: {key.value[:40]}: {quoted(value.value[:60])}"
    yield tell(
        subject, "metadata-value-not-text", value,
        f"The value of metadata.{key.value[:40]} {what}, where the specification knows texts only{more}",
        fix,
    )  # fmt: skip
