"""What becomes of every folder when all are seen together."""

from __future__ import annotations

import dataclasses
from dataclasses import replace

import pytest

from generator.findings import BARRING, finding
from generator.history.assignment import OnChanged
from generator.history.decision import Decision, Draft, Past, SkillKey, decide
from generator.model import Owner, Release, Sha256, Slug, Version
from tests.samples import make_release, sha256

ACME = Owner("acme")


def draft(folder: str, *, source: int = 0, owner: str = "acme", slug: str | None = None, version: str = "1.0.0",
          content: bytes = b"tree", barred: bool = False) -> Draft:  # fmt: skip
    return Draft(
        source=source, label=f"source{source}", folder=folder, owner=Owner(owner), digest="d", content=sha256(content),
        name=None, slug=Slug(slug if slug is not None else folder.rpartition("/")[2]), version=Version(version),
        barred=barred, findings=(),
    )  # fmt: skip


def run(
    *drafts: Draft, ledgers: dict[tuple[str, str], tuple[Release, ...]] | None = None, replace: bool = False
) -> Decision:
    known = {(Owner(owner), Slug(slug)): releases for (owner, slug), releases in (ledgers or {}).items()}
    return decide(
        drafts,
        sorted(known),
        lambda key: known.get(key, ()),
        lambda key: bool(known[key]),
        on_changed=OnChanged.REPLACE if replace else OnChanged.ERROR,
    )


def keys(decision: Decision) -> list[SkillKey]:
    return [publication.key for publication in decision.publications]


def test_two_folders_of_one_name_the_one_nearest_the_root_wins() -> None:
    decision = run(draft("docs/zh/pdf"), draft("pdf"), draft("a/pdf"))
    assert [one.draft.folder for one in decision.publications] == ["pdf"]
    assert [one.draft.folder for one in decision.rejections] == ["a/pdf", "docs/zh/pdf"]
    found = decision.rejections[0].findings[-1]
    assert found.code == "slug-collision"
    assert found.code in BARRING
    assert "source0/pdf" in found.message
    assert "the same files" in found.message


def test_a_later_source_shadows_an_earlier_one_whatever_the_depth() -> None:
    decision = run(draft("pdf"), draft("deep/down/pdf", source=1, content=b"x"), draft("docx"))
    assert [(one.draft.source, one.draft.folder) for one in decision.publications] == [
        (0, "docx"),
        (1, "deep/down/pdf"),
    ]
    assert decision.rejections == ()
    assert [(one.draft.folder, one.winner.folder) for one in decision.shadows] == [("pdf", "deep/down/pdf")]


def test_what_a_later_source_cannot_publish_shadows_nothing() -> None:
    barred = draft("pdf", source=1, barred=True)
    assert [one.draft.source for one in run(draft("pdf"), barred).publications] == [0]
    ledgers = {("acme", "pdf"): (make_release("1.0.0", tree=b"tree"),)}
    changed = draft("pdf", source=1, content=b"edited")
    decision = run(draft("pdf"), changed, ledgers=ledgers)
    assert [one.draft.source for one in decision.publications] == [0]
    assert [one.draft.source for one in decision.rejections] == [1]


def test_order_of_reading_changes_nothing() -> None:
    drafts = [draft("b/pdf"), draft("a/pdf"), draft("x"), draft("x", source=1, owner="other")]
    assert run(*drafts) == run(*reversed(drafts))


def test_two_owners_of_one_slug_are_both_published_and_neither_holds_it() -> None:
    decision = run(draft("pdf"), draft("pdf", source=1, owner="zeta"), draft("docx"))
    assert [(one.key, one.holds_slug) for one in decision.publications] == [
        (("acme", "docx"), True),
        (("acme", "pdf"), False),
        (("zeta", "pdf"), False),
    ]


def test_barred_folder_neither_wins_nor_blocks_a_name() -> None:
    decision = run(draft("pdf", barred=True), draft("x/pdf"))
    assert [one.draft.folder for one in decision.publications] == ["x/pdf"]
    assert [one.draft.folder for one in decision.rejections] == ["pdf"]


def test_same_release_again_is_known() -> None:
    release = make_release("1.0.0", tree=b"tree")
    (publication,) = run(draft("pdf"), ledgers={("acme", "pdf"): (release,)}).publications
    assert publication.known


def test_changed_content_under_a_published_version_is_refused_and_the_old_one_kept() -> None:
    ledgers = {("acme", "pdf"): (make_release("1.0.0"), make_release("1.4.0", tree=b"new"))}
    decision = run(draft("pdf", content=b"edited"), ledgers=ledgers)
    assert keys(decision) == []
    assert [one.key for one in decision.retentions] == [("acme", "pdf")]
    found = decision.rejections[0].findings[-1]
    assert found.code == "version-changed"
    assert "skills/demo" in found.message
    assert "1.4.1" in found.fix


def test_a_preview_replaces() -> None:
    decision = run(
        draft("pdf", content=b"edited"), ledgers={("acme", "pdf"): (make_release(),)}, replace=True
    )
    assert keys(decision) == [("acme", "pdf")]


def test_a_vanished_skill_is_retained_and_still_counts_as_an_owner() -> None:
    decision = run(draft("pdf", owner="zeta"), ledgers={("acme", "pdf"): (make_release(),)})
    assert [(one.key, one.holds_slug) for one in decision.retentions] == [(("acme", "pdf"), False)]
    assert not decision.publications[0].holds_slug


def test_nothing_to_serve_is_not_retained() -> None:
    assert run(ledgers={("acme", "pdf"): ()}).retentions == ()


def test_settled_folders_do_not_read_the_ledger() -> None:
    def never(key: SkillKey) -> tuple[Release, ...]:
        raise AssertionError(key)

    decision = decide([draft("pdf")], [], never, lambda _: True, settled=frozenset({("source0", "pdf")}))
    assert decision.publications[0].known


def test_every_draft_has_one_outcome() -> None:
    drafts = [draft(f"{folder}/{slug}", barred=slug == "b") for folder in "xyz" for slug in "abc"]
    decision = run(*drafts)
    outcomes = [one.draft for one in decision.publications] + [one.draft for one in decision.rejections]
    assert sorted(one.folder for one in outcomes) == sorted(one.folder for one in drafts)
    assert Sha256(sha256(b"tree")) == drafts[0].content


def test_a_skill_that_states_no_version_is_counted_on() -> None:
    one = replace(draft("pdf", content=b"edited"), version=None)
    decision = run(one, ledgers={("acme", "pdf"): (make_release("1.0.0"),)})
    assert keys(decision) == [("acme", "pdf")]
    assert decision.rejections == ()


def test_a_refused_change_names_the_files() -> None:
    release = make_release("1.0.0")
    files = {"SKILL.md": sha256(b"edited"), "new.md": sha256(b"new")}
    decision = decide(
        [draft("pdf", content=b"edited")], [], lambda _: (release,), lambda _: True, files_of=lambda _: files
    )
    message = decision.rejections[0].findings[-1].message
    assert "(from skills/demo, now source0/pdf)" in message
    assert "SKILL.md" in message
    assert "added new.md" in message


def test_a_version_that_was_read_otherwise_is_told_again() -> None:
    note = finding(
        "version-invalid", "pdf/SKILL.md", "states version 'latest', which is no version", "write 1.0.0"
    )
    one = replace(draft("pdf", content=b"edited"), findings=(note,))
    (rejection,) = run(one, ledgers={("acme", "pdf"): (make_release("1.0.0"),)}).rejections
    assert "'latest', which is no version" in rejection.findings[-1].message


PASTS = {
    # name: versions of the past, versions of the ledger, whether the draft (1.0.0) is published
    "another number": (["0.9.0"], [], True),
    "the same number, and the ledger does not know it": (["1.0.0"], [], False),
    "the same number, and the ledger knows it with this content": (["1.0.0"], ["1.0.0"], True),
    "the ledger counts": ([None], [], True),
}


@pytest.mark.parametrize("name", PASTS)
def test_a_number_that_the_source_itself_gave_to_other_content_is_refused(name: str) -> None:
    versions, recorded, published = PASTS[name]
    past = tuple(
        Past(Version(one) if one else None, None, "pdf", "tree", commit="0123456789abcdef")
        for one in versions
    )
    one = dataclasses.replace(draft("pdf"), past=past)
    decision = run(one, ledgers={("acme", "pdf"): tuple(make_release(v, tree=b"tree") for v in recorded)})
    assert keys(decision) == ([("acme", "pdf")] if published else [])
    codes = [refused.findings[-1].code for refused in decision.rejections]
    assert codes == ([] if published else ["version-changed"])
    if not published:
        message = decision.rejections[0].findings[-1].message
        assert "commit 0123456789ab" in message
        assert "acme/pdf@1.0.0" in message
