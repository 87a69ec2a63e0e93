"""Two arms over one or more suites: per suite the figures, tests, changed queries and verdict."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from cranfield.comparisons.overlap import describe_overlap
from cranfield.comparisons.paired_runs import PairedRuns, pair_runs
from cranfield.comparisons.query_changes import Bucket, QueryChange, find_changes
from cranfield.errors import ComparisonError
from cranfield.model import Status
from cranfield.runs import Run, find_doubts
from cranfield.suites import CLASSES
from cranfield.verdicts import (
    UNDECIDED,
    ColumnPair,
    PairedComparison,
    Verdict,
    compare_columns,
    detectable_difference,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cranfield.measures import Measure

__all__ = [
    "CategoryComparison",
    "CompareOptions",
    "Comparison",
    "MeasureComparison",
    "SuiteComparison",
    "compare",
]


@dataclass(frozen=True, slots=True)
class CompareOptions:
    """How arms are compared. A difference that certainly lies within `margin` is equivalent."""

    margin: float = 0.02
    seed: int = 1967
    common: bool = False


@dataclass(frozen=True, slots=True)
class MeasureComparison:
    """One measure of a class in both arms; no result, with the reason, if no pair has a value.

    `noise` is the largest difference between two repetitions of one arm: how much the system
    differs from itself; None without repetitions. `detectable` is the smallest difference that
    these pairs detect with a power of 0.8; None if they have no spread.
    """

    measure: Measure
    result: PairedComparison | None
    verdict: Verdict
    reason: str = ""
    noise: float | None = None
    detectable: float | None = None


@dataclass(frozen=True, slots=True)
class CategoryComparison:
    """The headline measure over one category of queries.

    The means are over the `pairs` that have a value in both arms; None if there are none.
    """

    name: str
    queries: int
    pairs: int
    mean_a: float | None
    mean_b: float | None


@dataclass(frozen=True, slots=True)
class SuiteComparison:
    """Two runs of one suite compared; the verdict is that of the headline, the first measure.

    `buckets` counts the queries by what became of them and sums to their number. `categories`
    are in the order of the suite. `failures` counts by status what each arm did not answer,
    `empty` its answers without a result. `warnings` says what casts doubt on either run.
    """

    runs: PairedRuns = field(compare=False)
    suite_id: str
    query_class: str
    headline: MeasureComparison
    verdict: Verdict
    measures: tuple[MeasureComparison, ...]
    changes: tuple[QueryChange, ...]
    buckets: Mapping[Bucket, int]
    categories: tuple[CategoryComparison, ...]
    failures: tuple[Mapping[Status, int], Mapping[Status, int]]
    empty: tuple[int, int]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two arms, suite by suite; `tests` p-values are corrected together.

    There is no verdict over all suites: their classes measure different things.
    """

    name_a: str
    name_b: str
    suites: tuple[SuiteComparison, ...]
    tests: int
    options: CompareOptions

    @property
    def verdict(self) -> Verdict:
        """The verdict of the only suite; raises ComparisonError if there are several."""
        if len(self.suites) != 1:
            raise ComparisonError(
                f"{len(self.suites)} suites were compared, and each has a verdict of its own; "
                "there is none over all"
            )
        return self.suites[0].verdict


def compare(
    a: Run | Sequence[Run], b: Run | Sequence[Run], options: CompareOptions | None = None
) -> Comparison:
    """Compare arm B with arm A: each a run, or one run per suite.

    All measures of all suites are tested and corrected at once.
    """
    options = options or CompareOptions()
    pairs = _pair_arms(_by_suite(a), _by_suite(b), options)
    columns = [_columns(pair) for pair in pairs]
    results = compare_columns(
        [column for of_suite in columns for column in of_suite.values()],
        seed=options.seed,
        margin=options.margin,
    )
    remaining = iter(results)
    suites = tuple(
        _compare_suite(pair, {measure: next(remaining) for measure in of_suite})
        for pair, of_suite in zip(pairs, columns, strict=True)
    )
    return Comparison(
        name_a=pairs[0].a.header.name,
        name_b=pairs[0].b.header.name,
        suites=suites,
        tests=sum(result is not None and result.p_adjusted is not None for result in results),
        options=options,
    )


def _by_suite(arm: Run | Sequence[Run]) -> dict[str, Run]:
    runs = [arm] if isinstance(arm, Run) else arm
    return {run.header.suite.id: run for run in runs}


def _pair_arms(
    arm_a: dict[str, Run], arm_b: dict[str, Run], options: CompareOptions
) -> list[PairedRuns]:
    if arm_a.keys() != arm_b.keys() and not options.common:
        raise ComparisonError(
            f"the arms ran different suites: {', '.join(sorted(arm_a))} and "
            f"{', '.join(sorted(arm_b))}; name those to compare with --suite"
        )
    pairs = [
        pair_runs(arm_a[suite], arm_b[suite], common=options.common)
        for suite in arm_a
        if suite in arm_b
    ]
    if not pairs:
        raise ComparisonError("the arms have no suite in common")
    return pairs


def _columns(runs: PairedRuns) -> dict[Measure, ColumnPair]:
    """Return the values of every measure of quality, with the test that the class names."""
    known = CLASSES.get(runs.a.header.suite.query_class)
    return {
        measure: ColumnPair(*runs.values(measure), known.paired_test_of(measure))
        for measure in runs.measures
        if measure.family.is_quality
    }


def _compare_suite(
    runs: PairedRuns, results: Mapping[Measure, PairedComparison | None]
) -> SuiteComparison:
    measures = tuple(_compare_measure(runs, *each) for each in results.items())
    changes = find_changes(runs)
    buckets = Counter(change.bucket for change in changes)
    statuses = [change.status_a for change in changes], [change.status_b for change in changes]
    return SuiteComparison(
        runs=runs,
        suite_id=runs.a.header.suite.id,
        query_class=runs.a.header.suite.query_class,
        headline=measures[0],
        verdict=measures[0].verdict,
        measures=measures,
        changes=changes,
        buckets={bucket: buckets[bucket] for bucket in Bucket},
        categories=tuple(_categories(changes, measures[0].measure)),
        failures=(_failures(statuses[0]), _failures(statuses[1])),
        empty=(statuses[0].count(Status.EMPTY), statuses[1].count(Status.EMPTY)),
        warnings=tuple(_warnings(runs)),
    )


def _compare_measure(
    runs: PairedRuns, measure: Measure, result: PairedComparison | None
) -> MeasureComparison:
    return MeasureComparison(
        measure=measure,
        result=result,
        verdict=result.verdict if result else UNDECIDED,
        reason="" if result else runs.why_undefined(measure),
        noise=_noise(runs, measure),
        detectable=detectable_difference(result) if result else None,
    )


def _noise(runs: PairedRuns, measure: Measure) -> float | None:
    """Return the largest difference of means between two repetitions of one arm."""
    spreads = []
    for run, outcomes, places in (
        (runs.a, runs.outcomes_a, runs.places_a),
        (runs.b, runs.outcomes_b, runs.places_b),
    ):
        if run.header.repeats > 1:
            column = outcomes.by_repeat[:, list(places), run.measures.index(measure)]
            defined = ~np.isnan(column).any(axis=0)
            if defined.any():
                spreads.append(float(np.ptp(column[:, defined].mean(axis=1))))
    return max(spreads, default=None)


def _categories(changes: Sequence[QueryChange], headline: Measure) -> Iterable[CategoryComparison]:
    for name in dict.fromkeys(change.query.category for change in changes):
        if not name:
            continue
        own = [change for change in changes if change.query.category == name]
        values = [(each.values_a.get(headline), each.values_b.get(headline)) for each in own]
        both = [(a, b) for a, b in values if a is not None and b is not None]
        yield CategoryComparison(
            name=name,
            queries=len(own),
            pairs=len(both),
            mean_a=float(np.mean([a for a, _ in both])) if both else None,
            mean_b=float(np.mean([b for _, b in both])) if both else None,
        )


def _failures(statuses: Iterable[Status]) -> dict[Status, int]:
    return dict(Counter(status for status in statuses if status.is_failure))


def _warnings(runs: PairedRuns) -> Iterable[str]:
    """Say what changed during a run, and what looks like a mistake in its set-up."""
    yield from describe_overlap(runs)
    for run, outcomes in ((runs.a, runs.outcomes_a), (runs.b, runs.outcomes_b)):
        for warning in (*run.header.changes, *find_doubts(run, outcomes)):
            yield f"{run.header.name}: {warning}"
