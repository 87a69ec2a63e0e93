"""Two binaries on two indexes: what of a change is due to which."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cranfield.comparisons.pairing import pair_runs
from cranfield.comparisons.suites import CompareOptions
from cranfield.errors import ComparisonError
from cranfield.measures import Column
from cranfield.suites import CLASSES
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

    from numpy.typing import NDArray

    from cranfield.measures import Measure
    from cranfield.runs import Run

__all__ = ["Attribution", "GridComparison", "attribute"]


@dataclass(frozen=True, slots=True)
class Attribution:
    """What one factor adds to a measure, over the queries; no result where it is undefined."""

    factor: str
    measure: Measure
    result: PairedComparison | None

    @property
    def verdict(self) -> Verdict:
        """Whether the factor made it better or worse."""
        return decide(self.result) if self.result else Verdict(VerdictKind.CANNOT_TELL)


@dataclass(frozen=True, slots=True)
class GridComparison:
    """Four runs of one suite and what their differences are due to.

    `means` are those of old binary and old index, new and old, old and new, new and new.
    """

    suite_id: str
    query_class: str
    names: tuple[str, ...]
    queries: int
    means: dict[Measure, tuple[float, ...]]
    attributions: tuple[Attribution, ...]
    options: CompareOptions


def attribute(
    arms: Sequence[Sequence[Run]], options: CompareOptions | None = None
) -> list[GridComparison]:
    """Attribute the change from the first to the last of four arms, suite by suite.

    The arms are: old binary on the old index, new on old, old on new, new on new. The effect of
    the binary is its mean over both indexes, that of the index over both binaries; the
    interaction is what the new binary gains on the new index beyond what it gains on the old.
    """
    options = options or CompareOptions()
    by_suite = [{run.header.suite.id: run for run in arm} for arm in arms]
    shared = [suite for suite in by_suite[0] if all(suite in arm for arm in by_suite)]
    if not shared:
        raise ComparisonError("the four arms have no suite in common")
    grids = [_attribute_suite([arm[suite] for arm in by_suite], options) for suite in shared]
    return _corrected(grids)


def _attribute_suite(runs: list[Run], options: CompareOptions) -> GridComparison:
    pairs = [pair_runs(runs[0], other, common=options.common) for other in runs[1:]]
    kept = sorted(set.intersection(*(set(pair.places_a) for pair in pairs)))
    if not kept:
        raise ComparisonError("the four arms have no query in common")
    suite = runs[0].header.suite
    known = CLASSES.get(suite.query_class)
    columns: dict[Measure, list[NDArray[np.float64]]] = {}
    for measure in known.measures:
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
    found = [
        _factor(name, measure, values, options)
        for measure, values in columns.items()
        for name in ("binary", "index", "interaction")
    ]
    return GridComparison(
        suite.id,
        suite.query_class,
        tuple(run.header.name for run in runs),
        len(kept),
        {measure: _means(values) for measure, values in columns.items()},
        tuple(found),
        options,
    )


def _means(values: list[NDArray[np.float64]]) -> tuple[float, ...]:
    return tuple(float(each.mean()) if len(each) else np.nan for each in values)


def _factor(
    name: str,
    measure: Measure,
    values: list[NDArray[np.float64]],
    options: CompareOptions,
) -> Attribution:
    old_old, new_old, old_new, new_new = values
    without, with_factor = {
        "binary": ((old_old + old_new) / 2, (new_old + new_new) / 2),
        "index": ((old_old + new_old) / 2, (old_new + new_new) / 2),
        "interaction": (new_old - old_old, new_new - old_new),
    }[name]
    result = compare_columns(
        Column(without), Column(with_factor), seed=options.seed, margin=options.margin
    )
    return Attribution(name, measure, result)


def _corrected(grids: list[GridComparison]) -> list[GridComparison]:
    """Correct all p-values over all suites at once."""
    results = [each.result for grid in grids for each in grid.attributions]
    corrected = iter(correct_together(results))
    return [
        replace(
            grid,
            attributions=tuple(replace(each, result=next(corrected)) for each in grid.attributions),
        )
        for grid in grids
    ]
