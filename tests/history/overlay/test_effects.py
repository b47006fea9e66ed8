"""What a standing means in the hub's answers, in words and addresses."""

from __future__ import annotations

import pytest

from generator.history.overlay.applying import stand
from generator.history.overlay.effects import (
    Badge,
    former_slugs,
    hold_slugs,
    is_listed,
    is_recommended,
    note_changelog,
    note_summary,
    reason_codes,
    redirects,
    refuse_install,
    refuse_release,
    release_badges,
    skill_badges,
)
from generator.history.overlay.model import Archived, Deprecated, Ruling, SkillKey, Standing, Withdrawal
from generator.history.overlay.settling import Settled
from generator.model import Owner, ScanVerdict, Slug, Version
from tests.history.overlay.test_applying import REVIEWS, hit, scanned
from tests.samples import make_release

PDF = (Owner("acme"), Slug("pdf"))
DOC = (Owner("acme"), Slug("docx"))


def held(
    versions: str, *, yanked: str = "", quarantined: str = "", deprecated: Deprecated | None = None,
    archived: Archived | None = None, featured: int | None = None,
) -> Standing:  # fmt: skip
    """A standing; ``!`` behind a version says that the scan blocks it, ``*`` stands for all versions."""
    releases = [
        make_release(one.rstrip("!"), verdict=ScanVerdict.BLOCK if one.endswith("!") else ScanVerdict.ALLOW)
        for one in versions.split()
    ]
    ruling = Ruling(
        tuple(Withdrawal(Version(one), "It deletes.") for one in yanked.split()),
        tuple(Withdrawal(None if one == "*" else Version(one), "It reads keys") for one in quarantined.split()),
        deprecated, archived, featured,
    )  # fmt: skip
    return stand(ruling, releases, {})


REFUSED = {
    "free": (held("1.0.0"), None),
    "one is free": (held("1.0.0 1.1.0", yanked="1.1.0"), None),
    "all yanked": (
        held("1.0.0 1.1.0", yanked="1.0.0 1.1.0"),
        (410, "acme/pdf: Every version is withdrawn. 1.1.0 is yanked: It deletes. 1.0.0 is yanked: It deletes."),
    ),
    "many yanked": (
        held("1.0.0 1.1.0 1.2.0 1.3.0 1.4.0", yanked="1.0.0 1.1.0 1.2.0 1.3.0 1.4.0"),
        (410, "acme/pdf: Every version is withdrawn. 1.4.0 is yanked: It deletes. 1.3.0 is yanked: It deletes. "
              "1.2.0 is yanked: It deletes. And 2 more."),
    ),
    "quarantined": (held("1.0.0", quarantined="*"), (410, "acme/pdf is quarantined by this hub: It reads keys")),
    "every version quarantined": (
        held("1.0.0", quarantined="1.0.0"),
        (410, "acme/pdf: Every version is withdrawn. 1.0.0 is quarantined: It reads keys."),
    ),
    "blocked": (held("1.0.0! 1.1.0!"), (403, "acme/pdf is blocked by this hub's security scan.")),
    "blocked and yanked": (
        held("1.0.0! 1.1.0", yanked="1.1.0"),
        (410, "acme/pdf: Every version is withdrawn. 1.1.0 is yanked: It deletes."),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("standing", "answer"), REFUSED.values(), ids=REFUSED)
def test_installing_without_a_version(standing: Standing, answer: tuple[int, str] | None) -> None:
    refusal = refuse_install(PDF, standing)
    assert (refusal and (refusal.status, refusal.text)) == answer
    assert (refusal is None) == (standing.latest is not None)


PINNED = {
    "free": (held("1.0.0"), None, ()),
    "yanked": (held("1.0.0", yanked="1.0.0"), None, ()),
    "quarantined": (
        held("1.0.0", quarantined="1.0.0"), (410, "acme/pdf@1.0.0 is quarantined by this hub: It reads keys"),
        ("operator.quarantined", "moderation.blocked"),
    ),
    "quarantined and blocked": (
        held("1.0.0!", quarantined="*"), (410, "acme/pdf@1.0.0 is quarantined by this hub: It reads keys"),
        ("operator.quarantined", "moderation.blocked"),
    ),
    "blocked": (held("1.0.0!"), (403, "acme/pdf@1.0.0 is blocked by this hub's security scan."), ()),
}  # fmt: skip


@pytest.mark.parametrize(("standing", "answer", "codes"), PINNED.values(), ids=PINNED)
def test_installing_a_pinned_version(
    standing: Standing, answer: tuple[int, str] | None, codes: tuple[str, ...]
) -> None:
    (one,) = standing.releases
    refusal = refuse_release(PDF, one)
    assert (refusal and (refusal.status, refusal.text)) == answer
    assert (refusal is None) == one.servable
    assert reason_codes(one) == codes


SHOWN = {
    "nothing": (held("1.0.0"), "", True, True),
    "successor": (held("1.0.0", deprecated=Deprecated("", DOC)), "[Deprecated: Use acme/docx instead] ", True, False),
    "successor and reason": (
        held("1.0.0", deprecated=Deprecated("Merged", DOC)), "[Deprecated: Use acme/docx instead. Merged] ",
        True, False,
    ),
    "no words": (held("1.0.0", deprecated=Deprecated("")), "[Deprecated: It should no longer be used] ", True, False),
    "archived": (held("1.0.0", archived=Archived("Finished.")), "[Archived: Finished] ", True, False),
    "archived without words": (
        held("1.0.0", archived=Archived("")), "[Archived: No new version is expected] ", True, False,
    ),
    "yanked": (held("1.0.0", yanked="1.0.0"), "", True, False),
    "quarantined": (held("1.0.0", quarantined="*"), "", False, False),
    "featured": (held("1.0.0", featured=1), "", True, True),
}  # fmt: skip


@pytest.mark.parametrize(("standing", "note", "listed", "recommended"), SHOWN.values(), ids=SHOWN)
def test_lists(standing: Standing, note: str, listed: bool, recommended: bool) -> None:
    assert note_summary(standing, "Reads PDF files.") == f"{note}Reads PDF files."
    assert (is_listed(standing), is_recommended(standing)) == (listed, recommended)


def test_badges_the_gravest_first() -> None:
    standing = held(
        "1.0.0!",
        yanked="1.0.0",
        quarantined="*",
        deprecated=Deprecated("Old", DOC),
        archived=Archived(""),
        featured=2,
    )
    assert [one.kind for one in skill_badges(standing)] == [
        "quarantined",
        "deprecated",
        "archived",
        "featured",
    ]
    assert skill_badges(standing)[1] == Badge("deprecated", "Deprecated", "Use acme/docx instead. Old.", DOC)
    (release,) = standing.releases
    assert [one.kind for one in release_badges(release)] == ["quarantined", "blocked", "yanked"]
    assert note_changelog(release, "Faster.") == "[Quarantined: It reads keys] [Yanked: It deletes] Faster."
    assert note_changelog(release, "") == "[Quarantined: It reads keys] [Yanked: It deletes]"


def test_a_reviewed_hit_is_shown_once_with_who_and_why() -> None:
    (release,) = stand(Ruling(), (scanned(hit(), hit()),), REVIEWS).releases
    (badge,) = release_badges(release)
    assert (badge.kind, badge.text) == ("reviewed", "secret was looked into by The security team: A sample.")


# --- addresses -------------------------------------------------------------------------------------


def keys(text: str) -> list[SkillKey]:
    return [(Owner(owner), Slug(slug)) for owner, _, slug in (one.partition("/") for one in text.split())]


HELD = {
    "one owner": ("acme/pdf acme/docx", {}, "acme/pdf acme/docx"),
    "two owners": ("acme/pdf beta/pdf", {}, ""),
    "two owners, one named": ("acme/pdf beta/pdf", {"pdf": "beta"}, "beta/pdf"),
    "named, but not there": ("acme/pdf beta/pdf", {"pdf": "zeta"}, ""),
    "named, but alone": ("acme/pdf", {"pdf": "zeta"}, "acme/pdf"),
}


@pytest.mark.parametrize(("present", "named", "expected"), HELD.values(), ids=HELD)
def test_who_holds_a_slug(present: str, named: dict[str, str], expected: str) -> None:
    settled = Settled(holders={Slug(slug): Owner(owner) for slug, owner in named.items()})
    assert hold_slugs(keys(present), settled) == set(keys(expected))


FORMER = {
    "a free slug": ("acme/new", "acme/old=acme/new", {"old": "acme/new"}, "acme/old"),
    "a slug that is taken again": ("acme/new beta/old", "acme/old=acme/new", {}, "acme/old"),
    "moved to another owner": ("beta/pdf", "acme/pdf=beta/pdf", {}, "acme/pdf"),
    "two that lead to one": (
        "acme/new", "acme/old=acme/new beta/old=acme/new", {"old": "acme/new"}, "acme/old beta/old",
    ),
    "two that lead apart": (
        "acme/new beta/new2", "acme/old=acme/new beta/old=beta/new2", {}, "acme/old beta/old",
    ),
    "the new one is not there": ("acme/pdf", "acme/old=acme/new", {}, ""),
    "the address is used": ("acme/new acme/old", "acme/old=acme/new", {}, ""),
}  # fmt: skip


@pytest.mark.parametrize(("present", "moves", "slugs", "leading"), FORMER.values(), ids=FORMER)
def test_former_addresses(present: str, moves: str, slugs: dict[str, str], leading: str) -> None:
    steps = [one.partition("=") for one in moves.split()]
    settled = Settled(addresses={keys(old)[0]: keys(new)[0] for old, _, new in steps})
    assert {slug: "/".join(now) for slug, now in former_slugs(keys(present), settled).items()} == slugs
    assert [old for old, _ in redirects(keys(present), settled)] == keys(leading)
