"""What of a skill can act, before and after: what a reader of an update should see first.

Compared are all of them, not only those a page has rows for, so that nothing hides behind many others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from generator.history.diff.hosts import find_hosts
from generator.history.diff.manifests import start_of, tools_of
from generator.judge.powers import MAX_POWERS, find_dynamic_context, is_script
from generator.model import Manifest, PackageFile, SkillFolder
from generator.read.package import manifest_file
from generator.read.sidefiles import PLUGIN_JSON

MAX_ROWS: Final = 300
"""Changes that are listed; the others are counted."""
_LONGEST: Final = 2_000
_ANY_TOOL: Final = "no limit"


class Change(StrEnum):
    """What became of a power, the most urgent first."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


class ActingKind(StrEnum):
    """What can act, or be reached, in the order it is listed."""

    HOOK = "hook"
    MCP_SERVER = "mcp-server"
    DYNAMIC_CONTEXT = "dynamic-context"
    INSTALL = "install"
    EXECUTABLE = "executable"
    SCRIPT = "script"
    TOOLS = "allowed-tools"
    ENV = "environment"
    HOST = "network-host"
    SUBAGENT = "subagent"
    PLUGIN = "plugin-manifest"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class PowerChange:
    """One power that differs. ``name`` says which; ``before`` and ``after`` what it does, None where it is not.

    ``path`` is the file it stands in, of the new version where it has it. A program whose bytes differ is
    changed, with no words for what differs: that is in its lines.
    """

    change: Change
    kind: ActingKind
    name: str
    before: str | None
    after: str | None
    path: str


@dataclass(frozen=True, slots=True)
class PowerChanges:
    """All changed powers, what is new first. ``more`` are not listed; ``whole`` is false where a version has so
    many addresses or commands that not all of them were compared."""

    changes: tuple[PowerChange, ...] = ()
    more: int = 0
    whole: bool = True


class _Key(NamedTuple):
    kind: ActingKind
    name: str
    place: str = ""


class _Acting(NamedTuple):
    says: str
    path: str
    content: str = ""


def compare_powers(old: SkillFolder, new: SkillFolder) -> PowerChanges:
    """Everything that can act and differs. Never raises."""
    before, old_whole = _find(old)
    after, new_whole = _find(new)
    changes = [*_compare_tools(old, new)]
    for key in dict.fromkeys((*after, *before)):
        was, now = before.get(key), after.get(key)
        if was is None and now is not None:
            changes.append(_change(Change.ADDED, key, None, now))
        elif was is not None and now is None:
            changes.append(_change(Change.REMOVED, key, was, None))
        elif was is not None and now is not None and (was.says, was.content) != (now.says, now.content):
            changes.append(_change(Change.CHANGED, key, was, now))
    order = {kind: number for number, kind in enumerate(ActingKind)}
    urgency = {change: number for number, change in enumerate(Change)}
    changes.sort(key=lambda one: (urgency[one.change], order[one.kind], one.name, one.path))
    return PowerChanges(tuple(changes[:MAX_ROWS]), max(len(changes) - MAX_ROWS, 0), old_whole and new_whole)


def _change(change: Change, key: _Key, was: _Acting | None, now: _Acting | None) -> PowerChange:
    side = now or was
    assert side is not None
    before, after = (one.says if one is not None else None for one in (was, now))
    if before is not None and after is not None:
        # Two long texts that differ late must not look the same.
        start = _first_difference(before, after)
        before, after = before[start:], after[start:]
    return PowerChange(
        change, key.kind, key.name[:_LONGEST],
        before and before[:_LONGEST], after and after[:_LONGEST], side.path,
    )  # fmt: skip


def _first_difference(one: str, other: str) -> int:
    if len(one) <= _LONGEST and len(other) <= _LONGEST:
        return 0
    pairs = zip(one, other, strict=False)
    same = next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
    return max(same - 60, 0)


def _find(skill: SkillFolder) -> tuple[Mapping[_Key, _Acting], bool]:
    """What can act by what it is called, and whether all of it was looked at."""
    files = skill.package.files
    own = manifest_file(skill.package)
    own_path = own.path if own is not None else ""
    found: dict[_Key, _Acting] = {}
    if skill.manifest is not None:
        for key, acting in _from_manifest(skill.manifest, own_path):
            # Two of one name: whichever counts for a host, a change of either is one.
            earlier = found.get(key)
            found[key] = acting if earlier is None else _Acting(f"{earlier.says}\n{acting.says}", acting.path)
    commands = find_dynamic_context(skill.body)
    for command, *_ in commands:
        found[_Key(ActingKind.DYNAMIC_CONTEXT, command)] = _Acting(command, own_path)
    for file in files:
        kind = _kind_of(file)
        if kind is not None:
            found[_Key(kind, file.path)] = _Acting("", file.path, file.sha256)
    hosts, whole = find_hosts(files)
    for host, path in hosts.items():
        found[_Key(ActingKind.HOST, host)] = _Acting("", path)
    # The judge cuts commands off, and their number.
    cut = len(commands) >= MAX_POWERS or any(len(command) >= _LONGEST for command, *_ in commands)
    return found, whole and not cut


def _kind_of(file: PackageFile) -> ActingKind | None:
    if file.path == PLUGIN_JSON:
        return ActingKind.PLUGIN
    if file.executable:
        return ActingKind.EXECUTABLE
    return ActingKind.SCRIPT if is_script(file.path) else None


def _from_manifest(manifest: Manifest, own: str) -> Iterator[tuple[_Key, _Acting]]:
    for hook in manifest.hooks:
        name = f"{hook.event} ({hook.matcher})" if hook.matcher else hook.event
        yield _Key(ActingKind.HOOK, name, f"{hook.path}\n{hook.command}"), _Acting(hook.command, hook.path)
    for server in manifest.mcp_servers:
        yield _Key(ActingKind.MCP_SERVER, server.name, server.path), _Acting(start_of(server), server.path)
        for name in server.env:
            yield _Key(ActingKind.ENV, name, server.name), _Acting(f"given to {server.name}", server.path)
    for spec in manifest.install:
        systems = f"on {', '.join(spec.os)}" if spec.os else ""
        yield _Key(ActingKind.INSTALL, f"{spec.kind} {spec.target}"), _Acting(systems, own)
    for name in manifest.requires.env:
        yield _Key(ActingKind.ENV, name), _Acting("required", own)
    for agent in manifest.subagents:
        yield _Key(ActingKind.SUBAGENT, agent.name, agent.path), _Acting(tools_of(agent), agent.path)
    if manifest.always:
        yield _Key(ActingKind.ALWAYS, "always: true"), _Acting("in every turn", own)


def _compare_tools(old: SkillFolder, new: SkillFolder) -> Iterator[PowerChange]:
    """Tools asked for. No list at all is no limit, so a list that goes away gives the most."""
    if old.manifest is None or new.manifest is None:
        return
    before, after = old.manifest.allowed_tools, new.manifest.allowed_tools
    own = manifest_file(new.package)
    path = own.path if own is not None else ""
    if (before is None) != (after is None):
        words = [_ANY_TOOL if tools is None else ", ".join(tools) or "no tools" for tools in (before, after)]
        change = Change.ADDED if after is None else Change.CHANGED
        was, now = words[0][:_LONGEST], words[1][:_LONGEST]
        yield PowerChange(change, ActingKind.TOOLS, "all tools", was, now, path)
        return
    had, has = frozenset(before or ()), frozenset(after or ())
    for name in dict.fromkeys((*(after or ()), *(before or ()))):
        if name not in had:
            yield PowerChange(Change.ADDED, ActingKind.TOOLS, name[:_LONGEST], None, name[:_LONGEST], path)
        elif name not in has:
            yield PowerChange(Change.REMOVED, ActingKind.TOOLS, name[:_LONGEST], name[:_LONGEST], None, path)
