"""The pages about hosts: a list of all, and for each how it reads skills, its limits, tools, and this hub's share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from generator.judge.facts import FACTS
from generator.judge.model import Capability, Effect, Profile, Tool
from generator.model import OUTCOME_LETTERS, Listing, Outcome
from generator.write.site.agents import code_link, effect_badge, host_title
from generator.write.site.view import (
    escape_html,
    escape_visible,
    format_count,
    quote_segment,
    shorten,
    show_hidden,
)

_EVIDENCE: Mapping[str, str] = {
    "executed": "the released program was run",
    "source": "its source was read",
    "documented": "its documentation was read",
}
_ALWAYS = ' <span class="sp-tag">always there</span>'
_MAX_SKILLS = 200
_MAX_CODES = 3
_PLACEHOLDER = re.compile(r"\{([a-z]+)\}")
_MAX_ASKING = 30


def hosts_list(profiles: Sequence[Profile], listings: Sequence[Listing]) -> str:
    """The content of ``/hosts/``: every host with its share of this hub."""
    rows = "".join(
        f'<tr><td><a href="{profile.host}/">{escape_html(host_title(profile))}</a></td>'
        f"<td>{escape_html(profile.step)}</td><td>{_EVIDENCE[profile.evidence]}</td>"
        f'<td class="sp-num">{_share(index, listings)}</td></tr>\n'
        for index, profile in enumerate(profiles)
    )
    return (
        '<div class="sp-scroll"><table class="sp-table sp-matrix"><thead><tr><th>Agent or tool</th><th>Judged</th>'
        f'<th>How it is known</th><th class="sp-num">Loads of this hub</th></tr></thead><tbody>\n{rows}</tbody>'
        "</table></div>\n"
    )


def _share(index: int, listings: Sequence[Listing]) -> str:
    judged = [listing.outcomes[index] for listing in listings if len(listing.outcomes) > index]
    if not judged:
        return "nothing judged yet"
    loads = judged.count(OUTCOME_LETTERS[Outcome.LOAD])
    return f"{loads:,} of {len(judged):,} ({loads * 100 // len(judged)} %)"


def host_pages(profiles: Sequence[Profile], listings: Sequence[Listing]) -> Iterator[tuple[str, str, str]]:
    """``(host, title, content)`` of every host's page at ``/hosts/{host}/``; one page for all steps of a host."""
    families: dict[str, list[tuple[int, Profile]]] = {}
    for index, profile in enumerate(profiles):
        families.setdefault(profile.host, []).append((index, profile))
    for host, members in families.items():
        first = members[0][1]
        content = "".join(
            [
                '<nav class="sp-crumbs" aria-label="Breadcrumb"><a href="../">Agents</a></nav>\n'
                f'<div class="sp-block__head"><h1>{escape_html(first.label)}</h1></div>\n',
                *(_profile_content(index, profile, listings) for index, profile in members),
                *(
                    _tools(profile, listings)
                    for _, profile in members
                    if profile.tools or profile.capabilities
                ),
            ]
        )
        yield host, first.label, content


def _profile_content(index: int, profile: Profile, listings: Sequence[Listing]) -> str:
    version = f" {escape_html(profile.version)}" if profile.version else ""
    facts = (
        ("Evidence", f"{_EVIDENCE[profile.evidence]}, {escape_html(profile.checked)}"),
        ("Loads of this hub", _share(index, listings)),
        ("Name it uses", escape_html(profile.identity)),
        ("Two skills of one name", escape_html(profile.duplicates)),
        ("Looks in", " ".join(f"<code>{escape_html(folder)}</code>" for folder in profile.folders)),
    )
    rows = "".join(f"<div><dt>{term}</dt><dd>{value}</dd></div>\n" for term, value in facts if value)
    notes = "".join(f"<li>{escape_html(note)}</li>" for note in profile.notes)
    return (
        f'<section class="sp-section" id="{escape_html(_anchor(profile))}">\n'
        f"<h2>How {escape_html(profile.label)}{version} {escape_html(profile.step)}</h2>\n"
        f'<dl class="sp-facts">\n{rows}</dl>\n'
        f"{f'<ul>{notes}</ul>' if notes else ''}{_limits(profile)}{_effects(profile)}{_powers(profile)}"
        f"{_not_loaded(index, listings)}</section>\n"
    )


def _anchor(profile: Profile) -> str:
    return "".join(char if char.isalnum() else "-" for char in profile.id.lower())


def _limits(profile: Profile) -> str:
    if not profile.limits:
        return ""
    rows = "".join(
        f'<tr><td>{escape_html(limit.meaning)}</td><td class="sp-num">{limit.value:,} {escape_html(limit.unit)}'
        "</td></tr>\n"
        for limit in profile.limits
    )
    return f'<h3>Limits</h3>\n<div class="sp-scroll"><table class="sp-table"><tbody>\n{rows}</tbody></table></div>\n'


def _effects(profile: Profile) -> str:
    """One row for each thing that changes the outcome; facts that a host answers alike share a row."""
    grouped: dict[tuple[Outcome | None, str], list[Effect]] = {}
    for effect in profile.effects:
        grouped.setdefault((effect.outcome, effect.reason), []).append(effect)
    rows = "".join(
        f"<tr><td>{' '.join(escape_html(FACTS[effect.fact].meaning) for effect in effects)} {_codes(effects)}</td>"
        f"<td>{effect_badge(outcome)}</td>"
        f'<td>{_with_words(reason)} <small class="sp-dim">{escape_html(effects[0].source)}</small></td></tr>\n'
        for (outcome, reason), effects in grouped.items()
    )
    return (
        "<h3>What changes the outcome</h3>\n"
        '<div class="sp-scroll"><table class="sp-table sp-matrix sp-effects"><thead><tr><th>When</th><th>Outcome</th>'
        f"<th>What happens, and the source</th></tr></thead><tbody>\n{rows}</tbody></table></div>\n"
    )


def _codes(effects: Sequence[Effect]) -> str:
    codes = list(dict.fromkeys(code for effect in effects for code in FACTS[effect.fact].codes))
    links = " ".join(code_link(code, "../../") for code in codes[:_MAX_CODES])
    return links + (f" <small>and {len(codes) - _MAX_CODES} more</small>" if len(codes) > _MAX_CODES else "")


def _with_words(reason: str) -> str:
    """A reason with its placeholders as words in italics: what stands there differs by skill."""
    return _PLACEHOLDER.sub(r"<var>\1</var>", escape_html(reason))


def _powers(profile: Profile) -> str:
    if not profile.powers:
        return ""
    rows = "".join(
        f"<tr><td>{escape_html(' '.join([rule.kind, ', '.join(rule.events)]).strip())}</td>"
        f"<td>{escape_html(rule.use.value)}</td>"
        f'<td>{escape_html(rule.reason)} <small class="sp-dim">{escape_html(rule.source)}</small></td></tr>\n'
        for rule in profile.powers
    )
    return (
        "<h3>What it runs</h3>\n"
        '<div class="sp-scroll"><table class="sp-table sp-matrix"><thead><tr><th>Part of a skill</th><th>Use</th>'
        f"<th>What happens, and the source</th></tr></thead><tbody>\n{rows}</tbody></table></div>\n"
    )


def _not_loaded(index: int, listings: Sequence[Listing]) -> str:
    parts = []
    for outcome, words in (
        (Outcome.REFUSE, "Skills of this hub that it refuses"),
        (Outcome.CRASH, "Skills of this hub that break its list"),
        (Outcome.LOSS, "Skills of this hub of which it loses something"),
    ):
        found = [one for one in listings if one.outcomes[index : index + 1] == OUTCOME_LETTERS[outcome]]
        if found:
            links = "".join(_skill_link(one, "#agents") for one in found[:_MAX_SKILLS])
            more = f"<p>{len(found) - _MAX_SKILLS:,} more.</p>\n" if len(found) > _MAX_SKILLS else ""
            parts.append(f'<h3>{words} ({len(found):,})</h3>\n<ul class="sp-chips">{links}</ul>\n{more}')
    return "".join(parts)


def _skill_link(listing: Listing, anchor: str) -> str:
    return (
        f'<li><a href="../../{quote_segment(listing.owner)}/skills/{quote_segment(listing.slug)}/{anchor}">'
        f"{escape_html(shorten(show_hidden(listing.display_name), 80))}</a></li>"
    )


def _tools(profile: Profile, listings: Sequence[Listing]) -> str:
    asking: dict[str, list[Listing]] = {}
    for listing in listings:
        for name in dict.fromkeys(_tool_name(written) for written in listing.tools or ()):
            asking.setdefault(name, []).append(listing)
    owners: dict[str, list[Tool]] = {}
    for tool in profile.tools:
        owners.setdefault(tool.owner, []).append(tool)
    rows = "".join(
        f"<tr><td>{escape_html(owner)}</td><td><code>{escape_html(tool.name)}</code>"
        f"{_ALWAYS if tool.always else ''}</td>"
        f"<td>{_askers(asking.get(tool.name, []))}</td></tr>\n"
        for owner, tools in owners.items()
        for tool in tools
    )
    table = (
        '<div class="sp-scroll"><table class="sp-table sp-matrix"><thead><tr><th>Owner</th><th>Tool</th>'
        f"<th>Skills of this hub that ask for it</th></tr></thead><tbody>\n{rows}</tbody></table></div>\n"
        if rows
        else ""
    )
    return (
        f'<section class="sp-section" id="tools">\n<h2>Tools of {escape_html(profile.label)}</h2>\n'
        f"{_capabilities(profile.capabilities)}{table}</section>\n"
    )


def _tool_name(written: str) -> str:
    return written.partition("(")[0].strip()


def _askers(listings: Sequence[Listing]) -> str:
    if not listings:
        return '<span class="sp-dim">none</span>'
    links = ", ".join(
        f'<a href="../../{quote_segment(one.owner)}/skills/{quote_segment(one.slug)}/">{escape_visible(one.slug)}</a>'
        for one in listings[:_MAX_ASKING]
    )
    return links + (f" and {len(listings) - _MAX_ASKING:,} more" if len(listings) > _MAX_ASKING else "")


def _capabilities(capabilities: Sequence[Capability]) -> str:
    lists: dict[str, list[Capability]] = {}
    for one in capabilities:
        lists.setdefault(one.list, []).append(one)
    return "".join(
        f"<h3>{escape_html(name)}</h3>\n<ol>"
        + "".join(
            f"<li><code>{escape_html(one.name)}</code>, {format_count(one.tools, 'tool', 'tools')}"
            f"{f'. {escape_html(one.note)}' if one.note else ''}</li>"
            for one in members
        )
        + "</ol>\n"
        for name, members in lists.items()
    )
