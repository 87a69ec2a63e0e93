"""Stored runs, graded by the judgments that their store has now."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cranfield.errors import UnjudgedError
from cranfield.judgments.judged_suites import JudgedBy, judge_suite, read_judged_by
from cranfield.judgments.judgment import query_key
from cranfield.judgments.judgment_store import JudgmentStore
from cranfield.runs.regrading import regrade
from cranfield.runs.runner import Run, RunOptions, measured_by
from cranfield.runs.truth import Truth
from cranfield.suites import as_judged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.measures import Measure
    from cranfield.runs.store import Store

__all__ = ["judge_run", "judge_runs", "judged_measures"]


def judge_runs(
    runs: Sequence[Run], store: Store, by: JudgedBy | None = None, holes: str | None = None
) -> list[Run]:
    """Return runs graded by judgments of a store, in memory; the stored figures stay as they are.

    Without `by`, those runs are graded whose suite says by whom; all others are as they were. If
    nobody has judged anything of such a suite yet, its run is as it was, with a warning.
    """
    return [_judge_one(run, store, by, holes) for run in runs]


def _judge_one(run: Run, store: Store, by: JudgedBy | None, holes: str | None) -> Run:
    settings = run.header.suite.judging
    own = read_judged_by(settings.judged_by) if settings.judged_by else None
    chosen = by or own
    if chosen is None:
        return run
    try:
        return judge_run(run, store, chosen, holes or settings.holes)
    except UnjudgedError as problem:
        if by is not None:
            raise
        notices = (*run.header.notices, str(problem))
        return Run(replace(run.header, notices=notices), run.store)


def judge_run(run: Run, store: Store, by: JudgedBy, holes: str) -> Run:
    """Return a run graded by judgments of a store, in memory.

    Measures that were chosen for the run stay; the usual ones become those of judged queries.
    """
    suite = run.header.suite
    keys = {query_key(query) for query in suite.queries}
    judgments = JudgmentStore(store).judgments(keys)
    judged = judge_suite(suite, judgments, by, holes=holes)
    # The queries stay what they are, as the baselines and other runs of the suite know them.
    graded = dict(zip(run.header.asked.hashes, judged.queries, strict=True))
    unchanged = replace(judged, queries=suite.queries)
    return regrade(run, unchanged, judged_measures(run), truth=Truth(graded, run.header.truth))


def judged_measures(run: Run) -> list[Measure]:
    """Return what a run is measured by once its hits are judged, the headline first."""
    suite, options = run.header.suite, RunOptions(run.header.limit)
    if list(run.measures) == measured_by(suite, options):
        return measured_by(as_judged(suite), options)
    return list(run.measures)
