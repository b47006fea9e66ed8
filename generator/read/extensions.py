"""What a skill brings that a host runs or starts by itself: hooks, MCP servers, subagents.

Only read and shown. Of environment variables the names are kept, never the values.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit, urlunsplit

from generator.findings import finding
from generator.model import Hook, McpServer, Package, Subagent
from generator.read.fields import Notes, Place, Spelled, fold, look_up, texts_of, wrong_type
from generator.read.frontmatter import split_front_matter
from generator.read.nodes import MappingNode, Node, ScalarNode, SequenceNode
from generator.read.package import join
from generator.read.requirements import read_tools
from generator.read.sidefiles import HOOKS_JSON, MCP_JSON, read_side_file

_AGENTS: Final = "agents/"
MAX_SUBAGENTS: Final = 100
"""Most files of ``agents/`` that are parsed; each may cost as much as a whole ``SKILL.md``."""
_SERVER_KEYS: Final = ("mcpServers", "mcp_servers", "mcp-servers")


def read_hooks(notes: Notes, package: Package, places: Iterable[Place]) -> tuple[Hook, ...]:
    """Hooks of the front matter and of ``plugin.json`` (inline or in a file), then of ``hooks/hooks.json``."""
    hooks: list[Hook] = []
    files: dict[str, None] = {}
    for spelled in look_up(places, ("hooks",)):
        if isinstance(spelled.node, MappingNode):
            hooks.extend(_hooks_in(notes, spelled.node, spelled.place))
        else:
            files.update(
                dict.fromkeys(_named_files(notes, package, spelled, "a mapping of events, or a file"))
            )
    files.setdefault(HOOKS_JSON)
    for file in files:
        place = read_side_file(notes, package, package.file(file))
        if place is not None:
            inner = place.root.index.get("hooks")
            hooks.extend(_hooks_in(notes, inner if isinstance(inner, MappingNode) else place.root, place))
    return tuple(dict.fromkeys(hooks))


def _hooks_in(notes: Notes, events: MappingNode, place: Place) -> Iterable[Hook]:
    for key, node in events.entries:
        entries = node.items if isinstance(node, SequenceNode) else (node,)
        for entry in entries:
            if isinstance(entry, MappingNode) and "hooks" in entry.index:
                # Claude Code's form: a matcher, and the hooks it selects.
                inner = entry.index["hooks"]
                matcher = _text(entry.index.get("matcher"))
                for item in inner.items if isinstance(inner, SequenceNode) else (inner,):
                    yield from _hook(notes, key.value, matcher, item, place)
            else:
                matcher = _text(entry.index.get("matcher")) if isinstance(entry, MappingNode) else None
                yield from _hook(notes, key.value, matcher, entry, place)


def _hook(notes: Notes, event: str, matcher: str | None, node: Node, place: Place) -> Iterable[Hook]:
    command = _exact(node.index.get("command") if isinstance(node, MappingNode) else node)
    if command and event:
        yield Hook(event, command, place.file, matcher)
        return
    notes.add(
        "hook-invalid",
        place.path,
        node,
        f"An entry of the hook {event[:40]!r} has no command",
        "Write {type: command, command: ...}.",
    )


def read_mcp_servers(notes: Notes, package: Package, places: Iterable[Place]) -> tuple[McpServer, ...]:
    """Servers of the front matter and of ``plugin.json`` (inline, or a file it names), then ``.mcp.json``.

    The first server of a name is the one that is shown.
    """
    servers: dict[str, McpServer] = {}
    files: dict[str, None] = {}
    for spelled in look_up(places, _SERVER_KEYS):
        if isinstance(spelled.node, MappingNode):
            _add_servers(notes, servers, spelled.node, spelled.place)
        else:
            files.update(
                dict.fromkeys(_named_files(notes, package, spelled, "a mapping of servers, or a file"))
            )
    files.setdefault(MCP_JSON)
    for file in files:
        place = read_side_file(notes, package, package.file(file))
        if place is not None:
            inner = place.root.index.get("mcpServers")
            _add_servers(notes, servers, inner if isinstance(inner, MappingNode) else place.root, place)
    return tuple(servers.values())


def _add_servers(notes: Notes, servers: dict[str, McpServer], root: MappingNode, place: Place) -> None:
    for key, node in root.entries:
        command = url = None
        args: tuple[str, ...] = ()
        env: tuple[str, ...] = ()
        if isinstance(node, MappingNode):
            command, url = _exact(node.index.get("command")), _public_url(_text(node.index.get("url")))
            args = _arguments(notes, node, place, key.value)
            variables = node.index.get("env")
            env = tuple(k.value for k, _ in variables.entries) if isinstance(variables, MappingNode) else ()
        if not command and not url:
            notes.add(
                "mcp-server-invalid",
                place.path,
                node,
                f"The MCP server {key.value[:40]!r} has neither a command nor a url",
                "Write command: and args:, or url:.",
            )
            continue
        servers.setdefault(key.value, McpServer(key.value, place.file, command, args, url, env))


def _arguments(notes: Notes, node: MappingNode, place: Place, name: str) -> tuple[str, ...]:
    args = node.index.get("args")
    if args is None:
        return ()
    if isinstance(args, SequenceNode) and all(isinstance(a, ScalarNode) for a in args.items):
        # Not texts_of: an argument may repeat, be empty, or hold blanks that matter.
        return tuple(a.value for a in args.items if isinstance(a, ScalarNode))
    wrong_type(notes, Spelled(place, f"{name}.args", args), "a list of texts")
    return ()


def read_subagents(notes: Notes, package: Package) -> tuple[Subagent, ...]:
    """One subagent for each ``agents/*.md``, named by its front matter, else by its file."""
    agents: list[Subagent] = []
    seen: dict[str, str] = {}
    for file in package.files:
        if not file.path.startswith(_AGENTS) or not file.path.endswith(".md") or file.path.count("/") != 1:
            continue
        path = join(package.folder, file.path)
        if len(agents) == MAX_SUBAGENTS:
            message = f"Only the first {MAX_SUBAGENTS} subagents are read"
            notes.add("subagent-invalid", path, None, message, "Split the skill.")
            break
        split = split_front_matter(file.data, path)
        stem = file.path[len(_AGENTS) : -len(".md")]
        if split.root is None:
            why = split.findings[-1] if split.findings else None
            message = f"The subagent's front matter cannot be read{': ' + why.message if why else ''}"
            fix = "Start the file with ---, name:, description:, ---."
            line, column = (why.line, why.column) if why else (None, None)
            notes.found.append(finding("subagent-invalid", path, message, fix, line, column))
            agent = Subagent(stem, file.path)
        else:
            place = Place(split.root, path, file.path)
            agent = Subagent(
                _text(split.root.index.get("name")) or stem,
                file.path,
                _text(split.root.index.get("description")) or "",
                read_tools(notes, (place,), ("tools", "allowed-tools")),
            )
        first = seen.setdefault(agent.name, file.path)
        if first != file.path:
            message = f"The subagent {agent.name[:60]!r} is defined in {first} too; hosts keep only one"
            named = split.root.get("name") if split.root is not None else None
            notes.add("agent-name-collision", path, named, message, "Rename one of the two.")
        agents.append(agent)
    return tuple(agents)


def _named_files(notes: Notes, package: Package, spelled: Spelled, wanted: str) -> tuple[str, ...]:
    """Files of the package that a field names in place of holding the data itself."""
    if isinstance(spelled.node, MappingNode):
        wrong_type(notes, spelled, wanted)
        return ()
    files = []
    for written in texts_of(notes, spelled, wanted):
        # ${CLAUDE_PLUGIN_ROOT} is the skill's own folder.
        path = posixpath.normpath(written.replace("${CLAUDE_PLUGIN_ROOT}", "."))
        if package.file(path) is not None:
            files.append(path)
        else:
            notes.add(
                "field-wrong-type",
                spelled.place.path,
                spelled.node,
                f"{spelled.label} names {written[:80]!r}, which is not a file of this skill",
                f"Write {wanted} of this skill.",
            )
    return tuple(files)


def _text(node: Node | None) -> str | None:
    if isinstance(node, ScalarNode) and not node.is_null:
        return fold(node.value) or None
    return None


def _exact(node: Node | None) -> str | None:
    """A command as it would run: its inner blanks and line ends may matter."""
    return (node.value.strip() or None) if isinstance(node, ScalarNode) and not node.is_null else None


def _public_url(url: str | None) -> str | None:
    """A server's address without user, password and query, where keys are written."""
    if url is None:
        return None
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        return urlunsplit((parts.scheme, host, parts.path, "", "")) or None
    except ValueError:
        return None
