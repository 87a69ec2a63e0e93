"""The paired tests that a query class can name, all with one result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.registry import Registry
from cranfield.statistics import (
    mcnemar_exact,
    sign_flip_randomisation,
    sign_test,
    wilcoxon_signed_rank,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Values = NDArray[np.float64]

__all__ = ["TESTS", "PairedTest", "TestResult"]


@dataclass(frozen=True, slots=True)
class TestResult:
    """What a paired test says: p is None, with the reason, where there is nothing to test.

    `p_greater` is one-sided, for B above A. `detail` shows what the test counted.
    """

    __test__ = False  # not a test of ours, whatever its name suggests to pytest

    name: str
    p_two_sided: float | None
    p_greater: float | None
    detail: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A test by the name that a class calls it; the seed is for tests that draw."""

    name: str
    title: str
    run: Callable[[Values, Values, int], TestResult]


TESTS: Registry[PairedTest] = Registry("paired test", PairedTest, group="cranfield.paired_tests")


def _randomisation(a: Values, b: Values, seed: int) -> TestResult:
    result = sign_flip_randomisation(a, b, seed=seed)
    detail = f"{result.n_nonzero} of {result.n} pairs differ"
    return TestResult("randomisation", result.p_two_sided, result.p_greater, detail, result.reason)


def _wilcoxon(a: Values, b: Values, _: int) -> TestResult:
    result = wilcoxon_signed_rank(a, b)
    w = "–" if result.statistic is None else f"{result.statistic:g}"
    detail = f"W = {w}, {result.n_nonzero} of {result.n} pairs differ"
    return TestResult("wilcoxon", result.p_two_sided, result.p_greater, detail, result.reason)


def _sign(a: Values, b: Values, _: int) -> TestResult:
    result = sign_test(a, b)
    detail = f"{result.wins} up, {result.losses} down, {result.ties} even"
    return TestResult("sign", result.p_two_sided, result.p_greater, detail, result.reason)


def _mcnemar(a: Values, b: Values, seed: int) -> TestResult:
    if not all(np.isin(values, (0.0, 1.0)).all() for values in (a, b)):
        # Means over repetitions are no yes or no; the sign test asks the same of them.
        return _sign(a, b, seed)
    result = mcnemar_exact(a > 0.5, b > 0.5)
    detail = (
        f"{result.both} right in both, {result.only_a} only in A, {result.only_b} only in B, "
        f"{result.neither} in neither"
    )
    return TestResult("mcnemar", result.p_two_sided, result.p_greater, detail, result.reason)


for _name, _title, _run in (
    ("randomisation", "sign-flip randomisation", _randomisation),
    ("wilcoxon", "Wilcoxon signed-rank", _wilcoxon),
    ("mcnemar", "McNemar, exact", _mcnemar),
    ("sign", "sign test", _sign),
):
    TESTS.register(_name, PairedTest(_name, _title, _run))
