"""What a skill needs before a host offers it: gates, systems, install steps, tools.

The order in which gates count: ``requires`` in the front matter, ``metadata.requires``, the vendors'
namespaces (openclaw, clawdbot, clawdis, moltbot), then ``bins``, ``anyBins`` and ``env`` on their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.model import InstallSpec, Requirements
from generator.read.fields import (
    Notes,
    Place,
    Spelled,
    fold,
    look_up,
    tell_conflict,
    texts_of,
    wrong_type,
)
from generator.read.nodes import MappingNode, Node, ScalarNode, SequenceNode

_KEYS: Final = {
    "bins": ("bins",),
    "any_bins": ("anyBins", "any_bins", "any-bins"),
    "env": ("env",),
    "config": ("config",),
    "sandbox": ("sandbox",),
}
_OS_NAMES: Final = {
    "darwin": "darwin",
    "linux": "linux",
    "mac": "darwin",
    "macos": "darwin",
    "osx": "darwin",
    "win32": "win32",
    "windows": "win32",
}
_TARGET_KEYS: Final = ("formula", "package", "module", "url", "cask", "archive")


def read_requirements(notes: Notes, front: Place, nested: Sequence[Place]) -> Requirements:
    """All gates of a skill. ``nested`` are ``metadata`` and the vendors' namespaces in their order."""
    gates: list[Place] = []
    for spelled in look_up((front, *nested), ("requires",)):
        if isinstance(spelled.node, MappingNode):
            place = spelled.place
            gates.append(Place(spelled.node, place.path, place.file, f"{spelled.label}."))
        else:
            wrong_type(notes, spelled, "a mapping with bins, env and the like")
    flat = (*_KEYS["bins"], *_KEYS["any_bins"], *_KEYS["env"])
    if not gates and front.root.index.keys().isdisjoint(flat):
        return Requirements()
    return Requirements(
        bins=_gate(notes, (*gates, front), "bins"),
        any_bins=_gate(notes, (*gates, front), "any_bins"),
        env=_gate(notes, (*gates, front), "env"),
        config=_gate(notes, gates, "config"),
        sandbox=_gate(notes, gates, "sandbox"),
    )


def _gate(notes: Notes, places: Sequence[Place], name: str) -> tuple[str, ...]:
    first: tuple[tuple[str, ...], Spelled] | None = None
    for spelled in look_up(places, _KEYS[name]):
        value = _gate_values(notes, spelled, name)
        if first is None:
            first = (value, spelled)
        elif set(value) != set(first[0]):
            tell_conflict(notes, first[1], spelled)
    return first[0] if first else ()


def _gate_values(notes: Notes, spelled: Spelled, name: str) -> tuple[str, ...]:
    node = spelled.node
    if isinstance(node, SequenceNode):
        named = [i for i in node.items if isinstance(i, MappingNode) and "name" in i.index]
        if len(named) == len(node.items) and named:
            # ClawHub's long form: [{name: API_KEY, required: true}].
            names = [i.index["name"] for i in named]
            return tuple(n.value for n in names if isinstance(n, ScalarNode) and n.value)
        return texts_of(notes, spelled)
    if isinstance(node, ScalarNode):
        # DeepTutor documents "sandbox: shell" as a text; everywhere else it loops over the letters.
        if name != "sandbox":
            _tell_gate(notes, spelled, "a text")
        return texts_of(notes, spelled)
    _tell_gate(notes, spelled, "a mapping")
    return tuple(key.value for key, _ in node.entries if key.value)


def _tell_gate(notes: Notes, spelled: Spelled, what: str) -> None:
    node = spelled.node
    names = [part.strip() for part in node.value.split(",")] if isinstance(node, ScalarNode) else ["..."]
    items = ", ".join(f"`  - {name[:40]}`" for name in names[:4])
    notes.add(
        "gate-wrong-type",
        spelled.place.path,
        spelled.node,
        f"{spelled.label} is {what}, not a list; some hosts read it letter by letter or not at all",
        f"Write a list: `{spelled.key}:`, and below it {items}",
    )


def read_os(notes: Notes, front: Place, nested: Sequence[Place]) -> tuple[str, ...]:
    """The systems a skill runs on, as hosts compare them: ``darwin``, ``linux``, ``win32``."""
    first: tuple[tuple[str, ...], Spelled] | None = None
    for spelled in look_up((front, *nested), ("os", "platforms")):
        names = []
        for written in texts_of(notes, spelled):
            name = _OS_NAMES.get(written.lower())
            # Hermes writes "platforms: [macos, windows]"; under "os" those names never match.
            if name is None or (name != written and spelled.key == "os"):
                fix = f"Write {name}." if name else "Write darwin, linux or win32."
                message = f"No host matches the system {written[:40]!r} in {spelled.label}"
                notes.add("os-unknown", spelled.place.path, spelled.node, message, fix)
            if name is not None:
                names.append(name)
        value = tuple(dict.fromkeys(names))
        if first is None:
            first = (value, spelled)
        elif set(value) != set(first[0]):
            tell_conflict(notes, first[1], spelled)
    return first[0] if first else ()


def read_install(notes: Notes, places: Sequence[Place]) -> tuple[InstallSpec, ...]:
    """Install steps as vendors write them; the first place that lists any counts."""
    for spelled in look_up(places, ("install",)):
        if not isinstance(spelled.node, SequenceNode):
            wrong_type(notes, spelled, "a list of install steps")
            continue
        return tuple(
            spec for item in spelled.node.items if (spec := _install_spec(notes, spelled, item)) is not None
        )
    return ()


def _install_spec(notes: Notes, spelled: Spelled, item: Node) -> InstallSpec | None:
    texts: dict[str, str] = {}
    if isinstance(item, MappingNode):
        texts = {
            k.value: fold(v.value) for k, v in item.entries if isinstance(v, ScalarNode) and not v.is_null
        }
    kind = texts.get("kind") or texts.get("type")
    target = next((texts[key] for key in _TARGET_KEYS if texts.get(key)), None)
    if not isinstance(item, MappingNode) or not kind or not target:
        notes.add(
            "install-spec-invalid",
            spelled.place.path,
            item,
            f"An entry of {spelled.label} lacks a kind or what it installs",
            "Write kind: and formula:, package:, module: or url:.",
        )
        return None
    place = Place(item, spelled.place.path, spelled.place.file, f"{spelled.label}.")
    lists = {key: _list_at(notes, place, key) for key in ("bins", "os")}
    return InstallSpec(kind, target, texts.get("label"), lists["bins"], lists["os"])


def _list_at(notes: Notes, place: Place, key: str) -> tuple[str, ...]:
    found = look_up((place,), (key,))
    return texts_of(notes, found[0]) if found else ()


def read_tools(notes: Notes, places: Sequence[Place], keys: Sequence[str]) -> tuple[str, ...] | None:
    """A list of tools: None where the key is missing, ``()`` where it is empty, else the tools.

    Accepts a list, and a text split at commas or blanks outside of parentheses, so that
    ``Bash(git add:*) Read`` is two tools.
    """
    first: tuple[tuple[str, ...], Spelled] | None = None
    for place in places:
        for key in keys:
            node = place.root.index.get(key)
            if node is None:
                continue
            spelled = Spelled(place, key, node)
            value = _tools(notes, spelled)
            if value is None:
                continue
            if first is None:
                first = (value, spelled)
            elif value != first[0]:
                tell_conflict(notes, first[1], spelled)
    return first[0] if first else None


def _tools(notes: Notes, spelled: Spelled) -> tuple[str, ...] | None:
    node = spelled.node
    if isinstance(node, ScalarNode):
        if node.is_null:
            wrong_type(notes, spelled, "a list of tools ([] for none)")
            return None
        return split_tools(node.value)
    if isinstance(node, SequenceNode):
        return texts_of(notes, spelled, "a list of tools")
    wrong_type(notes, spelled, "a list of tools")
    return None


def split_tools(text: str) -> tuple[str, ...]:
    """Tools written in one text: split at commas and blanks that stand outside of parentheses."""
    tools: list[str] = []
    start = depth = 0
    for at, char in enumerate(text):
        if char == "(":
            depth += 1
        elif char == ")":
            depth = max(0, depth - 1)
        elif depth == 0 and char in ", \t\r\n":
            tools.append(text[start:at])
            start = at + 1
    tools.append(text[start:])
    return tuple(dict.fromkeys(fold(tool) for tool in tools if tool.strip()))
