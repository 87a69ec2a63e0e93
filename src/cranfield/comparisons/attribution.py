"""Two binaries on two indexes: how much of a change is due to which."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.comparisons.comparison import CompareOptions
from cranfield.comparisons.paired_runs import pair_runs
from cranfield.errors import ComparisonError
from cranfield.suites import CLASSES
from cranfield.verdicts import UNDECIDED, ColumnPair, PairedComparison, Verdict, compare_columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from cranfield.measures import Measure
    from cranfield.runs import Run

__all__ = ["Attribution", "GridComparison", "attribute"]

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

    The `means` belong to old binary and old index, new and old, old and new, new and new.
    """

    suite_id: str
    query_class: str
    names: tuple[str, ...]
    queries: int
    means: dict[Measure, tuple[float, ...]]
    attributions: tuple[Attribution, ...]
    options: CompareOptions


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """Four runs of one suite on the queries they share.

    `columns` has the four runs' values of each measure, over the queries defined in all four.
    """

    runs: list[Run]
    queries: int
    columns: dict[Measure, list[NDArray[np.float64]]]


def attribute(
    arms: Sequence[Sequence[Run]], options: CompareOptions | None = None
) -> list[GridComparison]:
    """Attribute the change from the first to the last of four arms, suite by suite.

    The arms are: old binary on the old index, new on old, old on new, new on new. The effect of
    the binary is its mean over both indexes, that of the index over both binaries; the
    interaction is what the new binary gains on the new index beyond what it gains on the old.
    All factors of all suites are tested and corrected at once.
    """
    options = options or CompareOptions()
    by_suite = [{run.header.suite.id: run for run in arm} for arm in arms]
    shared = [suite for suite in by_suite[0] if all(suite in arm for arm in by_suite)]
    if not shared:
        raise ComparisonError("the four arms have no suite in common")
    grids = [_pair_grid([arm[suite] for arm in by_suite], options) for suite in shared]
    columns = [
        _factor_columns(factor, values)
        for grid in grids
        for values in grid.columns.values()
        for factor in _FACTORS
    ]
    remaining = iter(compare_columns(columns, seed=options.seed, margin=options.margin))
    return [_compare_grid(grid, remaining, options) for grid in grids]


def _pair_grid(runs: list[Run], options: CompareOptions) -> _Grid:
    pairs = [pair_runs(runs[0], other, common=options.common) for other in runs[1:]]
    kept = sorted(set.intersection(*(set(pair.places_a) for pair in pairs)))
    if not kept:
        raise ComparisonError("the four arms have no query in common")
    columns = {}
    for measure in CLASSES.get(runs[0].header.suite.query_class).measures:
        if not measure.family.is_quality:
            continue
        index = runs[0].measures.index(measure)
        first = pairs[0].outcomes_a.values[kept, index]
        others = []
        for pair in pairs:
            places = dict(zip(pair.places_a, pair.places_b, strict=True))
            at = [places[place] for place in kept]
            others.append(pair.outcomes_b.values[at, pair.b.measures.index(measure)])
        defined = ~np.isnan(np.array([first, *others])).any(axis=0)
        columns[measure] = [each[defined] for each in (first, *others)]
    return _Grid(runs, len(kept), columns)


def _factor_columns(factor: str, values: list[NDArray[np.float64]]) -> ColumnPair:
    """Return what a measure comes to without and with a factor."""
    old_old, new_old, old_new, new_new = values
    without, with_factor = {
        "binary": ((old_old + old_new) / 2, (new_old + new_new) / 2),
        "index": ((old_old + new_old) / 2, (old_new + new_new) / 2),
        "interaction": (new_old - old_old, new_new - old_new),
    }[factor]
    return ColumnPair(without, with_factor)


def _compare_grid(
    grid: _Grid, results: Iterator[PairedComparison | None], options: CompareOptions
) -> GridComparison:
    suite = grid.runs[0].header.suite
    return GridComparison(
        suite_id=suite.id,
        query_class=suite.query_class,
        names=tuple(run.header.name for run in grid.runs),
        queries=grid.queries,
        means={measure: _means(values) for measure, values in grid.columns.items()},
        attributions=tuple(
            Attribution(factor, measure, result, result.verdict if result else UNDECIDED)
            for measure in grid.columns
            for factor in _FACTORS
            for result in (next(results),)
        ),
        options=options,
    )


def _means(values: list[NDArray[np.float64]]) -> tuple[float, ...]:
    return tuple(float(each.mean()) if len(each) else np.nan for each in values)
