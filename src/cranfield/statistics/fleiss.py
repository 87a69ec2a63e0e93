"""Fleiss' kappa: agreement of many judges when each item has as many judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import StatisticsError
from cranfield.statistics.agreement import Agreement, beyond_chance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["fleiss_kappa"]


def fleiss_kappa(table: Sequence[Sequence[int]] | NDArray[np.int64]) -> Agreement:
    """Return kappa from counts: table[item][category] judges put the item into the category.

    Observed is the mean share of disagreeing pairs of judges on an item, expected that of two
    judgments drawn from the pooled categories (Fleiss, Psychological Bulletin 76, 1971).
    Every item needs the same number of judgments, at least 2; for missing ones use
    `krippendorff_alpha`. Undefined when only one category was used.
    """
    counts = _as_counts(table)
    items, judges = counts.shape[0], float(counts[0].sum())
    agreeing = np.sum(counts * (counts - 1.0), axis=1) / (judges * (judges - 1.0))
    shares = counts.sum(axis=0) / (items * judges)
    # Summed as p(1 - p), which is exactly 0 when one category has everything.
    return beyond_chance(float(np.mean(1.0 - agreeing)), float(np.sum(shares * (1.0 - shares))))


def _as_counts(table: Sequence[Sequence[int]] | NDArray[np.int64]) -> NDArray[np.float64]:
    if len({len(row) for row in table}) != 1:
        raise StatisticsError("the rows of the table differ in length, or there are none")
    counts = np.asarray(table, dtype=np.float64)
    if not (np.all(counts >= 0.0) and np.all(counts == np.floor(counts))):
        raise StatisticsError("the table must hold counts: whole numbers from 0 up")
    judges = counts.sum(axis=1)
    if judges[0] < 2 or np.any(judges != judges[0]):
        raise StatisticsError(
            f"items have from {judges.min():g} to {judges.max():g} judgments: every item needs "
            "the same number, at least 2; use krippendorff_alpha where some are missing"
        )
    return counts
