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
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

_WORD = re.compile(r"[^\W_]+")
_SUMMARY_WORD_MIN = 3
"""Letters an ASCII word needs before it is looked for in summaries: shorter ones match everything."""
_WORDS_MAX = 16


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


def rank(
    candidates: Sequence[Candidate], question: str, *, exact: bool = False, limit: int = 200
) -> list[Ranked]:
    """The rows that match, best first, at most ``limit``. An empty question matches nothing.

    ``candidates`` must be in the order of their ``tie``: the sort is stable and looks at scores alone.
    """
    wanted = fold(question)
    if not wanted:
        return []
    asked = [] if exact else [_Asked.of(word) for word in words(wanted)[:_WORDS_MAX]]
    found: list[tuple[int, Candidate]] = []
    for one in candidates:
        score = 6000 if wanted in one.exact else _score(one, asked)
        if score:
            found.append((score, one))
    found.sort(key=lambda item: -item[0])
    return [Ranked(one.row, score) for score, one in found[:limit]]


@dataclass(frozen=True, slots=True)
class _Asked:
    """One word of the question, with its blanks: ``" word "`` is a whole word, ``" word"`` starts one."""

    word: str
    whole: str
    start: str
    in_summaries: bool

    @classmethod
    def of(cls, word: str) -> _Asked:
        spaceless = not word.isascii()
        start = word if spaceless else f" {word}"
        return cls(word, f" {word} ", start, spaceless or len(word) >= _SUMMARY_WORD_MIN)


def _score(one: Candidate, asked: list[_Asked]) -> int:
    """The score by words. Short words that are in no name and no topic do not count at all."""
    counted = found = points = worst = 0
    for word in asked:
        if word.whole in one.names:
            tier = 1
        elif word.start in one.names:
            tier = 2
        elif word.start in one.facets:
            tier = 3
        elif not word.in_summaries:
            continue
        elif word.word in one.summary:
            tier = 4
        else:
            counted += 1
            continue
        counted += 1
        found += 1
        points += (5 - tier) * 10
        worst = max(worst, tier)
    if not found or found * 2 < counted:
        return 0
    return (6 - (worst if found == counted else 5)) * 1000 + min(points, 999)


def _spaced(texts: Iterable[str]) -> str:
    return f" {' '.join(word for text in texts for word in words(text))} "
