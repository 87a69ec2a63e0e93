"""McNemar's exact test: queries that turned right against queries that turned wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cranfield.errors import StatisticsError
from cranfield.statistics.sign import coin_tails

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["McNemarResult", "mcnemar_exact"]

BoolArray: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class McNemarResult:
    """The 2 × 2 table of yes and no under A and B, and the p-values of its unequal corners.

    The p-values are None, with a reason, when A and B agree on every pair.
    """

    both: int
    only_a: int
    only_b: int
    neither: int
    p_two_sided: float | None
    p_greater: float | None
    p_less: float | None
    reason: str | None


def mcnemar_exact(a: Sequence[bool] | BoolArray, b: Sequence[bool] | BoolArray) -> McNemarResult:
    """Test whether yes is as likely under A as under B.

    Pairs on which both agree tell nothing; of the others `only_b` is Binomial(n, ½) when the
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
    p = coin_tails(wins=only_b, losses=only_a) if only_a + only_b else None
    return McNemarResult(
        both=int(np.count_nonzero(first & second)),
        only_a=only_a,
        only_b=only_b,
        neither=int(np.count_nonzero(~first & ~second)),
        p_two_sided=p.two_sided if p else None,
        p_greater=p.greater if p else None,
        p_less=p.less if p else None,
        reason=None if p else "no discordant pairs: A and B agree on every query",
    )


def _as_booleans(values: Sequence[bool] | BoolArray, name: str) -> BoolArray:
    array = np.asarray(values)
    if array.size == 0:
        raise StatisticsError(f"{name} has no values: give at least one pair")
    if array.ndim != 1 or not np.isin(array, [False, True]).all():
        raise StatisticsError(f"{name} must be one list of True and False, got {values!r:.80}")
    return array.astype(np.bool_)
