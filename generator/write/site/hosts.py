"""The page of each host: how it reads skills, its limits, what changes the outcome, its tools, this hub's share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from generator.judge.facts import FACTS
from generator.judge.model import Effect, PowerKind, PowerRule, Profile
from generator.judge.reads import MEANINGS, Reads
from generator.model import OUTCOME_LETTERS, Listing, Outcome
from generator.write.site.agents import code_link, effect_badge
from generator.write.site.contents import Entry
from generator.write.site.roster import order_profiles
from generator.write.site.runs import POWER_NAMES, use_badge
from generator.write.site.shares import EVIDENCE, anchor_of, columns_of, share_of_hub
from generator.write.site.toolsets import tools_asked_for, tools_section
from generator.write.site.view import escape_html, quote_segment, shorten, show_hidden

_PLACEHOLDER: Final = re.compile(r"\{([a-z]+)\}")
_WORDS: Final[Mapping[str, str]] = {
    "file": "the file",
    "folder": "the folder",
    "inside": "around it",
    "keys": "that it does not know",
    "kind": "something else",
    "length": "more",
    "limit": "so many",
    "line": "n",
    "message": "the error",
    "name": "the name",
    "other": "another",
    "part": "this one",
    "problem": "what is wrong with it",
    "shown": "some other text",
    "tail": "the rest",
    "what": "files or bytes",
    "word": "a reserved word",
}
"""What stands for a placeholder of a reason where there is no certain skill."""
_IN_ORDER: Final = (
    '<p class="sp-small">In the order in which it checks. The first that refuses the skill or breaks the list decides; '
    "if there is none, the first with a loss.</p>\n"
)
_MAX_SKILLS: Final = 200
_MAX_CODES: Final = 3
_MAX_EVENTS: Final = 4


def host_pages(
    profiles: Sequence[Profile], listings: Sequence[Listing]
) -> Iterator[tuple[str, str, Sequence[Entry], str]]:
    """``(host, title, contents, content)`` of every host's page at ``/hosts/{host}/``, all steps of a host on one."""
    columns = dict(
        zip([profile.id for profile in profiles], columns_of(listings, len(profiles)), strict=True)
    )
    asking = tools_asked_for(listings)
    families: dict[str, list[Profile]] = {}
    for profile in order_profiles(profiles):
        families.setdefault(profile.host, []).append(profile)
    for host, members in families.items():
        title = members[0].label
        contents: list[Entry] = []
        content: list[str] = []
        for profile in members:
            anchor, heading = anchor_of(profile), _heading(profile, title)
            contents += [(anchor, heading), (f"{anchor}-effects", "What changes the outcome")]
            content.append(_profile_content(columns[profile.id], profile, listings, heading))
            if profile.tools or profile.capabilities:
                contents.append((f"{anchor}-tools", "Its tools"))
                content.append(tools_section(profile, asking, f"{anchor}-tools"))
        jumps = "".join(
            f'<li><a href="#{entry}">{escape_html(words)}</a></li>'
            for entry, words in contents
            if entry.removesuffix("-effects") == anchor_of(members[0]) or not entry.endswith("-effects")
        )
        head = (
            '<nav class="sp-crumbs" aria-label="Breadcrumb"><a href="../">Agents</a></nav>\n'
            f"<h1>{escape_html(title)}</h1>\n"
        )
        if len(contents) > 2:
            head += f'<ul class="sp-chips" aria-label="Parts of this page">{jumps}</ul>\n'
        yield host, title, contents, head + "".join(content)


def _heading(profile: Profile, title: str) -> str:
    """``How it loads skills`` for the host itself, ``Installing from a hub`` for another step of it."""
    if profile.label == title:
        return f"How it {profile.step} skills"
    step = profile.label.removeprefix(f"{title}, ")
    return step[:1].upper() + step[1:]


def _profile_content(column: str, profile: Profile, listings: Sequence[Listing], heading: str) -> str:
    facts = (
        ("Version", escape_html(profile.version or "the one of that day")),
        ("How this is known", f"{EVIDENCE[profile.evidence]}, {escape_html(profile.checked)}"),
        ("Of this hub it loads", share_of_hub(column)),
        ("Name it uses", escape_html(profile.identity)),
        ("Two skills of one name", escape_html(profile.duplicates)),
        ("Looks in", " ".join(f"<code>{escape_html(folder)}</code>" for folder in profile.folders)),
    )
    rows = "".join(f"<div><dt>{term}</dt><dd>{value}</dd></div>\n" for term, value in facts if value)
    notes = "".join(f"<li>{escape_html(note)}</li>" for note in profile.notes)
    anchor = anchor_of(profile)
    return (
        f'<section class="sp-section" aria-labelledby="{anchor}">\n<h2 id="{anchor}">{escape_html(heading)}</h2>\n'
        f'<dl class="sp-facts">\n{rows}</dl>\n{f"<ul>{notes}</ul>" if notes else ""}'
        f"{_not_loaded(column, listings)}{_limits(profile)}{_powers(profile)}{_effects(profile)}{_reads(profile)}"
        f"{_sources(profile)}</section>\n"
    )


def _table(title: str, kind: str, head: Sequence[str], rows: str, anchor: str = "", note: str = "") -> str:
    cells = "".join(f"<th>{cell}</th>" for cell in head)
    mark = f' id="{anchor}"' if anchor else ""
    return (
        f'<h3{mark}>{title}</h3>\n{note}<div class="sp-scroll"><table class="sp-table {kind}">'
        f"<thead><tr>{cells}</tr></thead><tbody>\n{rows}</tbody></table></div>\n"
    )


def _limits(profile: Profile) -> str:
    if not profile.limits:
        return ""
    rows = "".join(
        f"<tr><td>{limit.value:,} {escape_html(limit.unit)}</td><td>{escape_html(limit.meaning)}</td></tr>\n"
        for limit in profile.limits
    )
    return _table("Limits", "sp-matrix", ("More than", "What happens"), rows)


def _effects(profile: Profile) -> str:
    """The effects that change an outcome, in the order in which the host checks; the same reason is said once."""
    grouped: dict[tuple[Outcome | None, str], list[Effect]] = {}
    for effect in profile.effects:
        grouped.setdefault((effect.outcome, effect.reason), []).append(effect)
    rows = "".join(
        f"<tr><td>{'<br>'.join(escape_html(FACTS[effect.fact].meaning) for effect in effects)} {_codes(effects)}</td>"
        f"<td>{effect_badge(outcome)}</td>"
        f'<td>{say_in_words(reason)} <small class="sp-source">{escape_html(effects[0].source)}</small></td></tr>\n'
        for (outcome, reason), effects in grouped.items()
    )
    return _table(
        "What changes the outcome", "sp-matrix sp-effects", ("When", "Outcome", "What happens, and the source"),
        rows, f"{anchor_of(profile)}-effects", _IN_ORDER,
    )  # fmt: skip


def _codes(effects: Sequence[Effect]) -> str:
    codes = list(dict.fromkeys(code for effect in effects for code in FACTS[effect.fact].codes))
    links = " ".join(code_link(code, "../../") for code in codes[:_MAX_CODES])
    more = f" <small>and {len(codes) - _MAX_CODES} more</small>" if len(codes) > _MAX_CODES else ""
    return f'<span class="sp-codes">{links}{more}</span>'


def say_in_words(reason: str) -> str:
    """A reason as HTML with its placeholders as words in italics: what stands there differs by skill."""
    return _PLACEHOLDER.sub(
        lambda found: f"<var>{_WORDS.get(found.group(1), found.group(1))}</var>", escape_html(reason)
    )


def _powers(profile: Profile) -> str:
    rows = "".join(
        f"<tr><td><strong>{POWER_NAMES[PowerKind(rule.kind)]}</strong> {_events(rule)}</td>"
        f"<td>{use_badge(rule.use)}</td>"
        f'<td>{escape_html(rule.reason)} <small class="sp-source">{escape_html(rule.source)}</small></td></tr>\n'
        for rule in profile.powers
    )
    if not rows:
        return ""
    return _table(
        "What of a skill it runs", "sp-matrix", ("Part of a skill", "Run", "What happens, and the source"), rows
    )  # fmt: skip


def _events(rule: PowerRule) -> str:
    if not rule.events:
        return ""
    shown = escape_html(", ".join(rule.events[:_MAX_EVENTS]))
    if len(rule.events) <= _MAX_EVENTS:
        return shown
    rest = escape_html(", ".join(rule.events[_MAX_EVENTS:]))
    count = len(rule.events) - _MAX_EVENTS
    return f'{shown} <details class="sp-how"><summary>{count} more events</summary>{rest}</details>'


def _reads(profile: Profile) -> str:
    plain = Reads()
    changed = [
        (key.replace("_", "-"), getattr(profile.reads, key), meaning)
        for key, meaning in MEANINGS.items()
        if getattr(profile.reads, key) != getattr(plain, key)
    ]
    if not changed:
        return ""
    rows = "".join(
        f"<tr><td><code>{key}</code></td><td><code>{escape_html(_value(value))}</code></td>"
        f"<td>{escape_html(meaning)}</td></tr>\n"
        for key, value, meaning in changed
    )
    table = _table("How it reads", "sp-matrix", ("Parameter", "Value", "Meaning"), rows)
    title, _, rest = table.partition("\n")
    return (
        f"{title}\n<details><summary>{len(changed)} reading parameters that are not the usual ones</summary>"
        f"{rest}</details>\n"
    )


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value) or "none"


def _not_loaded(column: str, listings: Sequence[Listing]) -> str:
    parts = []
    for outcome, words in (
        (Outcome.REFUSE, "Skills of this hub that it refuses"),
        (Outcome.CRASH, "Skills of this hub that break its list"),
        (Outcome.LOSS, "Skills of this hub of which it loses something"),
    ):
        letter = OUTCOME_LETTERS[outcome]
        if letter in column:
            found = [one for one, given in zip(listings, column, strict=True) if given == letter]
            parts.append(
                f"<h3>{words} ({len(found):,})</h3>\n{skill_chips(found, '../../', 'agents', _MAX_SKILLS)}"
            )
    return "".join(parts)


def skill_chips(listings: Sequence[Listing], root: str, anchor: str, most: int) -> str:
    """Links to sections of skills' pages; ``root`` leads to the hub's root, ``most`` are named."""
    links = "".join(
        f'<li><a href="{root}{quote_segment(one.owner)}/skills/{quote_segment(one.slug)}/#{anchor}">'
        f"{escape_html(shorten(show_hidden(one.display_name), 80))}</a></li>"
        for one in listings[:most]
    )
    more = f'<p class="sp-small">{len(listings) - most:,} more.</p>\n' if len(listings) > most else ""
    return f'<ul class="sp-chips">{links}</ul>\n{more}'


def _sources(profile: Profile) -> str:
    items = "".join(f"<li>{escape_html(source)}</li>" for source in profile.sources)
    return (
        f"{f'<h3>Sources</h3><ul>{items}</ul>' if items else ''}"
        '<p class="sp-small">All of this is one data file of Skillpress, the one in '
        f"<code>generator/judge/hosts/</code> with the id <code>{escape_html(profile.id)}</code>. Its "
        "<code>docs/hosts.md</code> says how to correct it.</p>\n"
    )
