"""Which client gets how far on which kind of host, as data.

The table is what documentation and site print, what ``skillpress probe --hosting`` holds a live hub against, and what
``tests/conformance`` proves with the real servers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from generator.hosting.profiles import Kind
from generator.model import ClientSupport, Protocol


class Level(StrEnum):
    """How far a client gets.

    WORKS: everything it asks. PART: it installs, something else is missing. FAILS: it cannot install. ABSENT: the hub
    does not offer what this client reads.
    """

    WORKS = "works"
    PART = "part"
    FAILS = "fails"
    ABSENT = "absent"


_W, _P, _F = Level.WORKS, Level.PART, Level.FAILS
_KINDS: Final = (Kind.SERVE, Kind.EDGE, Kind.NGINX, Kind.CADDY, Kind.RULES, Kind.PAGES, Kind.OBJECTS)
_TABLE: Final[Mapping[str, tuple[Level, ...]]] = MappingProxyType({
    #                   serve edge nginx caddy rules pages objects
    "people":           (_W, _W, _W, _W, _W, _W, _W),
    "clawhub":          (_W, _W, _P, _P, _P, _F, _F),
    "clawhub-old":      (_W, _W, _W, _W, _W, _F, _F),
    "deeptutor":        (_W, _W, _W, _W, _W, _F, _F),
    "openclaw":         (_W, _W, _F, _F, _F, _F, _F),
    "hermes-clawhub":   (_W, _W, _W, _W, _W, _F, _F),
    "hermes":           (_W, _W, _W, _W, _W, _W, _W),
    "skills":           (_W, _W, _W, _W, _W, _W, _W),
    "claude-code":      (_W, _W, _W, _W, _W, _W, _W),
    "apm":              (_W, _W, _W, _W, _W, _F, _W),
    "qwenpaw":          (_W, _W, _W, _W, _W, _W, _W),
    "agentskills-http": (_W, _W, _W, _W, _W, _W, _W),
    "skill-archives":   (_W, _W, _W, _W, _W, _W, _W),
})  # fmt: skip

EXPECTED: Final[Mapping[Kind, Mapping[str, Level]]] = MappingProxyType(
    {
        kind: MappingProxyType({client: row[column] for client, row in _TABLE.items()})
        for column, kind in enumerate(_KINDS)
    }
)
"""By kind of host and client. A hub that switches a protocol off is ABSENT there, which is never held against it."""

REASONS: Final[Mapping[tuple[Kind, str], str]] = MappingProxyType({
    (Kind.NGINX, "clawhub"): "search gives every skill, and `inspect --file` is not answered",
    (Kind.CADDY, "clawhub"): "search gives every skill, and `inspect --file` is not answered",
    (Kind.RULES, "clawhub"): "search gives every skill, and `inspect --file` is not answered",
    **{
        (kind, client): "it asks /api/v1/download?slug=..., and this host does not look at a query"
        for kind in (Kind.PAGES, Kind.OBJECTS)
        for client in ("clawhub", "clawhub-old", "deeptutor", "hermes-clawhub")
    },
    **{
        (kind, "openclaw"): "it asks for a verdict with POST before it installs, and this host takes none"
        for kind in (Kind.NGINX, Kind.CADDY, Kind.RULES, Kind.PAGES, Kind.OBJECTS)
    },
    (Kind.PAGES, "apm"): "it follows no redirect, and this host redirects every folder",
})  # fmt: skip
"""Why a client does not get everything, for people, wherever the table says less than WORKS."""

TITLES: Final[Mapping[str, str]] = MappingProxyType({
    "people": "People with a browser",
    "clawhub": "clawhub 0.23",
    "clawhub-old": "clawhub 0.8 to 0.20",
    "deeptutor": "DeepTutor",
    "openclaw": "OpenClaw",
    "hermes-clawhub": "hermes-agent, as a ClawHub",
    "hermes": "hermes-agent, well-known",
    "skills": "npx skills",
    "claude-code": "Claude Code",
    "apm": "Microsoft APM",
    "qwenpaw": "QwenPaw",
    "agentskills-http": "agentskills-http",
    "skill-archives": ".skill files (Gemini CLI, DeerFlow)",
})  # fmt: skip
"""What people call each client, in the order they are shown."""

TESTED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "clawhub": ("clawhub 0.23.3",),
    "clawhub-old": ("clawhub 0.20.0", "clawhub 0.8.0"),
    "deeptutor": ("deeptutor 1.6.15",),
    "openclaw": ("openclaw 2026.9.6",),
    "hermes": ("hermes-agent 0.19.0",),
    "skills": ("skills 1.5.18", "skills 1.7.4"),
    "claude-code": ("@anthropic-ai/claude-code 2.1.197",),
    "apm": ("apm-cli 0.35.0",),
    "agentskills-http": ("agentskills-http 0.7.0",),
    "skill-archives": ("@google/gemini-cli 0.61.0",),
})  # fmt: skip
"""The released programs that our tests run against a hub, package and version. What is missing was read, not run."""

NEEDS: Final[Mapping[str, Protocol]] = MappingProxyType({
    "clawhub": Protocol.CLAWHUB,
    "clawhub-old": Protocol.CLAWHUB,
    "deeptutor": Protocol.CLAWHUB,
    "openclaw": Protocol.CLAWHUB,
    "hermes-clawhub": Protocol.CLAWHUB,
    "hermes": Protocol.WELL_KNOWN_SKILLS,
    "skills": Protocol.AGENT_SKILLS,
    "claude-code": Protocol.CLAUDE_CODE,
    "apm": Protocol.APM,
    "qwenpaw": Protocol.BUNDLES,
    "agentskills-http": Protocol.AGENTSKILLS_HTTP,
    "skill-archives": Protocol.SKILL_ARCHIVES,
})  # fmt: skip
"""The protocol that a client reads; people need none."""

_FROM_GITHUB: Final = "; a skill whose source is a public repository on GitHub it takes from there"
_TAKES_GITHUB: Final = frozenset({"clawhub", "openclaw"})


def support(kind: Kind, protocols: Collection[Protocol]) -> tuple[ClientSupport, ...]:
    """How far each client gets on a kind of host, for a hub that speaks these protocols."""
    return tuple(_support(kind, client, protocols) for client in TITLES)


def _support(kind: Kind, client: str, protocols: Collection[Protocol]) -> ClientSupport:
    if client in NEEDS and NEEDS[client] not in protocols:
        reason = "this hub has switched off what it reads"
        return ClientSupport(client, TITLES[client], Level.ABSENT.value, reason)
    level = EXPECTED[kind][client]
    reason = REASONS.get((kind, client), "")
    if level is Level.FAILS and client in _TAKES_GITHUB:
        reason += _FROM_GITHUB
    return ClientSupport(client, TITLES[client], level.value, reason)


_ORDER: Final = (Level.FAILS, Level.PART, Level.WORKS)


def is_less(found: Level, wanted: Level) -> bool:
    """Whether a client gets less far than it should. One whose protocol the hub does not offer does not."""
    return found is not Level.ABSENT and _ORDER.index(found) < _ORDER.index(wanted)
