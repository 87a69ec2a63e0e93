"""Any number of arms: each compared with the first, and a table of all, suite by suite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.comparisons.comparison import CompareOptions, compare_with_first
from cranfield.errors import ComparisonError
from cranfield.formats import NotebookView
from cranfield.statistics import paired_t

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cranfield.comparisons.comparison import Comparison, SuiteComparison
    from cranfield.measures import Measure
    from cranfield.runs.runner import Run
    from cranfield.verdicts import Verdict

__all__ = ["Leaderboard", "Standing", "SuiteStandings", "compare_arms"]


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
