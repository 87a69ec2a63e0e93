"""A baseline as an arm: what its file knows, in the form of a run, compared as any other run is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cranfield.comparisons import CompareOptions, compare_pairs, find_headline, pair_arms
from cranfield.model import Query, Status
from cranfield.runs.records import AskedSuite, Outcomes, RunHeader
from cranfield.runs.runner import Run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.comparisons import PairedRuns, QueryChange, SuiteComparison
    from cranfield.gates.baselines import Baseline, BaselineQuery

__all__ = ["JUDGING_COMMAND", "BaselineArm", "compare_with_baselines", "make_arm", "pair_baseline"]

JUDGING_COMMAND = "cranfield judge"
_NAMES = ("the baseline", "this run")


@dataclass(frozen=True, slots=True)
class BaselineArm(Run):
    """The accepted run of a baseline: outcomes from its file, and answers that may be gone."""

    known: Outcomes

    def outcomes(self) -> Outcomes:
        """The outcome of every query, as it was accepted."""
        return self.known


def make_arm(baseline: Baseline, run: Run) -> BaselineArm:
    """Make the arm that a run is compared with.

    A baseline keeps the hashes of its queries and not what they ask: the queries are the run's,
    with the right answers that a database named when the baseline was accepted. So is their order,
    and that of the measures: the headline is the run's. Queries that the run lacks come last.
    """
    outcomes = run.outcomes()
    known = {query.hash: query for query in baseline.queries}
    asked = zip(outcomes.queries, outcomes.hashes, strict=True)
    shared = {key: _with_truth(query, known[key]) for query, key in asked if key in known}
    gone = {key: _gone(query) for key, query in known.items() if key not in shared}
    queries = {**shared, **gone}
    own = [name for name in run.header.measures if name in baseline.measures]
    measures = tuple(dict.fromkeys((*own, *baseline.measures)))
    header = RunHeader(
        id=baseline.accepted.run,
        asked=AskedSuite(
            replace(
                run.header.suite,
                query_class=baseline.query_class,
                queries=tuple(queries.values()),
            ),
            tuple(queries),
        ),
        system=baseline.system,
        spec={},
        measures=measures,
        limit=baseline.limit,
        repeats=baseline.repeats,
        truth=run.header.truth,
    )
    rows = [known[key] for key in queries]
    return BaselineArm(header, run.store, _outcomes(rows, queries, measures))


def _with_truth(query: Query, known: BaselineQuery) -> Query:
    return replace(query, expect={**query.expect, **known.truth}) if known.truth else query


def _gone(known: BaselineQuery) -> Query:
    """Return what is left of a query that the suite no longer has."""
    return Query(known.id, "", category=known.category)


def _outcomes(
    rows: Sequence[BaselineQuery], queries: Mapping[str, Query], measures: Sequence[str]
) -> Outcomes:
    repeats = max((each.repeats for each in rows), default=1)
    values = np.full((len(rows), len(measures)), np.nan)
    # A query that was answered less often than others has rows without any value, which are left
    # out like those of answers that could not be graded.
    by_repeat = np.full((repeats, *values.shape), np.nan)
    failed = np.zeros((repeats, len(rows)), dtype=np.bool_)
    for place, each in enumerate(rows):
        failed[:, place] = not each.is_answered
        for column, name in enumerate(measures):
            if name in each.values:
                values[place, column] = each.values[name]
                seen = each.repetitions(name)
                by_repeat[: len(seen), place, column] = seen
    return Outcomes(
        queries=tuple(queries.values()),
        hashes=tuple(queries),
        values=values,
        by_repeat=by_repeat,
        failed=failed,
        reasons={},
        statuses=tuple(Status(each.status) if each.status else None for each in rows),
        first_ranks=tuple(each.rank for each in rows),
        seconds=np.full(len(rows), np.nan),
        missing=0,
    )


def pair_baseline(run: Run, baseline: Baseline) -> PairedRuns | None:
    """Pair a run with its baseline, on the queries that are still the same.

    None if the baseline has not the headline of the run: nothing could be decided.
    """
    if str(find_headline(run)) not in baseline.measures:
        return None
    return pair_arms(make_arm(baseline, run), run, advice=f"`{JUDGING_COMMAND}`")


def compare_with_baselines(
    pairs: Sequence[PairedRuns | None], known: Sequence[Mapping[int, QueryChange]] = ()
) -> list[SuiteComparison | None]:
    """Compare runs with their baselines as `compare` does, corrected together.

    None if they could not be paired.
    """
    paired = [pair for pair in pairs if pair is not None]
    options = CompareOptions(headline_only=True)
    made = iter(compare_pairs(paired, [_NAMES] * len(paired), options, known))
    return [None if pair is None else next(made) for pair in pairs]
