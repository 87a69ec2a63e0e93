"""What a gate says of queries that fell: the default rules, or the suite's own `at_most`.

By default a gate fails if the verdict on the headline is *worse*, or if more queries lost their
right answers than noise explains (`losses`). Other queries that fell are named and fail nothing. A
suite that sets `at_most` asks to count queries that got worse instead. If its count and the verdict
disagree, the result says both.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cranfield.comparisons import Direction
from cranfield.formats import count_queries
from cranfield.gates.gate_rules import RuleResult, Severity, count_worse, name_ids
from cranfield.verdicts import VerdictKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.comparisons import MeasureComparison, QueryChange
    from cranfield.gates.losses import NetLoss
    from cranfield.model import RegressionRules

__all__ = ["judge_falls", "say_both"]

_STRICT = ("threshold", "at_most", "protected")
"""The rules that a suite asks for itself, and that may fail a build that is better."""


def judge_falls(
    rules: RegressionRules,
    changes: Sequence[QueryChange],
    headline: MeasureComparison,
    loss: NetLoss,
) -> list[RuleResult]:
    """Judge the queries that fell, by `at_most` if the suite sets it, else by default."""
    fallen = [each for each in changes if each.beyond_noise is Direction.WORSE]
    is_worse = headline.verdict.kind is VerdictKind.WORSE
    worse = [_worse(fallen, headline)] if is_worse else []
    if rules.at_most is not None:
        return _judge_count(rules.at_most, fallen, worse)
    # A build that is better is none that lost, whatever decides about its single queries.
    is_better = headline.verdict.kind is VerdictKind.BETTER
    lost = [_lost(loss)] if loss.is_beyond_noise and not is_better else []
    if worse or lost or not fallen:
        return [*worse, *lost]
    why = f"although the comparison says {headline}"
    if not is_better:
        why = "which is no more than noise or chance explains"
    message = f"{count_worse(fallen)}, {why}"
    return [RuleResult("fallen", Severity.WARN, message, name_ids(fallen))]


def say_both(result: RuleResult, headline: MeasureComparison) -> RuleResult:
    """Add to the failure of a suite's own rule that the build is better, if it is."""
    is_strict = result.severity is Severity.FAIL and result.rule in _STRICT
    if not is_strict or headline.verdict.kind is not VerdictKind.BETTER:
        return result
    return replace(result, message=f"{result.message}, although the comparison says {headline}")


def _judge_count(
    at_most: int, fallen: Sequence[QueryChange], worse: Sequence[RuleResult]
) -> list[RuleResult]:
    rule = f"the suite's rule at_most = {at_most}"
    if len(fallen) > at_most:
        message = f"{count_worse(fallen)}; at most {at_most} may, by {rule}"
        return [RuleResult("at_most", Severity.FAIL, message, name_ids(fallen))]
    return [
        replace(each, severity=Severity.WARN, message=f"{each.message}; {rule} allows it")
        for each in worse
    ]


def _worse(fallen: Sequence[QueryChange], headline: MeasureComparison) -> RuleResult:
    message = f"the comparison with the baseline says {headline}"
    return RuleResult("worse", Severity.FAIL, message, name_ids(fallen))


def _lost(loss: NetLoss) -> RuleResult:
    found = f"and {len(loss.found)} found theirs" if loss.found else "and none found one"
    message = (
        f"{count_queries(len(loss.lost))} of {loss.queries} lost their right answers {found}: "
        f"noise explains a net loss of fewer than {loss.fewest}"
    )
    return RuleResult("lost", Severity.FAIL, message, name_ids(loss.lost))
