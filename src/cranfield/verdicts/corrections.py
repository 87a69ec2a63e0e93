"""One correction over everything that is compared at once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cranfield.statistics import holm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.verdicts.paired import PairedComparison

__all__ = ["correct_together"]


def correct_together(
    results: Sequence[PairedComparison | None],
) -> list[PairedComparison | None]:
    """Correct the p-values of comparisons that are made at once (Holm).

    A comparison that cannot be tested yet counts where more queries are planned for: with them,
    it will be.
    """
    raw = [result.test.p_two_sided if result else None for result in results]
    made = sum(result is not None for result in results)
    return [
        replace(result, p_adjusted=p, compared=made) if result else None
        for result, p in zip(results, holm(raw), strict=True)
    ]
