"""Several scored runs compared with the first one, measure by measure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cranfield.measures import Column
from cranfield.verdicts import (
    PairedComparison,
    Verdict,
    VerdictKind,
    compare_columns,
    correct_together,
    decide,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.measures import Measure
    from cranfield.trec import ScoredRun

__all__ = ["RunComparison", "compare_runs"]


@dataclass(frozen=True, slots=True)
class RunComparison:
    """One measure of one run against the first run; no result where nothing can be paired."""

    measure: Measure
    run_a: str
    run_b: str
    result: PairedComparison | None

    @property
    def verdict(self) -> Verdict:
        """What can be said of the run; *cannot tell* where nothing could be paired."""
        return decide(self.result) if self.result else Verdict(VerdictKind.CANNOT_TELL)


def compare_runs(
    runs: Sequence[ScoredRun], *, seed: int, margin: float | None = None
) -> list[RunComparison]:
    """Compare each run with the first on every measure of quality.

    The p-values are corrected over all measures and runs together. With a margin, a difference
    that surely lies within it is equivalent.
    """
    first = runs[0]
    compared = [
        RunComparison(
            measure,
            first.name,
            run.name,
            compare_columns(
                _on_common_queries(first, run, measure),
                _on_common_queries(run, first, measure),
                seed=seed,
                margin=margin,
            ),
        )
        for run in runs[1:]
        for measure in first.columns
        if measure.family.is_quality
    ]
    corrected = correct_together([each.result for each in compared])
    return [replace(each, result=result) for each, result in zip(compared, corrected, strict=True)]


def _on_common_queries(run: ScoredRun, other: ScoredRun, measure: Measure) -> Column:
    """Return a measure's values on the queries that both runs have, in the order of the ids."""
    shared = set(other.queries)
    kept = [place for place, query in enumerate(run.queries) if query in shared]
    return Column(run.columns[measure].values[np.array(kept, dtype=np.int64)])
