"""Which client gets how far on which kind of host, as data.

The table is what documentation and site print, what ``skillpress probe --hosting`` holds a live hub against, and what
``tests/conformance`` proves with the real servers.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from generator.hosting.profiles import Kind


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

_ORDER: Final = (Level.FAILS, Level.PART, Level.WORKS)


def is_less(found: Level, wanted: Level) -> bool:
    """Whether a client gets less far than it should. One whose protocol the hub does not offer does not."""
    return found is not Level.ABSENT and _ORDER.index(found) < _ORDER.index(wanted)
