"""The page that says which client gets how far on which kind of host, and which versions were run to know it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from generator.hosting.expectations import EXPECTED, REASONS, TESTED, TITLES, Level
from generator.hosting.profiles import HOSTINGS, Kind
from generator.model import Hub, Protocol
from generator.write.site.support import mark_up, upper_first
from generator.write.site.view import escape_html

_KINDS: Final[Mapping[Kind, str]] = MappingProxyType({
    Kind.SERVE: "`skillpress serve`",
    Kind.EDGE: "The router at an edge",
    Kind.NGINX: "nginx",
    Kind.CADDY: "Caddy",
    Kind.RULES: "Redirect rules",
    Kind.PAGES: "Plain files",
    Kind.OBJECTS: "Object store",
})  # fmt: skip
"""What people call each kind of host, in the order of the columns."""
_MARKS: Final[Mapping[Level, tuple[str, str]]] = MappingProxyType({
    Level.WORKS: ("✓", "works"),
    Level.PART: ("◐", "in part"),
    Level.FAILS: ("✕", "no"),
    Level.ABSENT: ("", "off"),
})  # fmt: skip


_WRITTEN: Final[Mapping[Protocol, tuple[tuple[str, str], ...]]] = MappingProxyType({
    Protocol.AGENT_SKILLS: (
        ("/.well-known/agent-skills/index.json", "Agent Skills discovery 0.2: every skill, for `npx skills`"),
        ("/{owner}/skills/{slug}/.well-known/agent-skills/index.json", "the same for one skill"),
        ("/{owner}/.well-known/agent-skills/index.json", "the same for a publisher; below `/collections/{name}` too"),
    ),
    Protocol.WELL_KNOWN_SKILLS: (
        ("/.well-known/skills/index.json", "version 0.1 for hermes; files at `/.well-known/skills/{slug}/{path}`"),
    ),
    Protocol.CLAUDE_CODE: (
        ("/claude/marketplace.json", "a marketplace of Claude Code"),
        ("/npm/@{owner}/{slug}", "the registry its packages come from, in the shape of npm's"),
    ),
    Protocol.APM: (("/v1/packages/{owner}/{slug}/versions", "Microsoft APM"),),
    Protocol.BUNDLES: (("/bundles/{owner}/{slug}.json", "a skill's texts in one document, for QwenPaw"),),
    Protocol.SKILL_ARCHIVES: (("/dl/{owner}/{slug}-{version}.skill", "an archive with the skill's folder in it"),),
    Protocol.AGENTSKILLS_HTTP: (("/agentskills/index.json", "the tree of agentskills-http"),),
    Protocol.SKILL_SERVICE: (("/api/v1/skill/list", "the list of a skill-package service"),),
    Protocol.AGENT_PAGES: (
        ("/llms.txt", "every skill in one line, for agents; `/llms-full.txt` with their texts"),
        ("/{owner}/skills/{slug}/index.md", "any page as Markdown: add `index.md` to its address"),
    ),
})  # fmt: skip
"""What is written for each family of clients besides the API in the shape of ClawHub's."""


def client_blocks(hub: Hub) -> Mapping[str, str]:
    """What fills the slots of the pages about clients, hosts and documents."""
    return {"CLIENT_MATRIX": _matrix(), "CLIENT_VERSIONS": _versions(), "PROTOCOLS": _written(hub)}


def _written(hub: Hub) -> str:
    rows = "".join(
        f"<tr><td><code>{escape_html(address)}</code></td><td>{mark_up(content)}</td></tr>\n"
        for protocol, written in _WRITTEN.items()
        if hub.speaks(protocol)
        for address, content in written
    )
    if not rows:
        return '<p class="sp-note">This hub has switched off all of them.</p>\n'
    return (
        '<div class="sp-scroll"><table class="sp-table sp-matrix"><thead><tr><th>Address</th><th>Content</th></tr>'
        f"</thead><tbody>\n{rows}</tbody></table></div>\n"
    )


def _matrix() -> str:
    heads = "".join(f'<th scope="col">{mark_up(title)}</th>' for title in _KINDS.values())
    rows = "".join(
        f'<tr><th scope="row">{escape_html(title)}</th>'
        f"{''.join(_cell(EXPECTED[kind][client]) for kind in _KINDS)}</tr>\n"
        for client, title in TITLES.items()
    )
    return (
        '<div class="sp-scroll"><table class="sp-reach"><thead><tr><th scope="col">Client</th>'
        f"{heads}</tr></thead><tbody>\n{rows}</tbody></table></div>\n"
        f'<h2 id="kinds">What the columns are</h2>\n<dl class="sp-facts">\n{"".join(_kinds())}</dl>\n'
        f'<h2 id="reasons">What is missing, and why</h2>\n<ul>\n{"".join(_reasons())}</ul>\n'
    )


def _cell(level: Level) -> str:
    mark, word = _MARKS[level]
    return f'<td class="sp-reach--{level.value}"><span aria-hidden="true">{mark}</span> {word}</td>'


def _kinds() -> Iterator[str]:
    """Which hosts are of each kind."""
    for kind, title in _KINDS.items():
        hosts = [mark_up(host.title) for host in HOSTINGS.values() if host.kind is kind]
        if kind is Kind.RULES:
            hosts = ["Netlify, without its edge function"]
        yield f"<div><dt>{mark_up(title)}</dt><dd>{', '.join(hosts)}</dd></div>\n"


def _reasons() -> Iterator[str]:
    """Each reason once, with the clients and the kinds of host that it holds for."""
    said: dict[str, tuple[list[str], list[str]]] = {}
    for (kind, client), reason in REASONS.items():
        clients, kinds = said.setdefault(reason, ([], []))
        clients += [] if TITLES[client] in clients else [TITLES[client]]
        kinds += [] if _KINDS[kind] in kinds else [_KINDS[kind]]
    for reason, (clients, kinds) in said.items():
        yield (
            f"<li><strong>{escape_html(', '.join(clients))}</strong> ({mark_up(', '.join(kinds))}): "
            f"{mark_up(upper_first(reason))}</li>\n"
        )


def _versions() -> str:
    rows = "".join(
        f"<tr><td>{escape_html(title)}</td><td>{_tested(client)}</td></tr>\n"
        for client, title in TITLES.items()
        if client != "people"
    )
    return (
        '<div class="sp-scroll"><table class="sp-table sp-matrix"><thead><tr><th>Client</th><th>Versions that were run'
        f"</th></tr></thead><tbody>\n{rows}</tbody></table></div>\n"
    )


def _tested(client: str) -> str:
    programs = TESTED.get(client, ())
    return ", ".join(f"<code>{escape_html(one)}</code>" for one in programs) or "not run; its code was read"
