"""Krippendorff's alpha: agreement of any number of judges, with judgments missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import StatisticsError, UnknownNameError
from cranfield.statistics.agreement import Agreement, beyond_chance

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from cranfield.statistics.pairs import FloatArray

__all__ = ["ALPHA_LEVELS", "Level", "krippendorff_alpha"]


@dataclass(frozen=True, slots=True)
class Level:
    """A level of measurement: how far apart two values are, squared.

    `distance` takes the values and how often each occurs, and returns a matrix.
    """

    distance: Callable[[FloatArray, FloatArray], FloatArray]
    needs_numbers: bool = True
    needs_zero: bool = False


def _nominal(values: FloatArray, counts: FloatArray) -> FloatArray:
    return np.ones((values.size, counts.size)) - np.eye(values.size)


def _ordinal(values: FloatArray, counts: FloatArray) -> FloatArray:
    # The judgments between two values, each end counted half, are a difference of mid-ranks.
    return _interval(np.cumsum(counts) - counts / 2.0, values)


def _interval(values: FloatArray, _counts: FloatArray) -> FloatArray:
    return np.asarray((values[:, np.newaxis] - values) ** 2)


def _ratio(values: FloatArray, counts: FloatArray) -> FloatArray:
    sums = values[:, np.newaxis] + values
    # Two zeros are equal; the divisor only has to exist.
    return np.asarray(_interval(values, counts) / np.where(sums == 0.0, 1.0, sums) ** 2)


ALPHA_LEVELS: Mapping[str, Level] = {
    "nominal": Level(_nominal, needs_numbers=False),
    "ordinal": Level(_ordinal),
    "interval": Level(_interval),
    "ratio": Level(_ratio, needs_zero=True),
}
"""The levels of measurement by name."""


def krippendorff_alpha(
    ratings: Sequence[Sequence[Hashable | None]], *, level: str = "nominal"
) -> Agreement:
    """Return alpha of ratings[judge][item], None where a judge has no rating.

    alpha = 1 − (n − 1) Σ o(c,k) δ²(c,k) / Σ n(c) n(k) δ²(c,k), with o the coincidences of
    values within items, n(c) how often value c occurs in them and δ the distance of the level:
    nominal, ordinal, interval or ratio (Krippendorff, Content Analysis, 2004, chapter 11).
    Items with fewer than two ratings are left out. Undefined when no item has two ratings and
    when all ratings are the same. Levels other than nominal need numbers, ratio none below 0.
    """
    if level not in ALPHA_LEVELS:
        raise UnknownNameError("level of measurement", level, ALPHA_LEVELS)
    chosen = ALPHA_LEVELS[level]
    items = [item for item in _items(ratings) if len(item) >= 2]
    if not items:
        return Agreement(None, None, None, "no item has two ratings: nothing can be compared")
    labels, values = _scale(items, chosen)
    counts = _counts(items, labels)
    sizes = counts.sum(axis=1, keepdims=True)
    totals = counts.sum(axis=0)
    distance = chosen.distance(values, totals)
    weighted = counts / (sizes - 1.0)
    # A rating is not paired with itself: equal values have distance 0, so they drop out here.
    observed = float(np.sum((counts.T @ weighted) * distance)) / totals.sum()
    expected = float(totals @ distance @ totals) / (totals.sum() * (totals.sum() - 1.0))
    return beyond_chance(float(observed), float(expected))


def _items(ratings: Sequence[Sequence[Hashable | None]]) -> list[list[Hashable]]:
    lengths = {len(row) for row in ratings}
    if len(lengths) != 1:
        raise StatisticsError(
            f"the judges have rows of {sorted(lengths)} items: give one row for each judge, "
            "all of the same length, with None where a rating is missing"
        )
    return [
        [rating for rating in item if rating is not None] for item in zip(*ratings, strict=True)
    ]


def _scale(items: list[list[Hashable]], level: Level) -> tuple[dict[Hashable, int], FloatArray]:
    """Return where each label stands and, for the levels that need them, the numbers."""
    labels = list(dict.fromkeys(rating for item in items for rating in item))
    numbers = np.arange(len(labels), dtype=np.float64)
    if level.needs_numbers:
        labels = sorted(labels, key=_as_number)
        numbers = np.asarray([_as_number(label) for label in labels], dtype=np.float64)
    if level.needs_zero and numbers[0] < 0.0:
        raise StatisticsError(f"rating {numbers[0]:g} is below 0: a ratio needs a true zero")
    return {label: place for place, label in enumerate(labels)}, numbers


def _as_number(label: Hashable) -> float:
    if isinstance(label, (int, float, np.number)) and np.isfinite(label):
        return float(label)
    raise StatisticsError(f"rating {label!r} is not a finite number: use level='nominal'")


def _counts(items: list[list[Hashable]], places: dict[Hashable, int]) -> FloatArray:
    """Return how often each item (row) got each value (column)."""
    counts = np.zeros((len(items), len(places)))
    for row, item in zip(counts, items, strict=True):
        for rating in item:
            row[places[rating]] += 1.0
    return counts
