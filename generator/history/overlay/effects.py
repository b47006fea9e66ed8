"""What a standing means in the answers of the hub: who holds a slug, what is refused in which words, what is shown.

Pure, and in words only: which document of which protocol carries them is written down in ``docs/overlay.md``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final, Literal

from generator.history.overlay.model import ReleaseStanding, SkillKey, Standing
from generator.history.overlay.refs import show_key
from generator.history.overlay.settling import Settled
from generator.model import ScanVerdict, Slug

QUARANTINED: Final = ("operator.quarantined", "moderation.blocked")
"""Reason codes of a quarantined release. OpenClaw 2026.9.6 blocks on codes that end in ``.blocked``."""
WITHDRAWN: Final = 410
"""The status of what the operator withdrew."""
_REASONS_TOLD: Final = 3

BadgeKind = Literal["quarantined", "deprecated", "archived", "yanked", "blocked", "reviewed", "featured"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer that gives nothing out: the HTTP status, and one sentence for people."""

    status: Literal[403, 410]
    text: str


@dataclass(frozen=True, slots=True)
class Badge:
    """A word beside a name, and the sentence behind it. ``skill`` is another skill that the sentence leads to."""

    kind: BadgeKind
    word: str
    text: str
    skill: SkillKey | None = None


# --- what is refused -------------------------------------------------------------------------------


def refuse_release(key: SkillKey, one: ReleaseStanding) -> Refusal | None:
    """Why this version is not given out, not even to those who pin it; None where it is."""
    name = show_key(key, one.version)
    if one.quarantined is not None:
        return Refusal(410, f"{name} is quarantined by this hub: {one.quarantined}")
    if one.verdict is ScanVerdict.BLOCK:
        return Refusal(403, f"{name} is blocked by this hub's security scan.")
    return None


def refuse_install(key: SkillKey, standing: Standing) -> Refusal | None:
    """Why nothing is chosen for those who name no version; None where something is.

    410 where the operator withdrew what there is; 403 where the scan blocks all of it.
    """
    name = show_key(key)
    if standing.latest is not None:
        return None
    if standing.quarantined is not None:
        return Refusal(410, f"{name} is quarantined by this hub: {standing.quarantined}")
    if all(one.yanked is None and one.quarantined is None for one in standing.releases):
        return Refusal(403, f"{name} is blocked by this hub's security scan.")
    reasons = [
        f"{one.version} is quarantined: {one.quarantined}" if one.quarantined is not None
        else f"{one.version} is yanked: {one.yanked}"
        for one in standing.releases
        if one.quarantined is not None or one.yanked is not None
    ]  # fmt: skip
    more = f" And {len(reasons) - _REASONS_TOLD} more." if len(reasons) > _REASONS_TOLD else ""
    told = " ".join(_sentence(reason) for reason in reasons[:_REASONS_TOLD])
    return Refusal(410, f"{name}: Every version is withdrawn. {told}{more}")


def reason_codes(one: ReleaseStanding) -> tuple[str, ...]:
    """What the operator's decisions add to the ``reasons`` of a release's verification; () where nothing."""
    return QUARANTINED if one.quarantined is not None else ()


# --- what is shown ---------------------------------------------------------------------------------


def is_listed(standing: Standing) -> bool:
    """Whether lists, search and the site's cards hold the skill. A skill under quarantine keeps only its page."""
    return standing.quarantined is None


def is_recommended(standing: Standing) -> bool:
    """Whether the hub may put the skill forward: trending, featured, similar skills."""
    ruling = standing.ruling
    return standing.latest is not None and ruling.deprecated is None and ruling.archived is None


def skill_badges(standing: Standing) -> tuple[Badge, ...]:
    """The badges of a skill, the gravest first."""
    ruling, found = standing.ruling, []
    if standing.quarantined is not None:
        found.append(Badge("quarantined", "Quarantined", _sentence(standing.quarantined)))
    if ruling.deprecated is not None:
        successor = ruling.deprecated.successor
        use = f"Use {show_key(successor)} instead. " if successor is not None else ""
        text = f"{use}{_sentence(ruling.deprecated.reason)}".strip()
        found.append(Badge("deprecated", "Deprecated", text or "It should no longer be used.", successor))
    if ruling.archived is not None:
        text = _sentence(ruling.archived.reason) or "No new version is expected."
        found.append(Badge("archived", "Archived", text))
    if ruling.featured is not None:
        found.append(Badge("featured", "Featured", "The people who run this hub put it forward."))
    return tuple(found)


def release_badges(one: ReleaseStanding) -> tuple[Badge, ...]:
    """The badges of one version, the gravest first."""
    found: list[Badge] = []
    if one.quarantined is not None:
        found.append(Badge("quarantined", "Quarantined", _sentence(one.quarantined)))
    if one.verdict is ScanVerdict.BLOCK:
        found.append(Badge("blocked", "Blocked", "The security scan blocks it."))
    if one.yanked is not None:
        found.append(Badge("yanked", "Yanked", _sentence(one.yanked)))
    for note in dict.fromkeys(hit.review for hit in one.reviewed):
        text = f"{note.rule} was looked into by {note.by}: {_sentence(note.reason)}"
        found.append(Badge("reviewed", "Reviewed", text))
    return tuple(found)


def note_summary(standing: Standing, summary: str) -> str:
    """A description as clients list it: what must be known before installing stands first.

    The clients know no field for it, and every one of them prints the summary.
    """
    notes = [badge for badge in skill_badges(standing) if badge.kind in ("deprecated", "archived")]
    return " ".join((*(f"[{badge.word}: {badge.text.rstrip('.')}]" for badge in notes), summary))


def note_changelog(one: ReleaseStanding, changelog: str) -> str:
    """A changelog as clients list versions: what is withdrawn says so first."""
    notes = [badge for badge in release_badges(one) if badge.kind in ("quarantined", "yanked")]
    return " ".join((*(f"[{badge.word}: {badge.text.rstrip('.')}]" for badge in notes), changelog)).rstrip()


def _sentence(text: str) -> str:
    return text if not text or text.endswith((".", "!", "?", "。", "！", "？")) else f"{text}."


# --- addresses -------------------------------------------------------------------------------------


def hold_slugs(keys: Iterable[SkillKey], settled: Settled) -> frozenset[SkillKey]:
    """The skills that their bare slug means: the only one of its slug, or the one the overlay names.

    ``keys`` are present addresses.
    """
    owners: dict[Slug, list[SkillKey]] = {}
    for key in keys:
        owners.setdefault(key[1], []).append(key)
    held: set[SkillKey] = set()
    for slug, every in owners.items():
        named = [key for key in every if key[0] == settled.holders.get(slug)]
        held.update(named or (every if len(every) == 1 else ()))
    return frozenset(held)


def former_slugs(keys: Collection[SkillKey], settled: Settled) -> dict[Slug, SkillKey]:
    """Bare slugs that no skill has any more, and the one skill each leads to; none that leads to several.

    ``keys`` are present addresses.
    """
    present = {slug for _, slug in keys}
    leads: dict[Slug, set[SkillKey]] = {}
    for (_, slug), now in settled.addresses.items():
        if slug not in present and now in keys:
            leads.setdefault(slug, set()).add(now)
    return {slug: next(iter(ends)) for slug, ends in sorted(leads.items()) if len(ends) == 1}


def redirects(keys: Collection[SkillKey], settled: Settled) -> tuple[tuple[SkillKey, SkillKey], ...]:
    """Each former address and the present one, sorted; only those that lead to a skill and hide none.

    ``keys`` are present addresses.
    """
    return tuple(
        (old, now) for old, now in sorted(settled.addresses.items()) if now in keys and old not in keys
    )
