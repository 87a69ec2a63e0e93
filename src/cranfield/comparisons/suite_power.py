"""How small a difference a suite can show, and how many queries a given one would take."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from cranfield.runs.records import RunState
from cranfield.runs.runner import Run
from cranfield.statistics import (
    ALPHA,
    FEWEST_PAIRS,
    largest_difference,
    minimum_detectable_effect,
    queries_needed,
)
from cranfield.suites import hash_query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cranfield.measures import Measure
    from cranfield.model import Suite
    from cranfield.runs.store import Store

__all__ = ["MeasurePower", "SuitePower", "estimate_power", "runs_for_power"]

_POWER = 0.8
_MOST_RUNS = 20  # 190 pairs: more would not change the estimate
_NEAR = 1e-12


@dataclass(frozen=True, slots=True)
class MeasurePower:
    """What one measure can show.

    `queries` have a value; `sd` is the standard deviation of the differences between two runs,
    pooled over `pairs` of runs. Without a pair it is a pessimistic guess from one run
    (`is_guess`). `needed` queries detect the difference asked about, `more` than there are.
    Figures that cannot be estimated are None, and `reason` says why.
    """

    measure: Measure
    queries: int
    pairs: int
    sd: float | None
    detectable: float | None
    needed: int | None
    more: int | None
    is_guess: bool
    reason: str


@dataclass(frozen=True, slots=True)
class SuitePower:
    """What a suite can show, measure by measure, the headline first; no measures without a run.

    `repeats` counts the pairs of runs left out because both are of one build, `unasked` the
    queries that are not in the newest run, `unanswered` those that it failed to answer.
    """

    suite_id: str
    query_class: str
    queries: int
    delta: float
    systems: tuple[str, ...]
    runs: tuple[str, ...]
    pairs: int
    repeats: int
    unasked: int
    unanswered: int
    measures: tuple[MeasurePower, ...]

    @property
    def is_known(self) -> bool:
        """Whether there was any run to estimate from."""
        return bool(self.measures)


@dataclass(frozen=True, slots=True, eq=False)
class _Arm:
    """A run's values in the order of the suite as it is now, NaN if it has none or failed."""

    run: Run
    asked: NDArray[np.bool_]
    answered: NDArray[np.bool_]
    values: dict[Measure, NDArray[np.float64]]


def runs_for_power(store: Store, suite: Suite, system: str | None = None) -> list[Run]:
    """Return the complete runs of a suite, the newest last; of one system if it is named.

    Runs of a part of the suite count only if there is no whole run.
    """
    found = [
        Run(header, store)
        for header in store.headers()
        if header.suite.id == suite.id
        and header.suite.query_class == suite.query_class
        and header.state is not RunState.RUNNING
        and system in (None, header.system)
    ]
    return [run for run in found if not run.header.selection] or found


def estimate_power(suite: Suite, runs: Sequence[Run], delta: float = 0.03) -> SuitePower:
    """Estimate what the suite can show from its stored runs, the newest last.

    Only queries that are unchanged since a run and that it answered count. Two runs of one build
    are not a pair: they differ by noise, which says nothing about changes. Neither are two runs
    that asked for different numbers of hits. A run without any answer is left out.
    """
    arms = [arm for arm in (_arm(suite, run) for run in runs[-_MOST_RUNS:]) if arm is not None]
    alike = [
        (first, second)
        for first, second in combinations(arms, 2)
        if first.run.header.limit == second.run.header.limit
    ]
    pairs = [pair for pair in alike if not _is_one_build(*pair)]
    newest = arms[-1] if arms else None
    return SuitePower(
        suite_id=suite.id,
        query_class=suite.query_class,
        queries=len(suite.asked),
        delta=delta,
        systems=tuple(dict.fromkeys(arm.run.header.name for arm in arms)),
        runs=tuple(arm.run.header.id for arm in arms),
        pairs=len(pairs),
        repeats=len(alike) - len(pairs),
        unasked=int(np.count_nonzero(~newest.asked)) if newest else 0,
        unanswered=int(np.count_nonzero(newest.asked & ~newest.answered)) if newest else 0,
        measures=tuple(_measure_power(each, newest, pairs, delta) for each in newest.values)
        if newest
        else (),
    )


def _arm(suite: Suite, run: Run) -> _Arm | None:
    """Align a run with the suite; None if they share no query or nothing was answered."""
    outcomes = run.outcomes()
    places = {key: place for place, key in enumerate(outcomes.hashes)}
    at = np.array([places.get(hash_query(query), -1) for query in suite.asked], dtype=np.int64)
    asked = at >= 0
    succeeded = np.array(
        [status is not None and not status.is_failure for status in outcomes.statuses],
        dtype=np.bool_,
    )
    answered = asked.copy()
    answered[asked] = succeeded[at[asked]]
    if outcomes.missing or not answered.any():
        return None
    values = {}
    for column, measure in enumerate(run.measures):
        if measure.family.is_quality:
            values[measure] = np.where(answered, outcomes.values[at, column], np.nan)
    return _Arm(run, asked, answered, values)


def _is_one_build(first: _Arm, second: _Arm) -> bool:
    """Return whether two runs are of one build: its files are known and did not change."""
    a, b = first.run.header, second.run.header
    return bool(a.files) and (a.system, a.spec, a.files) == (b.system, b.spec, b.files)


def _measure_power(
    measure: Measure, newest: _Arm, pairs: Sequence[tuple[_Arm, _Arm]], delta: float
) -> MeasurePower:
    own = newest.values[measure]
    own = own[~np.isnan(own)]
    spreads = [
        spread
        for first, second in pairs
        if measure in first.values
        and measure in second.values
        and (spread := _spread(second.values[measure] - first.values[measure])) is not None
    ]
    sd = _pool(spreads) if spreads else _guess(own)
    queries = len(own)
    if sd is None:
        detectable, fewest = None, None
        reason = "no query has a value" if not queries else "all queries have the same value"
    else:
        span = largest_difference(own, own)
        needed = queries_needed(delta, sd, power=_POWER, alpha=ALPHA, span=span)
        fewest = None if needed.value is None else max(needed.value, FEWEST_PAIRS)
        detectable, reason = _detectable(sd, queries, span)
        reason = reason or needed.reason or ""
    return MeasurePower(
        measure=measure,
        queries=queries,
        pairs=len(spreads),
        sd=sd,
        detectable=detectable,
        needed=fewest,
        more=None if fewest is None else max(0, fewest - queries),
        is_guess=sd is not None and not spreads,
        reason=reason,
    )


def _detectable(sd: float, queries: int, span: float) -> tuple[float | None, str]:
    """Return the smallest difference that so many queries detect, or why there is none."""
    if queries < FEWEST_PAIRS:
        return None, f"fewer than {FEWEST_PAIRS} queries show no difference, however large"
    found = minimum_detectable_effect(sd, queries, power=_POWER, alpha=ALPHA, span=span)
    return found.value, found.reason or ""


def _spread(differences: NDArray[np.float64]) -> tuple[float, int] | None:
    """Return the variance of differences and its degrees of freedom; None without spread."""
    defined = differences[~np.isnan(differences)]
    if len(defined) < 2 or float(np.ptp(defined)) <= _NEAR:
        return None
    return float(np.var(defined, ddof=1)), len(defined) - 1


def _pool(spreads: Sequence[tuple[float, int]]) -> float:
    """Return the standard deviation over several pairs, each weighing by its degrees of freedom."""
    total = sum(freedom for _, freedom in spreads)
    return sqrt(sum(variance * freedom for variance, freedom in spreads) / total)


def _guess(values: NDArray[np.float64]) -> float | None:
    """Guess the spread of differences as if two runs were independent.

    The variance of a difference is Var(A) + Var(B) − 2 Cov(A, B). Builds of one system mostly
    find the same queries hard, so leaving out the covariance is pessimistic.
    """
    found = _spread(values)
    return None if found is None else sqrt(2.0 * found[0])
