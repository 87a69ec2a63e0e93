"""Whether a query changed by more than noise, from its repetitions in both arms.

A query got worse if one of these holds (A is the baseline if there is one):

- every repetition is lower than everything that A showed;
- A showed one value only, and at least half of the repetitions are lower: no noise was seen that
  could explain it, and one bad repetition among several is not half;
- an exact rank-sum test of the repetitions against those of A has a p-value below 0.01.

A query has improved if the opposite holds. The test needs enough repetitions on both sides; the
first two rules decide if there are too few. With one repetition each, any drop counts.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import TypeAlias

from cranfield.statistics import TIE_TOLERANCE, rank_sum_p_less

__all__ = [
    "SIGNIFICANCE_LEVEL",
    "Direction",
    "can_detect_drop",
    "chance_of_drop",
    "classify_change",
    "repeats_needed",
]

SIGNIFICANCE_LEVEL = 0.01
"""The level of the test alone; the other two rules add to it if repetitions are few."""
_MOST_REPEATS = 100
_MOST_TESTED = 250
"""Of more repetitions, so many are tested, taken at equal steps from the lowest to the highest."""
_HALF = 2

Repetitions: TypeAlias = tuple[float, ...]


class Direction(StrEnum):
    """Where a query went from A to B."""

    WORSE = "worse"
    IMPROVED = "improved"
    SAME = "the same"


def classify_change(before: Repetitions, after: Repetitions) -> Direction:
    """Classify a query by its values in A and in B."""
    before, after = tuple(sorted(before)), tuple(sorted(after))
    if _has_dropped(before, after):
        return Direction.WORSE
    if _has_dropped(_negate(before), _negate(after)):
        return Direction.IMPROVED
    return Direction.SAME


def chance_of_drop(before: Repetitions, after: Repetitions) -> float:
    """Return the chance of values this low if nothing had changed: the p-value of the test."""
    return _test(tuple(sorted(before)), tuple(sorted(after)))


def can_detect_drop(before: Repetitions, repeats: int) -> bool:
    """Return whether a loss could be detected at all: if every repetition scored zero.

    If A scored zero itself, there is nothing to lose and nothing to detect.
    """
    return _has_dropped(tuple(sorted(before)), (0.0,) * repeats)


def repeats_needed(before: Repetitions) -> int | None:
    """Find how many repetitions would make a loss detectable; None if too many."""
    counts = range(1, _MOST_REPEATS)
    return next((count for count in counts if can_detect_drop(before, count)), None)


@lru_cache(maxsize=20_000)
def _has_dropped(before: Repetitions, after: Repetitions) -> bool:
    """Return whether sorted repetitions are lower than others, by the rules of this module."""
    lower = sum(value < before[0] - TIE_TOLERANCE for value in after)
    is_steady = before[-1] - before[0] <= TIE_TOLERANCE
    if lower == len(after) or (is_steady and _HALF * lower >= len(after)):
        return True
    # Nothing to test if nothing is lower than the best value of A.
    return after[0] < before[-1] - TIE_TOLERANCE and _test(before, after) < SIGNIFICANCE_LEVEL


@lru_cache(maxsize=20_000)
def _test(before: Repetitions, after: Repetitions) -> float:
    return rank_sum_p_less(_thin(before), _thin(after))


def _thin(values: Repetitions) -> Repetitions:
    if len(values) <= _MOST_TESTED:
        return values
    return tuple(values[len(values) * step // _MOST_TESTED] for step in range(_MOST_TESTED))


def _negate(values: Repetitions) -> Repetitions:
    return tuple(-value for value in reversed(values))
