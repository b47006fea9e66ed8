"""The section of a skill's page that says what the skill needs and what of it runs by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from generator.model import Manifest, McpServer, PublishedSkill, Subagent, Taxonomy
from generator.write.site.texts import is_script
from generator.write.site.view import escape_html, escape_visible, shorten, show_hidden

_MAX_EXECUTABLES = 100
_MAX_SCRIPTS = 20
_MAX_INSTALLS = 50


def needs_section(skill: PublishedSkill) -> str:
    """The section as HTML."""
    manifest = skill.manifest
    requires = manifest.requires
    runs = "".join(_list_runs(skill))
    acts = (
        '<p class="sp-small">These act on your machine once the skill is installed in a host that supports them:</p>\n'
        f'<ul class="sp-runs">\n{runs}</ul>\n'
        if runs
        else ""
    )
    acts += _scripts(skill) + _installs(manifest)
    acts = acts or (
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


def _list_runs(skill: PublishedSkill) -> Iterator[str]:
    manifest = skill.manifest
    if manifest.always:
        yield (
            "<li><strong>Always loaded</strong> The host is asked to load this skill into every session.</li>"
        )
    for hook in manifest.hooks:
        matcher = f" ({escape_visible(hook.matcher)})" if hook.matcher else ""
        yield (
            f"<li><strong>Hook</strong> on {escape_visible(hook.event)}{matcher} runs "
            f"<code>{escape_visible(hook.command)}</code> <small>{escape_visible(hook.path)}</small></li>"
        )
    for server in manifest.mcp_servers:
        yield _mcp_server(server)
    for agent in manifest.subagents:
        yield _subagent(agent)
    executables = [file.path for file in skill.latest.files if file.executable]
    for path in executables[:_MAX_EXECUTABLES]:
        yield f"<li><strong>Executable</strong> <code>{escape_visible(path)}</code></li>"


def _scripts(skill: PublishedSkill) -> str:
    """Programs without an executable bit: nothing starts them by itself, yet the instructions may."""
    paths = [file.path for file in skill.latest.files if is_script(file.path) and not file.executable]
    if not paths:
        return ""
    names = " ".join([f"<code>{escape_visible(path)}</code>" for path in paths[:_MAX_SCRIPTS]])
    more = f" and {len(paths) - _MAX_SCRIPTS:,} more" if len(paths) > _MAX_SCRIPTS else ""
    return (
        '<ul class="sp-runs"><li><strong>Scripts</strong> that its instructions may have run: '
        f"{names}{more}</li></ul>\n"
    )


def _installs(manifest: Manifest) -> str:
    if not manifest.install:
        return ""
    rows = "".join(
        [
            f"<li><strong>{escape_visible(spec.kind)}</strong> <code>{escape_visible(spec.target)}</code></li>"
            for spec in manifest.install[:_MAX_INSTALLS]
        ]
    )
    return (
        '<p class="sp-small">A host that supports it may install these for you, or offer to:</p>\n'
        f'<ul class="sp-runs">\n{rows}</ul>\n'
    )


def _mcp_server(server: McpServer) -> str:
    start = server.url or " ".join([server.command or "", *server.args])
    environment = f" with {escape_visible(', '.join(server.env))}" if server.env else ""
    return (
        f"<li><strong>MCP server</strong> {escape_visible(server.name)}: "
        f"<code>{escape_visible(start)}</code>{environment} <small>{escape_visible(server.path)}</small></li>"
    )


def _subagent(agent: Subagent) -> str:
    if agent.tools is None:
        tools = "no limit on tools"
    else:
        tools = f"tools {escape_visible(', '.join(agent.tools))}" if agent.tools else "no tools"
    return (
        f"<li><strong>Subagent</strong> {escape_visible(agent.name)}, {tools} "
        f"<small>{escape_visible(agent.path)}</small></li>"
    )
