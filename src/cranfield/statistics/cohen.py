"""Cohen's kappa: agreement of two judges on the same items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.errors import StatisticsError, UnknownNameError
from cranfield.statistics.agreement import Agreement, beyond_chance

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from cranfield.statistics.pairs import FloatArray

__all__ = ["KAPPA_WEIGHTS", "cohen_kappa"]

KAPPA_WEIGHTS: Mapping[str, Callable[[FloatArray], FloatArray]] = {
    "none": lambda steps: (steps > 0.0).astype(np.float64),
    "linear": lambda steps: steps,
    "quadratic": lambda steps: steps**2,
}
"""How much a disagreement weighs, by how many steps apart the two categories are."""


def cohen_kappa(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    *,
    weights: str = "none",
    categories: Sequence[Hashable] | None = None,
) -> Agreement:
    """Return 1 − Σ w·observed / Σ w·expected over the categories of two judges.

    Expected are the products of the judges' own category shares (Cohen, Educational and
    Psychological Measurement 20, 1960; weighted: Psychological Bulletin 70, 1968). Weights
    other than "none" count the steps between categories in the order of `categories`, by
    default the sorted labels that occur; give them when a grade may be missing from the data.
    Undefined when both judges use one and the same category throughout.
    """
    if weights not in KAPPA_WEIGHTS:
        raise UnknownNameError("kappa weighting", weights, KAPPA_WEIGHTS)
    if len(first) != len(second) or len(first) == 0:
        raise StatisticsError(
            f"the judges have {len(first)} and {len(second)} labels: "
            "give both the same items, at least one"
        )
    places = _places(first, second, categories)
    joint = np.zeros((len(places), len(places)))
    for one, other in zip(first, second, strict=True):
        joint[places[one], places[other]] += 1.0
    joint /= len(first)
    index = np.arange(len(places), dtype=np.float64)
    weight = KAPPA_WEIGHTS[weights](np.abs(index[:, np.newaxis] - index))
    expected = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    return beyond_chance(float(np.sum(weight * joint)), float(np.sum(weight * expected)))


def _places(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    categories: Sequence[Hashable] | None,
) -> dict[Hashable, int]:
    used = {*first, *second}
    ordered = _sorted(used) if categories is None else list(categories)
    places = {category: place for place, category in enumerate(ordered)}
    unlisted = used - places.keys()
    if unlisted:
        raise StatisticsError(
            f"labels {sorted(map(repr, unlisted))} are not among the categories {ordered}: "
            "list every category, in order"
        )
    return places


def _sorted(labels: set[Any]) -> list[Hashable]:
    try:
        return sorted(labels)
    except TypeError as error:
        raise StatisticsError(f"the labels have no order ({error}): give categories=") from error
