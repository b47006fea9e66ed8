"""What somebody asks for: words, and filters such as ``owner:acme`` or ``-tag:"data science"``.

A filter is a key, a colon (full-width too) and a value, quoted where it holds blanks; it stands alone between blanks.
Several values of one key are alternatives, several keys must all hold, a minus before the key turns it round. A key
without a value is still being typed and does nothing; a key that is not known is two words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from generator.search.text import STOP_WORDS, fold, units, words

UNITS_MAX = 48
"""Units of a question that are looked for; the rest of a very long one says nothing more."""

_BLANK = " \t\n\r\u00a0\u3000"
_FILTER = re.compile(
    rf'(^|[{_BLANK}])(-?)([A-Za-z]+)[:\uff1a](?:"([^"]*)(?:"|\Z)|([^{_BLANK}"]*))(?=[{_BLANK}]|\Z)'
)


class Key(StrEnum):
    """What can be filtered by."""

    OWNER = "owner"
    TAG = "tag"
    HOST = "host"
    LICENSE = "license"
    VERDICT = "verdict"


_KEYS = {key.value: key for key in Key}


@dataclass(frozen=True, slots=True)
class Filter:
    """Skills that have one of the values, folded; where ``negative``, that have none of them."""

    key: Key
    values: tuple[str, ...]
    negative: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A question, taken apart. ``text`` is folded and without filters, ``joined`` its words with one space between,
    ``units`` what is looked for: each once, without stop words where there are others."""

    text: str
    joined: str
    units: tuple[str, ...]
    filters: tuple[Filter, ...]


def parse_query(question: str, filters: Mapping[Key, Iterable[str]] | None = None) -> Query:
    """A question, with further filters from elsewhere (a form, an option of a request). Never raises."""
    asked: dict[tuple[Key, bool], list[str]] = {}

    def take(match: re.Match[str]) -> str:
        key = _KEYS.get(match[3].lower())
        if key is None:
            return match[0]
        asked.setdefault((key, bool(match[2])), []).append(match[4] if match[4] is not None else match[5])
        return " "

    text = fold(_FILTER.sub(take, question))
    found = words(text)
    looked_for = list(dict.fromkeys(unit for word in found for unit in units(word)))
    telling = [unit for unit in looked_for if unit not in STOP_WORDS] or looked_for
    given = [Filter(key, _folded(values)) for key, values in (filters or {}).items()]
    typed = [Filter(key, _folded(values), negative) for (key, negative), values in asked.items()]
    return Query(
        text=text,
        joined=" ".join(found),
        units=tuple(telling[:UNITS_MAX]),
        filters=tuple(one for one in (*given, *typed) if one.values),
    )


def _folded(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(value for value in dict.fromkeys(map(fold, values)) if value)
