"""The paired tests by name, all with one kind of result.

A test registers itself in `PAIRED_TESTS` beside its function; a query class refers to it by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from cranfield.statistics.pairs import FloatArray

__all__ = ["PAIRED_TESTS", "FullResult", "PairedTest", "TestResult"]


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
