"""The commands that install one skill, for each client that people have."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from functools import lru_cache

from generator.model import Hub, PublishedSkill
from generator.write.site.shell import hub_id

CLAWHUB = "clawhub@0.23.3"
"""The client's version that our contract tests run: ``npx`` alone would fetch whatever is newest."""


@dataclass(frozen=True, slots=True)
class InstallWay:
    """One client: what to type, and one sentence about it. ``language`` colours the commands."""

    client: str
    commands: str
    note: str = ""
    setup: str = ""


def list_install_ways(skill: PublishedSkill) -> tuple[InstallWay, ...]:
    """Commands for a POSIX shell, each complete as it stands.

    ``clawhub`` (0.20 and later) sends a stored token to any registry it is given and may repoint its settings,
    hence the settings file of its own; an ambiguous slug is asked for with its owner.
    """
    listing, hub = skill.listing, skill.hub
    reference = listing.slug if listing.holds_slug else f"@{listing.owner}/{listing.slug}"
    scoped = listing.slug if listing.holds_slug else f"{listing.owner}/{listing.slug}"
    name, registry, settings = _hub_words(hub)
    archive = f"{listing.slug}-{skill.latest.version}.zip"
    address = shlex.quote(f"{hub.url}/dl/{listing.owner}/{archive}")
    return (
        InstallWay(
            "clawhub",
            f'export CLAWHUB_CONFIG_PATH="$HOME/.config/clawhub-{name}.json"\n'
            f"npx {CLAWHUB} --registry {registry} install {reference}",
            "The separate settings file keeps a token for another registry away from this one. "
            "Made for Node.js 22; 20 works with warnings.",
        ),
        InstallWay(
            "DeepTutor",
            f"deeptutor skill install {name}:{scoped}",
            "Once, in settings/skill_hubs.json:",
            settings,
        ),
        InstallWay(
            "OpenClaw",
            f"OPENCLAW_CLAWHUB_URL={registry} openclaw skills install {reference}",
        ),
        InstallWay(
            "Download",
            f"curl -fLO {address}\n"
            f"echo '{skill.latest.archive.sha256}  {archive}' | sha256sum -c\n"
            f"unzip {archive} -d {listing.slug}",
            "Unpack it where your agent looks for skills.",
        ),
    )


@lru_cache(maxsize=16)
def _hub_words(hub: Hub) -> tuple[str, str, str]:
    """The hub's short name, its URL for a shell, and DeepTutor's settings for it: the same for every skill."""
    name = hub_id(hub)
    settings = {"default": name, "hubs": {name: {"type": "clawhub", "base_url": hub.api}}}
    return name, shlex.quote(hub.url), json.dumps(settings, ensure_ascii=False)
