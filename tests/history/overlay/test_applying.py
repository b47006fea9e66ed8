"""What holds for a skill and its releases: what is chosen, what is withheld, what a review does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.history.overlay.applying import (
    order_releases,
    review_report,
    stand,
    tag_findings,
    used_reviews,
    void_reviews,
)
from generator.history.overlay.model import ReviewNote, Ruling, Standing, Tag, Withdrawal
from generator.history.overlay.reading import read_overlay_text
from generator.history.overlay.settling import Ground, Settled, settle
from generator.jsondata import from_plain, to_plain
from generator.model import Owner, Release, ScanHit, ScanReport, ScanVerdict, Slug, Version
from generator.versions import newest_first
from tests.samples import SKILL_MD, make_release, sha256

ALLOW, WARN, BLOCK, ERROR = ScanVerdict.ALLOW, ScanVerdict.WARN, ScanVerdict.BLOCK, ScanVerdict.ERROR
DIGEST = sha256(SKILL_MD.encode())


def releases(text: str) -> tuple[Release, ...]:
    """``1.0.0 2.0.0!`` : two releases, of which the scan blocks the second."""
    return tuple(
        make_release(word.rstrip("!"), verdict=BLOCK if word.endswith("!") else ALLOW)
        for word in text.split()
    )


def ruling(text: str) -> Ruling:
    """``yank 1.0.0, quarantine 2.0.0, quarantine *, latest 1.0.0``."""
    yanked: list[Withdrawal] = []
    quarantined: list[Withdrawal] = []
    tags: list[Tag] = []
    for order in filter(None, text.split(", ")):
        kind, version = order.split()
        if kind == "yank":
            yanked.append(Withdrawal(Version(version), f"y{version}"))
        elif kind == "quarantine":
            quarantined.append(Withdrawal(None if version == "*" else Version(version), f"q{version}"))
        else:
            tags.append(Tag(kind, Version(version)))
    return Ruling(tuple(yanked), tuple(quarantined), tags=tuple(tags))


CHOICES = {
    "highest stable": ("1.0.0 1.10.0 1.9.0", "", "1.10.0", "1.10.0 1.9.0 1.0.0"),
    "a backport does not move it": ("2.0.0 1.0.1", "", "2.0.0", "2.0.0 1.0.1"),
    "stable before a higher pre-release": ("1.0.0 2.0.0-beta.1", "", "1.0.0", "1.0.0 2.0.0-beta.1"),
    "pre-release only when there is no stable": ("1.0.0-a 1.0.0-b", "", "1.0.0-b", "1.0.0-b 1.0.0-a"),
    "yanked": ("1.0.0 1.1.0", "yank 1.1.0", "1.0.0", "1.0.0 1.1.0"),
    "the only stable is yanked": ("1.0.0 2.0.0-beta.1", "yank 1.0.0", "2.0.0-beta.1", "2.0.0-beta.1 1.0.0"),
    "quarantined": ("1.0.0 1.1.0", "quarantine 1.1.0", "1.0.0", "1.0.0 1.1.0"),
    "blocked": ("1.0.0 1.1.0!", "", "1.0.0", "1.0.0 1.1.0"),
    "withdrawn last, given out or not": (
        "1.0.0 1.1.0 1.2.0! 1.3.0 1.4.0", "yank 1.4.0, quarantine 1.3.0", "1.1.0", "1.1.0 1.0.0 1.4.0 1.3.0 1.2.0",
    ),
    "all yanked": ("1.0.0 1.1.0", "yank 1.0.0, yank 1.1.0", None, "1.1.0 1.0.0"),
    "all quarantined": ("1.0.0 1.1.0", "quarantine *", None, "1.1.0 1.0.0"),
    "all blocked": ("1.0.0! 1.1.0!", "", None, "1.1.0 1.0.0"),
    "pinned": ("1.0.0 1.1.0 2.0.0", "latest 1.0.0", "1.0.0", "1.0.0 2.0.0 1.1.0"),
    "pinned pre-release": ("1.0.0 2.0.0-rc.1", "latest 2.0.0-rc.1", "2.0.0-rc.1", "2.0.0-rc.1 1.0.0"),
    "pin of a yanked one": ("1.0.0 1.1.0", "latest 1.1.0, yank 1.1.0", "1.0.0", "1.0.0 1.1.0"),
    "pin of a blocked one": ("1.0.0 1.1.0!", "latest 1.1.0", "1.0.0", "1.0.0 1.1.0"),
    "pin of one there is not": ("1.0.0 1.1.0", "latest 3.0.0", "1.1.0", "1.1.0 1.0.0"),
    "yank of one there is not": ("1.0.0", "yank 3.0.0", "1.0.0", "1.0.0"),
    "nothing": ("", "", None, ""),
}  # fmt: skip


def newest_release_first(releases: tuple[Release, ...]) -> tuple[Release, ...]:
    """The order of a hub without decisions: first the newest stable version that the scan does not block."""
    served = {one.version: one for one in releases if one.scan.verdict is not ScanVerdict.BLOCK}
    blocked = {one.version: one for one in releases if one.version not in served}
    return (
        *(served[version] for version in newest_first(list(served))),
        *(blocked[version] for version in newest_first(list(blocked))),
    )


@pytest.mark.parametrize(("held", "orders", "latest", "order"), CHOICES.values(), ids=CHOICES)
def test_what_is_chosen_and_in_which_order(held: str, orders: str, latest: str | None, order: str) -> None:
    standing = stand(ruling(orders), releases(held), {})
    assert standing.latest == latest
    assert [one.version for one in standing.releases] == order.split()
    assert [one.version for one in order_releases(releases(held), standing)] == order.split()
    assert {tag.name: tag.version for tag in standing.tags}.get("latest") == latest
    assert stand(ruling(orders), releases(held)[::-1], {}) == standing


VERSIONS = st.lists(
    st.sampled_from(["1.0.0", "1.0.1", "1.2.0-a", "1.10.0", "2.0.0-rc.1", "3.0.0"]), unique=True, min_size=1
)


@given(VERSIONS, st.sets(st.integers(0, 5)))
def test_without_decisions_the_order_is_the_builds_own(versions: list[str], blocked: set[int]) -> None:
    held = releases(" ".join(version + "!" * (number in blocked) for number, version in enumerate(versions)))
    assert order_releases(held, stand(Ruling(), held, {})) == newest_release_first(held)


@given(
    VERSIONS, st.sets(st.integers(0, 5)), st.sets(st.integers(0, 5)), st.sampled_from(["", ", latest 1.0.0"])
)
def test_what_is_withdrawn_is_never_chosen(
    versions: list[str], yanked: set[int], quarantined: set[int], pin: str
) -> None:
    orders = [f"yank {one}" for number, one in enumerate(versions) if number in yanked]
    orders += [f"quarantine {one}" for number, one in enumerate(versions) if number in quarantined]
    standing = stand(ruling(", ".join(orders) + pin), releases(" ".join(versions)), {})
    free = {one for number, one in enumerate(versions) if number not in yanked | quarantined}
    assert (standing.latest in free) if free else standing.latest is None
    assert {tag.version for tag in standing.tags} <= free


def test_tags_name_only_what_may_be_chosen() -> None:
    standing = stand(
        ruling("beta 2.0.0-beta.1, old 1.0.0, yank 1.0.0"), releases("1.0.0 1.1.0 2.0.0-beta.1"), {}
    )
    assert standing.tags == (Tag("beta", Version("2.0.0-beta.1")), Tag("latest", Version("1.1.0")))


def test_reasons_of_a_release() -> None:
    held = stand(ruling("yank 1.0.0, quarantine *, quarantine 1.1.0"), releases("1.0.0 1.1.0"), {})
    one, two = held.of("1.0.0"), held.of("1.1.0")
    assert one is not None
    assert two is not None
    assert (one.yanked, one.quarantined, one.servable) == ("y1.0.0", "q*", False)
    assert (two.yanked, two.quarantined) == (None, "q1.1.0")
    assert held.quarantined == "q*"
    assert held.of("9.0.0") is None


def test_a_yanked_release_is_given_out_to_those_who_pin_it() -> None:
    (one,) = stand(ruling("yank 1.0.0"), releases("1.0.0"), {}).releases
    assert (one.servable, one.eligible) == (True, False)


def test_a_standing_survives_the_json_edge() -> None:
    standing = stand(ruling("yank 1.0.0, beta 1.1.0, quarantine *"), (scanned(hit()),), REVIEWS)
    assert from_plain(Standing, to_plain(standing)) == standing


# --- reviews ---------------------------------------------------------------------------------------


def hit(rule: str = "secret", level: ScanVerdict = BLOCK, path: str = "SKILL.md") -> ScanHit:
    return ScanHit(rule, level, path, 3, "m", "e")


def scanned(
    *hits: ScanHit, verdict: ScanVerdict = BLOCK, skipped: bool = False, error: str | None = None
) -> Release:
    report = ScanReport("skillpress-scan", "1+0", verdict, 1, hits, ("x: the end",) if skipped else (), error)
    return replace(make_release(), scan=report)


NOTE = ReviewNote("secret", DIGEST, "The security team", "A sample.")
REVIEWS = {("secret", DIGEST): NOTE}
REVIEWED = {
    "the only hit": (scanned(hit()), ALLOW, 1),
    "every hit of the rule in the file": (scanned(hit(), hit()), ALLOW, 2),
    "another rule blocks": (scanned(hit(), hit("other")), BLOCK, 1),
    "another rule warns": (scanned(hit(), hit("other", WARN)), WARN, 1),
    "another file": (scanned(hit(), hit(path="evil.sh")), BLOCK, 1),
    "a warning": (scanned(hit(level=WARN), verdict=WARN), ALLOW, 1),
    "what was not examined still warns": (scanned(hit(), skipped=True), WARN, 1),
    "an unfinished scan is an error still": (scanned(hit(), error="too much"), ERROR, 1),
    "a verdict that the hits do not explain": (scanned(hit(level=WARN), verdict=BLOCK), BLOCK, 1),
    "a list of hits that was cut off": (scanned(*[hit()] * 100), BLOCK, 100),
    "cut off behind the worst": (scanned(*[hit()] * 99, hit("other", WARN)), WARN, 99),
    "nothing to review": (scanned(hit("other")), BLOCK, 0),
    "no hits": (scanned(verdict=ERROR, error="too much"), ERROR, 0),
}


@pytest.mark.parametrize(("release", "verdict", "count"), REVIEWED.values(), ids=REVIEWED)
def test_what_a_review_changes(release: Release, verdict: ScanVerdict, count: int) -> None:
    now, reviewed = review_report(release, REVIEWS)
    assert (now, len(reviewed)) == (verdict, count)
    assert all(one.review == NOTE for one in reviewed)


def test_a_review_is_void_when_the_file_changes() -> None:
    release = scanned(hit())
    changed = replace(release, files=(replace(release.files[0], sha256=sha256(b"changed")),))
    assert review_report(changed, REVIEWS) == (BLOCK, ())


def test_without_reviews_nothing_changes() -> None:
    assert review_report(scanned(hit()), {}) == (BLOCK, ())


def test_a_reviewed_release_is_chosen_and_still_shown_as_reviewed() -> None:
    standing = stand(Ruling(), (scanned(hit()),), REVIEWS)
    assert standing.latest == "1.0.0"
    assert standing.releases[0].reviewed[0].review.by == "The security team"


@given(st.lists(st.tuples(st.sampled_from(["secret", "other"]), st.sampled_from([WARN, BLOCK])), max_size=4),
       st.booleans(), st.booleans())  # fmt: skip
def test_a_review_never_makes_a_verdict_worse_nor_forgives_another_rule(
    hits: list[tuple[str, ScanVerdict]], skipped: bool, failed: bool
) -> None:
    rank = [ALLOW, WARN, ERROR, BLOCK].index
    levels = [level for _, level in hits] + [WARN] * skipped + [ERROR] * failed + [ALLOW]
    release = scanned(
        *(hit(rule, level) for rule, level in hits), verdict=max(levels, key=rank), skipped=skipped,
        error="e" if failed else None,
    )  # fmt: skip
    now, _ = review_report(release, REVIEWS)
    open_levels = (
        [level for rule, level in hits if rule == "other"] + [WARN] * skipped + [ERROR] * failed + [ALLOW]
    )
    assert now == max(open_levels, key=rank)


# --- findings --------------------------------------------------------------------------------------


def settled(text: str) -> tuple[Settled, object]:
    overlay = read_overlay_text(text.encode(), "overlay/a.yml")
    return settle(overlay, Ground((), (), lambda _: ()))[0], overlay


TAGS = {
    "yanked": (
        "latest: 1.1.0",
        "yank 1.1.0",
        "latest of acme/pdf cannot be 1.1.0, which is yanked; latest is 1.0.0",
    ),
    "quarantined": ("latest: 1.1.0", "quarantine 1.1.0", "which is quarantined; latest is 1.0.0"),
    "nothing left": ("latest: 1.1.0", "quarantine *", "which is quarantined"),
    "own tag": ("beta: 1.1.0", "yank 1.1.0", "beta of acme/pdf cannot be 1.1.0, which is yanked"),
    "blocked": ("beta: 1.2.0", "", "beta of acme/pdf cannot be 1.2.0, which is blocked by the scan"),
}


@pytest.mark.parametrize(("pin", "orders", "message"), TAGS.values(), ids=TAGS)
def test_a_pin_of_what_is_withdrawn_is_told(pin: str, orders: str, message: str) -> None:
    overlay = read_overlay_text(f"tags: {{acme/pdf: {{{pin}}}}}".encode(), "overlay/a.yml")
    state, _ = settle(overlay, Ground((), (), lambda _: ()))
    key = (Owner("acme"), Slug("pdf"))
    standing = stand(
        replace(state.ruling_of(key), yanked=ruling(orders).yanked, quarantined=ruling(orders).quarantined),
        releases("1.0.0 1.1.0 1.2.0!"), {},
    )  # fmt: skip
    (found,) = tag_findings(overlay, key, standing, state)
    assert found.code == "overlay-tag-unavailable"
    assert found.message == f"tags: {message}" or message in found.message
    assert tag_findings(overlay, (Owner("acme"), Slug("docx")), standing, state) == ()


def test_reviews_that_apply_to_nothing_are_told() -> None:
    overlay = read_overlay_text(
        f"reviews:\n- {{rule: secret, sha256: {DIGEST}, by: us, reason: fine}}\n"
        f"- {{rule: secret, sha256: {'00' * 32}, by: us, reason: fine}}\n".encode(), "overlay/a.yml"
    )  # fmt: skip
    (found,) = void_reviews(overlay.reviews, used_reviews(stand(Ruling(), (scanned(hit()),), REVIEWS)))
    assert (found.code, found.line) == ("overlay-review-void", 3)
    assert "sha256 000000000000... in which secret matches" in found.message
