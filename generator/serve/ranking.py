"""The order of search results, in one place and small enough to be written again in JavaScript.

Tiers follow ClawHub's search: 0 the exact slug, name or ``owner/slug``; 1 every word is a word of the name;
2 every word starts one; 3 topics, category and taxonomy; 4 the summary. A question in whole sentences rarely
has all its words in one skill, so 5 is: at least half of the words. ``score = (6 - tier) * 1000 + points``;
ties go to the newest release, then the slug, then the owner. All text is compared in NFKC and case-folded;
scripts that write no spaces (Chinese, Japanese, Thai) match anywhere in a word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

_WORD = re.compile(r"[^\W_]+")
_SUMMARY_WORD_MIN = 3
"""Letters an ASCII word needs before it is looked for in summaries: shorter ones match everything."""
_WORDS_MAX = 16
_MISSING = 6


@dataclass(frozen=True, slots=True)
class Candidate:
    """One row, folded for search. The word texts are ``" word word "``: a word is found by its blanks."""

    row: dict[str, Any]
    exact: frozenset[str]
    names: str
    facets: str
    summary: str
    tie: tuple[int, str, str]


@dataclass(frozen=True, slots=True)
class Ranked:
    """One result with its score."""

    row: dict[str, Any]
    score: int


def fold(text: str) -> str:
    """Text as it is compared: NFKC, case folded, trimmed."""
    return unicodedata.normalize("NFKC", text).casefold().strip()


def words(text: str) -> list[str]:
    """The words of a folded text: runs of letters and digits."""
    return _WORD.findall(text)


def candidate(row: dict[str, Any]) -> Candidate:
    """A row of the search document, ready to be ranked."""
    slug, owner = row["slug"], row["ownerHandle"]
    names = [fold(slug), fold(row["name"]), fold(row["displayName"])]
    facets: list[str] = [*row["topics"], row["skillpress"]["category"] or ""]
    facets += [row.get(key, "") for key in ("track", "language")]
    for key in ("domains", "stages", "forms", "audiences"):
        facets += row.get(key, [])
    return Candidate(
        row=row,
        exact=frozenset((*names, f"{owner}/{slug}", f"@{owner}/{slug}")),
        names=_spaced((*names, owner)),
        facets=_spaced(fold(facet) for facet in facets),
        summary=_spaced((fold(row["summary"]),)),
        tie=(-row["updatedAt"], slug, owner),
    )


def rank(candidates: Iterable[Candidate], question: str, *, exact: bool = False) -> list[Ranked]:
    """The rows that match, best first. An empty question matches nothing."""
    wanted = fold(question)
    asked = words(wanted)[:_WORDS_MAX]
    if not wanted:
        return []
    found: list[tuple[int, tuple[int, str, str], dict[str, Any]]] = []
    for one in candidates:
        score = _score(one, wanted, asked, exact)
        if score:
            found.append((-score, one.tie, one.row))
    found.sort(key=lambda item: item[:2])
    return [Ranked(row, -score) for score, _, row in found]


def _score(one: Candidate, wanted: str, asked: list[str], exact: bool) -> int:
    if wanted in one.exact:
        return 6000
    if exact or not asked:
        return 0
    tiers = list(_tiers(one, asked))
    found = [tier for tier in tiers if tier < _MISSING]
    if not found or len(found) * 2 < len(tiers):
        return 0
    points = min(999, sum(5 - tier for tier in found) * 10)
    worst = max(found) if len(found) == len(tiers) else 5
    return (6 - worst) * 1000 + points


def _tiers(one: Candidate, asked: list[str]) -> Iterator[int]:
    """The best tier of each word; short words that are in no name and no topic do not count."""
    for word in asked:
        if f" {word} " in one.names:
            yield 1
        elif f" {word}" in one.names or (not word.isascii() and word in one.names):
            yield 2
        elif f" {word}" in one.facets or (not word.isascii() and word in one.facets):
            yield 3
        elif len(word) >= _SUMMARY_WORD_MIN or not word.isascii():
            yield 4 if word in one.summary else _MISSING


def _spaced(texts: Iterable[str]) -> str:
    return f" {' '.join(word for text in texts for word in words(text))} "
