"""Exact tests that count the pairs that changed either way: the sign test and McNemar's test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cranfield.errors import StatisticsError
from cranfield.statistics.distributions import Tails, fair_binomial_cdf, make_tails
from cranfield.statistics.paired_tests import PAIRED_TESTS, FullResult, PairedTest, TestResult
from cranfield.statistics.pairs import count_outcomes, require_at_least

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.statistics.pairs import FloatArray, Values

__all__ = ["McNemarResult", "SignTestResult", "mcnemar_exact", "sign_test", "sign_test_counts"]

BoolArray: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignTestResult(FullResult):
    """Pairs won, tied and lost by B; the p-values are None, with a reason, when all are tied."""

    wins: int
    ties: int
    losses: int


def sign_test(a: Values, b: Values) -> SignTestResult:
    """Test whether b is above a as often as below.

    Pairs closer than `TIE_TOLERANCE` are ties and count for neither side. Of the others, the
    wins of B are Binomial(n, ½) when neither build is better (Conover, Practical Nonparametric
    Statistics, section 3.4); the two-sided p is twice the smaller tail, at most 1.
    """
    counts = count_outcomes(a, b)
    return sign_test_counts(counts.wins, counts.losses, ties=counts.ties)


def sign_test_counts(wins: int, losses: int, *, ties: int = 0) -> SignTestResult:
    """Run the sign test on counts of pairs that were decided elsewhere.

    `ties` are passed through to the result and change nothing else.
    """
    require_at_least(wins, 0, "wins")
    require_at_least(losses, 0, "losses")
    require_at_least(ties, 0, "ties")
    p = _coin_tails(wins, losses) if wins + losses else None
    return SignTestResult(
        wins=wins,
        ties=ties,
        losses=losses,
        **(p._asdict() if p else {}),
        reason=None if p else "no pair differs: there is no win or loss to count",
    )


def _coin_tails(wins: int, losses: int) -> Tails:
    """Return the exact p-values of `wins` heads among wins + losses tosses of a fair coin."""
    tosses = wins + losses
    # P(X ≥ wins) = P(X ≤ losses): a fair coin has no preferred side, and the lower tail keeps
    # its precision where 1 - cdf would cancel.
    return make_tails(
        greater=fair_binomial_cdf(losses, tosses), less=fair_binomial_cdf(wins, tosses)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemarResult(FullResult):
    """The 2 × 2 table of yes and no under A and B, and the p-values of its unequal corners.

    The p-values are None, with a reason, when A and B agree on every pair.
    """

    both: int
    only_a: int
    only_b: int
    neither: int


def mcnemar_exact(a: Sequence[bool] | BoolArray, b: Sequence[bool] | BoolArray) -> McNemarResult:
    """Test whether yes is as likely under A as under B.

    Pairs on which both agree say nothing; of the others `only_b` is Binomial(n, ½) when the
    builds are equally good (McNemar, Psychometrika 12, 1947, with the exact distribution in
    place of χ²). The two-sided p is twice the smaller tail, at most 1; `p_greater` is for yes
    being more likely under B.

    Raises StatisticsError on empty or unequally long input and on values other than
    True, False, 1 and 0.
    """
    first, second = _as_booleans(a, "a"), _as_booleans(b, "b")
    if first.size != second.size:
        raise StatisticsError(
            f"a has {first.size} values and b has {second.size}: "
            "pair them by query and leave out queries that only one side has"
        )
    only_a = int(np.count_nonzero(first & ~second))
    only_b = int(np.count_nonzero(~first & second))
    p = _coin_tails(wins=only_b, losses=only_a) if only_a + only_b else None
    return McNemarResult(
        both=int(np.count_nonzero(first & second)),
        only_a=only_a,
        only_b=only_b,
        neither=int(np.count_nonzero(~first & ~second)),
        **(p._asdict() if p else {}),
        reason=None if p else "no discordant pairs: A and B agree on every query",
    )


def _as_booleans(values: Sequence[bool] | BoolArray, name: str) -> BoolArray:
    array = np.asarray(values)
    if array.size == 0:
        raise StatisticsError(f"{name} has no values: give at least one pair")
    if array.ndim != 1 or not np.isin(array, [False, True]).all():
        raise StatisticsError(f"{name} must be one list of True and False, got {values!r:.80}")
    return array.astype(np.bool_)


def _run_sign(a: FloatArray, b: FloatArray, _: int) -> TestResult:
    result = sign_test(a, b)
    detail = f"{result.wins} up, {result.losses} down, {result.ties} even"
    return TestResult.of("sign", detail, result)


def _run_mcnemar(a: FloatArray, b: FloatArray, seed: int) -> TestResult:
    if not all(np.isin(values, (0.0, 1.0)).all() for values in (a, b)):
        # Means over repetitions are not yes or no; the sign test answers the same question.
        return _run_sign(a, b, seed)
    result = mcnemar_exact(a > 0.5, b > 0.5)
    detail = (
        f"{result.both} right in both, {result.only_a} only in A, {result.only_b} only in B, "
        f"{result.neither} in neither"
    )
    return TestResult.of("mcnemar", detail, result)


PAIRED_TESTS.register("sign", PairedTest("sign", "sign test", _run_sign))
PAIRED_TESTS.register("mcnemar", PairedTest("mcnemar", "McNemar, exact", _run_mcnemar))
