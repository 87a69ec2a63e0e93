"""Margins of equivalence that make sense for a measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.errors import ComparisonError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cranfield.measures import Measure

__all__ = ["require_margin"]

_MOST = 1.0
"""The largest possible difference of a bounded measure."""


def require_margin(margin: float | None, measures: Iterable[Measure]) -> None:
    """Refuse a margin that is not positive, or that no difference of a measure could exceed."""
    if margin is None:
        return
    if not margin > 0:
        raise ComparisonError(f"a margin has to be positive, such as 0.02; got {margin:g}")
    for measure in measures:
        if measure.family.is_quality and measure.family.is_bounded and margin >= _MOST:
            raise ComparisonError(
                f"a margin of {margin:g} would make any two systems equivalent: values of "
                f"{measure} differ by {_MOST:g} at most; choose a smaller margin, such as 0.02"
            )
