"""The pages about rules: a list of all, and for each what it is, why it matters, where, and how to mend it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from generator.findings import BARRING, CODES, CodeInfo
from generator.judge.examples import read_examples
from generator.judge.model import Profile
from generator.model import Listing, Severity
from generator.write.site.agents import host_page, host_title, outcome_badge
from generator.write.site.view import (
    escape_html,
    escape_visible,
    format_count,
    quote_segment,
    shorten,
    show_hidden,
)

_LAYERS: Mapping[str, str] = {
    "read": "Found while reading the folder",
    "judge": "Found by comparing with the agents",
    "decide": "Found while building the hub",
}
_SEVERITIES: Mapping[Severity, str] = {
    Severity.ERROR: "block",
    Severity.WARNING: "warn",
    Severity.INFO: "allow",
}
_MAX_SKILLS = 100


def rules_list() -> str:
    """The content of ``/rules/``: every code in a table, by where it is found."""
    parts = []
    for layer, title in _LAYERS.items():
        rows = "".join(
            f'<tr><td><a class="sp-code" href="{code}/">{code}</a></td><td>{severity_badge(info.severity)}</td>'
            f"<td>{escape_html(info.title)}</td></tr>\n"
            for code, info in sorted(CODES.items())
            if info.layer == layer
        )
        parts.append(
            f'<h2 id="{layer}">{title}</h2>\n<div class="sp-scroll"><table class="sp-table sp-matrix"><thead><tr>'
            f"<th>Code</th><th>Severity</th><th>What</th></tr></thead><tbody>\n{rows}</tbody></table></div>\n"
        )
    return "".join(parts)


def severity_badge(severity: Severity) -> str:
    """A severity as a coloured word."""
    return f'<span class="sp-verdict sp-verdict--{_SEVERITIES[severity]}">{severity.value}</span>'


def rule_pages(profiles: Sequence[Profile], listings: Sequence[Listing]) -> Iterator[tuple[str, str, str]]:
    """``(code, title, content)`` of every rule's page at ``/rules/{code}/``."""
    skills: dict[str, list[Listing]] = {}
    for listing in listings:
        for code in listing.codes:
            skills.setdefault(code, []).append(listing)
    for code, info in sorted(CODES.items()):
        yield code, info.title, _rule_content(code, info, profiles, skills.get(code, []))


def _rule_content(code: str, info: CodeInfo, profiles: Sequence[Profile], skills: Sequence[Listing]) -> str:
    bars = (
        '<p class="sp-note">A skill with this finding is not published until it is mended.</p>\n'
        if code in BARRING
        else ""
    )
    return (
        '<nav class="sp-crumbs" aria-label="Breadcrumb"><a href="../">Rules</a></nav>\n'
        f'<div class="sp-block__head"><h1>{escape_html(info.title)}</h1>{severity_badge(info.severity)}</div>\n'
        f'<p class="sp-small"><code>{code}</code>. {_LAYERS[info.layer]}.</p>\n'
        f'<p class="sp-lead">{escape_html(info.why)}</p>\n{bars}'
        f"<h2>How to mend it</h2>\n<p>{escape_html(info.fix)}</p>\n{_example(info)}"
        f"{_hosts(code, profiles)}{_skills(skills)}"
    )


def _example(info: CodeInfo) -> str:
    if not info.example:
        return ""
    mended = (
        f'<h3>Mended</h3>\n<div class="highlight"><pre><code>{escape_html(show_hidden(info.mended))}'
        "</code></pre></div>\n"
        if info.mended
        else ""
    )
    return (
        f'<h3>Example</h3>\n<div class="highlight"><pre><code>{escape_html(show_hidden(info.example))}'
        f"</code></pre></div>\n{mended}"
    )


def _hosts(code: str, profiles: Sequence[Profile]) -> str:
    """What each host does with the example, as far as it minds."""
    told = read_examples().get(code)
    if told is None:
        return ""
    by_id = {profile.id: profile for profile in profiles}
    if not told:
        return (
            "<h2>What agents do with the example</h2>\n<p>All judged agents load it as it is written.</p>\n"
        )
    rows = "".join(
        f'<tr><td><a href="{host_page(by_id[host], "../../")}">{escape_html(host_title(by_id[host]))}</a> '
        f'<small class="sp-dim">{escape_html(by_id[host].step)}</small></td>'
        f"<td>{outcome_badge(outcome)}</td><td>{escape_visible(reason)}</td></tr>\n"
        for host, outcome, reason in told
    )
    others = len(profiles) - len(told)
    rest = f"<p>The other {others} load it as it is written.</p>\n" if others else ""
    return (
        "<h2>What agents do with the example</h2>\n"
        '<div class="sp-scroll"><table class="sp-table sp-matrix"><thead><tr><th>Agent</th><th>Verdict</th>'
        f"<th>Why</th></tr></thead><tbody>\n{rows}</tbody></table></div>\n{rest}"
    )


def _skills(skills: Sequence[Listing]) -> str:
    if not skills:
        return ""
    items = "".join(
        f'<li><a href="../../{quote_segment(one.owner)}/skills/{quote_segment(one.slug)}/#findings">'
        f"{escape_html(shorten(show_hidden(one.display_name), 80))}</a></li>"
        for one in skills[:_MAX_SKILLS]
    )
    more = f"<p>{len(skills) - _MAX_SKILLS:,} more.</p>\n" if len(skills) > _MAX_SKILLS else ""
    return (
        "<h2>On this hub</h2>\n"
        f"<p>{format_count(len(skills), 'published skill has', 'published skills have')} it.</p>\n"
        f'<ul class="sp-chips">{items}</ul>\n{more}'
    )
