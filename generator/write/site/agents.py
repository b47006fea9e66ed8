"""The section of a skill's page that says which agents load it, what each makes of it, and what it costs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generator.findings import CODES
from generator.judge.model import ContextCost, Judgement, Outcome, Profile, Verdict
from generator.write.site.view import escape_html, escape_visible, format_count, shorten, show_hidden

_OUTCOMES: Mapping[Outcome, tuple[str, str]] = {
    Outcome.LOAD: ("allow", "Loads"),
    Outcome.LOSS: ("warn", "Loses something"),
    Outcome.REFUSE: ("block", "Refuses it"),
    Outcome.CRASH: ("block", "Breaks its list"),
}


def outcome_badge(outcome: Outcome) -> str:
    """An outcome as a coloured word."""
    style, word = _OUTCOMES[outcome]
    return f'<span class="sp-verdict sp-verdict--{style}">{word}</span>'


def effect_badge(outcome: Outcome | None) -> str:
    """What a fact leads to on a host; None where the host goes on."""
    return outcome_badge(outcome) if outcome else '<span class="sp-dim">goes on</span>'


def code_link(code: str, root: str) -> str:
    """A finding's code that leads to its page; ``root`` is the way from the page to the hub's root."""
    text = escape_visible(code)
    if code not in CODES:  # a retained release may carry a code of an older Skillpress
        return text
    return f'<a class="sp-code" href="{root}rules/{text}/">{text}</a>'


def agents_section(judgement: Judgement, profiles: Sequence[Profile]) -> str:
    """The matrix: hosts that load the skill as written in one list, every other one in a row with its reason."""
    by_id = {profile.id: profile for profile in profiles}
    plain = [v for v in judgement.verdicts if v.outcome is Outcome.LOAD and not v.codes]
    others = [v for v in judgement.verdicts if v.outcome is not Outcome.LOAD or v.codes]
    return (
        '<section class="sp-section" aria-labelledby="agents">\n<h2 id="agents">Which agents load it</h2>\n'
        f"<p>{_summary(judgement.verdicts)} "
        '<a href="../../../hosts/">How this is known</a></p>\n'
        f"{_chips(plain, by_id)}{_rows(others, by_id)}{_cost(judgement.cost)}</section>\n\n"
    )


def _summary(verdicts: Sequence[Verdict]) -> str:
    counts = {outcome: sum(v.outcome is outcome for v in verdicts) for outcome in Outcome}
    parts = [f"Loads in {counts[Outcome.LOAD]} of {len(verdicts)} judged agents and tools"]
    if counts[Outcome.LOSS]:
        parts.append(f"loses something in {counts[Outcome.LOSS]}")
    if counts[Outcome.REFUSE]:
        parts.append(f"is refused by {counts[Outcome.REFUSE]}")
    if counts[Outcome.CRASH]:
        parts.append(f"breaks the whole list of {counts[Outcome.CRASH]}")
    return ", ".join(parts) + "."


def host_title(profile: Profile) -> str:
    """``Codex CLI 0.171.0``, with the step where a host has several: ``DeerFlow (installs)``."""
    version = f" {profile.version}" if profile.version else ""
    return f"{profile.label}{version}"


def host_page(profile: Profile, root: str) -> str:
    """The address of a host's page; ``root`` is the way from the page to the hub's root."""
    return f"{root}hosts/{profile.host}/"


def _chips(verdicts: Sequence[Verdict], by_id: Mapping[str, Profile]) -> str:
    if not verdicts:
        return ""
    items = "".join(
        [
            f'<li><a href="{host_page(by_id[v.host], "../../../")}"{_called(v)}>'
            f"{escape_html(host_title(by_id[v.host]))}</a></li>"
            for v in verdicts
        ]
    )
    names = dict.fromkeys([v.name for v in verdicts if v.name])
    called = f" They call it {_join_codes(tuple(names))}." if names else ""
    return (
        f'<p class="sp-small">As it is written:{called}</p>\n'
        f'<ul class="sp-chips sp-hosts" aria-label="Agents that load it as it is written">{items}</ul>\n'
    )


def _called(verdict: Verdict) -> str:
    if not verdict.name:
        return ""
    return f' title="Calls it {escape_html(shorten(show_hidden(verdict.name), 100))}"'


def _join_codes(names: tuple[str, ...]) -> str:
    return " or ".join(f"<code>{escape_visible(shorten(name, 80))}</code>" for name in names[:4])


def _rows(verdicts: Sequence[Verdict], by_id: Mapping[str, Profile]) -> str:
    if not verdicts:
        return ""
    rows = "".join([_row(verdict, by_id[verdict.host]) for verdict in verdicts])
    return (
        '<div class="sp-scroll"><table class="sp-table sp-matrix"><thead><tr><th>Agent</th><th>Verdict</th>'
        f"<th>Why</th></tr></thead><tbody>\n{rows}</tbody></table></div>\n"
    )


def _row(verdict: Verdict, profile: Profile) -> str:
    codes = " ".join([code_link(code, "../../../") for code in verdict.codes[:6]])
    name = f" It calls it <code>{escape_visible(shorten(verdict.name, 80))}</code>." if verdict.name else ""
    return (
        f'<tr><td><a href="{host_page(profile, "../../../")}">{escape_html(host_title(profile))}</a> '
        f'<small class="sp-dim">{escape_html(profile.step)}</small></td>'
        f"<td>{outcome_badge(verdict.outcome)}</td>"
        f"<td>{escape_visible(verdict.reason)}{name} {codes}</td></tr>\n"
    )


def _cost(cost: ContextCost) -> str:
    read = [file for file in cost.files if file.tokens]
    total = sum(file.tokens or 0 for file in read)
    files = (
        f"<div><dt>If every support file is read</dt><dd>about {format_count(total, 'token', 'tokens')} more in "
        f"{format_count(len(read), 'file', 'files')}</dd></div>\n"
        if read
        else ""
    )
    return (
        '<h3 id="context">What it costs in context</h3>\n<dl class="sp-facts">\n'
        f"<div><dt>In every session (its line in the list)</dt><dd>about {format_count(cost.line, 'token', 'tokens')}"
        "</dd></div>\n"
        f"<div><dt>When it is used (its instructions)</dt><dd>about {format_count(cost.body, 'token', 'tokens')}"
        f"</dd></div>\n{files}</dl>\n"
    )
