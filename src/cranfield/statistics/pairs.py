"""Two lists of values, one pair a query, as differences B minus A."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cranfield.errors import StatisticsError

__all__ = [
    "LARGEST_VALUE",
    "TIE_TOLERANCE",
    "FloatArray",
    "PairedDifferences",
    "Values",
    "pair_differences",
    "pair_without_noise",
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

LARGEST_VALUE = 1e100
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
        """The mean difference, summed without rounding so that the order of pairs is no matter."""
        return math.fsum(self.values) / self.n

    @property
    def all_equal(self) -> bool:
        """Whether every pair differs by the same amount, so that there is no spread."""
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
    refused = np.flatnonzero(~(np.abs(array) <= LARGEST_VALUE))
    if refused.size:
        place = int(refused[0])
        raise StatisticsError(
            f"{name}[{place}] is {array[place]}: values must be finite and at most "
            f"{LARGEST_VALUE:g} in size; leave out queries without a value"
        )
    return array


def _decimals(first: FloatArray, second: FloatArray) -> int:
    largest = max(1.0, float(np.abs(first).max()), float(np.abs(second).max()))
    return 12 - math.ceil(math.log10(largest))
