"""The words of an index and the skills that have them: made once, so that a question looks at few skills."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from generator.model import Listing
from generator.search.index import IndexData
from generator.search.text import fold, one_edit, spells, words

NAME, FACET, SUMMARY = range(3)
"""Where a skill has a word, the best first: slug, name, display name; topics, category, taxonomy, owner; summary."""


@dataclass(frozen=True, slots=True)
class Names:
    """What a skill is called: slug, name and display name, folded. ``size`` counts the words of the shortest."""

    folded: tuple[str, str, str]
    size: int


@dataclass(slots=True)
class SearchIndex:
    """The entries of a hub, made ready for questions.

    ``exact`` maps every name of a skill, ``joined`` the words of one with single spaces between, to the places of the
    entries. ``_postings`` maps a word to a number for each entry that has it: four times its place, and where (the
    best). ``_all`` are all words, each between line feeds.
    """

    data: IndexData
    names: tuple[Names, ...]
    exact: Mapping[str, list[int]]
    joined: Mapping[str, list[int]]
    _postings: Mapping[str, array[int]]
    _all: str
    _spelt: dict[int, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, data: IndexData) -> SearchIndex:
        """The index of a hub. ``data.entries`` are in the order of the index documents."""
        exact: dict[str, list[int]] = {}
        joined: dict[str, list[int]] = {}
        postings: dict[str, array[int]] = {}
        names: list[Names] = []
        for place, entry in enumerate(data.entries):
            folded = (fold(entry.slug), fold(entry.name), fold(entry.display_name))
            split = [words(name) for name in dict.fromkeys(folded)]
            names.append(Names(folded, min((len(name) for name in split if name), default=1)))
            address = f"{entry.owner}/{entry.slug}"
            for name in {*folded, address, f"@{address}"}:
                exact.setdefault(name, []).append(place)
            for name in {" ".join(name) for name in split if name}:
                joined.setdefault(name, []).append(place)
            summary = words(fold(entry.description))
            for where, found in enumerate((chain.from_iterable(split), _facets(entry), summary)):
                _add(postings, found, place * 4 + where)
        return cls(data, tuple(names), exact, joined, postings, "\n".join(("", *postings, "")))

    def postings(self, word: str) -> array[int]:
        """The entries that have a word of the index: four times its place, and where."""
        return self._postings[word]

    def containing(self, core: str) -> Iterator[str]:
        """Every word with this text in it."""
        text = self._all
        at = text.find(core)
        while at >= 0:
            end = text.index("\n", at)
            yield text[text.rindex("\n", 0, at + 1) + 1 : end]
            at = text.find(core, end)

    def meant_by(self, typed: str) -> list[str]:
        """The words that one typing error makes ``typed`` of."""
        if not self._spelt:
            for word in filter(spells, self._postings):
                self._spelt.setdefault(len(word), []).append(word)
        lengths = range(len(typed) - 1, len(typed) + 2)
        return [word for length in lengths for word in self._spelt.get(length, ()) if one_edit(typed, word)]


def _add(postings: dict[str, array[int]], found: Iterable[str], posting: int) -> None:
    for word in found:
        known = postings.get(word)
        if known is None:
            postings[word] = array("I", (posting,))
        elif known[-1] >> 2 != posting >> 2:
            known.append(posting)


def _facets(entry: Listing) -> list[str]:
    taxonomy = entry.taxonomy
    facets = [*entry.topics, entry.category or "", entry.owner, taxonomy.track or "", taxonomy.language or ""]
    facets += [*taxonomy.domains, *taxonomy.stages, *taxonomy.forms, *taxonomy.audiences]
    return [word for facet in facets if facet for word in words(fold(facet))]
