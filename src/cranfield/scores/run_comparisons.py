"""Several scored runs compared with the first one, measure by measure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.verdicts import UNDECIDED, ColumnPair, PairedComparison, Verdict, compare_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cranfield.measures import Measure
    from cranfield.trec import ScoredRun

__all__ = ["RunComparison", "compare_runs"]


@dataclass(frozen=True, slots=True)
class RunComparison:
    """One measure of one run against the first run; no result if no query has both values."""

    measure: Measure
    run_a: str
    run_b: str
    result: PairedComparison | None
    verdict: Verdict


def compare_runs(
    runs: Sequence[ScoredRun], *, seed: int, margin: float | None = None
) -> list[RunComparison]:
    """Compare each run with the first on every measure of quality.

    The p-values are corrected over all measures and runs together. With a margin, a difference
    that certainly lies within it is equivalent.
    """
    first = runs[0]
    compared = [
        (run, measure) for run in runs[1:] for measure in first.columns if measure.family.is_quality
    ]
    columns = [
        ColumnPair(_common_values(first, run, measure), _common_values(run, first, measure))
        for run, measure in compared
    ]
    results = compare_columns(columns, seed=seed, margin=margin)
    return [
        RunComparison(
            measure, first.name, run.name, result, result.verdict if result else UNDECIDED
        )
        for (run, measure), result in zip(compared, results, strict=True)
    ]


def _common_values(run: ScoredRun, other: ScoredRun, measure: Measure) -> NDArray[np.float64]:
    """Return a measure's values on the queries that both runs have, in the order of the ids."""
    shared = set(other.queries)
    kept = [place for place, query in enumerate(run.queries) if query in shared]
    return run.columns[measure].values[np.array(kept, dtype=np.int64)]
