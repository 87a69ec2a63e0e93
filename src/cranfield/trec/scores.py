"""TREC runs scored by judgments, and each compared with the first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.defaults import SEED
from cranfield.errors import InputError
from cranfield.formats import count_of
from cranfield.measures import parse_measure
from cranfield.model import Missing, TieRule, Undefined
from cranfield.trec.graded_run import grade_run
from cranfield.trec.judged_index import JudgedIndex
from cranfield.trec.trec_eval_format import TREC_EVAL_MEASURES
from cranfield.trec_files import read_qrels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from cranfield.measures import GradedColumns, Measure, MeasureColumn
    from cranfield.model import Value
    from cranfield.statistics import PairedComparison, Verdict
    from cranfield.trec.graded_run import GradedRun
    from cranfield.trec_files import Qrels

__all__ = [
    "RunComparison",
    "ScoreOptions",
    "ScoreWarning",
    "ScoredRun",
    "Scores",
    "TieBounds",
    "compare_runs",
    "default_measures",
    "score",
    "score_run",
    "score_runs",
]

_DEFAULTS = ("nDCG@10", "RR@10", "AP", "P@5", "R@100", "Judged@10")
_DEFAULTS_OF = {"trec_eval": TREC_EVAL_MEASURES}
_FIRST_NAMES = 3


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


@dataclass(frozen=True, slots=True, eq=False)
class ScoredRun:
    """One run's values: a column over the judged queries for each measure."""

    name: str
    tag: str
    graded: GradedColumns
    columns: Mapping[Measure, MeasureColumn]
    tie_bounds: Mapping[Measure, TieBounds]
    warnings: tuple[ScoreWarning, ...]

    @property
    def queries(self) -> tuple[str, ...]:
        """The judged queries, in the order of the columns."""
        return self.graded.queries

    def value(self, measure: Measure) -> Value:
        """Return the figure over all queries."""
        return measure.aggregate(self.columns[measure])


class TieBounds(NamedTuple):
    """The lowest and the highest value over all orders of tied hits."""

    worst: Value
    best: Value


@dataclass(frozen=True, slots=True)
class ScoreWarning:
    """Something that does not stop the scoring but that the reader must know."""

    code: str
    count: int
    message: str


@dataclass(frozen=True, slots=True)
class RunComparison:
    """One measure of one run against the first run; no result if no query has both values."""

    measure: Measure
    run_a: str
    run_b: str
    result: PairedComparison | None
    verdict: Verdict


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
    if options.margin is not None:
        from cranfield.statistics import require_margin

        require_margin(options.margin, unique)
    scored = score_runs(
        read_qrels(str(qrels)), runs, unique, ties=options.ties, missing=options.missing
    )
    compared = options.compare and len(scored) > 1
    comparisons = compare_runs(scored, seed=options.seed, margin=options.margin) if compared else ()
    return Scores(tuple(scored), tuple(comparisons))


def default_measures(format_name: str) -> tuple[Measure, ...]:
    """Return what is measured if nothing is asked for, in the format of a name."""
    return _DEFAULTS_OF.get(format_name) or tuple(map(parse_measure, _DEFAULTS))


def score_runs(
    qrels: Qrels,
    paths: Sequence[str | Path],
    measures: Sequence[Measure],
    *,
    ties: TieRule = TieRule.DOCUMENT,
    missing: Missing = Missing.ZERO,
) -> list[ScoredRun]:
    """Score several run files under the same judgments."""
    if [str(path) for path in paths].count("-") > 1:
        raise InputError("can be read only once", file="standard input")
    judged = JudgedIndex(qrels)
    names = _distinct_names([str(path) for path in paths])
    graded = [
        grade_run(qrels, str(path), ties=ties, missing=missing, judged=judged) for path in paths
    ]
    return [score_run(run, measures, name=name) for run, name in zip(graded, names, strict=True)]


def score_run(run: GradedRun, measures: Sequence[Measure], *, name: str | None = None) -> ScoredRun:
    """Measure one graded run."""
    columns = {measure: measure.of_columns(run.columns) for measure in measures}
    bounds = {measure: _bounds(run, measure, column) for measure, column in columns.items()}
    return ScoredRun(
        name=name or run.name,
        tag=run.tag,
        graded=run.columns,
        columns=columns,
        tie_bounds=bounds,
        warnings=tuple(_warnings(run, columns)),
    )


def compare_runs(
    runs: Sequence[ScoredRun], *, seed: int, margin: float | None = None
) -> list[RunComparison]:
    """Compare each run with the first on every measure of quality.

    The first measure of quality is the headline: its p-values are corrected over all runs
    together, those of the other measures among themselves. With a margin, a difference that surely
    lies within it is equivalent.
    """
    # The statistics take as long to load as the scoring of a small run, which needs none of them.
    from cranfield.statistics import UNDECIDED, ColumnPair, compare_columns

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


def _distinct_names(paths: list[str]) -> list[str]:
    """Name runs by file name, by whole path if file names collide, else with a number too."""
    # A path may hold bytes that are not text.
    shown = [path.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for path in paths]
    short = [path.rsplit("/", 1)[-1] for path in shown]
    names = short if len(set(short)) == len(short) else shown
    if len(set(names)) == len(names):
        return names
    return [f"{name} ({number})" for number, name in enumerate(names, start=1)]


def _bounds(run: GradedRun, measure: Measure, column: MeasureColumn) -> TieBounds:
    if not measure.family.is_monotone:
        unknown = Undefined(f"{measure.name} can rise when a better hit moves down")
        return TieBounds(unknown, unknown)
    worst, best = measure.of_columns(run.tied.worst), measure.of_columns(run.tied.best)
    if set(worst.undefined) != set(best.undefined):
        unknown = Undefined("whether it is defined depends on the order of ties")
        return TieBounds(unknown, unknown)
    return TieBounds(
        measure.aggregate(column.replaced(run.tied.query, worst)),
        measure.aggregate(column.replaced(run.tied.query, best)),
    )


def _warnings(run: GradedRun, columns: Mapping[Measure, MeasureColumn]) -> list[ScoreWarning]:
    found = [
        _about_spaces(run),
        _about_missing(run),
        _about_unjudged(run),
        _about_irrelevant(run),
        *(_about_undefined(measure, column) for measure, column in columns.items()),
        _about_ties(run, list(columns)),
        _about_holes(run.columns, list(columns)),
    ]
    return [each for each in found if each.count]


def _about_undefined(measure: Measure, column: MeasureColumn) -> ScoreWarning:
    count = len(column.undefined)
    reason = next(iter(column.undefined.values()), "")
    queries = count_of(count, "query", "queries")
    return ScoreWarning("undefined", count, f"{measure} leaves out {queries}: {reason}")


def _about_spaces(run: GradedRun) -> ScoreWarning:
    count, first = run.spaced.count, run.spaced.first
    lines = count_of(count, "line has", "lines have")
    message = (
        f"{lines} tabs between fields and a space inside one, first in line {first}; the space "
        "ends the field, as in trec_eval, and moves those after it"
    )
    return ScoreWarning("spaces", count, message)


def _about_missing(run: GradedRun) -> ScoreWarning:
    count = len(run.missing)
    queries = count_of(count, "judged query has", "judged queries have")
    message = f"{queries} no results in this run: {_first(run.missing)}"
    return ScoreWarning("missing-queries", count, message)


def _about_unjudged(run: GradedRun) -> ScoreWarning:
    count = len(run.unjudged)
    queries = count_of(count, "query of this run has", "queries of this run have")
    return ScoreWarning(
        "unjudged-queries", count, f"{queries} no judgments, ignored: {_first(run.unjudged)}"
    )


def _about_irrelevant(run: GradedRun) -> ScoreWarning:
    count = run.without_relevant
    queries = count_of(count, "judged query has", "judged queries have")
    return ScoreWarning(
        "no-relevant", count, f"{queries} nothing relevant, scored 0 as in trec_eval"
    )


def _about_ties(run: GradedRun, measures: Sequence[Measure]) -> ScoreWarning:
    """Count the queries whose value depends on the order of tied hits."""
    touched = np.zeros(len(run.tied.query), dtype=bool)
    for measure in measures:
        best, worst = measure.of_columns(run.tied.best), measure.of_columns(run.tied.worst)
        touched |= ~np.equal(best.values, worst.values) & ~(
            np.isnan(best.values) & np.isnan(worst.values)
        )
    count = int(np.count_nonzero(touched))
    queries = count_of(count, "query has", "queries have")
    return ScoreWarning(
        "ties",
        count,
        f"{queries} equal scores whose order changes a value; --tie-bounds shows by how much",
    )


def _about_holes(columns: GradedColumns, measures: Sequence[Measure]) -> ScoreWarning:
    depths = sorted({measure.depth for measure in measures if measure.depth is not None})
    shares, holes = [], 0
    for depth in depths:
        seen = int(np.minimum(columns.retrieved, depth).sum())
        judged = (columns.hit_rank <= depth) & (columns.hit_grade >= 0)
        holes = seen - int(np.count_nonzero(judged))
        if holes:
            shares.append(f"{holes / seen:.1%} of the first {depth}")
    return ScoreWarning(
        "unjudged-hits", holes, f"unjudged hits, counted as not relevant: {', '.join(shares)}"
    )


def _first(queries: tuple[str, ...]) -> str:
    more = ", …" if len(queries) > _FIRST_NAMES else ""
    return ", ".join(queries[:_FIRST_NAMES]) + more
