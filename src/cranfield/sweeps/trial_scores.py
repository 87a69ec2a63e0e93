"""The scores of trials: a value for each query, and the objective that a search maximises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cranfield.verdicts import ColumnPair

if TYPE_CHECKING:
    from cranfield.sweeps.parameters import Trial
    from cranfield.sweeps.query_parts import QueryTable

__all__ = [
    "Rows",
    "TrialScores",
    "mean_of",
    "objective",
    "pair_overall",
    "pair_rows",
    "suite_figure",
]

Rows: TypeAlias = NDArray[np.bool_]
"""Which queries of the table are meant."""


@dataclass(frozen=True, slots=True, eq=False)
class TrialScores:
    """What a trial scored: the headline value of each query, NaN if undefined or not asked.

    A query that failed has the value 0, and `failed` is true.
    """

    trial: Trial
    values: NDArray[np.float64]
    failed: NDArray[np.bool_]
    seconds: NDArray[np.float64]

    def median_seconds(self, rows: Rows) -> float | None:
        """Return how long half of the answers took at most; None if nothing was measured."""
        taken = self.seconds[rows]
        known = taken[~np.isnan(taken)]
        return float(np.median(known)) if known.size else None


def objective(scores: TrialScores, table: QueryTable, rows: Rows) -> float:
    """Return the mean over the suites of their mean headline values: each suite counts the same.

    NaN if a suite has no value at all.
    """
    figures = [suite_figure(scores, table, rows, suite) for suite in table.suite_ids]
    return float(np.mean(figures))


def suite_figure(scores: TrialScores, table: QueryTable, rows: Rows, suite: str) -> float:
    """Return the mean of one suite's headline over some queries; NaN if none has a value."""
    return mean_of(scores.values[rows & table.of_suite(suite)])


def mean_of(values: NDArray[np.float64]) -> float:
    """Return the mean of the values that are defined; NaN if none is."""
    known = values[~np.isnan(values)]
    return float(np.mean(known)) if known.size else float("nan")


def pair_rows(
    first: TrialScores, second: TrialScores, rows: Rows, *, is_headline: bool = True
) -> ColumnPair:
    """Pair two trials query by query; queries that either failed to answer are left out."""
    answered = rows & ~first.failed & ~second.failed
    return ColumnPair(first.values[answered], second.values[answered], is_headline=is_headline)


def pair_overall(
    first: TrialScores, second: TrialScores, table: QueryTable, rows: Rows
) -> ColumnPair:
    """Pair two trials over all suites, weighted so that the mean difference is the objective's."""
    defined = rows & ~np.isnan(first.values) & ~np.isnan(second.values)
    weights = np.zeros(len(table.queries))
    total, suites = int(np.sum(defined)), table.suite_ids
    for suite in suites:
        own = defined & table.of_suite(suite)
        if own.any():
            weights[own] = total / (len(suites) * int(np.sum(own)))
    return ColumnPair((first.values * weights)[defined], (second.values * weights)[defined])
