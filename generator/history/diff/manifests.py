"""What differs between two manifests, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

from generator.model import Hook, InstallSpec, Manifest, McpServer, Requirements, Subagent, Taxonomy

Value = str | bool | tuple[str, ...] | None
"""A field in words: None where the author wrote nothing, ``()`` where a list is empty."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field that differs. ``field`` is its name in the model, ``requires.env`` where it is one of a group."""

    field: str
    before: Value
    after: Value


def compare_manifests(old: Manifest | None, new: Manifest | None) -> tuple[FieldChange, ...]:
    """Every field that differs, in the model's order; None is a manifest that could not be read."""
    before, after = dict(_values(old)), dict(_values(new))
    names = dict.fromkeys((*before, *after))
    return tuple(
        FieldChange(name, before.get(name), after.get(name))
        for name in names
        if before.get(name) != after.get(name)
    )


def _values(manifest: Manifest | None) -> Iterator[tuple[str, Value]]:
    if manifest is None:
        return
    for field in fields(manifest):
        value = getattr(manifest, field.name)
        if isinstance(value, Requirements | Taxonomy):
            for part in fields(value):
                yield f"{field.name}.{part.name}", getattr(value, part.name) or None
        elif isinstance(value, tuple):
            # Only where it says what tools there are is an empty list another thing than none.
            yield (
                field.name,
                tuple(_in_words(item) for item in value) or (value if _is_told(field.name) else None),
            )
        else:
            yield field.name, value


def _is_told(name: str) -> bool:
    return name == "allowed_tools"


def _in_words(item: object) -> str:
    match item:
        case Hook():
            matcher = f" ({item.matcher})" if item.matcher else ""
            return f"{item.event}{matcher}: {item.command} [{item.path}]"
        case McpServer():
            env = f" with {', '.join(item.env)}" if item.env else ""
            return f"{item.name}: {start_of(item)}{env} [{item.path}]"
        case Subagent():
            return f"{item.name}: {tools_of(item)} [{item.path}]"
        case InstallSpec():
            systems = f" on {', '.join(item.os)}" if item.os else ""
            return f"{item.kind} {item.target}{systems}"
        case _:
            return str(item)


def start_of(server: McpServer) -> str:
    """How a server is reached: its address, else its command line."""
    return server.url or " ".join((server.command or "", *server.args))


def tools_of(agent: Subagent) -> str:
    """Which tools a subagent has, in words."""
    if agent.tools is None:
        return "no limit on tools"
    return f"tools {', '.join(agent.tools)}" if agent.tools else "no tools"
