"""Corrections of p-values for asking many questions at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import StatisticsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.statistics.pairs import FloatArray

__all__ = ["benjamini_hochberg", "holm"]


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


def benjamini_hochberg(p_values: Sequence[float | None]) -> list[float | None]:
    """Return Benjamini and Hochberg's step-up adjusted p-values, in the order given.

    The i-th smallest of m becomes the smallest of m/j · p₍ⱼ₎ over j ≥ i, at most 1 (Journal
    of the Royal Statistical Society B 57, 1995): the expected share of false discoveries stays
    below the level. None, a test without p-value, stays None and is not counted in m.
    """
    present = _present(p_values)
    order = np.argsort(present, kind="stable")
    factors = present.size / np.arange(1, present.size + 1)
    stepped = np.minimum.accumulate((factors * present[order])[::-1])[::-1]
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
