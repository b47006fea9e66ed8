"""The known word nearest to a word somebody wrote."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word at most two slips away (one in a word of four letters or fewer); the first of equals.

    A slip is a letter too many, too few, another one, or two that changed places. Case, and ``_`` for ``-``,
    are no slips.
    """
    plain = _plain(word)
    if not plain or len(plain) > 40:
        return None
    best, found = (1 if len(plain) <= 4 else 2) + 1, None
    for one in known:
        slips = _slips(plain, _plain(one), best)
        if slips < best:
            best, found = slips, one
    return found


def _plain(word: str) -> str:
    return word.lower().replace("_", "-")


def _slips(left: str, right: str, enough: int) -> int:
    """How many slips lie between two words; ``enough`` where it is that many or more."""
    if abs(len(left) - len(right)) >= enough:
        return enough
    before: list[int] = []
    last = list(range(len(right) + 1))
    for row, letter in enumerate(left, 1):
        current = [row]
        for column, other in enumerate(right, 1):
            cost = min(last[column] + 1, current[-1] + 1, last[column - 1] + (letter != other))
            if before and column > 1 and letter == right[column - 2] and left[row - 2] == other:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        if min(current) >= enough:
            return enough
        before, last = last, current
    return min(last[-1], enough)
