"""Whether a query moved by more than it moves by itself, from repetitions before and now.

A query has fallen where one of these holds, and has risen where it does the other way round:

- all repetitions are lower than everything that the baseline showed;
- the baseline showed one value only, and at least half of the repetitions are lower: no noise
  was seen that could explain it, and a single slip among several is none;
- an exact rank-sum test of the repetitions against those of the baseline has a p-value below
  `LEVEL`.

The test needs enough repetitions on both sides. The first two rules speak where there are too
few: with one repetition each, any fall counts.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import TypeAlias

from cranfield.statistics import TIE_TOLERANCE, rank_sum_p_less

__all__ = ["LEVEL", "ChangeKind", "could_tell", "judge_move", "repeats_needed", "show_chance"]

LEVEL = 0.01
"""The level of the test alone; the other two rules add to it where repetitions are few."""
_MOST_REPEATS = 100
_MOST_TESTED = 250
"""Of more repetitions, so many are tested, taken at equal steps from the lowest to the highest."""
_HALF = 2

Repetitions: TypeAlias = tuple[float, ...]


class ChangeKind(StrEnum):
    """What became of a query."""

    REGRESSED = "regressed"
    IMPROVED = "improved"
    SAME = "same"


def judge_move(before: Repetitions, after: Repetitions) -> ChangeKind:
    """Say what became of a query, from its values before and now."""
    before, after = tuple(sorted(before)), tuple(sorted(after))
    if _has_fallen(before, after):
        return ChangeKind.REGRESSED
    if _has_fallen(_turn(before), _turn(after)):
        return ChangeKind.IMPROVED
    return ChangeKind.SAME


def show_chance(before: Repetitions, after: Repetitions) -> float:
    """Return the chance of values so low if nothing had changed: the p-value of the test."""
    return _test(tuple(sorted(before)), tuple(sorted(after)))


def could_tell(before: Repetitions, repeats: int) -> bool:
    """Tell whether a query could be seen to fall at all: if every repetition were worth nothing.

    Where the baseline is worth nothing itself, there is nothing to lose and to tell.
    """
    return _has_fallen(tuple(sorted(before)), (0.0,) * repeats)


def repeats_needed(before: Repetitions) -> int | None:
    """Find how often a query has to be asked for a fall to be seen; None where too often."""
    return next((count for count in range(1, _MOST_REPEATS) if could_tell(before, count)), None)


@lru_cache(maxsize=20_000)
def _has_fallen(before: Repetitions, after: Repetitions) -> bool:
    """Tell whether sorted repetitions are lower than others, by the rules of this module."""
    lower = sum(value < before[0] - TIE_TOLERANCE for value in after)
    is_steady = before[-1] - before[0] <= TIE_TOLERANCE
    if lower == len(after) or (is_steady and _HALF * lower >= len(after)):
        return True
    # Nothing to test where nothing is lower than the best there was.
    return after[0] < before[-1] - TIE_TOLERANCE and _test(before, after) < LEVEL


@lru_cache(maxsize=20_000)
def _test(before: Repetitions, after: Repetitions) -> float:
    return rank_sum_p_less(_thin(before), _thin(after))


def _thin(values: Repetitions) -> Repetitions:
    if len(values) <= _MOST_TESTED:
        return values
    return tuple(values[len(values) * step // _MOST_TESTED] for step in range(_MOST_TESTED))


def _turn(values: Repetitions) -> Repetitions:
    return tuple(-value for value in reversed(values))
