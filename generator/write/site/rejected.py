"""The page of what is not published: each folder with its findings, and what agents would do with it as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from generator.findings import BARRING
from generator.judge.model import Profile
from generator.model import Outcome, Rejected
from generator.write.site.agents import code_link, verdict_roster, why_table
from generator.write.site.checks import finding_item
from generator.write.site.roster import Group, group_profiles
from generator.write.site.view import escape_visible, format_count, shorten, show_hidden

MAX_REJECTED: Final = 500
"""Entries of the page; ``/report.json`` always holds all."""
_MAX_FINDINGS: Final = 50
_MAX_JUMPS: Final = 60


def rejected_content(rejected: Sequence[Rejected], profiles: Sequence[Profile]) -> str:
    """The content of ``/not-published/``."""
    if not rejected:
        return '<p class="sp-note">Every skill folder that was found is published.</p>\n'
    groups = group_profiles(profiles)
    labels = {profile.id: profile.label for group in groups for profile in group.profiles}
    more = len(rejected) - MAX_REJECTED
    rest = f'<p class="sp-note">{more:,} more are in <a href="../report.json">report.json</a>.</p>\n'
    return (
        f"<p>{format_count(len(rejected), 'folder holds', 'folders hold')} a skill that cannot be published as it is. "
        "Each entry says where the problem is and how to mend it; the skill appears with the next build after that. "
        "<code>skillpress check</code> says the same on your machine, and with <code>--fix</code> mends what is "
        'mechanical. The same list for programs: <a href="../report.json">report.json</a>.</p>\n'
        f"{_reasons(rejected)}{_jumps(rejected)}"
        + "".join(_entry(n, one, groups, labels) for n, one in enumerate(rejected[:MAX_REJECTED], 1))
        + (rest if more > 0 else "")
    )


def _reasons(rejected: Sequence[Rejected]) -> str:
    """What bars them, the most frequent first."""
    counts = Counter(
        code for one in rejected for code in {found.code for found in one.findings} if code in BARRING
    )
    if not counts:
        return ""
    items = "".join(
        f"<li>{code_link(code, '../')} {count:,}</li>"
        for code, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    )
    return f'<ul class="sp-tally" aria-label="What bars them">{items}</ul>\n'


def _jumps(rejected: Sequence[Rejected]) -> str:
    if not 3 < len(rejected) <= _MAX_JUMPS:
        return ""
    items = "".join(f'<li><a href="#folder-{n}">{_title(one)}</a></li>' for n, one in enumerate(rejected, 1))
    return f'<ul class="sp-chips" aria-label="On this page">{items}</ul>\n'


def _title(one: Rejected) -> str:
    return escape_visible(shorten(show_hidden(one.name or one.folder or one.source), 100))


def _entry(number: int, one: Rejected, groups: Sequence[Group], labels: Mapping[str, str]) -> str:
    where = f"{one.source}/{one.folder}" if one.folder else one.source
    # What bars the skill comes first, the rest is advice.
    findings = sorted(one.findings, key=lambda found: found.code not in BARRING)
    items = "".join(
        finding_item(found, labels, "../", f"{one.source}/") for found in findings[:_MAX_FINDINGS]
    )
    more = len(findings) - _MAX_FINDINGS
    rest = f'<li class="sp-finding"><p>{more:,} more.</p></li>\n' if more > 0 else ""
    loads = sum(verdict.outcome is Outcome.LOAD for verdict in one.verdicts)
    verdicts = (
        f"<details><summary>As it is, {loads} of {len(one.verdicts)} agents and tools would load it</summary>\n"
        f"{verdict_roster(one.verdicts, groups, '../')}{why_table(one.verdicts, groups, '../')}</details>\n"
        if one.verdicts
        else ""
    )
    return (
        f'<section class="sp-rejected" aria-labelledby="folder-{number}">\n'
        f'<h2 id="folder-{number}">{_title(one)}</h2>\n'
        f'<p class="sp-rejected__where"><code>{escape_visible(where)}</code></p>\n'
        f'<ul class="sp-findings">\n{items}{rest}</ul>\n{verdicts}</section>\n'
    )
