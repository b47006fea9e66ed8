"""The commands that install one skill, for each client that people have."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from generator.model import Hub, Listing, Protocol, PublishedSkill
from generator.write.protocols.claude_code_names import marketplace_name, plugin_names
from generator.write.protocols.claude_code_package import brings_parts
from generator.write.protocols.indexes import (
    BINARY_IN_BUNDLE,
    MANIFEST,
    UNREADABLE,
    Indexed,
    fits_name,
    is_readable,
)
from generator.write.protocols.raw_tree import is_in_tree, paths_of
from generator.write.site.shell import hub_id

CLAWHUB = "clawhub@0.23.3"
"""The client's version that our contract tests run: ``npx`` alone would fetch whatever is newest."""
SKILLS = "skills@1.5.18"
"""Likewise. Later ones need Node.js 22.20 and take the same commands (1.7.4 was run)."""


@dataclass(frozen=True, slots=True)
class InstallWay:
    """One client: what to type, and one sentence about it. ``language`` colours the commands."""

    client: str
    commands: str
    note: str = ""
    setup: str = ""


def list_install_ways(skill: PublishedSkill) -> tuple[InstallWay, ...]:
    """Commands for a POSIX shell, each complete as it stands: only of clients that can install it from here.

    ``clawhub`` (0.20 and later) sends a stored token to any registry it is given and may repoint its settings,
    hence the settings file of its own; an ambiguous slug is asked for with its owner.
    """
    item = _indexed(skill)
    made = [way for make in _WAYS.values() if (way := make(skill.hub, item)) is not None]
    return tuple(_with_parts(way, skill) if way.client == _CLAUDE else way for way in made)


def find_way(client: str, hub: Hub, item: Indexed) -> InstallWay | None:
    """How one client, by its name in :mod:`generator.hosting.expectations`, installs a skill; None where it cannot."""
    return _WAYS[client](hub, item)


def list_left_out(skill: PublishedSkill) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The clients that something about the skill keeps it from, each with the codes of what that is."""
    hub, item = skill.hub, _indexed(skill)
    found = [*skill.listing.codes, *(() if skill.listing.holds_slug else (_SHARED,))]
    left: list[tuple[str, tuple[str, ...]]] = []
    for client, (title, protocol, causes) in _KEPT_OUT.items():
        codes = tuple(code for code in found if code in causes)
        if codes and hub.speaks(protocol) and find_way(client, hub, item) is None:
            left.append((title, codes))
    return tuple(left)


_CLAUDE: Final = "Claude Code"
_SHARED: Final = "slug-shared"
_KEPT_OUT: Final[Mapping[str, tuple[str, Protocol, frozenset[str]]]] = MappingProxyType({
    "skills": ("npx skills", Protocol.AGENT_SKILLS, UNREADABLE | {"discovery-name"}),
    "hermes": (
        "Hermes", Protocol.WELL_KNOWN_SKILLS,
        frozenset({_SHARED, "raw-tree-path", "raw-tree-server-file", "raw-tree-active-file"}),
    ),
    "qwenpaw": ("QwenPaw", Protocol.BUNDLES, frozenset({BINARY_IN_BUNDLE})),
})  # fmt: skip
"""What people call the client, the protocol it reads, and the codes that keep a skill out of it."""


def _indexed(skill: PublishedSkill) -> Indexed:
    return Indexed(skill.listing, skill.latest.archive, paths_of(skill))


def _with_parts(way: InstallWay, skill: PublishedSkill) -> InstallWay:
    """The way with what its plugin has besides the skill."""
    if not brings_parts(skill.listing.slug, skill.folder.package.files):
        return way
    manifest = skill.manifest
    groups = (
        ("hooks", manifest.hooks),
        ("MCP servers", manifest.mcp_servers),
        ("subagents", manifest.subagents),
    )
    kinds = [kind for kind, parts in groups if any(part.path != MANIFEST for part in parts)]
    named = (
        " and ".join([", ".join(kinds[:-1]), kinds[-1]] if len(kinds) > 1 else kinds) or "parts of its own"
    )
    return replace(
        way,
        note=f"{way.note} The plugin also brings {named}, which the skill's folder alone does not switch on: "
        "see what runs on your machine.",
    )


def _skills(hub: Hub, item: Indexed) -> InstallWay | None:
    listing = item.listing
    if not (hub.speaks(Protocol.AGENT_SKILLS) and fits_name(listing) and is_readable(listing)):
        return None
    page = shlex.quote(f"{hub.url}/{listing.owner}/skills/{listing.slug}")
    return InstallWay(
        "npx skills", f"npx {SKILLS} add {page} --skill {listing.slug}",
        "For Claude Code, Codex, Cursor and many more; it asks which.",
    )  # fmt: skip


def _claude_code(hub: Hub, item: Indexed) -> InstallWay | None:
    listing = item.listing
    plugin = plugin_names([listing]).get((listing.owner, listing.slug))
    if not hub.speaks(Protocol.CLAUDE_CODE) or plugin is None:
        return None
    return InstallWay(
        _CLAUDE,
        f"claude plugin marketplace add {shlex.quote(f'{hub.url}/claude/marketplace.json')}\n"
        f"claude plugin install {plugin}@{_hub_words(hub).marketplace}",
        "The first line is needed once.",
    )


def _reference(listing: Listing) -> str:
    return listing.slug if listing.holds_slug else f"@{listing.owner}/{listing.slug}"


def _clawhub(hub: Hub, item: Indexed) -> InstallWay | None:
    if not hub.speaks(Protocol.CLAWHUB) or not (
        hub.abilities.routes_queries or item.listing.handoff is not None
    ):
        return None
    words = _hub_words(hub)
    return InstallWay(
        "clawhub",
        f'export CLAWHUB_CONFIG_PATH="$HOME/.config/clawhub-{words.name}.json"\n'
        f"npx {CLAWHUB} --registry {words.registry} install {_reference(item.listing)}",
        "The separate settings file keeps a token for another registry away from this one. "
        "Made for Node.js 22; 20 works with warnings.",
    )


def _openclaw(hub: Hub, item: Indexed) -> InstallWay | None:
    if not hub.speaks(Protocol.CLAWHUB) or not (
        hub.abilities.answers_posts or item.listing.handoff is not None
    ):
        return None
    registry = _hub_words(hub).registry
    return InstallWay(
        "OpenClaw", f"OPENCLAW_CLAWHUB_URL={registry} openclaw skills install {_reference(item.listing)}"
    )


def _deeptutor(hub: Hub, item: Indexed) -> InstallWay | None:
    if not hub.speaks(Protocol.CLAWHUB) or not hub.abilities.routes_queries:
        return None
    listing, words = item.listing, _hub_words(hub)
    scoped = listing.slug if listing.holds_slug else f"{listing.owner}/{listing.slug}"
    return InstallWay(
        "DeepTutor",
        f"deeptutor skill install {words.name}:{scoped}",
        "Once, in settings/skill_hubs.json:",
        words.deeptutor,
    )


def _hermes(hub: Hub, item: Indexed) -> InstallWay | None:
    if not hub.speaks(Protocol.WELL_KNOWN_SKILLS) or not is_in_tree(item, headers=hub.abilities.sets_headers):
        return None
    address = shlex.quote(f"well-known:{hub.url}/.well-known/skills/{item.listing.slug}")
    return InstallWay(
        "Hermes", f"hermes skills install {address}",
        "It reads every file as text, so a picture or a program arrives changed.",
    )  # fmt: skip


def _apm(hub: Hub, item: Indexed) -> InstallWay | None:
    # That a host redirects folders is no ability that documents depend on: only the table of clients knows it.
    if not hub.speaks(Protocol.APM) or any(one.name == "apm" and one.level == "fails" for one in hub.clients):
        return None
    listing, words = item.listing, _hub_words(hub)
    return InstallWay(
        "APM",
        "apm experimental enable registries\napm install --target claude",
        "In apm.yml:",
        f"registries: {{{words.name}: {{url: {json.dumps(hub.url)}}}}}\n"
        f"dependencies: {{apm: [{{id: {listing.owner}/{listing.slug}, registry: {words.name}, "
        f"version: ^{listing.version}}}]}}",
    )


def _qwenpaw(hub: Hub, item: Indexed) -> InstallWay | None:
    listing = item.listing
    if not hub.speaks(Protocol.BUNDLES) or BINARY_IN_BUNDLE in listing.codes:
        return None
    bundle = shlex.quote(f"{hub.url}/bundles/{listing.owner}/{listing.slug}.json")
    return InstallWay("QwenPaw", f"qwenpaw skills install {bundle}")


def _skill_file(hub: Hub, item: Indexed) -> InstallWay | None:
    if not hub.speaks(Protocol.SKILL_ARCHIVES):
        return None
    name = f"{item.listing.slug}-{item.listing.version}.skill"
    return InstallWay(
        ".skill",
        f"curl -fLO {shlex.quote(f'{hub.url}/dl/{item.listing.owner}/{name}')}\ngemini skills install ./{name}",
        "For Gemini CLI; DeerFlow and the Claude apps take the same file by upload.",
    )


def _download(hub: Hub, item: Indexed) -> InstallWay:
    listing = item.listing
    archive = f"{listing.slug}-{listing.version}.zip"
    address = shlex.quote(f"{hub.url}/dl/{listing.owner}/{archive}")
    return InstallWay(
        "Download",
        f"curl -fLO {address}\n"
        f"echo '{item.archive.sha256}  {archive}' | sha256sum -c\n"
        f"unzip {archive} -d {listing.slug}",
        "Unpack it where your agent looks for skills.",
    )


_WAYS: Final[Mapping[str, Callable[[Hub, Indexed], InstallWay | None]]] = MappingProxyType({
    "clawhub": _clawhub,
    "skills": _skills,
    "claude-code": _claude_code,
    "deeptutor": _deeptutor,
    "openclaw": _openclaw,
    "hermes": _hermes,
    "apm": _apm,
    "qwenpaw": _qwenpaw,
    "skill-archives": _skill_file,
    "people": _download,
})  # fmt: skip
"""Every client that people type a command for, in the order of the tabs."""


@dataclass(frozen=True, slots=True)
class _HubWords:
    """What commands say of the hub, the same for every skill: its short name, its URL for a shell, DeepTutor's settings
    for it, and its name in Claude Code."""

    name: str
    registry: str
    deeptutor: str
    marketplace: str


@lru_cache(maxsize=16)
def _hub_words(hub: Hub) -> _HubWords:
    name = hub_id(hub)
    settings = {"default": name, "hubs": {name: {"type": "clawhub", "base_url": hub.api}}}
    return _HubWords(
        name, shlex.quote(hub.url), json.dumps(settings, ensure_ascii=False), marketplace_name(hub)
    )
