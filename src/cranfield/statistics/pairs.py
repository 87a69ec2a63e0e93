"""What every paired procedure takes: two lists of values, one pair per query, and settings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cranfield.errors import StatisticsError

__all__ = [
    "TIE_TOLERANCE",
    "FloatArray",
    "PairOutcomes",
    "PairedDifferences",
    "Values",
    "count_outcomes",
    "pair_differences",
    "pair_without_noise",
    "require_at_least",
    "require_fraction",
    "require_positive",
    "require_seed",
]

FloatArray: TypeAlias = NDArray[np.float64]
Values: TypeAlias = Sequence[float] | FloatArray

TIE_TOLERANCE = 1e-12
"""Two values of order one that differ by no more than this are equal.

Measures are quotients, and 0.5 - 1/3 and 1 - 5/6 are one sixth only up to about 1e-16. Tests
that ask "is it zero?" or "is it as large as that one?" must not answer from that noise, so
differences are rounded to 12 decimals before they are compared. Values beyond 1 carry
proportionally larger noise: the tolerance grows with the power of ten above the largest one.
"""

_LARGEST_VALUE = 1e100
"""Beyond this, squares and sums of values would overflow."""


@dataclass(frozen=True, slots=True, eq=False)
class PairedDifferences:
    """The differences b − a, twice: as computed, and fit for comparing.

    `values` are for arithmetic. `comparable` are the same rounded as `TIE_TOLERANCE` says,
    with every tie exactly 0.0, for questions of equality, sign and order.
    """

    values: FloatArray
    comparable: FloatArray

    @property
    def n(self) -> int:
        """The number of pairs."""
        return int(self.values.size)

    @property
    def mean(self) -> float:
        """The mean difference, summed without rounding so the order of pairs is no matter.

        What is left of differences that cancel out is float noise, and exactly 0.
        """
        mean = math.fsum(self.values) / self.n
        return 0.0 if abs(mean) <= TIE_TOLERANCE else mean

    @property
    def all_equal(self) -> bool:
        """Whether every pair differs by the same amount, so there is no spread."""
        return bool(np.all(self.comparable == self.comparable[0]))


def pair_differences(a: Values, b: Values) -> PairedDifferences:
    """Return b − a pair by pair.

    Raises StatisticsError on empty, unequally long or non-finite input.
    """
    first, second = _checked(a, b)
    values = second - first
    decimals = _decimals(first, second)
    comparable = np.round(values, decimals)
    comparable[np.abs(values) <= TIE_TOLERANCE * 10.0 ** (12 - decimals)] = 0.0
    return PairedDifferences(values=values, comparable=comparable)


def pair_without_noise(a: Values, b: Values) -> tuple[FloatArray, FloatArray]:
    """Return both lists rounded as `TIE_TOLERANCE` says, for comparing a value with any other."""
    first, second = _checked(a, b)
    decimals = _decimals(first, second)
    return np.round(first, decimals), np.round(second, decimals)


@dataclass(frozen=True, slots=True)
class PairOutcomes:
    """How many pairs have b above a, level with it and below it."""

    wins: int
    ties: int
    losses: int


def count_outcomes(a: Values, b: Values, *, tolerance: float = TIE_TOLERANCE) -> PairOutcomes:
    """Count wins, ties and losses of B.

    A pair is tied when |b − a| ≤ `tolerance`. The default only absorbs float noise; a larger
    one ignores differences too small to matter. A smaller one than the default has no effect.
    """
    if not (math.isfinite(tolerance) and tolerance >= 0.0):
        raise StatisticsError(f"tolerance is {tolerance}: give a finite number from 0 up")
    differences = pair_differences(a, b).comparable
    wins = int(np.count_nonzero(differences > tolerance))
    losses = int(np.count_nonzero(differences < -tolerance))
    return PairOutcomes(wins=wins, ties=differences.size - wins - losses, losses=losses)


def require_fraction(value: float, name: str) -> None:
    """Refuse a confidence, power or error rate that is not strictly between 0 and 1."""
    if not 0.0 < value < 1.0:
        raise StatisticsError(f"{name} is {value}: give a fraction between 0 and 1, such as 0.05")


def require_positive(value: float, name: str) -> None:
    """Refuse zero, a negative number, infinity and nan."""
    if not (math.isfinite(value) and value > 0.0):
        raise StatisticsError(f"{name} is {value}: give a finite number above 0")


def require_at_least(value: int, least: int, name: str) -> None:
    """Refuse a count below `least`."""
    if value < least:
        raise StatisticsError(f"{name} is {value}: give {least} or more")


def require_seed(seed: int) -> None:
    """Refuse a negative seed, which no bit generator accepts."""
    if seed < 0:
        raise StatisticsError(f"seed is {seed}: give a whole number from 0 up")


def _checked(a: Values, b: Values) -> tuple[FloatArray, FloatArray]:
    first, second = _as_values(a, "a"), _as_values(b, "b")
    if first.size != second.size:
        raise StatisticsError(
            f"a has {first.size} values and b has {second.size}: "
            "pair them by query and leave out queries that only one side has"
        )
    return first, second


def _as_values(values: Values, name: str) -> FloatArray:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise StatisticsError(f"{name} holds something that is not a number: {error}") from error
    if array.ndim != 1:
        raise StatisticsError(f"{name} has {array.ndim} dimensions: give one list of numbers")
    if array.size == 0:
        raise StatisticsError(f"{name} has no values: give at least one pair")
    # A nan compares false with everything, so the question is put the way that refuses it.
    refused = np.flatnonzero(~(np.abs(array) <= _LARGEST_VALUE))
    if refused.size:
        place = int(refused[0])
        raise StatisticsError(
            f"{name}[{place}] is {array[place]}: values must be finite and at most "
            f"{_LARGEST_VALUE:g} in size; leave out queries without a value"
        )
    return array


def _decimals(first: FloatArray, second: FloatArray) -> int:
    largest = max(1.0, float(np.abs(first).max()), float(np.abs(second).max()))
    return 12 - math.ceil(math.log10(largest))
