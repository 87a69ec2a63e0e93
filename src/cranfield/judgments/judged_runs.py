"""Stored runs, graded by the judgments that their store has now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.judgments.judged_suites import JudgedBy, judge_suite, read_judged_by
from cranfield.judgments.judgment import query_key
from cranfield.judgments.judgment_store import JudgmentStore
from cranfield.runs import regrade

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.runs import Run, Store

__all__ = ["judge_run", "judge_runs"]


def judge_runs(
    runs: Sequence[Run], store: Store, by: JudgedBy | None = None, holes: str | None = None
) -> list[Run]:
    """Return runs graded by judgments of a store, in memory; the stored figures stay as they are.

    Without `by`, those runs are graded whose suite says by whom; all others are as they were.
    """
    judged = []
    for run in runs:
        settings = run.header.suite.judging
        own = read_judged_by(settings.judged_by) if settings.judged_by else None
        chosen = by or own
        judged.append(
            run if chosen is None else judge_run(run, store, chosen, holes or settings.holes)
        )
    return judged


def judge_run(run: Run, store: Store, by: JudgedBy, holes: str) -> Run:
    """Return a run graded by judgments of a store, in memory."""
    suite = run.header.suite
    keys = {query_key(query) for query in suite.queries}
    judgments = JudgmentStore(store).judgments(keys)
    return regrade(run, judge_suite(suite, judgments, by, holes=holes))
