"""The paired comparison of one measure between two arms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.statistics import (
    bootstrap_mean_difference,
    effect_sizes,
    equivalence,
    paired_t,
    wilcoxon_signed_rank,
)
from cranfield.verdicts.tests import TESTS

if TYPE_CHECKING:
    from cranfield.measures import Column
    from cranfield.statistics import (
        BootstrapInterval,
        EffectSizes,
        EquivalenceResult,
        PairedTResult,
        WilcoxonResult,
    )
    from cranfield.verdicts.tests import TestResult

__all__ = ["PairedComparison", "compare_columns"]


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """What the queries measured in both arms say about B minus A.

    `test` is the one that decides. `p_adjusted` is its two-sided p, corrected (Holm) over the
    `compared` tests made at once; None where there was nothing to test. `equivalence` is there
    where a margin was stated.
    """

    mean_a: float
    mean_b: float
    interval: BootstrapInterval
    wilcoxon: WilcoxonResult
    student: PairedTResult
    effects: EffectSizes
    test: TestResult
    equivalence: EquivalenceResult | None = None
    p_adjusted: float | None = None
    compared: int = 1

    @property
    def difference(self) -> float:
        """Mean of B minus mean of A, over the pairs."""
        return self.interval.mean

    @property
    def pairs(self) -> int:
        """Number of queries measured in both arms."""
        return self.interval.n


def compare_columns(
    a: Column,
    b: Column,
    *,
    seed: int,
    margin: float | None = None,
    test: str = "randomisation",
) -> PairedComparison | None:
    """Compare two columns over the same queries; None where no query has both values."""
    both = ~(np.isnan(a.values) | np.isnan(b.values))
    if not both.any():
        return None
    first, second = a.values[both], b.values[both]
    return PairedComparison(
        mean_a=float(np.mean(first)),
        mean_b=float(np.mean(second)),
        interval=bootstrap_mean_difference(first, second, seed=seed),
        wilcoxon=wilcoxon_signed_rank(first, second),
        student=paired_t(first, second),
        effects=effect_sizes(first, second),
        test=TESTS.get(test).run(first, second, seed),
        equivalence=(None if margin is None else equivalence(first, second, margin=margin)),
    )
