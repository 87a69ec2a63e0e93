"""Hits that nobody judged: what a gate says of the queries that hang on them.

Nobody knows whether such a hit is right. A threshold takes it for irrelevant, so that a mean is
never better than what is known. A query that hangs on one is not compared with the baseline; a
comparison that leaves out too many queries decides nothing, and fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.comparisons import MOST_OPEN, OpenQueries, find_open_queries
from cranfield.gates.baseline_arms import JUDGING_COMMAND
from cranfield.gates.gate_rules import Cause, RuleResult, Severity

if TYPE_CHECKING:
    from cranfield.runs.records import Outcomes
    from cranfield.runs.runner import Run

__all__ = ["find_not_judged", "judge_comparison", "judge_means"]

_RULE = "holes"
_REMEDY = f'judge them with `{JUDGING_COMMAND}`, or set holes = "irrelevant" in [judging]'


def find_not_judged(run: Run, outcomes: Outcomes) -> OpenQueries:
    """Name the queries of a run whose headline hangs on hits that nobody judged."""
    headline = next((each for each in run.measures if each.family.is_quality), None)
    is_open = np.zeros(len(outcomes.queries), dtype=np.bool_)
    if headline is not None and not headline.is_check:
        is_open[outcomes.find_open(run.measures.index(headline))] = True
    return find_open_queries(outcomes.queries, is_open)


def judge_means(found: OpenQueries) -> list[RuleResult]:
    """Warn about queries that hang on hits that nobody judged, without a baseline to compare."""
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
