"""In which order the site names hosts: agents that people talk to first, then what installs, uploads or validates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from generator.judge.model import Profile
from generator.write.site.view import escape_html

_ORDER: Final = (
    "claude-code",
    "codex",
    "vscode-copilot",
    "gemini-cli",
    "opencode",
    "openclaw",
    "claude-ai-api",
    "skills-cli",
    "hermes",
    "deeptutor",
    "deerflow",
    "nanobot",
    "clawhub",
    "skill-package-service",
    "agentskills",
    "anthropic",
)
"""Families of hosts; one that is not named here comes last."""
_RANKS: Final = {host: rank for rank, host in enumerate(_ORDER)}
_USES: Final = frozenset({"loads", "lists"})


@dataclass(frozen=True, slots=True)
class Group:
    """Hosts that are named together. ``verb`` is what they do with a skill: ``load`` or ``accept``."""

    key: str
    title: str
    verb: str
    profiles: tuple[Profile, ...]


def group_profiles(profiles: Sequence[Profile]) -> tuple[Group, ...]:
    """The hosts in two groups, each in the order of the site; a group without hosts is left out."""
    ordered = sorted(profiles, key=lambda one: (_RANKS.get(one.host, len(_RANKS)), one.id))
    groups = (
        Group("agents", "Agents", "load", tuple(one for one in ordered if is_agent(one))),
        Group(
            "tools",
            "Installers, uploads and validators",
            "accept",
            tuple(one for one in ordered if not is_agent(one)),
        ),
    )
    return tuple(group for group in groups if group.profiles)


def order_profiles(profiles: Sequence[Profile]) -> tuple[Profile, ...]:
    """All hosts in the order of the site."""
    return tuple(profile for group in group_profiles(profiles) for profile in group.profiles)


def is_agent(profile: Profile) -> bool:
    """True for a program that works with skills; an installer that only lists them runs nothing they bring."""
    return profile.step in _USES and bool(profile.powers)


def host_title(profile: Profile) -> str:
    """``Codex CLI 0.171.0``, with the step where a host has several: ``DeerFlow, installing f1f4af9``."""
    version = f" {profile.version}" if profile.version else ""
    return f"{profile.label}{version}"


def host_page(profile: Profile, root: str) -> str:
    """The address of a host's page; ``root`` is the way from the page to the hub's root."""
    return f"{root}hosts/{profile.host}/"


def host_link(profile: Profile, root: str) -> str:
    """A host's name that leads to its page, with the version in small letters."""
    return _link(host_page(profile, root), profile.label, profile.version or "")


@lru_cache(maxsize=256)
def _link(address: str, label: str, version: str) -> str:
    small = f' <small class="sp-dim">{escape_html(version)}</small>' if version else ""
    return f'<a href="{escape_html(address)}">{escape_html(label)}</a>{small}'
