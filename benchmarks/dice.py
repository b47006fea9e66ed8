"""Random choices that no Python version changes: made of ``Random.random`` alone."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import Final, TypeVar

T = TypeVar("T")

_NORMAL: Final = NormalDist()


class Dice:
    """The random choices of one skill: the same for the same seed and number."""

    def __init__(self, seed: int, number: int) -> None:
        self.random: Callable[[], float] = random.Random(seed * 1_000_003 + number).random

    def below(self, limit: int) -> int:
        """A whole number from 0 to under ``limit``."""
        return int(self.random() * limit)

    def pick(self, items: Sequence[T]) -> T:
        """One of ``items``."""
        return items[int(self.random() * len(items))]

    def chance(self, share: float) -> bool:
        """True in ``share`` of the cases."""
        return self.random() < share

    def lognormal(self, median: float, spread: float) -> float:
        """A number around ``median`` whose logarithm is normal with deviation ``spread``."""
        return median * math.exp(spread * _NORMAL.inv_cdf(0.000_01 + 0.999_98 * self.random()))
