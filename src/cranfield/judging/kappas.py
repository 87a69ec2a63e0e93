"""How far raters agree beyond chance: kappas and alpha, and a kappa over clusters of labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.defaults import SEED
from cranfield.errors import StatisticsError, UnknownNameError
from cranfield.statistics import require_fraction

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from numpy.typing import NDArray

    from cranfield.statistics import FloatArray

__all__ = [
    "ALPHA_LEVELS",
    "KAPPA_WEIGHTS",
    "Agreement",
    "ClusteredKappa",
    "clustered_kappa",
    "cohen_kappa",
    "fleiss_kappa",
    "krippendorff_alpha",
]


@dataclass(frozen=True, slots=True)
class Agreement:
    """1 − observed / expected disagreement: 1 is full agreement, 0 what chance would give.

    `value` is None, with a reason, when chance leaves no room to disagree or nothing can be
    compared; the disagreements are None when there was nothing to take them from.
    """

    value: float | None
    observed_disagreement: float | None
    expected_disagreement: float | None
    reason: str | None


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
    _refuse_nan(first, second)
    places = _places(first, second, categories)
    joint = np.zeros((len(places), len(places)))
    for one, other in zip(first, second, strict=True):
        joint[places[one], places[other]] += 1.0
    joint /= len(first)
    index = np.arange(len(places), dtype=np.float64)
    weight = KAPPA_WEIGHTS[weights](np.abs(index[:, np.newaxis] - index))
    expected = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    return _beyond_chance(float(np.sum(weight * joint)), float(np.sum(weight * expected)))


def _refuse_nan(*judges: Sequence[Hashable]) -> None:
    """Refuse a missing label: it is not a category, and two of them do not agree."""
    for labels in judges:
        for place, label in enumerate(labels):
            if _is_missing(label):
                raise StatisticsError(
                    f"label {place} is {label}: leave out the items that a judge did not label, or "
                    "use krippendorff_alpha"
                )


def _is_missing(label: Hashable) -> bool:
    return label is None or (isinstance(label, float | np.floating) and bool(np.isnan(label)))


def _places(
    first: Sequence[Hashable], second: Sequence[Hashable], categories: Sequence[Hashable] | None
) -> dict[Hashable, int]:
    used = {*first, *second}
    ordered = _sort_labels(used) if categories is None else list(categories)
    places = {category: place for place, category in enumerate(ordered)}
    unlisted = used - places.keys()
    if unlisted:
        raise StatisticsError(
            f"labels {sorted(map(repr, unlisted))} are not among the categories {ordered}: "
            "list every category, in order"
        )
    return places


def _sort_labels(labels: set[Any]) -> list[Hashable]:
    try:
        return sorted(labels)
    except TypeError as error:
        raise StatisticsError(f"the labels have no order ({error}): give categories=") from error


def fleiss_kappa(table: Sequence[Sequence[int]] | NDArray[np.int64]) -> Agreement:
    """Return kappa from counts: table[item][category] judges put the item into the category.

    Observed is the mean share of disagreeing pairs of judges on an item, expected that of two
    judgments drawn from the pooled categories (Fleiss, Psychological Bulletin 76, 1971).
    Every item needs the same number of judgments, at least 2; for missing ones use
    `krippendorff_alpha`. Undefined when only one category was used.
    """
    counts = _as_counts(table)
    items, judges = counts.shape[0], float(counts[0].sum())
    agreeing = np.sum(counts * (counts - 1.0), axis=1) / (judges * (judges - 1.0))
    shares = counts.sum(axis=0) / (items * judges)
    # Summed as p(1 - p), which is exactly 0 when one category has everything.
    return _beyond_chance(float(np.mean(1.0 - agreeing)), float(np.sum(shares * (1.0 - shares))))


def _as_counts(table: Sequence[Sequence[int]] | NDArray[np.int64]) -> NDArray[np.float64]:
    if len({len(row) for row in table}) != 1:
        raise StatisticsError("the rows of the table differ in length, or there are none")
    counts = np.asarray(table, dtype=np.float64)
    if not (np.all(counts >= 0.0) and np.all(counts == np.floor(counts))):
        raise StatisticsError("the table must hold counts: whole numbers from 0 up")
    judges = counts.sum(axis=1)
    if judges[0] < 2 or np.any(judges != judges[0]):
        raise StatisticsError(
            f"items have from {judges.min():g} to {judges.max():g} judgments: every item needs "
            "the same number, at least 2; use krippendorff_alpha if some are missing"
        )
    return counts


@dataclass(frozen=True, slots=True)
class MeasurementLevel:
    """A level of measurement: how far apart two values are, squared.

    `distance` takes the values and how often each occurs, and returns a matrix.
    """

    distance: Callable[[FloatArray, FloatArray], FloatArray]
    needs_numbers: bool = True
    needs_zero: bool = False


def _nominal(values: FloatArray, counts: FloatArray) -> FloatArray:
    return np.ones((values.size, counts.size)) - np.eye(values.size)


def _ordinal(values: FloatArray, counts: FloatArray) -> FloatArray:
    # The judgments between two values, each end counted half, are a difference of mid-ranks.
    return _interval(np.cumsum(counts) - counts / 2.0, values)


def _interval(values: FloatArray, _counts: FloatArray) -> FloatArray:
    return np.asarray((values[:, np.newaxis] - values) ** 2)


def _ratio(values: FloatArray, counts: FloatArray) -> FloatArray:
    sums = values[:, np.newaxis] + values
    # Two zeros are equal; the divisor only has to exist.
    return np.asarray(_interval(values, counts) / np.where(sums == 0.0, 1.0, sums) ** 2)


ALPHA_LEVELS: Mapping[str, MeasurementLevel] = {
    "nominal": MeasurementLevel(_nominal, needs_numbers=False),
    "ordinal": MeasurementLevel(_ordinal),
    "interval": MeasurementLevel(_interval),
    "ratio": MeasurementLevel(_ratio, needs_zero=True),
}
"""The levels of measurement by name."""


def krippendorff_alpha(
    ratings: Sequence[Sequence[Hashable | None]], *, level: str = "nominal"
) -> Agreement:
    """Return alpha of ratings[judge][item], None or NaN if a judge has no rating.

    alpha = 1 − (n − 1) Σ o(c,k) δ²(c,k) / Σ n(c) n(k) δ²(c,k), with o the coincidences of
    values within items, n(c) how often value c occurs in them and δ the distance of the level:
    nominal, ordinal, interval or ratio (Krippendorff, Content Analysis, 2004, chapter 11).
    Items with fewer than two ratings are left out. Undefined when no item has two ratings and
    when all ratings are the same. Levels other than nominal need numbers, ratio none below 0.
    """
    if level not in ALPHA_LEVELS:
        raise UnknownNameError("level of measurement", level, ALPHA_LEVELS)
    chosen = ALPHA_LEVELS[level]
    items = [item for item in _items(ratings) if len(item) >= 2]
    if not items:
        return Agreement(None, None, None, "no item has two ratings: nothing can be compared")
    labels, values = _scale(items, chosen)
    counts = _counts(items, labels)
    sizes = counts.sum(axis=1, keepdims=True)
    totals = counts.sum(axis=0)
    distance = chosen.distance(values, totals)
    weighted = counts / (sizes - 1.0)
    # A rating is not paired with itself: equal values have distance 0, so they drop out here.
    observed = float(np.sum((counts.T @ weighted) * distance)) / totals.sum()
    expected = float(totals @ distance @ totals) / (totals.sum() * (totals.sum() - 1.0))
    return _beyond_chance(float(observed), float(expected))


def _items(ratings: Sequence[Sequence[Hashable | None]]) -> list[list[Hashable]]:
    lengths = {len(row) for row in ratings}
    if len(lengths) != 1:
        raise StatisticsError(
            f"the judges have rows of {sorted(lengths)} items: give one row for each judge, "
            "all of the same length, with None for a missing rating"
        )
    return [
        [rating for rating in item if not _is_missing(rating)]
        for item in zip(*ratings, strict=True)
    ]


def _scale(
    items: list[list[Hashable]], level: MeasurementLevel
) -> tuple[dict[Hashable, int], FloatArray]:
    """Return the position of each label and, for the levels that need them, the numbers."""
    labels = list(dict.fromkeys(rating for item in items for rating in item))
    numbers = np.arange(len(labels), dtype=np.float64)
    if level.needs_numbers:
        labels = sorted(labels, key=_as_number)
        numbers = np.asarray([_as_number(label) for label in labels], dtype=np.float64)
    if level.needs_zero and numbers[0] < 0.0:
        raise StatisticsError(f"rating {numbers[0]:g} is below 0: a ratio needs a true zero")
    return {label: place for place, label in enumerate(labels)}, numbers


def _as_number(label: Hashable) -> float:
    if isinstance(label, (int, float, np.number)) and np.isfinite(label):
        return float(label)
    raise StatisticsError(f"rating {label!r} is not a finite number: use level='nominal'")


def _counts(items: list[list[Hashable]], places: dict[Hashable, int]) -> FloatArray:
    """Return how often each item (row) got each value (column)."""
    counts = np.zeros((len(items), len(places)))
    for row, item in zip(counts, items, strict=True):
        for rating in item:
            row[places[rating]] += 1.0
    return counts


def _beyond_chance(observed: float, expected: float) -> Agreement:
    """Return the agreement that these two disagreements amount to."""
    if expected == 0.0:
        reason = "only one category was used: chance leaves no room to disagree"
        return Agreement(None, observed, expected, reason)
    return Agreement(1.0 - observed / expected, observed, expected, None)


_DRAWS = 2000
_UNSEEN = 3.0
"""Of n clusters without any disagreement, 3 / n bounds the share that has one (95 %)."""


@dataclass(frozen=True, slots=True)
class ClusteredKappa:
    """Kappa over pairs of labels, and its interval over clusters, such as the hits of a query.

    `share` is that of equal labels. Without a value there is a `reason`; with one cluster there is
    no interval.
    """

    value: float | None
    low: float | None
    high: float | None
    share: float
    pairs: int
    clusters: int
    reason: str | None


def clustered_kappa(
    clusters: Mapping[str, Sequence[tuple[int, int]]],
    *,
    weights: str = "none",
    confidence: float = 0.95,
    seed: int = SEED,
) -> ClusteredKappa:
    """Return kappa and a bootstrap interval that draws clusters, not pairs.

    Labels of one query resemble each other; an interval that draws single pairs is too narrow. If
    nobody disagreed, the lower end is what a share of 3 / n disagreeing clusters would give.
    """
    require_fraction(confidence, "confidence")
    pairs = [pair for cluster in clusters.values() for pair in cluster]
    if not pairs:
        raise StatisticsError("there are no pairs of labels: nothing can be compared")
    first, second = zip(*pairs, strict=True)
    found = cohen_kappa(first, second, weights=weights)
    share = sum(one == other for one, other in pairs) / len(pairs)
    size = sum(bool(cluster) for cluster in clusters.values())
    low, high = (None, None)
    if found.value is not None and size > 1:
        low, high = _interval_over_clusters(clusters, weights, confidence, seed)
        if found.observed_disagreement == 0.0 and found.expected_disagreement:
            low = max(-1.0, 1.0 - _UNSEEN / size / found.expected_disagreement)
    return ClusteredKappa(found.value, low, high, share, len(pairs), size, found.reason)


def _interval_over_clusters(
    clusters: Mapping[str, Sequence[tuple[int, int]]], weights: str, confidence: float, seed: int
) -> tuple[float, float]:
    tables = _tables([cluster for _, cluster in sorted(clusters.items()) if cluster])
    chance = np.random.default_rng(seed)
    draws = chance.multinomial(len(tables), np.full(len(tables), 1.0 / len(tables)), size=_DRAWS)
    joint = np.einsum("dc,cij->dij", draws, tables)
    joint = joint / joint.sum(axis=(1, 2), keepdims=True)
    steps = np.abs(np.subtract.outer(*2 * [np.arange(tables.shape[1], dtype=np.float64)]))
    weight = KAPPA_WEIGHTS[weights](steps)
    observed = np.sum(joint * weight, axis=(1, 2))
    expected = np.einsum("di,dj,ij->d", joint.sum(axis=2), joint.sum(axis=1), weight)
    kappas = 1.0 - observed[expected > 0.0] / expected[expected > 0.0]
    tail = (1.0 - confidence) / 2.0
    low, high = np.quantile(kappas, [tail, 1.0 - tail])
    return float(low), float(high)


def _tables(clusters: Sequence[Sequence[tuple[int, int]]]) -> FloatArray:
    """Count the pairs of labels of each cluster."""
    labels = sorted({label for cluster in clusters for pair in cluster for label in pair})
    places = {label: place for place, label in enumerate(labels)}
    tables = np.zeros((len(clusters), len(labels), len(labels)))
    for table, cluster in zip(tables, clusters, strict=True):
        for one, other in cluster:
            table[places[one], places[other]] += 1.0
    return tables
