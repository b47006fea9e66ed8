"""The section of a skill's page that says which agents load it, what each makes of it, and what it costs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from generator.findings import CODES
from generator.judge.model import ContextCost, Judgement, Outcome, Profile, Verdict
from generator.write.site.roster import Group, group_profiles, host_link
from generator.write.site.view import escape_html, escape_visible, format_count, shorten

_OUTCOMES: Final[Mapping[Outcome, tuple[str, str]]] = {
    Outcome.LOAD: ("allow", "Loads"),
    Outcome.LOSS: ("warn", "Loses something"),
    Outcome.REFUSE: ("block", "Refuses it"),
    Outcome.CRASH: ("block", "Breaks its list"),
}
_ROOT: Final = "../../../"
_MAX_NAMES: Final = 4
_MAX_CODES: Final = 6
_REMARK: Final = "loads, with a remark"


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
    """The matrix: every host with its verdict at a glance, then a row with the reason for each that minds."""
    groups = group_profiles(profiles)
    minded = why_table(judgement.verdicts, groups, _ROOT)
    return (
        '<section class="sp-section" aria-labelledby="agents">\n<h2 id="agents">Which agents load it</h2>\n'
        f"{verdict_roster(judgement.verdicts, groups, _ROOT)}{_names(judgement.verdicts, groups)}"
        f'{minded}<p class="sp-small"><a href="{_ROOT}hosts/">How this is known</a>, and for which versions.</p>\n'
        f"{_cost(judgement.cost)}</section>\n\n"
    )


def verdict_roster(verdicts: Sequence[Verdict], groups: Sequence[Group], root: str) -> str:
    """Every host as a mark and a name, those that people use first; ``root`` leads to the hub's root."""
    by_host = {verdict.host: verdict for verdict in verdicts}
    parts = []
    for group in groups:
        judged = [(one, by_host[one.id]) for one in group.profiles if one.id in by_host]
        if not judged:
            continue
        loads = sum(verdict.outcome is Outcome.LOAD for _, verdict in judged)
        verb = group.verb + ("s" if loads == 1 else "")
        parts.append(
            f'<p class="sp-roster__head"><strong>{group.title}</strong> {loads} of {len(judged)} {verb} it</p>\n'
            f'<ul class="sp-roster" aria-label="{group.title}">'
            f"{''.join([_tile(profile, verdict, root) for profile, verdict in judged])}</ul>\n"
        )
    return "".join(parts)


def _tile(profile: Profile, verdict: Verdict, root: str) -> str:
    link = host_link(profile, root)
    outcome = verdict.outcome.value
    if verdict.outcome is not Outcome.LOAD:
        word = f'<span class="sp-host__word">{_OUTCOMES[verdict.outcome][1].lower()}</span>'
    elif verdict.codes:
        word = f'<span class="sp-host__word">{_REMARK}</span>'
    else:
        word = '<span class="sp-sr">loads</span>'
    return f'<li class="sp-host sp-host--{outcome}">{link} {word}</li>'


def why_table(verdicts: Sequence[Verdict], groups: Sequence[Group], root: str) -> str:
    """A row with the reason for each host that does not simply load the skill; empty where all do."""
    by_host = {verdict.host: verdict for verdict in verdicts}
    rows = [
        _row(profile, by_host[profile.id], root)
        for group in groups
        for profile in group.profiles
        if profile.id in by_host
        and (by_host[profile.id].outcome is not Outcome.LOAD or by_host[profile.id].codes)
    ]
    if not rows:
        return ""
    return (
        '<div class="sp-scroll"><table class="sp-table sp-matrix"><thead><tr><th>Where</th><th>Verdict</th>'
        f"<th>Why</th></tr></thead><tbody>\n{''.join(rows)}</tbody></table></div>\n"
    )


def _row(profile: Profile, verdict: Verdict, root: str) -> str:
    codes = " ".join([code_link(code, root) for code in verdict.codes[:_MAX_CODES]])
    return (
        f"<tr><td>{host_link(profile, root)}</td><td>{outcome_badge(verdict.outcome)}</td>"
        f"<td>{escape_visible(verdict.reason)} {codes}</td></tr>\n"
    )


def _names(verdicts: Sequence[Verdict], groups: Sequence[Group]) -> str:
    """What the hosts call the skill: the usual name, and who uses another."""
    users: dict[str, list[str]] = {}
    by_host = {verdict.host: verdict.name for verdict in verdicts}
    for group in groups:
        for profile in group.profiles:
            name = by_host.get(profile.id)
            if name:
                users.setdefault(name, []).append(profile.label)
    if not users:
        return ""
    (usual, _), *others = sorted(users.items(), key=lambda item: -len(item[1]))
    text = f"They call it {_name(usual)}."
    if others:
        text = f"Most call it {_name(usual)}" + "".join(
            [f"; {_name(name)} in {escape_html(', '.join(labels))}" for name, labels in others[:_MAX_NAMES]]
        )
        text += "." if len(others) <= _MAX_NAMES else f"; {len(others) - _MAX_NAMES} other names elsewhere."
    return f'<p class="sp-small">{text}</p>\n'


def _name(name: str) -> str:
    return f"<code>{escape_visible(shorten(name, 80))}</code>"


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
