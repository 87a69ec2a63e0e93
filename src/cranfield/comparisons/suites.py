"""Two arms over one or more suites: per class the figures, the tests, the buckets, a verdict."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cranfield.comparisons.buckets import Bucket, bucket_of
from cranfield.comparisons.pairing import PairedRuns, pair_runs
from cranfield.errors import ComparisonError
from cranfield.measures import Column
from cranfield.model import Status
from cranfield.runs import Run
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
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cranfield.measures import Measure
    from cranfield.model import Query
    from cranfield.runs import Outcomes

__all__ = [
    "CompareOptions",
    "Comparison",
    "MeasureComparison",
    "QueryChange",
    "SuiteComparison",
    "compare",
]


@dataclass(frozen=True, slots=True)
class CompareOptions:
    """How arms are compared. Differences that surely lie within `margin` are equivalent."""

    margin: float = 0.02
    seed: int = 1967
    common: bool = False


@dataclass(frozen=True, slots=True)
class MeasureComparison:
    """One measure of a class in both arms; no result where it is undefined for every pair.

    `noise` is the largest difference between two repetitions of one arm: what the system differs
    from itself by.
    """

    measure: Measure
    result: PairedComparison | None
    reason: str = ""
    noise: float | None = None

    @property
    def verdict(self) -> Verdict:
        """What can be said of B."""
        return decide(self.result) if self.result else Verdict(VerdictKind.CANNOT_TELL)


@dataclass(frozen=True, slots=True)
class QueryChange:
    """One query in both arms."""

    query: Query
    rank_a: int | None
    rank_b: int | None
    status_a: Status
    status_b: Status
    values_a: Mapping[Measure, float | None]
    values_b: Mapping[Measure, float | None]
    headline: Measure

    @property
    def bucket(self) -> Bucket:
        """Where the query belongs."""
        return bucket_of(self.rank_a, self.rank_b, self.difference)

    @property
    def failed(self) -> bool:
        """Whether either arm did not answer."""
        return self.status_a.is_failure or self.status_b.is_failure

    @property
    def difference(self) -> float:
        """What B has more than A of the headline measure; 0 where either has no value."""
        a, b = self.values_a.get(self.headline), self.values_b.get(self.headline)
        return 0.0 if a is None or b is None else b - a

    @property
    def changed(self) -> bool:
        """Whether the arms differ in rank, status or the headline measure."""
        return self.bucket.is_change or self.status_a != self.status_b


@dataclass(frozen=True, slots=True)
class SuiteComparison:
    """All that can be said of two runs of one suite."""

    runs: PairedRuns
    measures: tuple[MeasureComparison, ...]
    changes: tuple[QueryChange, ...]

    @property
    def suite_id(self) -> str:
        """The suite's id."""
        return self.runs.a.header.suite.id

    @property
    def query_class(self) -> str:
        """The class of its queries."""
        return self.runs.a.header.suite.query_class

    @property
    def headline(self) -> MeasureComparison:
        """The measure that the class's verdict is about."""
        return self.measures[0]

    @property
    def verdict(self) -> Verdict:
        """Better, worse, equivalent or cannot tell."""
        return self.headline.verdict

    @property
    def buckets(self) -> dict[Bucket, int]:
        """How many queries each bucket holds; the counts sum to the number of queries."""
        counted = Counter(change.bucket for change in self.changes)
        return {bucket: counted[bucket] for bucket in Bucket}

    def empty(self) -> tuple[int, int]:
        """Count the queries that each arm answered with no result."""
        return (
            sum(change.status_a is Status.EMPTY for change in self.changes),
            sum(change.status_b is Status.EMPTY for change in self.changes),
        )

    def failures(self) -> tuple[dict[Status, int], dict[Status, int]]:
        """Count the queries that each arm did not answer, by status."""
        sides = (
            [change.status_a for change in self.changes],
            [change.status_b for change in self.changes],
        )
        first, second = (
            dict(Counter(status for status in side if status.is_failure)) for side in sides
        )
        return first, second


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two arms, suite by suite. There is no verdict over all: classes are not alike."""

    name_a: str
    name_b: str
    suites: tuple[SuiteComparison, ...]
    options: CompareOptions

    @property
    def verdict(self) -> Verdict:
        """The verdict of the only suite; with several, ask each."""
        if len(self.suites) != 1:
            raise ComparisonError(
                f"{len(self.suites)} suites were compared, and each has a verdict of its own; "
                "there is none over all"
            )
        return self.suites[0].verdict

    @property
    def tests(self) -> int:
        """How many tests were made at once, over which p is corrected."""
        return sum(
            each.result is not None and each.result.test.p_two_sided is not None
            for suite in self.suites
            for each in suite.measures
        )


def compare(
    a: Run | Sequence[Run], b: Run | Sequence[Run], options: CompareOptions | None = None
) -> Comparison:
    """Compare arm B with arm A: each a run, or one run a suite."""
    options = options or CompareOptions()
    arm_a, arm_b = ({run.header.suite.id: run for run in _runs(arm)} for arm in (a, b))
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
    compared = [_compare_pair(pair, options) for pair in pairs]
    return Comparison(pairs[0].a.header.name, pairs[0].b.header.name, _corrected(compared), options)


def _runs(arm: Run | Sequence[Run]) -> Sequence[Run]:
    return [arm] if isinstance(arm, Run) else arm


def _compare_pair(pair: PairedRuns, options: CompareOptions) -> SuiteComparison:
    known = CLASSES.get(pair.a.header.suite.query_class)
    quality = [measure for measure in pair.measures if measure.family.is_quality]
    compared = []
    for measure in quality:
        first, second = _columns(pair, measure)
        result = compare_columns(
            first,
            second,
            seed=options.seed,
            margin=options.margin,
            test=known.paired_test_of(measure),
        )
        reason = "" if result else _why_undefined(pair, measure)
        compared.append(MeasureComparison(measure, result, reason, _noise(pair, measure)))
    return SuiteComparison(pair, tuple(compared), tuple(_changes(pair)))


def _columns(pair: PairedRuns, measure: Measure) -> tuple[Column, Column]:
    first = pair.outcomes_a.values[_at(pair.places_a), pair.a.measures.index(measure)]
    second = pair.outcomes_b.values[_at(pair.places_b), pair.b.measures.index(measure)]
    return Column(first), Column(second)


def _at(places: tuple[int, ...]) -> NDArray[np.int64]:
    return np.array(places, dtype=np.int64)


def _why_undefined(pair: PairedRuns, measure: Measure) -> str:
    index = pair.a.measures.index(measure)
    reasons = (pair.outcomes_a.reasons.get((place, index)) for place in pair.places_a)
    return next((reason for reason in reasons if reason), "no pair has a value in both arms")


def _noise(pair: PairedRuns, measure: Measure) -> float | None:
    """Return the largest difference of means between two repetitions of one arm."""
    spreads = []
    for run, outcomes, places in (
        (pair.a, pair.outcomes_a, pair.places_a),
        (pair.b, pair.outcomes_b, pair.places_b),
    ):
        if run.header.repeats > 1:
            column = outcomes.by_repeat[:, _at(places), run.measures.index(measure)]
            defined = ~np.isnan(column).any(axis=0)
            if defined.any():
                spreads.append(float(np.ptp(column[:, defined].mean(axis=1))))
    return max(spreads, default=None)


def _changes(pair: PairedRuns) -> list[QueryChange]:
    rows = zip(pair.places_a, pair.places_b, strict=True)
    measures = (pair.a.measures, pair.b.measures)
    return [_change(pair, place_a, place_b, measures) for place_a, place_b in rows]


def _change(
    pair: PairedRuns,
    place_a: int,
    place_b: int,
    measures: tuple[Sequence[Measure], Sequence[Measure]],
) -> QueryChange:
    first, second = pair.outcomes_a, pair.outcomes_b
    status_a, status_b = first.statuses[place_a], second.statuses[place_b]
    if status_a is None or status_b is None:
        raise ComparisonError("a run without an answer to every query cannot be compared")
    return QueryChange(
        first.queries[place_a],
        first.first_ranks[place_a],
        second.first_ranks[place_b],
        status_a,
        status_b,
        _values(measures[0], first, place_a),
        _values(measures[1], second, place_b),
        measures[0][0],
    )


def _values(
    measures: Sequence[Measure], outcomes: Outcomes, place: int
) -> dict[Measure, float | None]:
    return dict(zip(measures, outcomes.figures(place), strict=True))


def _corrected(compared: list[SuiteComparison]) -> tuple[SuiteComparison, ...]:
    """Correct all p-values over everything compared at once."""
    results = [each.result for suite in compared for each in suite.measures]
    corrected = iter(correct_together(results))
    return tuple(
        replace(
            suite,
            measures=tuple(replace(each, result=next(corrected)) for each in suite.measures),
        )
        for suite in compared
    )
