"""The headline of a run against its baseline: the verdict that `cranfield compare` would give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.comparisons import CompareOptions
from cranfield.formats import show_p, show_value
from cranfield.gates.baselines import take_answered
from cranfield.suites import CLASSES
from cranfield.verdicts import UNDECIDED, ColumnPair, compare_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cranfield.gates.baselines import Baseline
    from cranfield.measures import Measure
    from cranfield.runs import Run
    from cranfield.verdicts import PairedComparison, Verdict

__all__ = ["HeadlineComparison", "compare_headlines"]


@dataclass(frozen=True, slots=True)
class HeadlineComparison:
    """The headline measure over the queries that baseline and run both answered.

    `result` is None if no such query has a value on both sides.
    """

    measure: str
    result: PairedComparison | None
    verdict: Verdict

    def __str__(self) -> str:
        if self.result is None:
            return str(self.verdict)
        means = f"{show_value(self.result.mean_a)} → {show_value(self.result.mean_b)}"
        return f"{self.verdict.kind} ({self.measure} {means}, p {show_p(self.result.p_adjusted)})"


def compare_headlines(pairs: Sequence[tuple[Run, Baseline]]) -> list[HeadlineComparison]:
    """Compare runs with their baselines, with the options of `compare` and corrected together."""
    options = CompareOptions()
    headlines = [_find_headline(run) for run, _ in pairs]
    columns = [
        _pair_columns(run, baseline, headline)
        for (run, baseline), headline in zip(pairs, headlines, strict=True)
    ]
    results = compare_columns(columns, seed=options.seed, margin=options.margin)
    return [
        HeadlineComparison(str(headline), result, result.verdict if result else UNDECIDED)
        for headline, result in zip(headlines, results, strict=True)
    ]


def _find_headline(run: Run) -> Measure:
    return next(measure for measure in run.measures if measure.family.is_quality)


def _pair_columns(run: Run, baseline: Baseline, headline: Measure) -> ColumnPair:
    outcomes, name = run.outcomes(), str(headline)
    column = run.header.measures.index(name)
    known = {query.hash: query for query in baseline.queries}
    pairs = [
        (query.values[name], _mean(take_answered(outcomes, place)[:, column]))
        for place, key in enumerate(outcomes.hashes)
        if (query := known.get(key)) and query.is_answered and name in query.values
    ]
    before, after = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
    test = CLASSES.get(run.header.suite.query_class).paired_test_of(headline)
    return ColumnPair(before, after, test)


def _mean(values: NDArray[np.float64]) -> float:
    """Return the mean of the values that are defined, NaN if there is none."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")
