"""An overlay held against the hub: what is in force, and which contradictions are told."""

from __future__ import annotations

import pickle

import pytest

from generator.history.overlay.merging import merge_overlays
from generator.history.overlay.model import Archived, Deprecated, Ruling, SkillKey, Tag, Withdrawal
from generator.history.overlay.reading import read_overlay_text
from generator.history.overlay.settling import Ground, Settled, carry_releases, settle
from generator.model import Finding, Owner, Release, Severity, Slug, Version
from tests.samples import make_release


def key(text: str) -> SkillKey:
    owner, _, slug = text.partition("/")
    return Owner(owner), Slug(slug)


def run(
    text: str, *, asked: str = "", ledgers: dict[str, tuple[Release, ...]] | None = None
) -> tuple[Settled, tuple[Finding, ...]]:
    known = {key(name): releases for name, releases in (ledgers or {}).items()}
    overlay = merge_overlays([read_overlay_text(text.encode(), "overlay/a.yml")])
    return settle(
        overlay, Ground([key(name) for name in asked.split()], list(known), lambda one: known.get(one, ()))
    )


def test_everything_about_a_skill_comes_together_under_its_present_address() -> None:
    settled, findings = run(
        "rename: {acme/old: acme/mid, acme/mid: beta/new}\n"
        "yank: {acme/old@1.0.0: Bad.}\nquarantine: {acme/mid@1.1.0: Worse.}\n"
        "deprecate: {beta/new: {reason: Old., successor: acme/gone}, acme/other: x}\narchive: {acme/old: }\n"
        "feature: [acme/other, acme/old]\ntags: {acme/old: {beta: 1.0.0}}\ncategories: {acme/mid: Papers}\n"
        "slugs: {other: acme}\n",
        asked="acme/old acme/other acme/gone",
        ledgers={"acme/old": (make_release("1.0.0"), make_release("1.1.0"))},
    )
    assert findings == ()
    assert settled.address_of(key("acme/old")) == key("beta/new")
    assert settled.address_of(key("acme/other")) == key("acme/other")
    assert settled.ruling_of(key("beta/new")) == Ruling(
        yanked=(Withdrawal(Version("1.0.0"), "Bad."),),
        quarantined=(Withdrawal(Version("1.1.0"), "Worse."),),
        deprecated=Deprecated("Old.", key("acme/gone")),
        archived=Archived(""),
        featured=2,
        category="Papers",
        tags=(Tag("beta", Version("1.0.0")),),
        former=(key("acme/mid"), key("acme/old")),
    )
    assert settled.ruling_of(key("acme/nothing")) == Ruling()
    assert settled.holders == {"other": "acme"}
    assert pickle.loads(pickle.dumps(settled)) == settled


def test_a_successor_is_named_by_its_present_address() -> None:
    settled, _ = run(
        "rename: {acme/old: acme/new}\ndeprecate: {acme/pdf: {successor: acme/old}}",
        asked="acme/old acme/pdf",
    )
    assert settled.ruling_of(key("acme/pdf")).deprecated == Deprecated("", key("acme/new"))


GONE = "deprecate: {acme/pdf: {reason: Old., successor: acme/gone}}"


def test_nothing_leads_to_a_successor_that_is_not_there() -> None:
    settled, (found,) = run(GONE, asked="acme/pdf")
    assert found.code == "overlay-successor-unknown"
    assert settled.ruling_of(key("acme/pdf")).deprecated == Deprecated("Old.")
    for there in ({"asked": "acme/pdf acme/gone"}, {"asked": "acme/pdf", "ledgers": {"acme/gone": ()}}):
        settled, findings = run(GONE, **there)  # type: ignore[arg-type]
        assert findings == ()
        assert settled.ruling_of(key("acme/pdf")).deprecated == Deprecated("Old.", key("acme/gone"))


LEDGER = {"acme/pdf": (make_release("1.0.0"), make_release("1.1.0"))}
TOLD = {
    "skill": (
        "yank: {acme/pfd@1.0.0: x}", "overlay-unknown-skill", "acme/pfd is not on this hub. Did you mean acme/pdf?",
    ),
    "skill unlike any": ("archive: {zeta/unrelated: x}", "overlay-unknown-skill", "zeta/unrelated is not on this hub"),
    "version": (
        "yank: {acme/pdf@3.0.0: x}", "overlay-unknown-version", "acme/pdf has no version 3.0.0; it has 1.1.0, 1.0.0",
    ),
    "quarantine": ("quarantine: {acme/pdf@3.0.0: x}", "overlay-unknown-version", "quarantine: acme/pdf has no"),
    "tag": ("tags: {acme/pdf: {latest: 9.0.0}}", "overlay-unknown-version", "tags: acme/pdf has no version 9.0.0"),
    "rename": ("rename: {acme/nope: acme/new}", "overlay-unknown-skill", "rename: acme/nope is not on this hub"),
    "feature": ("feature: [acme/nope]", "overlay-unknown-skill", "feature: acme/nope"),
    "category": ("categories: {acme/nope: A}", "overlay-unknown-skill", "categories: acme/nope"),
    "slug": ("slugs: {pdf: beta}", "overlay-unknown-skill", "slugs: beta/pdf"),
    "successor": (
        "deprecate: {acme/pdf: {successor: acme/pdf2}}", "overlay-successor-unknown",
        "deprecate: acme/pdf names acme/pdf2 as its successor, which is not on this hub. Did you mean acme/pdf?",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "code", "message"), TOLD.values(), ids=TOLD)
def test_what_speaks_of_nothing_is_told_with_its_place(text: str, code: str, message: str) -> None:
    _, findings = run(text, ledgers=LEDGER)
    (found,) = findings
    assert (found.code, found.severity, found.path, found.line) == (
        code,
        Severity.WARNING,
        "overlay/a.yml",
        1,
    )
    assert message in found.message
    assert found.fix[0].isupper()


def test_many_misspelt_names_cost_little() -> None:
    hub = " ".join(f"acme/skill-{number}" for number in range(2000))
    text = "yank:\n" + "".join(f"  acme/skull-{number}@1.0.0: x\n" for number in range(200))
    findings = run(text, asked=hub)[1]
    assert len(findings) == 200
    assert sum("Did you mean" in found.message for found in findings) == 5


def test_a_decision_ahead_of_its_skill_is_in_force_when_it_comes() -> None:
    settled, _ = run("quarantine: {acme/later: x}", asked="acme/pdf")
    assert settled.ruling_of(key("acme/later")).quarantined == (Withdrawal(None, "x"),)


def test_a_new_skill_without_a_ledger_has_no_unknown_versions_yet() -> None:
    assert run("yank: {acme/pdf@1.0.0: x}", asked="acme/pdf")[1] == ()


ONE, OTHER = make_release("1.0.0", tree=b"one"), make_release("1.0.0", tree=b"other")
NEXT = make_release("1.1.0", tree=b"next")
RENAMES: dict[str, tuple[str, dict[str, tuple[Release, ...]], bool]] = {
    "the first build after it": ("acme/old", {"acme/old": (ONE,)}, True),
    "carried out": ("acme/old", {"acme/old": (ONE,), "acme/new": (ONE, NEXT)}, True),
    "carried out, and somebody asks for the address": (
        "acme/old acme/new", {"acme/old": (ONE,), "acme/new": (ONE, NEXT)}, True,
    ),
    "a skill that never was published": ("acme/old", {}, True),
    "a redirect only": ("acme/new", {"acme/new": (ONE,)}, True),
    "the author renamed the folder": ("acme/new", {"acme/old": (ONE,)}, True),
    "the author renamed the folder builds ago": ("acme/new", {"acme/old": (ONE,), "acme/new": (NEXT,)}, True),
    "retained skill": ("", {"acme/old": (ONE,)}, True),
    "onto a published skill": ("acme/old acme/new", {"acme/old": (ONE,), "acme/new": (OTHER,)}, False),
    "onto a new skill": ("acme/old acme/new", {"acme/old": (ONE,)}, False),
    "onto a retained skill": ("acme/old", {"acme/old": (ONE,), "acme/new": (NEXT,)}, False),
    "one version with two contents": ("acme/new", {"acme/old": (ONE,), "acme/new": (OTHER,)}, False),
}  # fmt: skip


@pytest.mark.parametrize(("asked", "ledgers", "carried"), RENAMES.values(), ids=RENAMES)
def test_renames(asked: str, ledgers: dict[str, tuple[Release, ...]], carried: bool) -> None:
    settled, findings = run("rename: {acme/old: acme/new}\n", asked=asked, ledgers=ledgers)
    assert (settled.address_of(key("acme/old")) == key("acme/new")) is carried
    assert [found.code for found in findings] == ([] if carried else ["overlay-rename-occupied"])


def test_a_rename_that_cannot_be_moves_no_decision() -> None:
    settled, findings = run(
        "rename: {acme/old: acme/new}\nquarantine: {acme/old: x}\n",
        asked="acme/old acme/new",
        ledgers={"acme/new": (ONE,), "acme/old": (NEXT,)},
    )
    assert settled.ruling_of(key("acme/new")) == Ruling()
    assert settled.ruling_of(key("acme/old")).quarantined
    assert "acme/old cannot become acme/new: another skill is published there" in findings[0].message


def test_a_renamed_skill_carries_its_history_over() -> None:
    assert carry_releases((ONE, NEXT), ()) == (ONE, NEXT)
    assert carry_releases((ONE, NEXT), (ONE, NEXT)) == ()
    assert carry_releases((ONE, NEXT), (OTHER,)) == (NEXT,)
