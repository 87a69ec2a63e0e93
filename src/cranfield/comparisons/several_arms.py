"""More arms than two: each compared with the first, or four that tell binary from index."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from cranfield.comparisons.certainty import (
    NOTHING_IS_RIGHT,
    ArmFailures,
    OpenQueries,
    find_failures,
    find_open_queries,
    refuse_open,
    refuse_verdict,
)
from cranfield.comparisons.comparison import CompareOptions, compare_with_first
from cranfield.comparisons.paired_runs import name_arms, pair_runs
from cranfield.errors import ComparisonError
from cranfield.formats import NotebookView
from cranfield.statistics import (
    ColumnPair,
    PairedComparison,
    Verdict,
    compare_columns,
    paired_t,
    require_margin,
    settle_verdict,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from cranfield.comparisons.comparison import Comparison, SuiteComparison
    from cranfield.measures import Measure
    from cranfield.runs.runner import Run

__all__ = [
    "Attribution",
    "Grid",
    "GridComparison",
    "Leaderboard",
    "Standing",
    "SuiteStandings",
    "attribute",
    "compare_arms",
]


@dataclass(frozen=True, slots=True)
class Standing:
    """One arm in a suite: the mean of the headline, its 95% interval, and how it compares.

    The mean is over the `queries` that it and the first arm answered and that have a value; None
    without any. `interval` is None if they have no spread. `comparison` is with the first arm; the
    first arm itself has none.
    """

    name: str
    queries: int
    failed: int
    mean: float | None
    interval: tuple[float, float] | None
    comparison: SuiteComparison | None


@dataclass(frozen=True, slots=True)
class SuiteStandings:
    """All arms in one suite, in the order in which they were named."""

    suite_id: str
    query_class: str
    headline: Measure
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class Leaderboard(NotebookView):
    """All arms, suite by suite, and each compared with the first, corrected over everything.

    There is no table over all suites: their classes measure different things.
    """

    names: tuple[str, ...]
    suites: tuple[SuiteStandings, ...]
    comparisons: tuple[Comparison, ...]
    options: CompareOptions

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdict of each arm on each suite."""
        return tuple(verdict for each in self.comparisons for verdict in each.verdicts)

    @property
    def has_failures(self) -> bool:
        """Whether an arm failed to answer any query."""
        return any(comparison.has_failures for comparison in self.comparisons)

    @property
    def has_ungraded(self) -> bool:
        """Whether any answer could not be graded."""
        return any(comparison.has_ungraded for comparison in self.comparisons)


def compare_arms(
    arms: Sequence[Run | Sequence[Run]], options: CompareOptions | None = None
) -> Leaderboard:
    """Compare any number of arms with the first: each a run, or one run per suite.

    All measures of all suites and arms are tested and corrected at once.
    """
    if len(arms) < 2:
        raise ComparisonError("a comparison takes two arms at least: one, and others to compare")
    options = options or CompareOptions()
    comparisons = tuple(compare_with_first(arms, options))
    suites = dict.fromkeys(suite.suite_id for each in comparisons for suite in each.suites)
    return Leaderboard(
        names=(comparisons[0].name_a, *(each.name_b for each in comparisons)),
        suites=tuple(_stand(name, comparisons) for name in suites),
        comparisons=comparisons,
        options=options,
    )


def _stand(suite_id: str, comparisons: Sequence[Comparison]) -> SuiteStandings:
    named = [
        (each.name_b, suite)
        for each in comparisons
        for suite in each.suites
        if suite.suite_id == suite_id
    ]
    compared = [suite for _, suite in named]
    headline = compared[0].headline.measure
    first = compared[0].runs
    own = first.outcomes_a.values[list(first.places_a), first.a.measures.index(headline)]
    answered = [status is not None and not status.is_failure for status in first.statuses[0]]
    return SuiteStandings(
        suite_id=suite_id,
        query_class=compared[0].query_class,
        headline=headline,
        standings=(
            _standing(comparisons[0].name_a, np.where(answered, own, np.nan), None, compared[0], 0),
            *(_standing(name, _values(suite), suite, suite, 1) for name, suite in named),
        ),
    )


def _values(suite: SuiteComparison) -> NDArray[np.float64]:
    """Return an arm's values of the headline, over the queries that the first has as well."""
    first, second = suite.runs.values(suite.headline.measure)
    return np.where(np.isnan(first), np.nan, second)


def _standing(
    name: str,
    values: NDArray[np.float64],
    comparison: SuiteComparison | None,
    failing: SuiteComparison,
    side: int,
) -> Standing:
    defined = values[~np.isnan(values)]
    student = paired_t(np.zeros(len(defined)), defined) if len(defined) else None
    bounds = None
    if student and student.sd and student.low is not None and student.high is not None:
        bounds = (student.low, student.high)
    return Standing(
        name=name,
        queries=len(defined),
        failed=failing.failures[side].count,
        mean=float(defined.mean()) if len(defined) else None,
        interval=bounds,
        comparison=comparison,
    )


_FACTORS = ("binary", "index", "interaction")


@dataclass(frozen=True, slots=True)
class Attribution:
    """What one factor adds to a measure, over the queries; no result if it is undefined."""

    factor: str
    measure: Measure
    result: PairedComparison | None
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class GridComparison:
    """Four runs of one suite and what their differences are due to.

    The `means` and `failures` belong to old binary and old index, new and old, old and new, new and
    new. If too many queries failed in any of them, or depend on unjudged hits, there is no
    verdict.
    """

    suite_id: str
    query_class: str
    names: tuple[str, ...]
    queries: int
    means: dict[Measure, tuple[float, ...]]
    attributions: tuple[Attribution, ...]
    failures: tuple[ArmFailures, ...]
    options: CompareOptions
    ungraded: tuple[str, ...] = ()
    """The queries of which an answer could not be graded; no figure has them."""
    not_judged: OpenQueries = field(default_factory=lambda: OpenQueries(0, ()))
    """The queries whose headline depends on unjudged hits."""

    @property
    def headline(self) -> Measure | None:
        """The measure that decides, the first; None if the arms share none."""
        return next(iter(self.means), None)


@dataclass(frozen=True, slots=True)
class Grid:
    """Two binaries on two indexes, suite by suite."""

    suites: tuple[GridComparison, ...]

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdict on each factor in each suite, by its headline."""
        return tuple(
            each.verdict
            for suite in self.suites
            for each in suite.attributions
            if each.measure == suite.headline
        )

    @property
    def has_failures(self) -> bool:
        """Whether an arm failed to answer any query."""
        return any(each.count for suite in self.suites for each in suite.failures)

    @property
    def has_ungraded(self) -> bool:
        """Whether any answer could not be graded, or too few are judged for a verdict."""
        return any(suite.ungraded or suite.not_judged.is_too_many for suite in self.suites)


@dataclass(frozen=True, slots=True, eq=False)
class _PairedGrid:
    """Four runs of one suite on the queries they share.

    `columns` has the four runs' values of each measure, over the queries that all four answered
    and for which it is defined in all; `open` those that depend on unjudged hits.
    """

    runs: list[Run]
    names: tuple[str, ...]
    queries: int
    columns: dict[Measure, list[NDArray[np.float64]]]
    open: dict[Measure, OpenQueries]
    has_right_answers: bool
    failures: tuple[ArmFailures, ...]
    ungraded: tuple[str, ...]


def attribute(arms: Sequence[Sequence[Run]], options: CompareOptions | None = None) -> Grid:
    """Attribute the change from the first to the last of four arms, suite by suite.

    The arms are: old binary on the old index, new on old, old on new, new on new. The effect of
    the binary is its mean over both indexes, that of the index over both binaries; the
    interaction is what the new binary gains on the new index beyond what it gains on the old.
    All factors of the headlines of all suites are tested and corrected at once.
    """
    options = options or CompareOptions()
    by_suite = [{run.header.suite.id: run for run in arm} for arm in arms]
    shared = [suite for suite in by_suite[0] if all(suite in arm for arm in by_suite)]
    if not shared:
        raise ComparisonError("the four arms have no suite in common")
    names = name_arms([[arm[suite] for suite in shared] for arm in by_suite])
    grids = [_pair_grid([arm[suite] for arm in by_suite], names, options) for suite in shared]
    require_margin(options.margin, (each for grid in grids for each in grid.columns))
    columns = [
        _factor_columns(factor, values, is_headline=place == 0)
        for grid in grids
        for place, values in enumerate(grid.columns.values())
        for factor in _FACTORS
    ]
    remaining = iter(compare_columns(columns, seed=options.seed, margin=options.margin))
    return Grid(tuple(_compare_grid(grid, remaining, options) for grid in grids))


def _pair_grid(runs: list[Run], names: tuple[str, ...], options: CompareOptions) -> _PairedGrid:
    pairs = [pair_runs(runs[0], other, common=options.common) for other in runs[1:]]
    kept = sorted(set.intersection(*(set(pair.places_a) for pair in pairs)))
    if not kept:
        raise ComparisonError("the four arms have no query in common")
    places = [[pair.places_a.index(place) for place in kept] for pair in pairs]
    queries = [pairs[0].queries[at] for at in places[0]]
    columns, unjudged = {}, {}
    for measure in pairs[0].quality_measures:
        if all(measure in pair.measures for pair in pairs):
            read = [pair.values(measure) for pair in pairs]
            others = [second[at] for (_, second), at in zip(read, places, strict=True)]
            values = np.array([read[0][0][places[0]], *others])
            columns[measure] = list(values[:, ~np.isnan(values).any(axis=0)])
            found = [pair.find_open(measure)[at] for pair, at in zip(pairs, places, strict=True)]
            unjudged[measure] = find_open_queries(queries, np.any(found, axis=0))
    statuses = [pairs[0].statuses[0], *(pair.statuses[1] for pair in pairs)]
    failures = tuple(
        find_failures(name, queries, [of_run[place] for place in at])
        for name, of_run, at in zip(names, statuses, (places[0], *places), strict=True)
    )
    marked = [pair.ungraded[at] for pair, at in zip(pairs, places, strict=True)]
    left_out = np.flatnonzero(np.any(marked, axis=0)).tolist()
    ungraded = tuple(queries[place].id for place in left_out)
    has_right = pairs[0].has_right_answers
    return _PairedGrid(runs, names, len(kept), columns, unjudged, has_right, failures, ungraded)


def _factor_columns(
    factor: str, values: list[NDArray[np.float64]], *, is_headline: bool
) -> ColumnPair:
    """Return what a measure comes to without and with a factor."""
    old_old, new_old, old_new, new_new = values
    without, with_factor = {
        "binary": ((old_old + old_new) / 2, (new_old + new_new) / 2),
        "index": ((old_old + new_old) / 2, (old_new + new_new) / 2),
        "interaction": (new_old - old_old, new_new - old_new),
    }[factor]
    return ColumnPair(without, with_factor, is_headline=is_headline)


def _compare_grid(
    grid: _PairedGrid, results: Iterator[PairedComparison | None], options: CompareOptions
) -> GridComparison:
    suite = grid.runs[0].header.suite
    refused = refuse_verdict(grid.failures)
    return GridComparison(
        suite_id=suite.id,
        query_class=suite.query_class,
        names=grid.names,
        queries=grid.queries,
        means={measure: _means(values) for measure, values in grid.columns.items()},
        attributions=tuple(
            Attribution(
                factor,
                measure,
                result,
                settle_verdict(result, refused, _refuse_open(grid, measure)),
            )
            for measure in grid.columns
            for factor in _FACTORS
            for result in (next(results),)
        ),
        failures=grid.failures,
        options=options,
        ungraded=grid.ungraded,
        not_judged=next(iter(grid.open.values()), OpenQueries(grid.queries, ())),
    )


def _refuse_open(grid: _PairedGrid, measure: Measure) -> Verdict | None:
    if not grid.has_right_answers:
        return NOTHING_IS_RIGHT
    return refuse_open(grid.open[measure], "`cranfield judge`")


def _means(values: list[NDArray[np.float64]]) -> tuple[float, ...]:
    return tuple(float(each.mean()) if len(each) else np.nan for each in values)
