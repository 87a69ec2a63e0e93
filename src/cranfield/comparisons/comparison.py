"""Two arms over one or more suites: per suite the figures, tests, changed queries and verdict."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import compress
from typing import TYPE_CHECKING, TypeVar

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
from cranfield.comparisons.paired_runs import PairedRuns, describe_overlap, name_arms, pair_runs
from cranfield.comparisons.query_changes import (
    Bucket,
    QueryChange,
    count_directions,
    find_changes,
)
from cranfield.defaults import MARGIN, SEED
from cranfield.errors import ComparisonError
from cranfield.formats import NotebookView, show_p, show_value
from cranfield.model import Status
from cranfield.runs.holes import find_holes
from cranfield.runs.runner import Run
from cranfield.runs.summaries import find_doubts
from cranfield.statistics import (
    ColumnPair,
    PairedComparison,
    Verdict,
    compare_columns,
    detectable_difference,
    require_margin,
    settle_verdict,
)
from cranfield.suites import CLASSES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cranfield.comparisons.certainty import Direction
    from cranfield.measures import Measure
    from cranfield.runs.holes import HoleBounds
    from cranfield.runs.records import Outcomes

__all__ = [
    "CategoryComparison",
    "CompareOptions",
    "Comparison",
    "MeasureComparison",
    "SuiteComparison",
    "compare",
    "compare_pairs",
    "compare_with_first",
]

Key = TypeVar("Key")
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class CompareOptions:
    """How arms are compared. A difference that certainly lies within `margin` is equivalent.

    With `common`, only queries that both arms share are paired. With `headline_only`, no other
    measure and no category is tested, and nothing casts doubt: all that the rules of a gate need.
    """

    margin: float = MARGIN
    seed: int = SEED
    common: bool = False
    headline_only: bool = False


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

    def __str__(self) -> str:
        result = self.result
        if result is None or self.verdict is not result.verdict:
            return str(self.verdict)
        means = f"{show_value(result.mean_a)} → {show_value(result.mean_b)}"
        return f"{self.verdict.kind} ({self.measure} {means}, p {show_p(result.p_adjusted)})"


@dataclass(frozen=True, slots=True)
class CategoryComparison:
    """The headline measure over one category of queries; no result if no pair has a value.

    Verdicts on categories are corrected among themselves, and are not part of the suite's.
    """

    name: str
    queries: int
    result: PairedComparison | None
    verdict: Verdict

    @property
    def pairs(self) -> int:
        """The number of queries that have a value in both arms."""
        return self.result.pairs if self.result else 0


@dataclass(frozen=True, slots=True)
class SuiteComparison:
    """Two runs of one suite compared; the verdict is that of the headline, the first measure.

    It rests on the pairs that both arms answered and that are judged; if too many are not, there is
    none. `buckets` counts the queries by what became of them and sums to their number. `categories`
    are in the order of the suite. `failures` has what either arm did not answer, `not_judged` the
    queries whose headline depends on unjudged hits, `empty` the number of answers of either
    arm without a result. `warnings` says what casts doubt on either run, `holes` how
    far unjudged hits leave the means of either arm open.
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
    failures: tuple[ArmFailures, ArmFailures]
    not_judged: OpenQueries
    empty: tuple[int, int]
    warnings: tuple[str, ...]
    holes: tuple[tuple[HoleBounds, ...], tuple[HoleBounds, ...]] = ((), ())

    @property
    def has_failures(self) -> bool:
        """Whether an arm failed to answer any query."""
        return any(each.count for each in self.failures)

    @property
    def has_ungraded(self) -> bool:
        """Whether any answer could not be graded, or too few are judged for a verdict."""
        is_open = self.has_right_answers and self.not_judged.is_too_many
        return is_open or bool(self.runs.ungraded.any())

    @property
    def has_right_answers(self) -> bool:
        """Whether anything says which hits are right."""
        return self.runs.has_right_answers

    @property
    def fallen(self) -> tuple[QueryChange, ...]:
        """The queries that got worse, the largest fall of the headline first."""
        fallen = [change for change in self.changes if change.bucket.is_loss]
        return tuple(sorted(fallen, key=lambda change: change.difference))

    @property
    def directions(self) -> Mapping[Direction, int]:
        """How many queries improved, got worse and are the same; others are undecided."""
        return count_directions(self.changes)

    @property
    def is_repeated(self) -> bool:
        """Whether any query was asked more than once, so noise could be seen."""
        return any(change.is_repeated for change in self.changes)

    def beyond_noise(self, direction: Direction) -> tuple[QueryChange, ...]:
        """Return the queries that went there by more than noise."""
        return tuple(change for change in self.changes if change.beyond_noise is direction)

    @property
    def never_found(self) -> tuple[QueryChange, ...]:
        """The queries for which neither arm found a right hit."""
        return tuple(change for change in self.changes if change.bucket is Bucket.NEVER)


@dataclass(frozen=True, slots=True)
class Comparison(NotebookView):
    """Two arms, suite by suite; the `tests` p-values of the headlines are corrected together.

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

    @property
    def paired(self) -> tuple[tuple[Run, Run], ...]:
        """The runs of A and of B, suite by suite."""
        return tuple((suite.runs.a, suite.runs.b) for suite in self.suites)

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdict of each suite."""
        return tuple(suite.verdict for suite in self.suites)

    @property
    def has_failures(self) -> bool:
        """Whether an arm failed to answer any query."""
        return any(suite.has_failures for suite in self.suites)

    @property
    def has_ungraded(self) -> bool:
        """Whether any answer could not be graded, or too few are judged for a verdict."""
        return any(suite.has_ungraded for suite in self.suites)


def compare(
    a: Run | Sequence[Run], b: Run | Sequence[Run], options: CompareOptions | None = None
) -> Comparison:
    """Compare arm B with arm A: each a run, or one run per suite.

    The headlines of all suites are tested and corrected at once, and so are all other measures:
    they are secondary, and never make or block a verdict.
    """
    return compare_with_first([a, b], options)[0]


def compare_with_first(
    arms: Sequence[Run | Sequence[Run]], options: CompareOptions | None = None
) -> list[Comparison]:
    """Compare each other arm with the first; all comparisons are corrected at once."""
    options = options or CompareOptions()
    first, *others = by_suite = [_by_suite(arm) for arm in arms]
    pairs = [_pair_arms(first, other, options) for other in others]
    flat = [pair for of_arm in pairs for pair in of_arm]
    require_margin(options.margin, (each for pair in flat for each in pair.quality_measures))
    compared = {pair.a.header.suite.id for pair in flat}
    name_a, *names = name_arms(
        [[run for suite, run in arm.items() if suite in compared] for arm in by_suite]
    )
    arm_names = [(name_a, name) for name, of_arm in zip(names, pairs, strict=True) for _ in of_arm]
    made = compare_pairs(flat, arm_names, options)
    tests = sum(
        suite.headline.result is not None and suite.headline.result.p_adjusted is not None
        for suite in made
    )
    remaining = iter(made)
    return [
        Comparison(
            name_a=name_a,
            name_b=name,
            suites=tuple(next(remaining) for _ in of_arm),
            tests=tests,
            options=options,
        )
        for name, of_arm in zip(names, pairs, strict=True)
    ]


def compare_pairs(
    pairs: Sequence[PairedRuns],
    names: Sequence[tuple[str, str]],
    options: CompareOptions,
    known: Sequence[Mapping[int, QueryChange]] = (),
) -> list[SuiteComparison]:
    """Compare arms that are paired already, corrected at once; `names` are those of A and B.

    `known` has for each pair the changes that were found already, by the places of queries in B.
    """
    results = _compare_all([_columns(pair, options) for pair in pairs], options)
    categories = _compare_all([_category_columns(pair, options) for pair in pairs], options)
    changes = map(find_changes, pairs, known or [{}] * len(pairs))
    made = zip(pairs, names, results, categories, changes, strict=True)
    return [_compare_suite(*each, with_doubts=not options.headline_only) for each in made]


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


def _compare_all(
    columns: Sequence[Mapping[Key, ColumnPair]], options: CompareOptions
) -> list[dict[Key, PairedComparison | None]]:
    """Compare columns that are corrected together; the results are by the same keys."""
    flat = [column for of_suite in columns for column in of_suite.values()]
    results = iter(compare_columns(flat, seed=options.seed, margin=options.margin))
    return [{key: next(results) for key in of_suite} for of_suite in columns]


def _columns(runs: PairedRuns, options: CompareOptions) -> dict[Measure, ColumnPair]:
    """Return the values of every measure of quality, with the test that the class names."""
    known = CLASSES.get(runs.a.header.suite.query_class)
    measures = runs.quality_measures[:1] if options.headline_only else runs.quality_measures
    return {
        measure: ColumnPair(
            *runs.values(measure),
            test=known.paired_test_of(measure),
            is_headline=measure == runs.quality_measures[0],
        )
        for measure in measures
    }


def _category_columns(runs: PairedRuns, options: CompareOptions) -> dict[str, ColumnPair]:
    """Return the values of the headline by category, in the order of the suite."""
    if options.headline_only:
        return {}
    known = CLASSES.get(runs.a.header.suite.query_class)
    headline = runs.quality_measures[0]
    first, second = runs.values(headline)
    categories = np.array([query.category for query in runs.queries])
    return {
        name: ColumnPair(
            first[categories == name], second[categories == name], known.paired_test_of(headline)
        )
        for name in dict.fromkeys(categories.tolist())
        if name
    }


def _compare_suite(
    runs: PairedRuns,
    names: tuple[str, str],
    results: Mapping[Measure, PairedComparison | None],
    categories: Mapping[str, PairedComparison | None],
    changes: tuple[QueryChange, ...],
    *,
    with_doubts: bool,
) -> SuiteComparison:
    failures = _failures(runs, names)
    refused = refuse_verdict(failures)
    measures = tuple(_compare_measure(runs, *each, refused) for each in results.items())
    buckets = Counter(change.bucket for change in changes)
    first, second = runs.statuses
    return SuiteComparison(
        runs=runs,
        suite_id=runs.a.header.suite.id,
        query_class=runs.a.header.suite.query_class,
        headline=measures[0],
        verdict=measures[0].verdict,
        measures=measures,
        changes=changes,
        buckets={bucket: buckets[bucket] for bucket in Bucket},
        categories=tuple(_compare_category(runs, names, *each) for each in categories.items()),
        failures=failures,
        not_judged=find_open_queries(runs.queries, runs.not_judged),
        empty=(first.count(Status.EMPTY), second.count(Status.EMPTY)),
        warnings=tuple(_warnings(runs, names)) if with_doubts else (),
        holes=(find_holes(runs.a), find_holes(runs.b)) if with_doubts else ((), ()),
    )


def _failures(
    runs: PairedRuns, names: tuple[str, str], category: str | None = None
) -> tuple[ArmFailures, ArmFailures]:
    """Count what either arm did not answer, of all queries or those of one category."""
    kept = [category in (None, query.category) for query in runs.queries]
    queries = list(compress(runs.queries, kept))
    first, second = (list(compress(statuses, kept)) for statuses in runs.statuses)
    return find_failures(names[0], queries, first), find_failures(names[1], queries, second)


def _compare_measure(
    runs: PairedRuns, measure: Measure, result: PairedComparison | None, refused: Verdict | None
) -> MeasureComparison:
    return MeasureComparison(
        measure=measure,
        result=result,
        verdict=settle_verdict(result, refused, _refuse_open(runs, measure)),
        reason="" if result else runs.why_undefined(measure),
        noise=_noise(runs, measure),
        detectable=detectable_difference(result) if result else None,
    )


def _refuse_open(runs: PairedRuns, measure: Measure, category: str | None = None) -> Verdict | None:
    """Return the verdict if nothing, or too little, says what is right; None if enough does."""
    if not runs.has_right_answers:
        return NOTHING_IS_RIGHT
    kept = np.array([category in (None, query.category) for query in runs.queries], dtype=np.bool_)
    queries = list(compress(runs.queries, kept))
    found = find_open_queries(queries, runs.find_open(measure)[kept])
    return refuse_open(found, runs.judging_advice)


def _noise(runs: PairedRuns, measure: Measure) -> float | None:
    """Return the largest difference of means between two repetitions of one arm."""
    spreads = []
    for run, outcomes, places in (
        (runs.a, runs.outcomes_a, runs.places_a),
        (runs.b, runs.outcomes_b, runs.places_b),
    ):
        if run.header.repeats > 1:
            column = outcomes.by_repeat[:, list(places), run.measures.index(measure)]
            defined = runs.answered & ~np.isnan(column).any(axis=0)
            if defined.any():
                spreads.append(float(np.ptp(column[:, defined].mean(axis=1))))
    return max(spreads, default=None)


def _compare_category(
    runs: PairedRuns, names: tuple[str, str], name: str, result: PairedComparison | None
) -> CategoryComparison:
    failures = _failures(runs, names, name)
    is_open = _refuse_open(runs, runs.quality_measures[0], name)
    verdict = settle_verdict(result, refuse_verdict(failures), is_open)
    return CategoryComparison(name, failures[0].queries, result, verdict)


def _warnings(runs: PairedRuns, names: tuple[str, str]) -> Iterable[str]:
    """Say what changed during a run, and what looks like a mistake in its set-up."""
    if runs.a.header.id == runs.b.header.id:
        yield f"both arms are the run {runs.a.header.id}, so nothing can differ"
    yield from describe_overlap(runs)
    for name, run, outcomes, places in (
        (names[0], runs.a, runs.outcomes_a, runs.places_a),
        (names[1], runs.b, runs.outcomes_b, runs.places_b),
    ):
        ungraded = _describe_ungraded(outcomes, places)
        for warning in (*ungraded, *run.header.warnings, *find_doubts(run, outcomes, places)):
            yield f"{name}: {warning}"


def _describe_ungraded(outcomes: Outcomes, places: Sequence[int]) -> list[str]:
    """Say which answers could not be graded; no figure has them."""
    found = {place: why for place, why in outcomes.ungraded.items() if place in set(places)}
    if not found:
        return []
    named = ", ".join(outcomes.queries[place].id for place in [*found][:_MOST_NAMED])
    more = ", …" if len(found) > _MOST_NAMED else ""
    are = "was not graded and is" if len(found) == 1 else "were not graded and are"
    count = f"{len(found)} of {len(places)} queries {are} left out"
    return [f"{count} ({next(iter(found.values()))}): {named}{more}"]
