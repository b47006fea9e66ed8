"""Which skills the filters of a question leave."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from generator.model import Listing, ScanVerdict
from generator.search.index import HostColumn, IndexData
from generator.search.query import Filter, Key
from generator.search.text import fold, words

NO_LICENSE = "none"
_LOADS = "l"
_EXPRESSION = re.compile(r"[ ()]+")


def keep(
    data: IndexData, filters: Sequence[Filter], *, owner: str = "", clean_only: bool = False
) -> Sequence[int]:
    """The places of the skills that all filters leave, in the order of the index; a range where nothing is filtered.

    ``owner``: the handle. ``tag``: a topic or the category, whatever its case and punctuation. ``host``: a host's name
    or the id of one of its columns; the skill loads there as it was written (in one of the agents, where several are
    meant). ``license``: an SPDX expression or an identifier in it; ``none`` where there is none. ``verdict``: the
    scan's.
    """
    if not filters and not owner and not clean_only:
        return range(len(data.entries))
    tests = [_test(data, one) for one in filters]
    return [
        place
        for place, entry in enumerate(data.entries)
        if (not owner or entry.owner == owner)
        and (not clean_only or entry.verdict is ScanVerdict.ALLOW)
        and all(test(entry) for test in tests)
    ]


def _test(data: IndexData, one: Filter) -> Callable[[Listing], bool]:
    values = frozenset(one.values)
    match one.key:
        case Key.OWNER:
            holds = _owned(values)
        case Key.TAG:
            holds = _tagged(values)
        case Key.HOST:
            holds = _loading(host_columns(data.hosts, values))
        case Key.LICENSE:
            holds = _licensed(values)
        case Key.VERDICT:
            holds = _judged(values)
    return (lambda entry: not holds(entry)) if one.negative else holds


def host_columns(hosts: Sequence[HostColumn], values: frozenset[str]) -> list[int]:
    """The columns that names of hosts mean; of a host that both works with skills and installs them, the former."""
    named = [
        place
        for place, host in enumerate(hosts)
        if values & {fold(host.id), fold(host.host), fold(host.label)}
    ]
    return [place for place in named if hosts[place].agent] or named


def _owned(values: frozenset[str]) -> Callable[[Listing], bool]:
    owners = frozenset(value.removeprefix("@") for value in values)
    return lambda entry: entry.owner in owners


def _tagged(values: frozenset[str]) -> Callable[[Listing], bool]:
    wanted = frozenset(" ".join(words(value)) for value in values) - {""}
    known: dict[str, bool] = {}

    def holds(tag: str) -> bool:
        if tag not in known:
            known[tag] = " ".join(words(fold(tag))) in wanted
        return known[tag]

    return lambda entry: (
        any(map(holds, entry.topics)) or (entry.category is not None and holds(entry.category))
    )


def _loading(columns: Sequence[int]) -> Callable[[Listing], bool]:
    return lambda entry: any(entry.outcomes[column : column + 1] == _LOADS for column in columns)


def _licensed(values: frozenset[str]) -> Callable[[Listing], bool]:
    known: dict[str | None, bool] = {None: NO_LICENSE in values}

    def holds(entry: Listing) -> bool:
        expression = entry.license
        if expression not in known:
            folded = fold(expression or "")
            known[expression] = not values.isdisjoint({folded, *_EXPRESSION.split(folded)})
        return known[expression]

    return holds


def _judged(values: frozenset[str]) -> Callable[[Listing], bool]:
    return lambda entry: entry.verdict.value in values
