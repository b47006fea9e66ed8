"""What a host puts into its system prompt for a catalog of skills, as its own code writes it.

Each style is a fact about a host's released program; the sentences around the list are the host's own business
and are left out. Values are escaped where the host escapes them and nowhere else.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from generator.judge.cost import estimate_tokens
from generator.judge.model import Profile

CONTAINER: Final = "/mnt/skills/public"
"""Where DeerFlow mounts the skills it ships (``skills.container_path`` and the category's folder)."""

_SENTENCES: Final = 332
"""Characters of the sentences OpenClaw 2026.9.6 writes before its list, which count into its budget."""
_SENTENCES_CUT: Final = 444
"""The same where it says that it shortened or left out something; a few more or less with the figures in it."""
_COMPACT_LEAST: Final = 4
_COMPACT_MOST: Final = 220


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """One skill as a host lists it: the name and description it shows, and the path of its ``SKILL.md``.

    ``folder`` is the skill's place below the folder of skills. ``always`` is true where the skill asks to be
    loaded in every turn. ``written_name`` and ``when_to_use`` are the front matter's, empty where missing.
    """

    name: str
    description: str
    location: str
    folder: str
    always: bool = False
    written_name: str = ""
    when_to_use: str = ""


@dataclass(frozen=True, slots=True)
class CatalogText:
    """The list as the host would print it; ``cut`` says in sentences what its limits take away."""

    text: str
    cut: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """The estimated tokens of the whole list."""
        return estimate_tokens(self.text)


def find_location(folder: str, file: str, profile: Profile | None = None) -> str:
    """The path of a skill's ``SKILL.md`` that a host shows: inside its container for DeerFlow, else ``file``."""
    return f"{CONTAINER}/{folder}/SKILL.md" if profile is not None and profile.host == "deerflow" else file


def render_available_skills(entries: Sequence[CatalogEntry], profile: Profile | None = None) -> CatalogText:
    """The list of skills as a host writes it; as skills-ref 0.1 does where no host is named.

    Most write an ``<available_skills>`` block; Claude Code 2.1.332 and Codex 0.171.0 write a line a skill
    (both read from the requests of the released programs).
    """
    host = profile.host if profile is not None else ""
    if host == "claude-code":
        return CatalogText("\n".join([_claude_line(one) for one in entries]))
    if host == "codex":
        return CatalogText(
            "\n".join([f"- {one.name}: {one.description} (file: {one.location})" for one in entries])
        )
    if host == "deerflow":
        return CatalogText(_deerflow(entries))
    if host == "gemini-cli":
        return CatalogText(_indented(entries))
    if host == "opencode":
        return CatalogText(_indented(sorted(entries, key=lambda one: one.name), location=_quote_html))
    if host == "hermes":
        return CatalogText(_hermes(entries))
    if host == "openclaw" and profile is not None:
        return _openclaw(entries, profile)
    return CatalogText(_reference(entries))


def render_manifest(entries: Sequence[CatalogEntry]) -> CatalogText:
    """DeepTutor's catalog lines (1.5.14, ``render_skills_manifest``): one line a skill, the first of a name wins.

    Skills with ``always: true`` are not listed: their whole bodies stand in every turn.
    """
    lines: dict[str, str] = {}
    cut = []
    for entry in entries:
        if entry.always:
            cut.append(f"{entry.folder}: Not listed, since always: true puts its whole body into every turn")
        elif entry.name in lines:
            cut.append(f"{entry.folder}: Not listed, since another skill is called {entry.name}")
        else:
            lines[entry.name] = f"- **{entry.name}** — {entry.description or entry.name}"
    return CatalogText("\n".join(lines.values()), tuple(cut))


def _reference(entries: Sequence[CatalogEntry]) -> str:
    lines = ["<available_skills>"]
    for entry in entries:
        lines += [
            "<skill>",
            *("<name>", html.escape(entry.name), "</name>"),
            *("<description>", html.escape(entry.description), "</description>"),
            *("<location>", entry.location, "</location>"),
            "</skill>",
        ]
    return "\n".join([*lines, "</available_skills>"])


def _deerflow(entries: Sequence[CatalogEntry]) -> str:
    if not entries:
        return ""
    skills = [
        "    <skill>\n"
        f"        <name>{html.escape(entry.name, quote=False)}</name>\n"
        f"        <description>{html.escape(entry.description, quote=False)} [built-in]</description>\n"
        f"        <location>{html.escape(entry.location, quote=False)}</location>\n"
        "    </skill>"
        for entry in entries
    ]
    return "\n".join(["<available_skills>", *skills, "</available_skills>"])


def _claude_line(entry: CatalogEntry) -> str:
    written = entry.written_name
    name = (
        f"{entry.name} ({written})"
        if written and written != entry.name and " " not in written
        else entry.name
    )
    when = f" - {entry.when_to_use}" if entry.when_to_use else ""
    return f"- {name}: {entry.description}{when}".replace("<", "&lt;").replace(">", "&gt;")


def _quote_html(text: str) -> str:
    return html.escape(text).replace("&#x27;", "&#39;")


def _quote_xml(text: str) -> str:
    return html.escape(text).replace("&#x27;", "&apos;")


def _indented(
    entries: Sequence[CatalogEntry],
    *,
    text: Callable[[str], str] = str,
    location: Callable[[str], str] = str,
    limit: int | None = None,
) -> str:
    if not entries:
        return ""
    lines = ["<available_skills>"]
    for entry in entries:
        lines += ["  <skill>", f"    <name>{text(entry.name)}</name>"]
        description = entry.description if limit is None else _shorten(entry.description, limit)
        if description or limit is None:
            lines.append(f"    <description>{text(description)}</description>")
        lines += [f"    <location>{location(entry.location)}</location>", "  </skill>"]
    return "\n".join([*lines, "</available_skills>"])


def _hermes(entries: Sequence[CatalogEntry]) -> str:
    """Hermes 0.19 lists by category, which is the folder between the folder of skills and the skill."""
    if not entries:
        return ""
    by_category: dict[str, dict[str, str]] = {}
    for entry in entries:
        category = entry.folder.rpartition("/")[0] or "general"
        by_category.setdefault(category, {}).setdefault(entry.name, entry.description)
    lines = ["<available_skills>"]
    for category, skills in sorted(by_category.items()):
        lines.append(f"  {category}:")
        lines += [
            f"    - {name}: {text}" if text else f"    - {name}" for name, text in sorted(skills.items())
        ]
    return "\n".join([*lines, "</available_skills>"])


# --- OpenClaw's budget -----------------------------------------------------------------------------


def _openclaw(entries: Sequence[CatalogEntry], profile: Profile) -> CatalogText:
    """OpenClaw 2026.9.6 (``prepareSkillsForPrompt``): by name, first the count, then shorter descriptions, then
    fewer skills. The sentences before the list count into its budget and are not part of the text here."""
    most = profile.limit("catalog-skills") or len(entries)
    room = profile.limit("catalog-characters")
    ordered = sorted(entries, key=lambda one: (one.name.casefold(), one.name))
    kept = ordered[:most]
    cut = [f"{entry.folder}: Left out, since the catalog holds {most:,} skills" for entry in ordered[most:]]
    text = _xml(kept, None)
    if room is None or len(text) + (_SENTENCES_CUT if cut else _SENTENCES) <= room:
        return CatalogText(text, tuple(cut))
    limit_said = f"since the catalog has {room:,} characters"
    room -= _SENTENCES_CUT
    count = _largest(0, len(kept), lambda number: len(_xml(kept[:number], 0)) <= room)
    cut += [f"{entry.folder}: Left out, {limit_said}" for entry in kept[count:]]
    kept = kept[:count]
    limit = 0
    if kept and len(_xml(kept, _COMPACT_LEAST)) <= room:
        limit = _largest(_COMPACT_LEAST, _COMPACT_MOST, lambda number: len(_xml(kept, number)) <= room)
    shown = f"are shortened to {limit} characters" if limit else "are left out"
    return CatalogText(_xml(kept, limit), (f"All descriptions {shown}, {limit_said}", *cut))


def _xml(entries: Sequence[CatalogEntry], limit: int | None) -> str:
    return _indented(entries, text=_quote_xml, location=_quote_xml, limit=limit)


def _largest(low: int, high: int, fits: Callable[[int], bool]) -> int:
    """The largest number from ``low`` to ``high`` that fits, where all smaller ones do too."""
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _shorten(text: str, most: int) -> str:
    text = " ".join(text.split())
    if len(text) <= most:
        return text
    return text[:most] if most <= 3 else text[: most - 3].rstrip() + "..."
