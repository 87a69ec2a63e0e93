"""What a sweep comes to: the winner against the default on queries that did not choose it.

With held-out queries, the winner is chosen on the tuning part and compared on the held-out part.
With few queries, nested cross-validation takes their place: for each fold a winner is chosen on
the others, and its values on this fold stand in the column that is compared. That column belongs to
no single trial: it says what such a sweep gains on queries that it has not seen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cranfield.statistics import compare_columns, mean_interval, settle_verdict
from cranfield.sweeps.tuning import choose_best, mean_of, pair_rows, suite_figure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cranfield.statistics import MeanInterval, PairedComparison, Verdict
    from cranfield.sweeps.searches import Trial
    from cranfield.sweeps.sweep_plan import QueryTable
    from cranfield.sweeps.tuning import Rows, TrialScores, TuningOptions

__all__ = [
    "CategoryOutcome",
    "HeldOut",
    "SuiteOutcome",
    "SweepOutcome",
    "changes_by_category",
    "conclude",
    "cross_validate",
]


@dataclass(frozen=True, slots=True)
class SuiteOutcome:
    """One suite: figures of the default and the winner, on the tuning and the held-out part.

    `held_out` has the winner's figure on the held-out part with its interval. `optimism` is by how
    much the gain over the default was larger on the part that chose the winner.
    """

    suite: str
    measure: str
    tuning_default: float
    tuning_winner: float
    held_out_default: float
    held_out: MeanInterval | None
    comparison: PairedComparison | None
    failures: int
    """Held-out queries that the default or the winner failed to answer; they are not compared."""

    @property
    def verdict(self) -> Verdict:
        """The verdict of the winner against the default, corrected over the suites."""
        return settle_verdict(self.comparison)

    @property
    def gain(self) -> float | None:
        """The winner's gain over the default on the held-out part."""
        return self.comparison.difference if self.comparison else None

    @property
    def optimism(self) -> float | None:
        """The gain on the tuning part minus that on the held-out part."""
        gain = self.gain
        return None if gain is None else self.tuning_winner - self.tuning_default - gain


@dataclass(frozen=True, slots=True)
class CategoryOutcome:
    """One category of a suite, on the held-out part; corrected among all categories."""

    suite: str
    category: str
    comparison: PairedComparison | None

    @property
    def verdict(self) -> Verdict:
        """The verdict of the winner against the default."""
        return settle_verdict(self.comparison)


@dataclass(frozen=True, slots=True)
class SweepOutcome:
    """The winner on queries that did not choose it; with folds, `fold_winners` did."""

    suites: tuple[SuiteOutcome, ...]
    categories: tuple[CategoryOutcome, ...]
    fold_winners: tuple[Trial, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """The rows that are compared, and both columns: the default's and the winner's."""

    tuning: Rows
    rows: Rows
    default: TrialScores
    winner: TrialScores


def conclude(
    table: QueryTable, held: HeldOut, tuned: TrialScores, seed: int, margin: float
) -> SweepOutcome:
    """Compare the winner with the default per suite, and per category as secondary.

    `tuned` is the winner as it was on the tuning part.
    """
    groups = {key: _mask(table, rows) for key, rows in table.groups().items()}
    named = {key: rows for key, rows in groups.items() if key[1]}
    suites = [held.rows & table.of_suite(each) for each in table.suite_ids]
    pairs = [pair_rows(held.default, held.winner, each) for each in suites]
    pairs += [
        pair_rows(held.default, held.winner, held.rows & each, is_headline=False)
        for each in named.values()
    ]
    compared = compare_columns(pairs, seed=seed, margin=margin)
    outcomes = tuple(
        _conclude_suite(table, held, tuned, suite, each)
        for suite, each in zip(table.suite_ids, compared, strict=False)
    )
    categories = tuple(
        CategoryOutcome(suite, category, each)
        for (suite, category), each in zip(named, compared[len(suites) :], strict=True)
    )
    return SweepOutcome(outcomes, categories)


def _conclude_suite(
    table: QueryTable,
    held: HeldOut,
    tuned: TrialScores,
    suite: str,
    compared: PairedComparison | None,
) -> SuiteOutcome:
    own = held.rows & table.of_suite(suite)
    values = held.winner.values[own]
    known = values[~np.isnan(values)]
    return SuiteOutcome(
        suite=suite,
        measure=table.measures[suite],
        tuning_default=suite_figure(held.default, table, held.tuning, suite),
        tuning_winner=suite_figure(tuned, table, held.tuning, suite),
        held_out_default=mean_of(held.default.values[own]),
        held_out=mean_interval(np.zeros_like(known), known) if known.size > 1 else None,
        comparison=compared,
        failures=int(np.sum(own & (held.default.failed | held.winner.failed))),
    )


def cross_validate(
    scores: Sequence[TrialScores],
    table: QueryTable,
    folds: NDArray[np.intp],
    winner: TrialScores,
    options: TuningOptions,
    margin: float,
) -> SweepOutcome:
    """Choose a winner for each fold on the others, and compare its values on this fold.

    `winner` is the one chosen on all queries, whose figures are those of the tuning part.
    """
    every = np.ones(len(table.queries), dtype=np.bool_)
    winners: dict[int, TrialScores] = {
        fold: scores[choose_best(scores, table, folds != fold, options)]
        for fold in range(int(folds.max()) + 1)
    }
    chosen = [winners[int(fold)] for fold in folds]
    column = replace(
        scores[0],
        values=np.array([each.values[row] for row, each in enumerate(chosen)]),
        failed=np.array([each.failed[row] for row, each in enumerate(chosen)]),
        seconds=np.array([each.seconds[row] for row, each in enumerate(chosen)]),
    )
    held = HeldOut(every, every, scores[0], column)
    outcome = conclude(table, held, winner, options.seed, margin)
    return replace(outcome, fold_winners=tuple(each.trial for each in winners.values()))


def _mask(table: QueryTable, rows: Sequence[int]) -> Rows:
    mask = np.zeros(len(table.queries), dtype=np.bool_)
    mask[list(rows)] = True
    return mask


def changes_by_category(
    scores: TrialScores, default: TrialScores, table: QueryTable, rows: Rows
) -> Mapping[tuple[str, str], float]:
    """Return the mean difference to the default for each suite and category."""
    return {
        key: mean_of((scores.values - default.values)[_mask(table, group) & rows])
        for key, group in table.groups().items()
    }
