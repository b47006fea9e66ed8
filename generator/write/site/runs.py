"""The table of a skill's page that says what of the skill acts on the reader's machine, and in which agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generator.judge.model import Power, PowerAnswer, PowerKind, PowerUse, Profile
from generator.write.site.agents import host_title
from generator.write.site.view import escape_html, escape_visible, shorten, show_hidden

_KINDS: Mapping[PowerKind, str] = {
    PowerKind.ALWAYS: "Always loaded",
    PowerKind.DYNAMIC_CONTEXT: "Command in the text",
    PowerKind.EXECUTABLE: "Executable",
    PowerKind.HOOK: "Hook",
    PowerKind.INSTALL: "Install step",
    PowerKind.MCP_SERVER: "MCP server",
    PowerKind.PLUGIN: "Plugin manifest",
    PowerKind.SCRIPT: "Script",
    PowerKind.SUBAGENT: "Subagent",
    PowerKind.TOOLS: "Tools",
}
_FILES = frozenset({PowerKind.EXECUTABLE, PowerKind.SCRIPT})
_MAX_ROWS = 100
_MAX_FILES = 20


def runs_table(powers: Sequence[Power], profiles: Sequence[Profile]) -> str:
    """Every power in a row: when, what, where it stands, and which agents run it; empty where there is none."""
    if not powers:
        return ""
    titles = {profile.id: host_title(profile) for profile in profiles}
    alike: dict[tuple[str, tuple[PowerAnswer, ...]], list[Power]] = {}
    rows: list[str] = []
    for power in powers:
        if power.kind in _FILES:
            alike.setdefault((f"{power.kind} {power.event}", power.answers), []).append(power)
        elif len(rows) < _MAX_ROWS:
            rows.append(_row(power, titles))
    rows += [_files_row(group, titles) for group in alike.values()]
    left = sum(power.kind not in _FILES for power in powers) - _MAX_ROWS
    more = f'<p class="sp-note">{left:,} more are not listed here.</p>\n' if left > 0 else ""
    return (
        '<h3 id="runs">What runs on your machine</h3>\n'
        '<div class="sp-scroll"><table class="sp-table sp-powers"><thead><tr><th>What, and when</th><th>Command</th>'
        f"<th>Agents</th></tr></thead><tbody>\n{''.join(rows)}</tbody></table></div>\n{more}"
    )


def _row(power: Power, titles: Mapping[str, str]) -> str:
    line = f":{power.line}" if power.line is not None else ""
    event = f" {escape_visible(shorten(power.event, 80))}" if power.event else ""
    detail = f"{escape_visible(shorten(power.detail, 300))} " if power.detail else ""
    command = (
        f"<code>{escape_visible(shorten(power.command, 400))}</code> " if power.command != power.path else ""
    )
    return (
        f"<tr><td><strong>{_KINDS[power.kind]}</strong>{event}</td>"
        f"<td>{command}{detail}<small><code>{escape_visible(power.path)}{line}</code></small></td>"
        f"<td>{_answers(power.answers, titles)}</td></tr>\n"
    )


def _files_row(powers: Sequence[Power], titles: Mapping[str, str]) -> str:
    """Files that are treated alike share a row."""
    names = " ".join(f"<code>{escape_visible(power.path)}</code>" for power in powers[:_MAX_FILES])
    more = f" and {len(powers) - _MAX_FILES:,} more" if len(powers) > _MAX_FILES else ""
    kind = _KINDS[powers[0].kind] + ("s" if len(powers) > 1 else "")
    return (
        f"<tr><td><strong>{kind}</strong> {escape_visible(powers[0].event)}</td>"
        f"<td><small>{names}{more}</small></td>"
        f"<td>{_answers(powers[0].answers, titles)}</td></tr>\n"
    )


def _answers(answers: Sequence[PowerAnswer], titles: Mapping[str, str]) -> str:
    parts = [
        _agents(answers, titles, PowerUse.RUNS, "warn", "Run without asking"),
        _agents(answers, titles, PowerUse.ASKS, "allow", "Ask first"),
    ]
    ignored = sum(answer.use is PowerUse.IGNORES for answer in answers)
    if ignored:
        others = "the others" if any(parts) else f"all {ignored} judged agents"
        parts.append(f'<span class="sp-dim">Ignored by {others}</span>')
    return " ".join(part for part in parts if part)


def _agents(
    answers: Sequence[PowerAnswer], titles: Mapping[str, str], use: PowerUse, style: str, words: str
) -> str:
    chosen = [answer for answer in answers if answer.use is use]
    if not chosen:
        return ""
    names = ", ".join(
        f'<span title="{escape_html(shorten(show_hidden(answer.reason), 300))}">'
        f"{escape_html(titles.get(answer.host, answer.host))}</span>"
        for answer in chosen
    )
    return f'<span class="sp-verdict sp-verdict--{style}">{words}</span> {names}'
