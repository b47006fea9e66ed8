"""Names that a registry, an upload or a slash command keeps for itself, and names with blanks around them.

The words are those of ClawHub's slug validator, of claude.ai's upload and of DeerFlow's slash commands.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generator.findings import finding
from generator.judge.model import Subject
from generator.judge.rules.ground import scalar, shown, skill_path, tell
from generator.model import Finding
from generator.read.nodes import ScalarNode
from generator.read.yamladvice import quoted

_BRANDS: Final = ("anthropic", "claude")
_CLAWHUB_SLUGS: Final = frozenset((
    # Routes, words that would be taken for routes, brands, roles, actions, and words that confuse in a URL.
    "about", "admin", "cli", "dashboard", "import", "management", "orgs", "packages", "plugins", "publishers",
    "publish", "publish-plugin", "publish-skill", "search", "settings", "skills", "souls", "stars", "u",
    "upload", "users", "api", "auth", "oauth", "callback", "login", "logout", "signin", "signout", "signup",
    "register", "docs", "doc", "help", "support", "status", "health", "blog", "news", "pricing", "terms",
    "privacy", "legal", "contact", "home", "explore", "openclaw", "clawhub", "clawd", "clawdbot", "onlycrabs",
    "soulhub", "me", "self", "system", "root", "owner", "official", "staff", "team", "mod", "moderator",
    "new", "edit", "delete", "create", "update", "remove", "public", "private", "internal", "null",
    "undefined", "true", "false",
))  # fmt: skip
_CLAWHUB_AFFIXES: Final = (
    "openclaw", "clawhub", "clawd", "clawdbot", "onlycrabs", "soulhub", "official", "verified", "staff", "admin",
    "moderator",
)  # fmt: skip
_CLAWHUB_SHORTEST: Final = 3
_DEERFLOW_COMMANDS: Final = frozenset({"bootstrap", "goal", "help", "memory", "models", "new", "status"})


def find(subject: Subject) -> Iterator[Finding]:
    """Reserved and protected names, and blanks around a name."""
    node = scalar(subject.skill.front, "name")
    name = node.value.strip() if node is not None else ""
    if node is not None and name and node.value != name:
        yield tell(
            subject, "name-padded", node,
            f"Blanks or line ends stand around the name {shown(name)}; npx skills passes such a skill over in silence, "
            "and other hosts keep them in the name",
            f"Write name: {name if name.isascii() and name.isprintable() else quoted(name)}",
        )  # fmt: skip
    folder = subject.place.name
    seen = set()
    for word, at in ((name, node), (folder, None)):
        if word and word not in seen:
            seen.add(word)
            yield from _find_reserved(subject, word, at)


def _find_reserved(subject: Subject, word: str, node: ScalarNode | None) -> Iterator[Finding]:
    what = "The name" if node is not None else "The folder's name"
    low = word.lower()
    brand = next((brand for brand in _BRANDS if brand in low), None) if node is not None else None
    if brand is not None:
        yield _tell(
            subject, node, word,
            f"{what} {shown(word)} contains {brand!r}, which uploads to claude.ai and its API refuse",
            f"Choose a name without the word {brand}",
        )  # fmt: skip
    if low in _CLAWHUB_SLUGS:
        yield _tell(
            subject, node, word,
            f"{what} {shown(word)} is a word that ClawHub keeps for itself and refuses as an address",
            f"Say what it does in two words, such as {_longer(low)}",
        )  # fmt: skip
    elif affix := next(
        (a for a in _CLAWHUB_AFFIXES if low.startswith(f"{a}-") or low.endswith(f"-{a}")), None
    ):
        yield _tell(
            subject, node, word,
            f"{what} {shown(word)} uses {affix!r}, which ClawHub protects at either end of an address",
            f"Choose a name that neither starts with {affix}- nor ends in -{affix}",
        )  # fmt: skip
    elif len(low) < _CLAWHUB_SHORTEST:
        yield _tell(
            subject, node, word,
            f"{what} {shown(word)} is shorter than the {_CLAWHUB_SHORTEST} characters of a ClawHub address",
            f"Choose a longer name, such as {_longer(low)}",
        )  # fmt: skip
    if node is not None and word in _DEERFLOW_COMMANDS:
        yield _tell(
            subject, node, word,
            f"The command /{word} is one of DeerFlow's own, so typing it never starts this skill there",
            f"Choose another name, such as {_longer(low)}",
        )  # fmt: skip


def _longer(word: str) -> str:
    return f"{word}-guide"


def _tell(subject: Subject, node: ScalarNode | None, word: str, message: str, fix: str) -> Finding:
    if node is not None:
        return tell(subject, "name-reserved-or-protected", node, message, fix)
    return finding("name-reserved-or-protected", skill_path(subject), message, fix, text=word)
