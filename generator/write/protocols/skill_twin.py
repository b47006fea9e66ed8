"""The Markdown twin of a skill's page: what agents and crawlers read in place of the page.

What an author wrote stays what it is: names and descriptions are escaped, ``SKILL.md`` stands in a fence that nothing
in it can close.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from generator.judge.model import Profile
from generator.model import PublishedSkill, Route, ScanVerdict
from generator.write.site.install import InstallWay, list_install_ways

MARKDOWN = "text/markdown; charset=utf-8"
_FENCES = re.compile(r"`{3,}")
_OUTCOMES = {"load": "loads", "loss": "loses something", "refuse": "refuses it", "crash": "breaks its list"}


def twin_path(owner: str, slug: str) -> str:
    """The route of a skill's twin, beside its page."""
    return f"/{owner}/skills/{slug}/index.md"


def skill_twin(skill: PublishedSkill, card: bytes, profiles: Sequence[Profile]) -> Route:
    """The twin of one skill: its ``card``, how to install it, which agents load it, and its text.

    The text of one under quarantine is withheld, as on its page.
    """
    listing = skill.listing
    parts = [card.decode("utf-8").rstrip("\n")]
    if not listing.stance.withdrawn and skill.latest.scan.verdict is not ScanVerdict.BLOCK:
        parts.append("## Install")
        parts += [_way(way) for way in list_install_ways(skill)]
    parts += ["## Agents", _agents(skill, profiles)]
    if skill.standing.quarantined is None:
        parts += ["## SKILL.md", fence(skill.folder.body, "markdown")]
    return Route(
        twin_path(listing.owner, listing.slug),
        ("\n\n".join(parts) + "\n").encode("utf-8", "replace"),
        MARKDOWN,
    )


def _way(way: InstallWay) -> str:
    """One client: what it needs once, what to type, and the sentence about it."""
    if way.setup:
        return f"{way.client}. {way.note}\n\n{fence(way.setup, '')}\n\n{fence(way.commands, 'bash')}"
    note = f"\n\n{way.note}" if way.note else ""
    return f"{way.client}:\n\n{fence(way.commands, 'bash')}{note}"


def fence(text: str, language: str) -> str:
    """A text as a code block that no line of it can end."""
    longest = max((len(run) for run in _FENCES.findall(text)), default=2)
    ticks = "`" * (longest + 1)
    return f"{ticks}{language}\n{text.rstrip()}\n{ticks}"


def _agents(skill: PublishedSkill, profiles: Sequence[Profile]) -> str:
    labels = {one.id: one.label for one in profiles}
    return "\n".join(
        f"- {labels.get(verdict.host, verdict.host)}: {_OUTCOMES[verdict.outcome.value]}"
        + (f" ({', '.join(verdict.codes)})" if verdict.codes else "")
        for verdict in skill.judgement.verdicts
    )
