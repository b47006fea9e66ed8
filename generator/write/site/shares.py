"""The list of hosts, and how much of the hub each of them loads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from generator.judge.model import Profile
from generator.model import OUTCOME_LETTERS, Listing, Outcome
from generator.write.site.roster import group_profiles
from generator.write.site.view import escape_html

EVIDENCE: Final[Mapping[str, str]] = {
    "executed": "The released program was run",
    "source": "Its source was read",
    "documented": "Its documentation was read",
}
"""What people read for how a host's behaviour is known."""


def hosts_list(profiles: Sequence[Profile], listings: Sequence[Listing]) -> str:
    """The content of ``/hosts/``: every host with its share of this hub."""
    columns = dict(
        zip([profile.id for profile in profiles], columns_of(listings, len(profiles)), strict=True)
    )
    return "".join(
        f'<h2 id="{group.key}">{group.title}</h2>\n'
        '<div class="sp-scroll"><table class="sp-table sp-shares"><thead><tr><th>Name</th><th>How it is known</th>'
        f"<th>Of this hub it {group.verb}s</th></tr></thead><tbody>\n"
        + "".join(
            f'<tr><td><a href="{profile.host}/#{anchor_of(profile)}">{escape_html(profile.label)}</a> '
            f'<small class="sp-dim">{escape_html(profile.version or "")}</small></td>'
            f"<td>{EVIDENCE[profile.evidence]}</td><td>{share_of_hub(columns[profile.id])}</td></tr>\n"
            for profile in group.profiles
        )
        + "</tbody></table></div>\n"
        for group in group_profiles(profiles)
    )


def columns_of(listings: Sequence[Listing], count: int) -> Sequence[str]:
    """For each of ``count`` hosts its letters for all listings, in their order; a blank where it did not judge."""
    rows = "".join([listing.outcomes.ljust(count)[:count] for listing in listings])
    return [rows[index::count] for index in range(count)]


def share_of_hub(column: str) -> str:
    """A bar and a count of what a host does with the skills of the hub, from its letters."""
    judged = column.replace(" ", "")
    if not judged:
        return "Nothing judged yet"
    counts = {outcome: judged.count(letter) for outcome, letter in OUTCOME_LETTERS.items()}
    loads = counts[Outcome.LOAD]
    share = loads * 100 // len(judged)
    words = f"{loads:,} of {len(judged):,}" + (f" ({share} %)" if loads < len(judged) else "")
    lost = ", ".join(
        f"{counts[outcome]:,} {word}"
        for outcome, word in (
            (Outcome.LOSS, "with a loss"),
            (Outcome.REFUSE, "refused"),
            (Outcome.CRASH, "break its list"),
        )
        if counts[outcome]
    )
    start, bars = 0.0, ""
    for outcome, count in counts.items():
        width = count * 100 / len(judged)
        if count:
            bars += f'<rect class="sp-bar__{outcome.value}" x="{start:.2f}" width="{width:.2f}" height="4"/>'
        start += width
    small = f' <small class="sp-dim">{lost}</small>' if lost else ""
    return (
        '<svg class="sp-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">'
        f"{bars}</svg>{words}{small}"
    )


def anchor_of(profile: Profile) -> str:
    """The id of a host's section on its page."""
    return "".join(char if char.isalnum() else "-" for char in profile.id.lower())
