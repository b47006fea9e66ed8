"""The commands that install one skill, for each client that people have."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from generator.model import Hub, Listing, Protocol, PublishedSkill
from generator.write.protocols.claude_code_names import marketplace_name, plugin_names
from generator.write.protocols.indexes import BINARY_IN_BUNDLE, Indexed, fits_name, is_readable
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
    return tuple(_ways(skill))


def _ways(skill: PublishedSkill) -> Iterator[InstallWay]:
    listing, hub = skill.listing, skill.hub
    speaks, able = hub.speaks, hub.abilities
    indexed = Indexed(listing, skill.latest.archive, paths_of(skill))
    if speaks(Protocol.CLAWHUB) and (able.routes_queries or listing.handoff is not None):
        yield _clawhub(skill)
    if speaks(Protocol.AGENT_SKILLS) and fits_name(listing) and is_readable(listing):
        page = shlex.quote(f"{hub.url}/{listing.owner}/skills/{listing.slug}")
        yield InstallWay(
            "npx skills", f"npx {SKILLS} add {page} --skill {listing.slug}",
            "For Claude Code, Codex, Cursor and many more; it asks which.",
        )  # fmt: skip
    if speaks(Protocol.CLAUDE_CODE) and (
        plugin := plugin_names([listing]).get((listing.owner, listing.slug))
    ):
        yield InstallWay(
            "Claude Code",
            f"claude plugin marketplace add {shlex.quote(f'{hub.url}/claude/marketplace.json')}\n"
            f"claude plugin install {plugin}@{_hub_words(hub).marketplace}",
            "The first line is needed once. As a plugin it brings its hooks and servers, if it has any.",
        )
    if speaks(Protocol.CLAWHUB) and able.routes_queries:
        yield _deeptutor(skill)
    if speaks(Protocol.CLAWHUB) and (able.answers_posts or listing.handoff is not None):
        registry = _hub_words(hub).registry
        yield InstallWay(
            "OpenClaw", f"OPENCLAW_CLAWHUB_URL={registry} openclaw skills install {_reference(listing)}"
        )
    if speaks(Protocol.WELL_KNOWN_SKILLS) and is_in_tree(indexed, headers=able.sets_headers):
        address = shlex.quote(f"well-known:{hub.url}/.well-known/skills/{listing.slug}")
        yield InstallWay("Hermes", f"hermes skills install {address}", "It reads text files only.")
    if speaks(Protocol.APM) and able.routes_queries:
        yield _apm(skill)
    if speaks(Protocol.BUNDLES) and BINARY_IN_BUNDLE not in listing.codes:
        bundle = shlex.quote(f"{hub.url}/bundles/{listing.owner}/{listing.slug}.json")
        yield InstallWay("QwenPaw", f"qwenpaw skills install {bundle}")
    if speaks(Protocol.SKILL_ARCHIVES):
        name = f"{listing.slug}-{skill.latest.version}.skill"
        address = shlex.quote(f"{hub.url}/dl/{listing.owner}/{name}")
        yield InstallWay(
            ".skill", f"curl -fLO {address}\ngemini skills install ./{name}",
            "For Gemini CLI; DeerFlow and the Claude apps take the same file by upload.",
        )  # fmt: skip
    yield _download(skill)


def _reference(listing: Listing) -> str:
    return listing.slug if listing.holds_slug else f"@{listing.owner}/{listing.slug}"


def _clawhub(skill: PublishedSkill) -> InstallWay:
    words = _hub_words(skill.hub)
    return InstallWay(
        "clawhub",
        f'export CLAWHUB_CONFIG_PATH="$HOME/.config/clawhub-{words.name}.json"\n'
        f"npx {CLAWHUB} --registry {words.registry} install {_reference(skill.listing)}",
        "The separate settings file keeps a token for another registry away from this one. "
        "Made for Node.js 22; 20 works with warnings.",
    )


def _deeptutor(skill: PublishedSkill) -> InstallWay:
    listing, words = skill.listing, _hub_words(skill.hub)
    scoped = listing.slug if listing.holds_slug else f"{listing.owner}/{listing.slug}"
    return InstallWay(
        "DeepTutor",
        f"deeptutor skill install {words.name}:{scoped}",
        "Once, in settings/skill_hubs.json:",
        words.deeptutor,
    )


def _apm(skill: PublishedSkill) -> InstallWay:
    listing, words = skill.listing, _hub_words(skill.hub)
    return InstallWay(
        "APM",
        "apm experimental enable registries\napm install --target claude",
        "In apm.yml:",
        f"registries: {{{words.name}: {{url: {json.dumps(skill.hub.url)}}}}}\n"
        f"dependencies: {{apm: [{{id: {listing.owner}/{listing.slug}, registry: {words.name}, "
        f"version: ^{skill.latest.version}}}]}}",
    )


def _download(skill: PublishedSkill) -> InstallWay:
    listing, hub = skill.listing, skill.hub
    archive = f"{listing.slug}-{skill.latest.version}.zip"
    address = shlex.quote(f"{hub.url}/dl/{listing.owner}/{archive}")
    return InstallWay(
        "Download",
        f"curl -fLO {address}\n"
        f"echo '{skill.latest.archive.sha256}  {archive}' | sha256sum -c\n"
        f"unzip {archive} -d {listing.slug}",
        "Unpack it where your agent looks for skills.",
    )


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
