"""The headline of a run against its baseline: the verdict that `cranfield compare` would give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.comparisons import (
    NOTHING_IS_RIGHT,
    CompareOptions,
    OpenQueries,
    find_failures,
    find_headline,
    has_right_answers,
    refuse_open,
    refuse_verdict,
)
from cranfield.formats import show_p, show_value
from cranfield.model import Status
from cranfield.relevance import leaves_holes_out
from cranfield.suites import CLASSES
from cranfield.verdicts import UNDECIDED, ColumnPair, compare_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.gates.baselines import Baseline, BaselineQuery
    from cranfield.measures import Measure
    from cranfield.runs import Run
    from cranfield.verdicts import PairedComparison, Verdict

__all__ = ["JUDGING_COMMAND", "HeadlineComparison", "compare_headlines", "find_open_places"]

JUDGING_COMMAND = "cranfield judge"


@dataclass(frozen=True, slots=True)
class HeadlineComparison:
    """The headline measure over the queries that baseline and run both answered.

    `result` is None if no such query has a value on both sides. `not_judged` are the queries that
    hang on hits that nobody judged, then or now: if they are too many, there is no verdict.
    """

    measure: str
    result: PairedComparison | None
    verdict: Verdict
    not_judged: OpenQueries

    def __str__(self) -> str:
        if self.result is None or self.verdict is not self.result.verdict:
            return str(self.verdict)
        means = f"{show_value(self.result.mean_a)} → {show_value(self.result.mean_b)}"
        return f"{self.verdict.kind} ({self.measure} {means}, p {show_p(self.result.p_adjusted)})"


def compare_headlines(pairs: Sequence[tuple[Run, Baseline]]) -> list[HeadlineComparison]:
    """Compare runs with their baselines, with the options of `compare` and corrected together.

    As there, queries that failed on either side, or hang on hits that nobody judged, are left out,
    and too many of them leave no verdict.
    """
    options = CompareOptions()
    columns = [_pair_columns(run, baseline, find_headline(run)) for run, baseline in pairs]
    results = compare_columns(columns, seed=options.seed, margin=options.margin)
    return [
        _decide(run, baseline, result)
        for (run, baseline), result in zip(pairs, results, strict=True)
    ]


def _decide(run: Run, baseline: Baseline, result: PairedComparison | None) -> HeadlineComparison:
    shared = _find_shared(run, baseline)
    queries, outcomes = [query for _, query in shared], run.outcomes()
    asked = [outcomes.queries[place] for place, _ in shared]
    refused = refuse_verdict(
        (
            find_failures("the baseline", asked, [_status(query) for query in queries]),
            find_failures("this run", asked, [outcomes.statuses[place] for place, _ in shared]),
        )
    )
    is_open = find_open_places(run, baseline)
    not_judged = OpenQueries(
        len(shared), tuple(outcomes.queries[place].id for place, _ in shared if place in is_open)
    )
    if refused is None and not has_right_answers(run.header.suite):
        refused = NOTHING_IS_RIGHT
    verdict = refused or refuse_open(not_judged, f"`{JUDGING_COMMAND}`")
    verdict = verdict or (result.verdict if result else UNDECIDED)
    return HeadlineComparison(str(find_headline(run)), result, verdict, not_judged)


def find_open_places(run: Run, baseline: Baseline) -> set[int]:
    """Return the places of queries that hang on hits that nobody judged, then or now."""
    headline, outcomes = find_headline(run), run.outcomes()
    if headline.is_check or not any(map(leaves_holes_out, outcomes.queries)):
        return set()
    name = str(headline)
    open_then = {
        place
        for place, query in _find_shared(run, baseline)
        if name in baseline.measures
        and name not in query.values
        and query.is_answered
        and leaves_holes_out(outcomes.queries[place])
    }
    return open_then | set(outcomes.find_open(run.header.measures.index(name)))


def _find_shared(run: Run, baseline: Baseline) -> list[tuple[int, BaselineQuery]]:
    """Return the places of the queries that the baseline has too, and what it knows of them."""
    known = {query.hash: query for query in baseline.queries}
    hashes = enumerate(run.outcomes().hashes)
    return [(place, known[key]) for place, key in hashes if key in known]


def _status(query: BaselineQuery) -> Status | None:
    return Status(query.status) if query.status else None


def _pair_columns(run: Run, baseline: Baseline, headline: Measure) -> ColumnPair:
    outcomes, name = run.outcomes(), str(headline)
    column, is_open = run.header.measures.index(name), find_open_places(run, baseline)
    pairs = [
        (query.values.get(name, np.nan), outcomes.values[place, column])
        for place, query in _find_shared(run, baseline)
        if place not in is_open
        and not (_is_failure(_status(query)) or _is_failure(outcomes.statuses[place]))
    ]
    before, after = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
    test = CLASSES.get(run.header.suite.query_class).paired_test_of(headline)
    return ColumnPair(before, after, test)


def _is_failure(status: Status | None) -> bool:
    return status is None or status.is_failure
