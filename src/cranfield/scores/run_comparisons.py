"""TREC runs scored, and compared with the first one, measure by measure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.defaults import SEED
from cranfield.measures import parse_measure
from cranfield.model import Missing, TieRule
from cranfield.scores.score_report import default_measures
from cranfield.trec import read_qrels, score_runs
from cranfield.verdicts import (
    ColumnPair,
    PairedComparison,
    Verdict,
    compare_columns,
    require_margin,
    settle_verdict,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from cranfield.measures import Measure
    from cranfield.trec import ScoredRun

__all__ = ["RunComparison", "ScoreOptions", "Scores", "compare_runs", "score"]


@dataclass(frozen=True, slots=True)
class RunComparison:
    """One measure of one run against the first run; no result if no query has both values."""

    measure: Measure
    run_a: str
    run_b: str
    result: PairedComparison | None
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """How runs are scored and compared; the defaults are those of `cranfield score`."""

    ties: TieRule = TieRule.DOCUMENT
    missing: Missing = Missing.ZERO
    margin: float | None = None
    seed: int = SEED
    compare: bool = True


@dataclass(frozen=True, slots=True)
class Scores:
    """Scored runs, and the comparisons of each with the first."""

    runs: tuple[ScoredRun, ...]
    comparisons: tuple[RunComparison, ...] = ()


def score(
    qrels: str | Path,
    runs: Sequence[str | Path],
    measures: Sequence[str | Measure] = (),
    options: ScoreOptions | None = None,
) -> Scores:
    """Score TREC run files, and compare each with the first.

    Without measures, these are nDCG@10, RR@10, AP, P@5, R@100 and Judged@10. Values equal those of
    `trec_eval -c` to the last printed digit.
    """
    options = options or ScoreOptions()
    wanted = [parse_measure(each) if isinstance(each, str) else each for each in measures]
    unique = list(dict.fromkeys(wanted or default_measures("text")))
    require_margin(options.margin, unique)
    scored = score_runs(
        read_qrels(str(qrels)), runs, unique, ties=options.ties, missing=options.missing
    )
    compared = options.compare and len(scored) > 1
    comparisons = compare_runs(scored, seed=options.seed, margin=options.margin) if compared else ()
    return Scores(tuple(scored), tuple(comparisons))


def compare_runs(
    runs: Sequence[ScoredRun], *, seed: int, margin: float | None = None
) -> list[RunComparison]:
    """Compare each run with the first on every measure of quality.

    The first measure of quality is the headline: its p-values are corrected over all runs
    together, those of the other measures among themselves. With a margin, a difference that surely
    lies within it is equivalent.
    """
    first = runs[0]
    measures = [measure for measure in first.columns if measure.family.is_quality]
    compared = [(run, measure) for run in runs[1:] for measure in measures]
    columns = [
        ColumnPair(
            _common_values(first, run, measure),
            _common_values(run, first, measure),
            is_headline=measure == measures[0],
        )
        for run, measure in compared
    ]
    results = compare_columns(columns, seed=seed, margin=margin)
    return [
        RunComparison(measure, first.name, run.name, result, settle_verdict(result))
        for (run, measure), result in zip(compared, results, strict=True)
    ]


def _common_values(run: ScoredRun, other: ScoredRun, measure: Measure) -> NDArray[np.float64]:
    """Return a measure's values on the queries that both runs have, in the order of the ids."""
    shared = set(other.queries)
    kept = [place for place, query in enumerate(run.queries) if query in shared]
    return run.columns[measure].values[np.array(kept, dtype=np.int64)]
