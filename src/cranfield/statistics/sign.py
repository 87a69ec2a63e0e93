"""The exact sign test: the pairs a build wins against those of a fair coin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.statistics.arguments import require_at_least
from cranfield.statistics.distributions import fair_binomial_cdf
from cranfield.statistics.outcomes import count_outcomes
from cranfield.statistics.p_values import Tails, tails

if TYPE_CHECKING:
    from cranfield.statistics.pairs import Values

__all__ = ["SignTestResult", "coin_tails", "sign_test", "sign_test_counts"]


@dataclass(frozen=True, slots=True)
class SignTestResult:
    """Pairs won, tied and lost by B; the p-values are None, with a reason, when all are tied."""

    wins: int
    ties: int
    losses: int
    p_two_sided: float | None
    p_greater: float | None
    p_less: float | None
    reason: str | None


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
    p = coin_tails(wins, losses) if wins + losses else None
    return SignTestResult(
        wins=wins,
        ties=ties,
        losses=losses,
        p_two_sided=p.two_sided if p else None,
        p_greater=p.greater if p else None,
        p_less=p.less if p else None,
        reason=None if p else "no pair differs: there is no win or loss to count",
    )


def coin_tails(wins: int, losses: int) -> Tails:
    """Return the exact p-values of `wins` heads among wins + losses tosses of a fair coin."""
    tosses = wins + losses
    # P(X ≥ wins) = P(X ≤ losses): a fair coin has no preferred side, and the lower tail keeps
    # its precision where 1 - cdf would cancel.
    return tails(
        greater=fair_binomial_cdf(losses, tosses),
        less=fair_binomial_cdf(wins, tosses),
    )
