"""Kappa with an interval over clusters."""

from __future__ import annotations

import pytest

from cranfield.errors import StatisticsError
from cranfield.judging.kappas import clustered_kappa, cohen_kappa


def test_the_value_is_that_of_cohen() -> None:
    clusters = {"a": [(0, 0), (1, 1)], "b": [(0, 1), (1, 1)], "c": [(0, 0), (1, 0)]}
    found = clustered_kappa(clusters)
    assert found.value == cohen_kappa([0, 1, 0, 1, 0, 1], [0, 1, 1, 1, 0, 0]).value
    assert (found.pairs, found.clusters) == (6, 3)
    assert found.share == pytest.approx(4 / 6)
    assert found.low is not None
    assert found.high is not None
    assert found.value is not None
    assert found.low <= found.value <= found.high


def test_the_same_seed_gives_the_same_interval() -> None:
    clusters = {str(number): [(number % 2, number % 3 % 2)] for number in range(30)}
    assert clustered_kappa(clusters, seed=3) == clustered_kappa(clusters, seed=3)
    assert clustered_kappa(clusters, seed=3) != clustered_kappa(clusters, seed=4)


def test_labels_that_belong_together_make_the_interval_wider() -> None:
    """Ten queries of eight hits: the judges agree on all hits of a query, or on none."""
    queries = [[(hit % 2, (hit + (query >= 7)) % 2) for hit in range(8)] for query in range(10)]
    pairs = [pair for query in queries for pair in query]
    alone = clustered_kappa({str(place): [pair] for place, pair in enumerate(pairs)})
    together = clustered_kappa({str(place): query for place, query in enumerate(queries)})
    assert alone.value == together.value == pytest.approx(0.4)
    ends = [(each.low, each.high) for each in (alone, together)]
    widths = [high - low for low, high in ends if low is not None and high is not None]
    assert widths[1] > 2 * widths[0]


def test_full_agreement_of_few_clusters_is_not_certain() -> None:
    """3 of 10 clusters disagreeing, half of it expected by chance: 1 − 0.3 / 0.5."""
    found = clustered_kappa({str(number): [(0, 0), (1, 1)] for number in range(10)})
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(0.4)


def test_what_has_no_kappa_says_why() -> None:
    found = clustered_kappa({"a": [(1, 1)], "b": [(1, 1)]})
    assert (found.value, found.low) == (None, None)
    assert found.reason is not None
    with pytest.raises(StatisticsError, match="no pairs"):
        clustered_kappa({"a": []})
