"""The paired tests by name, all with one kind of result, and corrections over many of them.

A test registers itself in `PAIRED_TESTS` beside its function; a query class refers to it by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import StatisticsError
from cranfield.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cranfield.statistics.pairs import FloatArray

__all__ = [
    "PAIRED_TESTS",
    "FullResult",
    "PairedTest",
    "TestResult",
    "holm",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class FullResult:
    """The p-values of a test, to which each adds what it counted; None, with a reason, if none.

    `p_greater` is for B above A, `p_less` for B below A.
    """

    p_two_sided: float | None = None
    p_greater: float | None = None
    p_less: float | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class TestResult:
    """The outcome of a paired test; p is None, with the reason, if there is nothing to test.

    `name` is the test that was run. `p_greater` is one-sided, for B above A. `detail` shows what
    the test counted; `full` is the test's own result.
    """

    __test__ = False  # keeps pytest from collecting it

    name: str
    p_two_sided: float | None
    p_greater: float | None
    detail: str
    reason: str | None
    full: FullResult

    @classmethod
    def of(cls, name: str, detail: str, full: FullResult) -> TestResult:
        """Wrap a test's own result."""
        return cls(name, full.p_two_sided, full.p_greater, detail, full.reason, full)


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A test under its name; the seed is for tests that draw at random."""

    name: str
    title: str
    run: Callable[[FloatArray, FloatArray, int], TestResult]


PAIRED_TESTS: Registry[PairedTest] = Registry(
    "paired test", PairedTest, group="cranfield.paired_tests"
)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return Holm's step-down adjusted p-values, in the order given.

    The i-th smallest of m becomes the largest of (m − j + 1) · p₍ⱼ₎ over j ≤ i, at most 1
    (Holm, Scandinavian Journal of Statistics 6, 1979): the chance of even one false discovery
    stays below the level. None, a test without p-value, stays None and is not counted in m.
    """
    present = _present(p_values)
    order = np.argsort(present, kind="stable")
    factors = np.arange(present.size, 0, -1)
    stepped = np.maximum.accumulate(factors * present[order])
    return _restored(p_values, order, stepped)


def _present(p_values: Sequence[float | None]) -> FloatArray:
    for place, p in enumerate(p_values):
        if p is not None and not 0.0 <= p <= 1.0:
            raise StatisticsError(f"p_values[{place}] is {p}: give p-values from 0 to 1, or None")
    return np.asarray([p for p in p_values if p is not None], dtype=np.float64)


def _restored(
    p_values: Sequence[float | None],
    order: np.ndarray[tuple[int], np.dtype[np.intp]],
    stepped: FloatArray,
) -> list[float | None]:
    adjusted = np.empty_like(stepped)
    adjusted[order] = np.minimum(stepped, 1.0)
    remaining = iter(adjusted.tolist())
    return [None if p is None else next(remaining) for p in p_values]
