"""Columns of values compared pair by pair: the one place where a comparison is made."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from cranfield.statistics.effects import effect_sizes
from cranfield.statistics.equivalence import equivalence
from cranfield.statistics.mean_interval import mean_interval
from cranfield.statistics.paired_tests import PAIRED_TESTS, holm, paired_t
from cranfield.statistics.rank_tests import wilcoxon_signed_rank
from cranfield.statistics.verdict import Verdict, decide

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cranfield.statistics.effects import EffectSizes
    from cranfield.statistics.equivalence import EquivalenceResult
    from cranfield.statistics.mean_interval import MeanInterval
    from cranfield.statistics.paired_tests import PairedTResult, TestResult
    from cranfield.statistics.rank_tests import WilcoxonResult

__all__ = ["ColumnPair", "PairedComparison", "compare_columns"]

_DECIDING_TEST = "randomisation"


@dataclass(frozen=True, slots=True, eq=False)
class ColumnPair:
    """One measure's values in both arms, query by query, NaN if undefined.

    `test` is the test that the query class names for the measure: it is reported, and decides
    nothing. Measures that are not a headline are secondary: corrected among themselves.
    """

    a: NDArray[np.float64]
    b: NDArray[np.float64]
    test: str = _DECIDING_TEST
    is_headline: bool = True


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """What the queries measured in both arms say about B minus A.

    `test` is the sign-flip randomisation of the mean difference, `class_test` the one that the
    class names; they are the same if it names no other. `p` is what decides: the larger of the
    two-sided p-values of `test` and of `interval`, so both have to leave out 0. `p_adjusted`
    is `p` corrected (Holm) over the `compared` columns that were compared at once; `p_equivalent`
    is that of `equivalence` and `class_p_adjusted` that of `class_test`, corrected likewise. They
    are None if there was nothing to test, or no margin was given. `verdict` follows from the rest
    and is decided at construction.
    """

    mean_a: float
    mean_b: float
    interval: MeanInterval
    test: TestResult
    class_test: TestResult
    wilcoxon: WilcoxonResult
    student: PairedTResult
    effects: EffectSizes
    equivalence: EquivalenceResult | None
    p: float | None
    p_adjusted: float | None
    p_equivalent: float | None
    class_p_adjusted: float | None
    compared: int
    is_headline: bool = True
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


@dataclass(frozen=True, slots=True)
class _Evidence:
    """All that one pair of columns says by itself, before any correction."""

    column: ColumnPair
    interval: MeanInterval
    test: TestResult
    class_test: TestResult
    equivalence: EquivalenceResult | None

    @property
    def p(self) -> float | None:
        if self.test.p_two_sided is None:
            return None
        return max(self.test.p_two_sided, self.interval.p_two_sided)

    @property
    def p_equivalent(self) -> float | None:
        return self.equivalence.p_value if self.equivalence else None


def compare_columns(
    columns: Sequence[ColumnPair], *, seed: int, margin: float | None = None
) -> list[PairedComparison | None]:
    """Test, correct and decide all pairs of columns at once.

    The p-values of the headlines are corrected together (Holm), those of the secondary measures
    likewise among themselves: what else is looked at cannot change a verdict. With a `margin`, a
    difference shown to lie within it is equivalent. A pair of columns without a query that
    has both values gives None.
    """
    kept = [_keep_defined(pair) for pair in columns]
    evidence = _examine_all(kept, seed, margin)
    results: list[PairedComparison | None] = [None] * len(evidence)
    for is_headline in (True, False):
        family = [
            (place, each)
            for place, each in enumerate(evidence)
            if each is not None and each.column.is_headline is is_headline
        ]
        differ = holm([each.p for _, each in family])
        alike = holm([each.p_equivalent for _, each in family])
        named = holm([each.class_test.p_two_sided for _, each in family])
        for (place, each), *adjusted in zip(family, differ, alike, named, strict=True):
            # Columns with nothing to test count as well: with more queries they may have.
            results[place] = _compare(each, adjusted, len(family))
    return results


def _examine_all(
    pairs: Sequence[ColumnPair], seed: int, margin: float | None
) -> list[_Evidence | None]:
    """Examine each pair of columns; what is the same by another measure is examined once."""
    known: dict[tuple[bytes, bytes, str], _Evidence] = {}
    found: list[_Evidence | None] = []
    for pair in pairs:
        if not pair.a.size:
            found.append(None)
            continue
        key = (pair.a.tobytes(), pair.b.tobytes(), pair.test)
        if key not in known:
            known[key] = _examine(pair, seed, margin)
        found.append(replace(known[key], column=pair))
    return found


def _examine(pair: ColumnPair, seed: int, margin: float | None) -> _Evidence:
    interval = mean_interval(pair.a, pair.b)
    test = PAIRED_TESTS.get(_DECIDING_TEST).run(pair.a, pair.b, seed)
    return _Evidence(
        column=pair,
        interval=interval,
        test=test,
        class_test=test
        if pair.test == _DECIDING_TEST
        else PAIRED_TESTS.get(pair.test).run(pair.a, pair.b, seed),
        equivalence=None
        if margin is None
        else equivalence(pair.a, pair.b, margin=margin, span=interval.span),
    )


def _compare(
    evidence: _Evidence, adjusted: Sequence[float | None], compared: int
) -> PairedComparison:
    column = evidence.column
    p, p_equivalent, class_p = adjusted
    return PairedComparison(
        mean_a=float(np.mean(column.a)),
        mean_b=float(np.mean(column.b)),
        interval=evidence.interval,
        test=evidence.test,
        class_test=evidence.class_test,
        wilcoxon=wilcoxon_signed_rank(column.a, column.b),
        student=paired_t(column.a, column.b),
        effects=effect_sizes(column.a, column.b),
        equivalence=evidence.equivalence,
        p=evidence.p,
        p_adjusted=p,
        p_equivalent=p_equivalent,
        class_p_adjusted=class_p,
        compared=compared,
        is_headline=column.is_headline,
    )


def _keep_defined(pair: ColumnPair) -> ColumnPair:
    """Leave out the queries that lack a value in either arm."""
    both = ~(np.isnan(pair.a) | np.isnan(pair.b))
    return ColumnPair(pair.a[both], pair.b[both], pair.test, pair.is_headline)
