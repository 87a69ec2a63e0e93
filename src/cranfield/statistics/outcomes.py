"""Pairs that B won, tied and lost."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import StatisticsError
from cranfield.statistics.pairs import TIE_TOLERANCE, pair_differences

if TYPE_CHECKING:
    from cranfield.statistics.pairs import Values

__all__ = ["Outcomes", "count_outcomes"]


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How many pairs have b above a, level with it and below it."""

    wins: int
    ties: int
    losses: int


def count_outcomes(a: Values, b: Values, *, tolerance: float = TIE_TOLERANCE) -> Outcomes:
    """Count wins, ties and losses of B.

    A pair is tied when |b − a| ≤ `tolerance`. The default only absorbs float noise; a larger
    one ignores differences too small to matter. A smaller one than the default has no effect.
    """
    if not (math.isfinite(tolerance) and tolerance >= 0.0):
        raise StatisticsError(f"tolerance is {tolerance}: give a finite number from 0 up")
    differences = pair_differences(a, b).comparable
    wins = int(np.count_nonzero(differences > tolerance))
    losses = int(np.count_nonzero(differences < -tolerance))
    return Outcomes(wins=wins, ties=differences.size - wins - losses, losses=losses)
