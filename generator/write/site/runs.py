"""The table of a skill's page that says what of the skill acts on the reader's machine, and in which agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from generator.judge.model import Power, PowerAnswer, PowerKind, PowerUse, Profile
from generator.write.site.roster import order_profiles
from generator.write.site.view import escape_html, escape_visible, shorten

POWER_NAMES: Final[Mapping[PowerKind, str]] = {
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
"""What people read for a kind of power."""
USE_WORDS: Final[Mapping[PowerUse, tuple[str, str]]] = {
    PowerUse.RUNS: ("warn", "Without asking"),
    PowerUse.ASKS: ("allow", "After asking"),
    PowerUse.IGNORES: ("none", "Ignored"),
}
"""The style of a use, and what people read for it."""
_FILES: Final = frozenset({PowerKind.EXECUTABLE, PowerKind.SCRIPT})
_MAX_ROWS: Final = 100
_MAX_FILES: Final = 20


def runs_table(powers: Sequence[Power], profiles: Sequence[Profile]) -> str:
    """Every power in a row: when, what, where it stands, and which agents run it; empty where there is none."""
    if not powers:
        return ""
    labels = {profile.id: profile.label for profile in order_profiles(profiles)}
    alike: dict[tuple[str, tuple[PowerAnswer, ...]], list[Power]] = {}
    rows: list[str] = []
    for power in powers:
        if power.kind in _FILES:
            alike.setdefault((f"{power.kind} {power.event}", power.answers), []).append(power)
        elif len(rows) < _MAX_ROWS:
            rows.append(_row(power, labels))
    rows += [_files_row(group, labels) for group in alike.values()]
    left = sum(power.kind not in _FILES for power in powers) - _MAX_ROWS
    more = f'<p class="sp-note">{left:,} more are not listed here.</p>\n' if left > 0 else ""
    return (
        '<h3 id="runs">What runs on your machine</h3>\n'
        '<div class="sp-scroll"><table class="sp-table sp-powers"><thead><tr><th>What, and when</th>'
        f"<th>What it says</th><th>Who runs it</th></tr></thead><tbody>\n{''.join(rows)}</tbody></table></div>\n{more}"
    )


def use_badge(use: PowerUse) -> str:
    """A use as a coloured word."""
    style, words = USE_WORDS[use]
    return f'<span class="sp-verdict sp-verdict--{style}">{words}</span>'


def _row(power: Power, labels: Mapping[str, str]) -> str:
    line = f":{power.line}" if power.line is not None else ""
    event = f" {escape_visible(shorten(power.event, 80))}" if power.event else ""
    detail = f"{escape_visible(shorten(power.detail, 300))} " if power.detail else ""
    command = (
        f"<code>{escape_visible(shorten(power.command, 400))}</code> " if power.command != power.path else ""
    )
    return (
        f"<tr><td><strong>{POWER_NAMES[power.kind]}</strong>{event}</td>"
        f'<td>{command}{detail}<small class="sp-place"><code>{escape_visible(power.path)}{line}</code></small></td>'
        f"<td>{_answers(power.answers, labels)}</td></tr>\n"
    )


def _files_row(powers: Sequence[Power], labels: Mapping[str, str]) -> str:
    """Files that are treated alike share a row."""
    names = " ".join(f"<code>{escape_visible(power.path)}</code>" for power in powers[:_MAX_FILES])
    more = f" and {len(powers) - _MAX_FILES:,} more" if len(powers) > _MAX_FILES else ""
    kind = POWER_NAMES[powers[0].kind] + ("s" if len(powers) > 1 else "")
    return (
        f"<tr><td><strong>{kind}</strong> {escape_visible(powers[0].event)}</td>"
        f"<td>{names}{more}</td><td>{_answers(powers[0].answers, labels)}</td></tr>\n"
    )


def _answers(answers: Sequence[PowerAnswer], labels: Mapping[str, str]) -> str:
    uses = {use: [answer for answer in answers if answer.use is use] for use in PowerUse}
    acting = uses[PowerUse.RUNS] + uses[PowerUse.ASKS]
    if not acting:
        return f'<span class="sp-dim">Nobody: all {len(answers)} judged agents ignore it.</span>'
    lines = [_line(use, uses[use], labels) for use in (PowerUse.RUNS, PowerUse.ASKS) if uses[use]]
    if uses[PowerUse.IGNORES]:
        lines.append('<p class="sp-dim">The others ignore it.</p>')
    reasons = "".join([f"<li>{escape_visible(shorten(one.reason, 400))}</li>" for one in acting])
    return f'{"".join(lines)}<details class="sp-how"><summary>How</summary><ul>{reasons}</ul></details>'


def _line(use: PowerUse, answers: Sequence[PowerAnswer], labels: Mapping[str, str]) -> str:
    chosen = {answer.host for answer in answers}
    names = [label for host, label in labels.items() if host in chosen]
    names += sorted(chosen - labels.keys())
    return f"<p>{use_badge(use)} {escape_html(', '.join(names))}</p>"
