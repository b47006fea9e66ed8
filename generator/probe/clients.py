"""Every client a probe speaks for, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from generator.hosting.expectations import TITLES
from generator.probe import clawhub, files
from generator.probe.model import Client


@dataclass(frozen=True, slots=True)
class Asked:
    """One client: what people call it, and what it asks."""

    title: str
    ask: Client


_ASK: Mapping[str, Client] = MappingProxyType(
    {
        "people": files.ask_people,
        "clawhub": clawhub.ask_clawhub,
        "clawhub-old": clawhub.ask_old_clawhub,
        "deeptutor": clawhub.ask_deeptutor,
        "openclaw": clawhub.ask_openclaw,
        "hermes-clawhub": clawhub.ask_hermes_clawhub,
        "hermes": files.ask_hermes,
        "skills": files.ask_skills_cli,
        "claude-code": files.ask_claude_code,
        "apm": files.ask_apm,
        "qwenpaw": files.ask_qwenpaw,
        "agentskills-http": files.ask_agentskills_http,
        "skill-archives": files.ask_skill_archives,
    }
)
CLIENTS: Mapping[str, Asked] = MappingProxyType(
    {name: Asked(title, _ASK[name]) for name, title in TITLES.items()}
)
"""In the order they are shown."""
