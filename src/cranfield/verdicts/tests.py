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

    from cranfield.statistics import (
        McNemarResult,
        RandomisationResult,
        SignTestResult,
        WilcoxonResult,
    )

    Values = NDArray[np.float64]

__all__ = ["TESTS", "PairedTest", "TestResult"]


@dataclass(frozen=True, slots=True)
class TestResult:
    """What a paired test says: p is None, with the reason, where there is nothing to test.

    `p_greater` is one-sided, for B above A. `detail` shows what the test counted; `full` is all
    that it has to say.
    """

    __test__ = False  # not a test of ours, whatever its name suggests to pytest

    name: str
    p_two_sided: float | None
    p_greater: float | None
    detail: str
    reason: str | None
    full: McNemarResult | RandomisationResult | SignTestResult | WilcoxonResult

    @property
    def points_up(self) -> bool | None:
        """Whether the test holds B to be the higher one; None where it holds neither."""
        if self.p_greater is None or self.p_greater == 0.5:
            return None
        return self.p_greater < 0.5


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
    return _told("randomisation", detail, result)


def _wilcoxon(a: Values, b: Values, _: int) -> TestResult:
    result = wilcoxon_signed_rank(a, b)
    w = "–" if result.statistic is None else f"{result.statistic:g}"
    detail = f"W = {w}, {result.n_nonzero} of {result.n} pairs differ"
    return _told("wilcoxon", detail, result)


def _sign(a: Values, b: Values, _: int) -> TestResult:
    result = sign_test(a, b)
    detail = f"{result.wins} up, {result.losses} down, {result.ties} even"
    return _told("sign", detail, result)


def _mcnemar(a: Values, b: Values, seed: int) -> TestResult:
    if not all(np.isin(values, (0.0, 1.0)).all() for values in (a, b)):
        # Means over repetitions are no yes or no; the sign test asks the same of them.
        return _sign(a, b, seed)
    result = mcnemar_exact(a > 0.5, b > 0.5)
    detail = (
        f"{result.both} right in both, {result.only_a} only in A, {result.only_b} only in B, "
        f"{result.neither} in neither"
    )
    return _told("mcnemar", detail, result)


def _told(
    name: str,
    detail: str,
    full: McNemarResult | RandomisationResult | SignTestResult | WilcoxonResult,
) -> TestResult:
    return TestResult(name, full.p_two_sided, full.p_greater, detail, full.reason, full)


for _name, _title, _run in (
    ("randomisation", "sign-flip randomisation", _randomisation),
    ("wilcoxon", "Wilcoxon signed-rank", _wilcoxon),
    ("mcnemar", "McNemar, exact", _mcnemar),
    ("sign", "sign test", _sign),
):
    TESTS.register(_name, PairedTest(_name, _title, _run))
