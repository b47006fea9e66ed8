"""``allowed-tools`` against the tools of each host: its shape, foreign and unknown names, what is left.

Two hosts act on the list: DeerFlow takes away every tool whose name is not exactly in it, Claude Code lets the
listed tools run without asking. Which host does what stands in the hosts' data files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from generator.findings import finding
from generator.judge.model import Outcome, Profile, Subject
from generator.judge.tools import (
    KEY,
    AskedTool,
    KnownTools,
    ListShape,
    ToolRequest,
    check_tools,
    filters_tools,
    grants_tools,
    known_tools,
    nearest_tool,
    read_request,
    source_tail,
)
from generator.model import Finding, Severity
from generator.read.package import MANIFEST_NAME, join, manifest_file

_NO_TEXT_LIST: Final = "tools-not-list"
_BAD_ITEM: Final = "tools-bad-item"
_NO_FLOW_LIBRARY: Final = "strictyaml"
_NO_TOOLS_AT_ALL: Final = (ListShape.NUMBER, ListShape.BOOLEAN, ListShape.MAPPING)
_LISTS: Final = (ListShape.BLOCK_LIST, ListShape.FLOW_LIST)
_SHOWN: Final = 6
_MOST: Final = 20
"""Findings about names kept for one skill: each looks for the nearest name, and a long list says no more."""


def find(subject: Subject, profiles: Sequence[Profile]) -> Iterator[Finding]:
    """Everything about the skill's ``allowed-tools`` that costs it something on one of these hosts.

    Each finding names the hosts it matters to. Never raises.
    """
    request = read_request(subject.skill)
    if request is None:
        return
    manifest = manifest_file(subject.skill.package)
    path = join(subject.skill.package.folder, manifest.path if manifest else MANIFEST_NAME)
    hosts = [_Host(one, known_tools(one), filters_tools(one), grants_tools(one)) for one in profiles]
    yield from _shape(path, request, hosts)
    if request.shape is ListShape.EMPTY_LIST:
        yield from _empty(path, request, hosts)
    yield from islice(_names(path, request, hosts, subject.skill.front_text), _MOST)
    if request.shape in _LISTS:
        yield from _left(path, request, hosts)


@dataclass(frozen=True, slots=True)
class _Host:
    """A host as this family sees it."""

    profile: Profile
    known: KnownTools
    filters: bool
    grants: bool

    @property
    def acts(self) -> bool:
        return self.filters or self.grants

    def refuses(self, fact: str) -> bool:
        effect = self.profile.effect(fact)
        return effect is not None and effect.outcome in (Outcome.REFUSE, Outcome.CRASH)

    def has(self, tool: AskedTool) -> bool:
        return self.known.has(tool.text) if self.filters else self.known.matches(tool.pattern.name)


def _shape(path: str, request: ToolRequest, hosts: Sequence[_Host]) -> Iterator[Finding]:
    against: list[_Host]
    if request.shape is ListShape.TEXT:
        against = [host for host in hosts if host.refuses(_NO_TEXT_LIST)]
    elif request.shape in _NO_TOOLS_AT_ALL:
        against = [host for host in hosts if host.grants or host.refuses(_NO_TEXT_LIST)]
    elif request.shape is ListShape.MIXED_LIST:
        against = [host for host in hosts if host.refuses(_BAD_ITEM)]
    elif request.shape in (ListShape.FLOW_LIST, ListShape.EMPTY_LIST):
        against = [host for host in hosts if host.profile.reads.yaml == _NO_FLOW_LIBRARY]
    else:
        against = []
    if not against:
        return
    verb = _verb(against, "refuses", "refuse")
    message = f"The value of {KEY} is {request.shape.value}, which {_labels(against)} {verb}"
    if request.shape is ListShape.EMPTY_LIST:
        fix = "Remove the key, or write a block list of the tools the skill needs."
    elif request.tools:
        shown = ", ".join(f"`  - {_quoted(tool.text)}`" for tool in request.tools[:_SHOWN])
        more = f" and {len(request.tools) - _SHOWN} more" if len(request.tools) > _SHOWN else ""
        fix = f"Write a block list: {KEY}: and below it the lines {shown}{more}."
    else:
        fix = f"Write a block list: {KEY}: and below it a line with a dash for each tool."
    made = _for(
        against, "allowed-tools-shape", path, message, fix, request.line, request.column, request.text
    )
    # A text is what the specification asks for; one host's refusal must not fail a skill that follows it.
    yield replace(made, severity=Severity.WARNING) if request.shape is ListShape.TEXT else made


def _empty(path: str, request: ToolRequest, hosts: Sequence[_Host]) -> Iterator[Finding]:
    against = [host for host in hosts if host.filters]
    if not against:
        return
    message = f"The list {KEY} is empty, so an agent of {_labels(against)} keeps only {_always(against)}"
    fix = "Remove the key for no limit, or list the tools the skill needs."
    yield _for(against, "allowed-tools-empty", path, message, fix, request.line, request.column, request.text)


def _names(path: str, request: ToolRequest, hosts: Sequence[_Host], source: str) -> Iterator[Finding]:
    acting = [host for host in hosts if host.acts]
    if not acting:
        return
    foreign: dict[tuple[int, tuple[str, ...]], list[AskedTool]] = {}
    for tool in dict.fromkeys(request.tools):
        lacking = [host for host in acting if not host.has(tool)]
        if len(lacking) == len(acting) and not any(host.known.has(tool.pattern.name) for host in hosts):
            yield _unknown(path, tool, acting)
            continue
        if len(lacking) < len(acting):
            # A name that some list-reading host has only harms where the others are taken away.
            lacking = [host for host in lacking if host.filters]
        if lacking:
            foreign.setdefault((tool.line, tuple(host.profile.id for host in lacking)), []).append(tool)
    for (_, ids), tools in foreign.items():
        against = [host for host in acting if host.profile.id in ids]
        text = tools[0].text if len(tools) == 1 else source_tail(source, tools[0].line, tools[0].column)
        yield _foreign(path, tools, hosts, against, text)


def _unknown(path: str, tool: AskedTool, acting: Sequence[_Host]) -> Finding:
    name = tool.pattern.name or tool.text
    near = _suggestions(name, acting, 0.7)
    message = f"No host has a tool called {tool.text!r}, so it lets nothing run"
    fix = f"Write {near}." if near else "Correct the name, or remove it."
    return _for(acting, "allowed-tools-unknown", path, message, fix, tool.line, tool.column, tool.text)


def _foreign(
    path: str, tools: Sequence[AskedTool], hosts: Sequence[_Host], against: Sequence[_Host], text: str
) -> Finding:
    named = ", ".join(tool.text for tool in tools[:_SHOWN])
    named += f" and {len(tools) - _SHOWN} more" if len(tools) > _SHOWN else ""
    ids = {host.profile.id for host in against}
    name = tools[0].pattern.name
    owners = [host for host in hosts if host.profile.id not in ids and host.known.has(name)]
    whose = f"; {name} is a tool of {_labels(owners)}" if owners else ", since it compares whole names"
    message = f"{_labels(against)} {_verb(against, 'has', 'have')} no tool called {named}{whose}"
    near = [near for tool in tools[:_SHOWN] if (near := _suggestions(tool.pattern.name, against, 0.65))]
    fix = (
        f"Add {'; '.join(dict.fromkeys(near))}."
        if near
        else f"Add the names {_labels(against)} uses for them."
    )
    return _for(
        against, "allowed-tools-foreign-names", path, message, fix, tools[0].line, tools[0].column, text
    )


def _left(path: str, request: ToolRequest, hosts: Sequence[_Host]) -> Iterator[Finding]:
    against = []
    for host in hosts:
        if not host.filters:
            continue
        always = {tool.name for tool in host.profile.tools if tool.always}
        if all(tool.text in always for tool in check_tools(request.tools, host.profile).known):
            against.append(host)
    if not against:
        return
    message = (
        f"No name in {KEY} is a tool that {_labels(against)} could give: the agent keeps only {_always(against)}, "
        "for every skill that is active at the time"
    )
    fix = f"Add the names of {_labels(against)} for what the skill needs, or remove the key."
    first = request.tools[0]
    yield _for(
        against, "allowed-tools-nothing-useful", path, message, fix, first.line, first.column, first.text
    )


def _suggestions(name: str, hosts: Iterable[_Host], likeness: float) -> str:
    by_name: dict[str, list[str]] = {}
    for host in hosts:
        near = nearest_tool(name, host.profile, likeness=likeness)
        if near is not None:
            by_name.setdefault(near, []).append(host.profile.label)
    return " or ".join(f"{near} ({' and '.join(dict.fromkeys(labels))})" for near, labels in by_name.items())


def _always(hosts: Iterable[_Host]) -> str:
    names = dict.fromkeys(tool.name for host in hosts for tool in host.profile.tools if tool.always)
    return ", ".join(names)


def _labels(hosts: Iterable[_Host]) -> str:
    """The hosts in words: one label a family, since what a host installs and loads is one program to its user."""
    by_family: dict[str, str] = {}
    for host in hosts:
        label = by_family.get(host.profile.host, host.profile.label)
        by_family[host.profile.host] = min(label, host.profile.label, key=len)
    labels = list(by_family.values())
    return " and ".join((", ".join(labels[:-1]), labels[-1])) if len(labels) > 1 else "".join(labels)


def _verb(hosts: Iterable[_Host], one: str, many: str) -> str:
    return one if len({host.profile.host for host in hosts}) == 1 else many


def _quoted(name: str) -> str:
    return name if name.replace("_", "").isalnum() else f'"{name}"'


def _for(
    hosts: Iterable[_Host], code: str, path: str, message: str, fix: str, line: int, column: int, text: str
) -> Finding:
    made = finding(code, path, message, fix, line, column, text)
    return replace(made, hosts=tuple(host.profile.id for host in hosts))
