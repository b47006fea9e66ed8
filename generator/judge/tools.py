"""Tool names as skills ask for them: reading one, knowing it on a host, the nearest known one.

Pure functions over a skill's front matter and the hosts' tables of tools (``[[tools]]`` in their data files).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from generator.judge.model import PowerKind, PowerUse, Profile
from generator.model import SkillFolder
from generator.read.nodes import MappingNode, Node, ScalarNode
from generator.read.requirements import split_tools

KEY: Final = "allowed-tools"
"""The only spelling hosts read."""

_NUMBER: Final = re.compile(r"[-+]?(?:\d[\d_]*\.?\d*(?:[eE][-+]?\d+)?|0[xo][\da-fA-F]+)")
_FRONT_LINE: Final = 2
"""The line of SKILL.md that the front matter's text starts on."""
_LONGEST: Final = 80
_MOST: Final = 200
"""Names of one list that are looked at; more say nothing new."""


@dataclass(frozen=True, slots=True)
class ToolPattern:
    """A tool as a list names it: ``Bash(git:*)`` is the tool ``Bash`` limited to ``git:*``."""

    name: str
    limit: str | None = None


class ListShape(StrEnum):
    """How ``allowed-tools`` is written."""

    TEXT = "a text"
    BLOCK_LIST = "a block list"
    FLOW_LIST = "a list in brackets"
    EMPTY_LIST = "an empty list"
    NOTHING = "nothing"
    NUMBER = "a number"
    BOOLEAN = "true or false"
    MAPPING = "a mapping"
    MIXED_LIST = "a list that holds more than texts"


@dataclass(frozen=True, slots=True)
class AskedTool:
    """One tool a skill asks for, as written, and where (both from 1, columns in code points)."""

    text: str
    line: int
    column: int

    @property
    def pattern(self) -> ToolPattern:
        """The text, parsed."""
        return parse_tool(self.text)


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """What a skill's ``allowed-tools`` says. ``line`` and ``column`` are the value's."""

    shape: ListShape
    tools: tuple[AskedTool, ...]
    line: int
    column: int
    text: str


def parse_tool(text: str) -> ToolPattern:
    """The parts of ``Name`` or ``Name(limit)``; a parenthesis that is never closed ends with the text."""
    name, opened, rest = text.strip().partition("(")
    if not opened:
        return ToolPattern(name)
    return ToolPattern(name.rstrip(), rest.removesuffix(")"))


def read_request(skill: SkillFolder) -> ToolRequest | None:
    """What the skill's front matter says under ``allowed-tools``; None where the key or the tree is missing."""
    node = skill.front.get(KEY) if skill.front is not None else None
    if node is None:
        return None
    if isinstance(node, ScalarNode):
        return _from_text(node, skill.front_text)
    text = source_tail(skill.front_text, node.line, node.column)
    if isinstance(node, MappingNode):
        return ToolRequest(ListShape.MAPPING, (), node.line, node.column, text)
    scalars = [item for item in node.items if isinstance(item, ScalarNode)]
    texts = [item for item in scalars if _scalar_shape(item) is ListShape.TEXT]
    asked = tuple(
        AskedTool(item.value.strip()[:_LONGEST], item.line, item.column)
        for item in texts[:_MOST]
        if item.value.strip()
    )
    if not node.items:
        shape = ListShape.EMPTY_LIST
    elif len(texts) != len(node.items) or any(not item.value.strip() for item in texts):
        shape = ListShape.MIXED_LIST
    else:
        shape = ListShape.FLOW_LIST if texts[0].flow else ListShape.BLOCK_LIST
    bad = (
        next((item for item in node.items if not _is_tool(item)), None)
        if shape is ListShape.MIXED_LIST
        else None
    )
    place = bad if bad is not None else node
    shown = bad.value if isinstance(bad, ScalarNode) else text
    return ToolRequest(shape, asked, place.line, place.column, shown)


def source_tail(front_text: str, line: int, column: int) -> str:
    """What stands in a line of SKILL.md from a place in its front matter on; empty for a place outside of it."""
    lines = front_text.split("\n", max(0, line - _FRONT_LINE + 1))
    return lines[line - _FRONT_LINE][column - 1 :].rstrip() if 0 <= line - _FRONT_LINE < len(lines) else ""


def _is_tool(item: Node) -> bool:
    return isinstance(item, ScalarNode) and _scalar_shape(item) is ListShape.TEXT and bool(item.value.strip())


def _scalar_shape(node: ScalarNode) -> ListShape:
    if node.style != "plain":
        return ListShape.TEXT
    if node.is_null:
        return ListShape.NOTHING
    if node.value.lower() in ("true", "false", "yes", "no", "on", "off"):
        return ListShape.BOOLEAN
    return ListShape.NUMBER if _NUMBER.fullmatch(node.value) else ListShape.TEXT


def _from_text(node: ScalarNode, front_text: str) -> ToolRequest:
    shape = _scalar_shape(node)
    if shape is not ListShape.TEXT:
        return ToolRequest(shape, (), node.line, node.column, node.value)
    tools = tuple(_placed(node, front_text))
    return ToolRequest(shape, tools, node.line, node.column, node.value)


def _placed(node: ScalarNode, front_text: str) -> Iterator[AskedTool]:
    """Each tool of a text with its place: looked up in the source lines, since quotes and folds move it."""
    lines = front_text.split("\n")
    row, at = node.line - _FRONT_LINE, node.column - 1
    for written in split_tools(node.value)[:_MOST]:
        first = written.split(None, 1)[0]
        place = _find(lines, first, row, at)
        if place is None:
            yield AskedTool(written[:_LONGEST], node.line, node.column)
            continue
        row, at = place[0], place[1] + len(first)
        yield AskedTool(written[:_LONGEST], row + _FRONT_LINE, place[1] + 1)


def _find(lines: Sequence[str], word: str, row: int, at: int) -> tuple[int, int] | None:
    """Row and offset of ``word`` at or after a place; None where it is written otherwise (an escape)."""
    for index in range(max(0, row), len(lines)):
        found = lines[index].find(word, at if index == row else 0)
        if found >= 0:
            return index, found
    return None


# --- tools of hosts --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class KnownTools:
    """The tool names of one host, ready to be asked: exact ones, and the beginnings of families."""

    exact: frozenset[str]
    families: tuple[str, ...]

    def has(self, name: str) -> bool:
        """True for exactly a tool's name, or one that belongs to a family (``browser_*``)."""
        return name in self.exact or any(name.startswith(start) and name != start for start in self.families)

    def matches(self, name: str) -> bool:
        """As :meth:`has`; a name that holds ``*`` also matches any tool that starts like it."""
        if self.has(name):
            return True
        start, star, _ = name.partition("*")
        return bool(star) and any(one.startswith(start) for one in (*self.exact, *self.families))


def known_tools(profile: Profile) -> KnownTools:
    """The names in a host's table of tools."""
    names = [tool.name for tool in profile.tools]
    return KnownTools(
        frozenset(name for name in names if not name.endswith("*")),
        tuple(name[:-1] for name in names if name.endswith("*")),
    )


def filters_tools(profile: Profile) -> bool:
    """True where the host takes away every tool that is not in the list (it then names some as ``always``)."""
    return any(tool.always for tool in profile.tools)


def grants_tools(profile: Profile) -> bool:
    """True where the host lets the listed tools run without asking."""
    return any(rule.kind == PowerKind.TOOLS and rule.use is PowerUse.RUNS for rule in profile.powers)


def nearest_tool(name: str, profile: Profile, *, likeness: float = 0.7) -> str | None:
    """The host's tool whose name is most like ``name``, capitals and separators aside; None where none is.

    ``likeness`` from 0 to 1 is the least ratio of matching characters that counts.
    """
    by_form: dict[str, str] = {}
    for tool in profile.tools:
        if not tool.name.endswith("*"):
            by_form.setdefault(_plain(tool.name), tool.name)
    wanted = _plain(name)
    if not wanted or len(wanted) > _LONGEST:
        return None
    if wanted in by_form:
        return by_form[wanted]
    close = difflib.get_close_matches(wanted, by_form, n=1, cutoff=likeness)
    return by_form[close[0]] if close else None


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


@dataclass(frozen=True, slots=True)
class CheckedTools:
    """A list held against one host: the names it has, and those it lacks, each once and in written order."""

    known: tuple[AskedTool, ...]
    missing: tuple[AskedTool, ...]


def check_tools(tools: Iterable[AskedTool], profile: Profile) -> CheckedTools:
    """Hold a list against a host. Where the host filters, a name with a limit in parentheses is no name it has."""
    exact = filters_tools(profile)
    tools_there = known_tools(profile)
    known: dict[str, AskedTool] = {}
    missing: dict[str, AskedTool] = {}
    for tool in tools:
        there = tools_there.has(tool.text) if exact else tools_there.matches(tool.pattern.name)
        (known if there else missing).setdefault(tool.text, tool)
    return CheckedTools(tuple(known.values()), tuple(missing.values()))


def ask_by_tool(skills: Iterable[tuple[str, SkillFolder]], profile: Profile) -> Mapping[str, tuple[str, ...]]:
    """Which skills ask for which of a host's tools: tool name to the skills' labels, in the order given.

    Tools stand in the order of the host's file; those nobody asks for have an empty tuple.
    """
    exact = filters_tools(profile)
    asked: dict[str, list[str]] = {tool.name: [] for tool in profile.tools}
    families = [name for name in asked if name.endswith("*")]
    for label, skill in skills:
        request = read_request(skill)
        names = {one.text if exact else one.pattern.name for one in request.tools} if request else set()
        wanted = {name for name in names if name in asked}
        wanted.update(family for family in families if any(name.startswith(family[:-1]) for name in names))
        for name in wanted:
            asked[name].append(label)
    return {name: tuple(labels) for name, labels in asked.items()}
