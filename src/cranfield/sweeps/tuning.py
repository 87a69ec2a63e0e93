"""Scores of trials, and what the tuning part says: the best trial, and what is within noise of it.

Nothing here has seen a held-out query.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cranfield.defaults import SEED
from cranfield.errors import CranfieldError
from cranfield.statistics import ColumnPair, VerdictKind, compare_columns, settle_verdict

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from cranfield.statistics import PairedComparison, Verdict
    from cranfield.sweeps.searches import Parameter, Trial
    from cranfield.sweeps.sweep_file import Constraint
    from cranfield.sweeps.sweep_plan import QueryTable

__all__ = [
    "Alternative",
    "Rows",
    "TrialScores",
    "TriedTrial",
    "Tuning",
    "TuningOptions",
    "choose_best",
    "find_broken",
    "mean_of",
    "objective",
    "pair_overall",
    "pair_rows",
    "suite_figure",
    "tune",
]

Rows: TypeAlias = NDArray[np.bool_]
"""Which queries of the table are meant."""
_MUCH_FASTER = 0.8
"""A trial is named as faster if its median time is at most this share of the best one's."""
_LEAST_SECONDS = 0.001
"""And if it saves at least so much: less is noise of the clock."""


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
    """Pair two trials over all suites, weighted so the mean difference is that of the objective."""
    defined = rows & ~np.isnan(first.values) & ~np.isnan(second.values)
    weights = np.zeros(len(table.queries))
    total, suites = int(np.sum(defined)), table.suite_ids
    for suite in suites:
        own = defined & table.of_suite(suite)
        if own.any():
            weights[own] = total / (len(suites) * int(np.sum(own)))
    return ColumnPair((first.values * weights)[defined], (second.values * weights)[defined])


@dataclass(frozen=True, slots=True)
class TriedTrial:
    """A trial on the tuning part: its objective, and its verdict against the default.

    The verdict is corrected (Holm) over all trials. `refused` says which constraint it breaks.
    """

    trial: Trial
    objective: float
    comparison: PairedComparison | None
    seconds: float | None
    refused: str = ""
    is_within_noise: bool = False
    """Whether it cannot be told from the best, corrected over all trials."""

    @property
    def verdict(self) -> Verdict:
        """The verdict against the default; of the default itself, undecided."""
        return settle_verdict(self.comparison)


@dataclass(frozen=True, slots=True)
class Alternative:
    """A trial within noise of the best that is simpler, or faster, than the best."""

    trial: Trial
    because: str


@dataclass(frozen=True, slots=True)
class Tuning:
    """The outcome of the tuning part; the first trial is the default."""

    trials: tuple[TriedTrial, ...]
    best: int
    alternatives: tuple[Alternative, ...] = ()

    @property
    def default(self) -> Trial:
        """The trial with the default values."""
        return self.trials[0].trial

    @property
    def winner(self) -> Trial:
        """The best trial that keeps to the constraints."""
        return self.trials[self.best].trial


@dataclass(frozen=True, slots=True)
class TuningOptions:
    """What tuning needs beside scores: parameters, constraints that trials break, a seed."""

    parameters: Mapping[str, Parameter]
    refused: Mapping[Trial, str] = field(default_factory=dict)
    seed: int = SEED


def choose_best(
    scores: Sequence[TrialScores], table: QueryTable, rows: Rows, options: TuningOptions
) -> int:
    """Return the place of the trial with the highest objective; of equal ones the simplest."""
    default = scores[0].trial
    allowed = [at for at, each in enumerate(scores) if each.trial not in options.refused]
    if not allowed:
        reasons = "; ".join(dict.fromkeys(options.refused.values()))
        raise CranfieldError(f"no trial keeps to the constraints ({reasons}); loosen one")

    def order(at: int) -> tuple[float, int, float, int]:
        reached = round(objective(scores[at], table, rows), 12)
        changed, distance = _complexity(scores[at].trial, default, options.parameters)
        return -reached, changed, distance, at

    return min(allowed, key=order)


def tune(
    scores: Sequence[TrialScores], table: QueryTable, rows: Rows, options: TuningOptions
) -> Tuning:
    """Compare every trial with the default, and the best with those that may be as good."""
    best = choose_best(scores, table, rows, options)
    against = _compare_all(scores[0], scores, table, rows, options.seed)
    to_best = _compare_all(scores[best], scores, table, rows, options.seed)
    trials = tuple(
        TriedTrial(
            each.trial,
            objective(each, table, rows),
            against[at],
            each.median_seconds(rows),
            options.refused.get(each.trial, ""),
            at == best or not _is_worse(to_best[at]),
        )
        for at, each in enumerate(scores)
    )
    return Tuning(trials, best, tuple(_find_alternatives(trials, best, options)))


def _compare_all(
    first: TrialScores,
    scores: Sequence[TrialScores],
    table: QueryTable,
    rows: Rows,
    seed: int,
) -> list[PairedComparison | None]:
    """Compare one trial with every other, corrected over all of them; None for itself."""
    others = [each for each in scores if each is not first]
    pairs = [pair_overall(first, each, table, rows) for each in others]
    compared = dict(zip(map(id, others), compare_columns(pairs, seed=seed), strict=True))
    return [compared.get(id(each)) for each in scores]


def _is_worse(comparison: PairedComparison | None) -> bool:
    return comparison is not None and comparison.verdict.kind is VerdictKind.WORSE


def _find_alternatives(
    trials: Sequence[TriedTrial], best: int, options: TuningOptions
) -> list[Alternative]:
    """Name the simplest and the fastest of those that cannot be told from the best."""
    default, winner = trials[0].trial, trials[best]
    near = [each for each in trials if each.is_within_noise and not each.refused]

    def complexity(each: TriedTrial) -> tuple[int, float, float]:
        changed, distance = _complexity(each.trial, default, options.parameters)
        return changed, distance, -each.objective

    found = []
    simplest = min(near, key=complexity)
    if complexity(simplest)[:2] < complexity(winner)[:2]:
        found.append(Alternative(simplest.trial, "simpler"))
    timed = [each for each in near if each.seconds is not None]
    if timed and winner.seconds:
        fastest = min(timed, key=lambda each: each.seconds or np.inf)
        taken = fastest.seconds or 0.0
        if taken <= min(_MUCH_FASTER * winner.seconds, winner.seconds - _LEAST_SECONDS):
            found.append(Alternative(fastest.trial, "faster"))
    return found


def _complexity(
    trial: Trial, default: Trial, parameters: Mapping[str, Parameter]
) -> tuple[int, float]:
    """Return how many parameters differ from the default, and by how much in all."""
    changed = trial.changed_from(default)
    distances = (parameters[name].distance(value) for name, value in changed.items())
    return len(changed), round(sum(distances), 9)


def find_broken(
    scores: TrialScores,
    default: TrialScores,
    table: QueryTable,
    rows: Rows,
    constraints: Collection[Constraint],
    *,
    seed: int,
) -> str:
    """Return which constraint a trial breaks on the tuning part; empty if none."""
    for each in constraints:
        if breach := _describe_breach(each, scores, table, rows):
            return breach
        if not each.not_worse or scores is default:
            continue
        for suite in table.suite_ids if each.not_worse == "*" else [each.not_worse]:
            # Each suite by itself: a correction over suites would let a real loss pass.
            pair = pair_rows(default, scores, rows & table.of_suite(suite))
            if _is_worse(compare_columns([pair], seed=seed)[0]):
                return f"{suite} is worse"
    return ""


def _describe_breach(
    constraint: Constraint, scores: TrialScores, table: QueryTable, rows: Rows
) -> str:
    """Say how a trial breaks a constraint; empty if it keeps to it."""
    if constraint.at_least is not None:
        suite, category = constraint.suite, constraint.category
        reached = mean_of(scores.values[rows & _rows_of(table, suite, category)])
        if not reached >= constraint.at_least:  # also if nothing was measured, which is NaN
            name = " ".join(filter(None, [suite or "all suites", category]))
            return f"{name} {reached:.4f} < {constraint.at_least:g}"
    if constraint.seconds is not None:
        taken = scores.median_seconds(rows)
        if taken is not None and taken > constraint.seconds:
            return f"median {taken:.3f} s > {constraint.seconds:g} s"
    return ""


def _rows_of(table: QueryTable, suite: str, category: str) -> Rows:
    """Return the rows of a suite and a category; an empty name means all of them."""
    rows = np.ones(len(table.queries), dtype=np.bool_)
    if suite:
        rows &= table.of_suite(suite)
    if category:
        rows &= np.array([each.category == category for each in table.queries], dtype=np.bool_)
    return rows
