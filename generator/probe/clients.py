"""Every client a probe speaks for, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from generator.probe import clawhub, files
from generator.probe.model import Client


@dataclass(frozen=True, slots=True)
class Asked:
    """One client: what people call it, and what it asks."""

    title: str
    ask: Client


CLIENTS: Mapping[str, Asked] = MappingProxyType(
    {
        "people": Asked("People with a browser", files.ask_people),
        "clawhub": Asked("clawhub 0.23", clawhub.ask_clawhub),
        "clawhub-old": Asked("clawhub 0.8 to 0.20", clawhub.ask_old_clawhub),
        "deeptutor": Asked("DeepTutor", clawhub.ask_deeptutor),
        "openclaw": Asked("OpenClaw", clawhub.ask_openclaw),
        "hermes-clawhub": Asked("hermes-agent, as a ClawHub", clawhub.ask_hermes_clawhub),
        "hermes": Asked("hermes-agent, well-known", files.ask_hermes),
        "skills": Asked("npx skills", files.ask_skills_cli),
        "claude-code": Asked("Claude Code", files.ask_claude_code),
        "apm": Asked("Microsoft APM", files.ask_apm),
        "qwenpaw": Asked("QwenPaw", files.ask_qwenpaw),
        "agentskills-http": Asked("agentskills-http", files.ask_agentskills_http),
        "skill-archives": Asked(".skill files (Gemini CLI, DeerFlow)", files.ask_skill_archives),
    }
)
"""In the order they are shown."""
