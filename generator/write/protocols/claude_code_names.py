"""What a hub and its skills are called in Claude Code: names that its released versions take.

A marketplace: no space, no path, printable ASCII, not one of Anthropic's and not like one (2.1.197). A plugin: no
space; 2.1.332 also refuses, with the whole marketplace, names that pass as Anthropic's.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from generator.history.overlay.model import SkillKey
from generator.model import Hub, Listing

_LONGEST: Final = 64
_NOT_WORD: Final = re.compile(r"[^a-z0-9]+")
_TAKEN: Final = frozenset(
    (
        "claude-code-marketplace", "claude-code-plugins", "claude-plugins-official", "claude-community",
        "claude-plugins-community", "anthropic-marketplace", "anthropic-plugins", "agent-skills",
        "anthropic-agent-skills", "life-sciences", "knowledge-work-plugins", "claude-for-legal",
        "claude-for-financial-services", "financial-services-plugins", "inline", "builtin", "skills-dir",
    )
)  # fmt: skip
_COMMON: Final = frozenset(("hub", "marketplace", "plugins", "registry", "skill-hub", "skillpress", "skills"))
"""What many hubs are called; Claude Code knows a marketplace by its name alone."""
_ANTHROPICS: Final = re.compile(
    r"(?:claude|anthropics?|claude-code|claude-mods)|(?:claude|anthropics?|cc-plugin)-.*"
    r"|.*official.*(?:claude|anthropic).*|.*(?:claude|anthropic).*official.*"
)


def marketplace_name(hub: Hub) -> str:
    """The hub's name in Claude Code, from its title; from its URL where the title is in another script, is common or
    may not be used; ``hub-`` and a digest of the URL where neither can be. At most 64 characters of ``a-z0-9-``."""
    address = urlsplit(hub.url)
    for text in (hub.name, f"{address.netloc}{address.path}"):
        name = _kebab(text)
        if name and name not in _TAKEN | _COMMON and not _ANTHROPICS.fullmatch(name):
            return name
    return f"hub-{_digest(hub.url)}"


def _kebab(text: str) -> str:
    """Words joined by dashes; empty where letters of another script would be lost."""
    bare = (char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    plain = "".join(bare).casefold()
    if any(char.isalnum() and not char.isascii() for char in plain):
        return ""
    name = _NOT_WORD.sub("-", plain).strip("-")
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 9].rstrip('-')}-{_digest(text)}"


def plugin_names(listings: Iterable[Listing]) -> dict[SkillKey, str]:
    """The plugin name of each skill, all different: the slug of one that holds its slug, else ``owner--slug``.

    A name that passes as Anthropic's becomes ``skill--owner--slug``; one that still does, or that another skill has,
    ``skill--`` and a digest. No name is a collection's.
    """
    names: dict[SkillKey, str] = {}
    taken: set[str] = set()
    for listing in listings:
        long = f"{listing.owner}--{listing.slug}"
        wanted = (listing.slug if listing.holds_slug else long, f"skill--{long}", f"skill--{_digest(long)}")
        name = next((one for one in wanted if one not in taken and not _ANTHROPICS.fullmatch(one)), None)
        if name is not None:
            taken.add(name)
            names[listing.owner, listing.slug] = name
    return names


def bundle_name(collection: str) -> str:
    """The plugin name of a collection. ``collections`` can be no owner, so no skill has it."""
    return f"collections--{collection}"


def bundle_scope(hub: Hub) -> str:
    """The npm scope of a hub's collections, without ``@``.

    With a dot, which no owner has, and with the hub's name: Claude Code 2.1.197 takes a package of the same name and
    version from its cache, whatever registry it came from.
    """
    return f"{marketplace_name(hub)}.collections"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
