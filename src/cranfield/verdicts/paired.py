"""Columns of values compared pair by pair: the one place where a comparison is made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from cranfield.statistics import (
    PAIRED_TESTS,
    bootstrap_mean_difference,
    effect_sizes,
    equivalence,
    holm,
    paired_t,
    wilcoxon_signed_rank,
)
from cranfield.verdicts.verdict import Verdict, decide

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cranfield.statistics import (
        BootstrapInterval,
        EffectSizes,
        EquivalenceResult,
        PairedTResult,
        TestResult,
        WilcoxonResult,
    )

__all__ = ["ColumnPair", "PairedComparison", "compare_columns"]


@dataclass(frozen=True, slots=True, eq=False)
class ColumnPair:
    """One measure's values in both arms, query by query, NaN if undefined, and its paired test."""

    a: NDArray[np.float64]
    b: NDArray[np.float64]
    test: str = "randomisation"


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """What the queries measured in both arms say about B minus A.

    `test` is the one that decides. `p_adjusted` is its two-sided p, corrected (Holm) over the
    `compared` columns compared at once; None if there was nothing to test. `equivalence` is None
    if no margin was given. `verdict` follows from the rest and is decided at construction.
    """

    mean_a: float
    mean_b: float
    interval: BootstrapInterval
    wilcoxon: WilcoxonResult
    student: PairedTResult
    effects: EffectSizes
    test: TestResult
    equivalence: EquivalenceResult | None
    p_adjusted: float | None
    compared: int
    verdict: Verdict = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "verdict", decide(self))

    @property
    def difference(self) -> float:
        """Mean of B minus mean of A, over the pairs."""
        return self.interval.mean

    @property
    def pairs(self) -> int:
        """Number of queries measured in both arms."""
        return self.interval.n


def compare_columns(
    columns: Sequence[ColumnPair], *, seed: int, margin: float | None = None
) -> list[PairedComparison | None]:
    """Test, correct and decide all pairs of columns at once.

    The p-values are corrected together (Holm). With a `margin`, a difference that certainly lies
    within it is equivalent. A pair of columns without a query that has both values gives None.
    """
    paired = [_keep_defined(pair) for pair in columns]
    tests = [
        PAIRED_TESTS.get(pair.test).run(pair.a, pair.b, seed) if pair.a.size else None
        for pair in paired
    ]
    adjusted = holm([test.p_two_sided if test else None for test in tests])
    # A comparison without a p-value counts as well: with more queries it will have one.
    compared = sum(test is not None for test in tests)
    return [
        PairedComparison(
            mean_a=float(np.mean(pair.a)),
            mean_b=float(np.mean(pair.b)),
            interval=bootstrap_mean_difference(pair.a, pair.b, seed=seed),
            wilcoxon=wilcoxon_signed_rank(pair.a, pair.b),
            student=paired_t(pair.a, pair.b),
            effects=effect_sizes(pair.a, pair.b),
            test=test,
            equivalence=None if margin is None else equivalence(pair.a, pair.b, margin=margin),
            p_adjusted=p,
            compared=compared,
        )
        if test
        else None
        for pair, test, p in zip(paired, tests, adjusted, strict=True)
    ]


def _keep_defined(pair: ColumnPair) -> ColumnPair:
    """Leave out the queries that lack a value in either arm."""
    both = ~(np.isnan(pair.a) | np.isnan(pair.b))
    return ColumnPair(pair.a[both], pair.b[both], pair.test)
