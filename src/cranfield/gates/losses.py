"""Queries that lost their right answers, net of those that found theirs, against what noise does.

A query is lost if it scores zero in every repetition, not because its right answer merely slipped
to a lower rank, and if the repetitions of the baseline make that unlikely: it got worse, or their
share of zeros, with one of each kind added, gives a chance of at most 1 in 20. Noise in the order
of hits makes queries slip; it rarely makes them lose everything. A query is found if the opposite
holds.

The gate assumes that noise alone takes its right answer from 1 query in 100, the rate of the test
for single queries. A suite has lost more than noise explains if so many lost queries, net of those
found, come with a chance of at most 2 in 100, and if the values of all queries together are lower.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import exp, log, log1p
from typing import TYPE_CHECKING

from cranfield.comparisons import SIGNIFICANCE_LEVEL, Direction
from cranfield.formats import count_queries
from cranfield.gates.gate_rules import RuleResult, Severity, count_worse, name_ids
from cranfield.statistics import TIE_TOLERANCE, VerdictKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.comparisons import MeasureChange, MeasureComparison, QueryChange
    from cranfield.model import RegressionRules

__all__ = [
    "NetLoss",
    "fewest_beyond_noise",
    "find_net_loss",
    "judge_falls",
    "say_both",
]

_LEVEL = 0.02
_UNLIKELY = 0.05


@dataclass(frozen=True, slots=True)
class NetLoss:
    """The queries that lost their right answers and those that found theirs.

    `queries` had something to lose. It takes at least `fewest` lost ones, net of those found, to
    be more than noise explains. `difference` is the sum of all changes.
    """

    lost: tuple[QueryChange, ...]
    found: tuple[QueryChange, ...]
    queries: int
    fewest: int
    difference: float

    @property
    def net(self) -> int:
        """The number of lost queries less that of found ones."""
        return len(self.lost) - len(self.found)

    @property
    def is_beyond_noise(self) -> bool:
        """Whether the suite has lost more than noise explains, and gains do not outweigh it."""
        return self.net >= self.fewest and self.difference < -TIE_TOLERANCE


def find_net_loss(changes: Sequence[QueryChange]) -> NetLoss:
    """Find out whether queries lost their right answers by more than noise explains."""
    decided = [(change, change.deciding) for change in changes]
    judged = [(change, by) for change, by in decided if by is not None]
    queries = sum(max(by.repetitions_a) > TIE_TOLERANCE for _, by in judged)
    return NetLoss(
        lost=tuple(change for change, by in judged if _is_lost(change, by)),
        found=tuple(change for change, by in judged if _is_found(change, by)),
        queries=queries,
        fewest=fewest_beyond_noise(queries),
        difference=sum((by.b or 0.0) - (by.a or 0.0) for _, by in judged),
    )


@lru_cache(maxsize=1000)
def fewest_beyond_noise(queries: int) -> int:
    """Return how many of these queries noise alone takes with a chance of at most 2 in 100.

    It is the upper quantile of a binomial distribution; 1 if there is no query.
    """
    count, at_least = 0, 1.0
    term = queries * log1p(-SIGNIFICANCE_LEVEL)
    odds = log(SIGNIFICANCE_LEVEL) - log1p(-SIGNIFICANCE_LEVEL)
    while at_least > _LEVEL:
        at_least -= exp(term)
        if count < queries:
            term += log((queries - count) / (count + 1)) + odds
        count += 1
    return max(count, 1)


def _is_lost(change: QueryChange, by: MeasureChange) -> bool:
    is_unlikely = _is_unlikely(by.repetitions_a, by.repetitions_b)
    return (
        (by.direction is Direction.WORSE or is_unlikely)
        and max(by.repetitions_b) <= TIE_TOLERANCE
        and not _has_slipped(change.rank_a, change.rank_b)
    )


def _is_found(change: QueryChange, by: MeasureChange) -> bool:
    is_unlikely = _is_unlikely(by.repetitions_b, by.repetitions_a)
    return (
        (by.direction is Direction.IMPROVED or is_unlikely)
        and max(by.repetitions_a) <= TIE_TOLERANCE
        and not _has_slipped(change.rank_b, change.rank_a)
    )


def _is_unlikely(known: Sequence[float], others: Sequence[float]) -> bool:
    """Return whether others that are all zero would be unlikely by the known repetitions."""
    zeros = sum(value <= TIE_TOLERANCE for value in known)
    return ((zeros + 1) / (len(known) + 2)) ** len(others) <= _UNLIKELY


def _has_slipped(better: int | None, worse: int | None) -> bool:
    """Return whether a right answer is still there, at a lower rank.

    At the same rank or above, something else than the order of hits went wrong, such as a route.
    """
    return worse is not None and better is not None and worse > better


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
