"""The section of a skill's page that says what the skill needs and what of it runs by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from generator.judge.model import Profile
from generator.model import Manifest, PublishedSkill, Taxonomy
from generator.write.site.runs import runs_table
from generator.write.site.view import escape_html, escape_visible, shorten, show_hidden


def needs_section(skill: PublishedSkill, profiles: Sequence[Profile]) -> str:
    """The section as HTML; ``profiles`` are the hosts the skill was judged by."""
    manifest = skill.manifest
    requires = manifest.requires
    acts = runs_table(skill.judgement.powers, profiles) or (
        '<p class="sp-small">It brings no hooks, MCP servers, subagents, scripts or executable files.</p>\n'
    )
    return (
        '<section class="sp-section" aria-labelledby="needs">\n'
        '<h2 id="needs">What it needs and runs</h2>\n'
        '<dl class="sp-facts">\n'
        f"{_fact('Programs', requires.bins)}"
        f"{_fact('One of', requires.any_bins)}"
        f"{_fact('Environment', requires.env)}"
        f"{_fact('Settings', requires.config)}"
        f"{_fact('Sandbox', requires.sandbox)}"
        f"{_fact('Systems', manifest.os)}"
        f"{_compatibility(manifest)}{_tools(manifest)}{_taxonomy(manifest.taxonomy)}"
        f"</dl>\n{acts}</section>\n\n"
    )


def _fact(label: str, values: Iterable[str]) -> str:
    if not values:
        return "\n"
    codes = " ".join(f"<code>{escape_visible(value)}</code>" for value in values)
    return f"<div><dt>{label}</dt><dd>{codes}</dd></div>\n\n"


def _compatibility(manifest: Manifest) -> str:
    if not manifest.compatibility:
        return ""
    text = shorten(show_hidden(manifest.compatibility), 500)
    return f"<div><dt>Compatibility</dt><dd>{escape_html(text)}</dd></div>"


def _tools(manifest: Manifest) -> str:
    if manifest.allowed_tools is None:
        return "<div><dt>Tools</dt><dd>No limit declared</dd></div>\n"
    if not manifest.allowed_tools:
        return "<div><dt>Tools</dt><dd>None allowed</dd></div>"
    return _fact("Tools", manifest.allowed_tools)


def _taxonomy(taxonomy: Taxonomy) -> str:
    if not taxonomy:
        return ""
    rows = (
        ("Track", taxonomy.track or ""),
        ("Language", taxonomy.language or ""),
        ("Domains", ", ".join(taxonomy.domains)),
        ("Stages", ", ".join(taxonomy.stages)),
        ("Forms", ", ".join(taxonomy.forms)),
        ("Audiences", ", ".join(taxonomy.audiences)),
    )
    return "".join(
        f"<div><dt>{label}</dt><dd>{escape_html(value)}</dd></div>" for label, value in rows if value
    )
