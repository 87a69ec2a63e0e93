"""What a gate says of queries that tell nothing: not answered, graded or judged."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cranfield.comparisons import MOST_OPEN, OpenQueries, find_open_queries
from cranfield.gates.baselines import JUDGING_COMMAND
from cranfield.gates.gate_rules import (
    Cause,
    RuleResult,
    Severity,
    apply_thresholds,
    judge_threshold,
)
from cranfield.model import Undefined
from cranfield.runs.summaries import summarise

if TYPE_CHECKING:
    from cranfield.gates.gate_rules import ThresholdResult, ThresholdResults
    from cranfield.runs.records import Outcomes
    from cranfield.runs.runner import Run

__all__ = [
    "find_not_judged",
    "judge_comparison",
    "judge_failures",
    "judge_grading",
    "judge_means",
    "judge_thresholds",
]


def judge_failures(run: Run, outcomes: Outcomes) -> list[RuleResult]:
    """Judge the queries that the system did not answer; without `most_failures` none may be."""
    if outcomes.is_unanswered:
        message = "no query was answered"
        return [RuleResult("answered", Severity.FAIL, message, cause=Cause.FAILURES)]
    failed = _find_failed(outcomes)
    if not failed:
        return []
    statuses = Counter(str(outcomes.statuses[place] or "not asked") for place in failed)
    counts = ", ".join(f"{name} {count}" for name, count in sorted(statuses.items()))
    were = "was" if len(failed) == 1 else "were"
    message = f"{len(failed)} of {len(outcomes.queries)} queries {were} not answered ({counts})"
    most = run.header.suite.rules.most_failures
    is_allowed = most is not None and len(failed) <= most
    limit = "" if most is None else f"; the suite's rule most_failures = {most}"
    limit += " allows it" if is_allowed else " allows fewer" if limit else ""
    return [
        RuleResult(
            "failures",
            Severity.WARN if is_allowed else Severity.FAIL,
            f"{message}: the system failed, which says nothing of its quality{limit}",
            tuple(outcomes.queries[place].id for place in failed),
            cause=Cause.FAILURES,
        )
    ]


def judge_grading(outcomes: Outcomes) -> list[RuleResult]:
    """Fail on queries that no measure has a value of: they are in no mean and no comparison."""
    ungraded = outcomes.ungraded
    if not ungraded:
        return []
    count, reason = len(ungraded), next(iter(ungraded.values()))
    were = "was" if count == 1 else "were"
    message = (
        f"{count} of {len(outcomes.queries)} queries {were} not graded ({reason}): no figure has "
        "them; fix what they expect, or choose a measure that they have a value of"
    )
    named = tuple(outcomes.queries[place].id for place in ungraded)
    return [RuleResult("graded", Severity.FAIL, message, named, Cause.GRADING)]


def judge_thresholds(
    run: Run, outcomes: Outcomes, thresholds: ThresholdResults
) -> list[RuleResult]:
    """Name the thresholds that were not reached, and say if unanswered queries are the cause.

    `outcomes` are those that the thresholds were applied to.
    """
    judged = [judge_threshold(each) for each in thresholds.thresholds]
    failed = _find_failed(outcomes)
    if not (any(judged) and failed):
        return [result for result in judged if result]
    values = outcomes.values.copy()
    values[failed] = np.nan
    answered = summarise(run, replace(outcomes, values=values))
    others = apply_thresholds(run.header.suite, answered).thresholds
    return [
        replace(
            result,
            message=_add_cause(result, other),
            cause=Cause.FAILURES if other.reached else result.cause,
        )
        for result, other in zip(judged, others, strict=True)
        if result
    ]


def _add_cause(result: RuleResult, answered: ThresholdResult) -> str:
    value = answered.value
    shown = "undefined" if isinstance(value, Undefined) else f"{value:.4f}"
    return f"{result.message}. Unanswered queries count as 0; without them it is {shown}"


def _find_failed(outcomes: Outcomes) -> list[int]:
    """Return the places of queries that were not answered, or not every time."""
    return [
        place
        for place, status in enumerate(outcomes.statuses)
        if status is None or status.is_failure
    ]


_RULE = "holes"
_REMEDY = f'judge them with `{JUDGING_COMMAND}`, or set holes = "irrelevant" in [judging]'


def find_not_judged(run: Run, outcomes: Outcomes) -> OpenQueries:
    """Name the queries of a run whose headline depends on unjudged hits."""
    headline = next((each for each in run.measures if each.family.is_quality), None)
    is_open = np.zeros(len(outcomes.queries), dtype=np.bool_)
    if headline is not None and not headline.is_check:
        is_open[outcomes.find_open(run.measures.index(headline))] = True
    return find_open_queries(outcomes.queries, is_open)


def judge_means(found: OpenQueries) -> list[RuleResult]:
    """Warn about queries that depend on unjudged hits, without a baseline to compare."""
    if not found.count:
        return []
    message = f"{found}; thresholds count these as irrelevant; {_REMEDY}"
    return [RuleResult(_RULE, Severity.WARN, message, found.ids)]


def judge_comparison(found: OpenQueries) -> list[RuleResult]:
    """Fail if too many queries cannot be compared with the baseline; warn about fewer."""
    if not found.is_too_many:
        return judge_means(found)
    message = (
        f"{found}, more than {MOST_OPEN:.0%}: what is left of the comparison with the baseline "
        f"decides nothing; {_REMEDY}"
    )
    return [RuleResult(_RULE, Severity.FAIL, message, found.ids, Cause.GRADING)]
