"""What of a skill can act on its reader's machine, and which hosts run it, ask first, or ignore it.

Only read, never run. Hooks, servers and subagents are those the read layer found; what a host does with each
stands in its data file (``[[powers]]``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from generator.judge.model import Power, PowerAnswer, PowerKind, PowerRule, Profile, Subject
from generator.judge.tools import ToolRequest, read_request
from generator.model import Manifest, McpServer, Package, SkillFolder, Subagent
from generator.read.nodes import MappingNode, place_of, walk_scalars
from generator.read.package import manifest_file
from generator.read.sidefiles import PLUGIN_JSON

MAX_POWERS: Final = 100
"""Rows of one kind; more say nothing new."""

# What Claude Code 2.1.332 runs before the model sees a skill (read in the program, and executed): a block that
# starts with ```! and, outside of plain code spans, !`...` after a blank or at the start of a line. Ordinary
# code fences do not protect: !`cmd` at the start of a line inside ```bash runs too.
_BLOCK: Final = "```!"
_BLOCK_END: Final = "```"
_INLINE: Final = re.compile(r"(?<!\S)!`([^`]+)`")
_SPAN: Final = re.compile(r"([!`]?)`[^`\n]+`")
_PART: Final = re.compile(r"\|\||&&|[|;&\n]")
_LONGEST: Final = 2_000

_AT_INSTALL: Final = "when it is installed"
_AT_START: Final = "when a session starts"
_ACTIVE: Final = "while the skill is active"
_READ: Final = "when the skill is read"
_EVERY_TURN: Final = "in every turn"
_TOLD: Final = "when its instructions say so"
_DELEGATED: Final = "when work is delegated"

_SUFFIXES: Final = ".bash .bat .cjs .cmd .fish .go .js .lua .mjs .php .pl .ps1 .py .r .rb .sh .ts .tsx .zsh"
_SCRIPTS: Final = frozenset(_SUFFIXES.split())


class _Found(NamedTuple):
    """One thing that can act; ``mark`` is what a host's rule may ask for beside its event (see PowerRule)."""

    kind: PowerKind
    event: str
    command: str
    path: str
    line: int | None
    mark: str = ""
    detail: str = ""


def find_powers(subject: Subject, profiles: Sequence[Profile]) -> tuple[Power, ...]:
    """Everything of one skill that can act, in the order of kinds, each with every host's answer.

    ``path`` is relative to the skill. A host whose file says nothing about a kind gives no answer. Never raises.
    """
    skill = subject.skill
    found = list(_find(skill))
    if not found:
        return ()
    answers: dict[tuple[PowerKind, str, str], tuple[PowerAnswer, ...]] = {}
    powers = []
    for one in found:
        key = (one.kind, one.event, one.mark)
        if key not in answers:
            answers[key] = tuple(_answers(one, profiles))
        powers.append(Power(one.kind, one.event, one.command, one.path, one.line, answers[key], one.detail))
    return tuple(powers)


def _answers(found: _Found, profiles: Iterable[Profile]) -> Iterator[PowerAnswer]:
    words = {found.event, found.mark, f"{found.mark} {found.event}"}
    for profile in profiles:
        for rule in profile.powers:
            if rule.kind == found.kind and _fits(rule, words):
                yield PowerAnswer(profile.id, rule.use, rule.reason)
                break


def _fits(rule: PowerRule, words: set[str]) -> bool:
    return not rule.events or not words.isdisjoint(rule.events)


def _find(skill: SkillFolder) -> Iterator[_Found]:
    package, manifest = skill.package, skill.manifest
    own = manifest_file(package)
    if own is None:
        return
    plugin = package.file(PLUGIN_JSON) if any(file.path == PLUGIN_JSON for file in package.files) else None
    if manifest is not None:
        yield from _from_manifest(skill, manifest, own.path, plugged=plugin is not None)
    if plugin is not None:
        yield _Found(PowerKind.PLUGIN, _AT_INSTALL, PLUGIN_JSON, PLUGIN_JSON, 1)
    request = read_request(skill)
    if request is not None and request.tools:
        names = ", ".join(tool.text for tool in request.tools)[:_LONGEST]
        yield _Found(PowerKind.TOOLS, _ACTIVE, names, own.path, request.tools[0].line)
    for command, line, _ in find_dynamic_context(skill.body):
        mark = "granted" if _is_granted(request, command) else "not-granted"
        place = skill.body_line + line - 1
        yield _Found(PowerKind.DYNAMIC_CONTEXT, _READ, command, own.path, place, mark)
    yield from _programs(package)


def _from_manifest(skill: SkillFolder, manifest: Manifest, own: str, *, plugged: bool) -> Iterator[_Found]:
    lines = _Lines(skill, own)
    beside = "plugin" if plugged else "loose"
    for hook in manifest.hooks[:MAX_POWERS]:
        mark = "front-matter" if hook.path == own else beside
        line = lines.of(hook.path, hook.command)
        detail = f"only for {hook.matcher}" if hook.matcher else ""
        yield _Found(PowerKind.HOOK, hook.event, hook.command, hook.path, line, mark, detail)
    for server in manifest.mcp_servers[:MAX_POWERS]:
        mark = "front-matter" if server.path == own else beside
        line = lines.of(server.path, server.name)
        detail = f"as {server.name}" + (f", with {', '.join(server.env)}" if server.env else "")
        yield _Found(PowerKind.MCP_SERVER, _AT_START, _start_of(server), server.path, line, mark, detail)
    for agent in manifest.subagents[:MAX_POWERS]:
        yield _Found(PowerKind.SUBAGENT, _DELEGATED, agent.name, agent.path, 1, beside, _tools_of(agent))
    for spec in manifest.install[:MAX_POWERS]:
        line = lines.of(own, spec.target)
        yield _Found(PowerKind.INSTALL, _AT_INSTALL, f"{spec.kind} {spec.target}", own, line)
    if manifest.always:
        top = skill.front is not None and skill.front.get("always") is not None
        mark = "top-level" if top else "metadata"
        yield _Found(PowerKind.ALWAYS, _EVERY_TURN, "always: true", own, lines.key("always"), mark)


def _tools_of(agent: Subagent) -> str:
    if agent.tools is None:
        return "no limit on tools"
    return f"tools {', '.join(agent.tools)}" if agent.tools else "no tools"


def _start_of(server: McpServer) -> str:
    return server.url or " ".join((server.command or "", *server.args))


def _programs(package: Package) -> Iterator[_Found]:
    executables = scripts = 0
    for file in package.files:
        if file.executable:
            executables += 1
            if executables <= MAX_POWERS:
                yield _Found(PowerKind.EXECUTABLE, _TOLD, file.path, file.path, None)
        elif is_script(file.path):
            scripts += 1
            if scripts <= MAX_POWERS:
                yield _Found(PowerKind.SCRIPT, _TOLD, file.path, file.path, None)


def is_script(path: str) -> bool:
    """True where ``path`` names a program in a scripting language, executable or not: an agent may still run it."""
    name = path.rpartition("/")[2]
    dot = name.rfind(".")
    return dot >= 0 and name[dot:].lower() in _SCRIPTS


# --- dynamic context -------------------------------------------------------------------------------


def find_dynamic_context(body: str) -> tuple[tuple[str, int, int], ...]:
    """The first :data:`MAX_POWERS` commands that Claude Code runs before the model sees this body, each with its
    line and column (from 1) there.

    ```` ```! ```` blocks and ``!`command` `` (also over several lines, in lists, tables and ordinary code
    fences); not inside a plain code span, after a letter, a parenthesis or a quote, nor behind a backslash.
    """
    found = list(_blocks(body))
    if "!`" in body:
        masked = _SPAN.sub(_mask, body)
        found.extend((match.start(), match.group(1)) for match in _INLINE.finditer(masked))
    commands = [(at, command.strip()[:_LONGEST]) for at, command in sorted(found) if command.strip()]
    return tuple((command, *place_of(body, at)) for at, command in commands[:MAX_POWERS])


def _blocks(body: str) -> Iterator[tuple[int, str]]:
    at = body.find(_BLOCK)
    while at >= 0:
        end = body.find(_BLOCK_END, at + len(_BLOCK))
        if end < 0:
            return
        yield at, body[at + len(_BLOCK) : end]
        at = body.find(_BLOCK, end + len(_BLOCK_END))


def _mask(span: re.Match[str]) -> str:
    return span.group() if span.group(1) else f"`{' ' * (len(span.group()) - 2)}`"


def _is_granted(request: ToolRequest | None, command: str) -> bool:
    """True where the skill's own ``allowed-tools`` lets Bash run every part of the command without asking."""
    if request is None:
        return False
    limits = [tool.pattern.limit for tool in request.tools if tool.pattern.name == "Bash"]
    if any(limit in (None, "", "*") for limit in limits):
        return True
    starts = [limit.removesuffix("*").removesuffix(":").rstrip() for limit in limits if limit]
    parts = [part.strip() for part in _PART.split(command) if part.strip()]
    return bool(starts) and all(
        any(part == start or part.startswith(f"{start} ") for start in starts) for part in parts
    )


# --- places ----------------------------------------------------------------------------------------


class _Lines:
    """Where texts stand in the files of one skill; each file is looked at once."""

    def __init__(self, skill: SkillFolder, own: str) -> None:
        self._skill = skill
        self._own = own
        self._texts: dict[str, str] = {}
        self._scalars: Mapping[str, int] | None = None

    def of(self, path: str, text: str) -> int | None:
        """The line ``text`` starts on in a file, None where it is written in another way there."""
        if path == self._own:
            return self._in_front(text)
        if path not in self._texts:
            file = self._skill.package.file(path)
            self._texts[path] = file.data.decode("utf-8", "replace") if file is not None else ""
        whole = self._texts[path]
        for written in (text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1]):
            at = whole.find(written)
            if at >= 0:
                return whole.count("\n", 0, at) + 1
        return None

    def key(self, name: str) -> int | None:
        """The line of a front matter key (its own, or one below ``metadata``)."""
        return _key_line(self._skill.front, name, 3)

    def _in_front(self, text: str) -> int | None:
        if self._scalars is None:
            scalars: dict[str, int] = {}
            if self._skill.front is not None:
                for scalar in walk_scalars(self._skill.front):
                    scalars.setdefault(" ".join(scalar.value.split()), scalar.line)
            self._scalars = scalars
        return self._scalars.get(" ".join(text.split()))


def _key_line(root: MappingNode | None, name: str, depth: int) -> int | None:
    if root is None or depth == 0:
        return None
    for key, value in root.entries:
        if key.value == name:
            return key.line
        if isinstance(value, MappingNode):
            line = _key_line(value, name, depth - 1)
            if line is not None:
                return line
    return None
