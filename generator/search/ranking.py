"""The order of search results, held equal to ``search.js`` by ``tests/search/golden.json``.

Each unit of a question (:mod:`generator.search.text`) is looked for in every skill, and counts where it is best:

====  ======  ==========================================================================================
tier  points  where
====  ======  ==========================================================================================
1     9       a whole word of slug, name or display name; two neighbouring characters of a spaceless script in it
2     7, 6    starts a word there, or is a lone character in it; its stem starts one
3     5, 4    a topic, the category, the taxonomy or the owner: a whole word; starts one (its stem too)
4     3, 2    the summary: a whole word; starts one (its stem too). Words of two letters as whole words only
4     1       inside a word, three letters or more (``sql`` in ``postgresql``)
5     6, 4, 2  name, topics, summary: a whole word that one typing error makes what was typed. Only for words of five
              letters or more that no skill has as they are typed
====  ======  ==========================================================================================

A skill's tier is the worst of its units' (ClawHub's server ranks by the same tiers), and

* tier 0, score 6000: the question is the slug, the name, the display name, or ``owner/slug`` with or without ``@``;
* tiers 1 to 4, score ``(6 - tier) * 1000 + points + part``: every unit was found;
* tier 5, score ``1500 + points``: every unit was found, some with an error forgiven; ``1000 + points``: half of them
  were, or two of a longer question, or one as a whole word of the name.

``points`` is the average of the units' points, the rare ones weighing more (``1 + log2(skills / skills that have
it)``, whole numbers), as a part of 900 in tiers 1 to 4 and of 499 in tier 5. ``part`` is how much of the shortest
name the whole words make up, of 99. Equal scores go to the newest release, then the slug, then the owner. A question
of nothing but filters finds all that they leave, score 0.

Not counted are stop words beside others, and what no skill has at all: of a spaceless script (two characters
where one word of a sentence ends and the next begins) or of one or two letters. A word of one letter is not looked
for in summaries.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from generator.model import Listing
from generator.search.filters import keep
from generator.search.query import Key, parse_query
from generator.search.text import forgives, is_spaceless, stem
from generator.search.vocabulary import SUMMARY, SearchIndex

Level = tuple[int, int]
"""Tier and points."""

_FOUND_EXACTLY = 6000
_INSIDE_MIN = 3
_ENOUGH = 2

_WHOLE, _START, _STEM, _INSIDE = range(4)
_LEVELS: Sequence[Sequence[Level]] = (
    ((1, 9), (3, 5), (4, 3)),
    ((2, 7), (3, 4), (4, 2)),
    ((2, 6), (3, 4), (4, 2)),
    ((4, 1), (4, 1), (4, 1)),
)
"""How a word has a unit, and where it stands: name, facet, summary."""
_CORRECTED: Sequence[Level] = ((5, 6), (5, 4), (5, 2))


@dataclass(frozen=True, slots=True)
class Options:
    """How to search. ``exact``: only what has the very name; ``owner`` and ``clean_only`` (the scan found nothing) as
    requests of the API ask for them; ``filters`` as a form has them, besides those in the question."""

    limit: int = 200
    exact: bool = False
    owner: str = ""
    clean_only: bool = False
    filters: Mapping[Key, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Found:
    """One result with its score."""

    entry: Listing
    score: int


@dataclass(frozen=True, slots=True)
class _Unit:
    """One unit of a question. ``root`` is its stem, ``core`` is in every word that has it in any way; ``spaceless``
    tells the script, ``pair`` that it is two characters of it, ``short`` that it is one or two letters of another."""

    text: str
    root: str | None
    core: str
    spaceless: bool
    pair: bool
    short: bool

    @classmethod
    def of(cls, text: str) -> _Unit:
        spaceless, root = is_spaceless(text), stem(text)
        short = not spaceless and len(text) < _INSIDE_MIN
        return cls(text, root, root or text, spaceless, spaceless and len(text) > 1, short)


@dataclass(slots=True)
class _Tally:
    """What was found of a question in one skill."""

    found: int = 0
    wholes: int = 0
    worst: int = 0
    points: int = 0


def search(index: SearchIndex, question: str, options: Options = Options()) -> list[Found]:
    """The skills that answer a question, best first. A question without a word and without a filter finds nothing."""
    query = parse_query(question, options.filters)
    places = keep(index.data, query.filters, owner=options.owner, clean_only=options.clean_only)
    entries = index.data.entries
    if not query.text:
        return [Found(entries[place], 0) for place in places[: options.limit]] if query.filters else []
    shown: Container[int] = places if isinstance(places, range) else frozenset(places)
    scores = {} if options.exact else _scores(index, shown, len(places), query.units)
    named = [*index.exact.get(query.text, ()), *([] if options.exact else index.joined.get(query.joined, ()))]
    scores |= {place: _FOUND_EXACTLY for place in named if place in shown}
    best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return [Found(entries[place], score) for place, score in best[: options.limit]]


def _scores(index: SearchIndex, shown: Container[int], skills: int, units: Sequence[str]) -> dict[int, int]:
    tallies: dict[int, _Tally] = {}
    counted = weight = missing = 0
    for unit in map(_Unit.of, units):
        levels = _levels(index, shown, unit)
        if not levels and (unit.pair or unit.short):
            missing += unit.pair
            continue
        rarity = (skills // max(len(levels), 1)).bit_length()
        counted += 1
        weight += 9 * rarity
        for place, (tier, points) in levels.items():
            tally = tallies.setdefault(place, _Tally())
            tally.found += 1
            tally.wholes += tier == 1
            tally.worst = max(tally.worst, tier)
            tally.points += points * rarity
    scores = {}
    for place, tally in tallies.items():
        all_found = tally.found == counted and not missing
        if all_found and tally.worst < 5:
            size = index.names[place].size
            part = 99 * min(tally.wholes, size) // size
            scores[place] = (6 - tally.worst) * 1000 + 900 * tally.points // weight + part
        elif tally.found * 2 >= counted or tally.found >= _ENOUGH or tally.wholes:
            scores[place] = 1000 + (500 if all_found else 0) + 499 * tally.points // weight
    return scores


def _levels(index: SearchIndex, shown: Container[int], unit: _Unit) -> dict[int, Level]:
    """The best level of every skill that has a unit."""
    levels = _best(index, shown, _words_with(index, unit))
    if not levels and forgives(unit.text):
        levels = _best(index, shown, ((word, _CORRECTED) for word in index.meant_by(unit.text)))
    return levels


def _best(
    index: SearchIndex, shown: Container[int], found: Iterator[tuple[str, Sequence[Level | None]]]
) -> dict[int, Level]:
    best: dict[int, Level] = {}
    for word, levels in found:
        for posting in index.postings(word):
            place, level = posting >> 2, levels[posting & 3]
            if level is None or place not in shown:
                continue
            known = best.get(place)
            if known is None or level[0] < known[0] or (level[0] == known[0] and level[1] > known[1]):
                best[place] = level
    return best


def _words_with(index: SearchIndex, unit: _Unit) -> Iterator[tuple[str, Sequence[Level | None]]]:
    """Every word that has a unit, and the levels it gives by where the word stands."""
    for word in index.containing(unit.core):
        manner = _manner(word, unit)
        if manner is None:
            continue
        levels: Sequence[Level | None] = _LEVELS[manner]
        if unit.short and (manner is _START or len(unit.text) == 1):
            levels = (*levels[:SUMMARY], None)
        yield word, levels


def _manner(word: str, unit: _Unit) -> int | None:
    if word == unit.text:
        return _WHOLE
    if unit.spaceless:
        return _WHOLE if unit.pair else _START
    if word.startswith(unit.text):
        return _START
    if unit.root is not None and word.startswith(unit.root):
        return _STEM
    return _INSIDE if not unit.short and unit.text in word else None
