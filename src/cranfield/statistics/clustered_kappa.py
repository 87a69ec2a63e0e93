"""Cohen's kappa of items that belong together, with an interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.defaults import SEED
from cranfield.errors import StatisticsError
from cranfield.statistics.agreement import KAPPA_WEIGHTS, cohen_kappa
from cranfield.statistics.pairs import require_fraction

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.statistics.pairs import FloatArray

__all__ = ["ClusteredKappa", "clustered_kappa"]

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
        low, high = _interval(clusters, weights, confidence, seed)
        if found.observed_disagreement == 0.0 and found.expected_disagreement:
            low = max(-1.0, 1.0 - _UNSEEN / size / found.expected_disagreement)
    return ClusteredKappa(found.value, low, high, share, len(pairs), size, found.reason)


def _interval(
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
