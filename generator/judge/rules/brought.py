"""The mappings of hooks and of MCP servers that a skill brings, each with the file it is written in.

Reading a skill has parsed these files already and told what cannot be read; here only trees are wanted.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass

from generator.judge.model import Subject
from generator.model import Finding
from generator.read.excerpts import fill_texts
from generator.read.fields import Notes
from generator.read.nodes import MappingNode, Node, ScalarNode, SequenceNode
from generator.read.package import join, manifest_file
from generator.read.sidefiles import HOOKS_JSON, MCP_JSON, PLUGIN_JSON, read_side_file

_SERVER_KEYS = ("mcpServers", "mcp_servers", "mcp-servers")


@dataclass(frozen=True, slots=True)
class Brought:
    """A mapping in a file of the skill; ``path`` is the file as findings name it."""

    root: MappingNode
    path: str


def read_tree(subject: Subject, path: str) -> Brought | None:
    """A JSON or YAML file of the skill as a tree; None where there is none that can be read."""
    package = subject.skill.package
    file = package.file(path)
    place = read_side_file(Notes(), package, file) if file is not None else None
    return Brought(place.root, place.path) if place is not None else None


def read_plugin(subject: Subject) -> Brought | None:
    """The skill's plugin manifest, or None."""
    return read_tree(subject, PLUGIN_JSON)


def find_hooks(subject: Subject, plugin: Brought | None) -> Iterator[Brought]:
    """Every mapping of events: front matter, plugin manifest (or the files it names), ``hooks/hooks.json``."""
    yield from _find(subject, plugin, ("hooks",), HOOKS_JSON)


def find_servers(subject: Subject, plugin: Brought | None) -> Iterator[Brought]:
    """Every mapping of servers: front matter, plugin manifest (or the files it names), ``.mcp.json``."""
    yield from _find(subject, plugin, _SERVER_KEYS, MCP_JSON)


def _find(subject: Subject, plugin: Brought | None, keys: tuple[str, ...], usual: str) -> Iterator[Brought]:
    files: dict[str, None] = {}
    front = subject.skill.front
    own = manifest_file(subject.skill.package)
    if front is not None and own is not None:
        path = join(subject.skill.package.folder, own.path)
        for key in keys:
            node = front.index.get(key)
            if isinstance(node, MappingNode):
                yield Brought(node, path)
    for key in keys:
        node = plugin.root.index.get(key) if plugin is not None else None
        if isinstance(node, MappingNode) and plugin is not None:
            yield Brought(node, plugin.path)
        else:
            files.update(dict.fromkeys(_named(node)))
    files.setdefault(usual)
    for file in files:
        tree = read_tree(subject, file)
        if tree is not None:
            inner = next((tree.root.index[key] for key in keys if key in tree.root.index), None)
            yield Brought(inner, tree.path) if isinstance(inner, MappingNode) else tree


def _named(node: Node | None) -> Iterator[str]:
    nodes = node.items if isinstance(node, SequenceNode) else (node,)
    for one in nodes:
        if isinstance(one, ScalarNode):
            yield posixpath.normpath(one.value.replace("${CLAUDE_PLUGIN_ROOT}", "."))


def with_texts(found: list[Finding], subject: Subject) -> Iterator[Finding]:
    """The findings, each with the text its place in a side file holds."""
    yield from fill_texts(found, subject.skill.package)
