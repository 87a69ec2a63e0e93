"""Queries and suites as values."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

from cranfield.model import Query, RegressionRules, Suite, Threshold

QUERY = Query("q1", "Hashable", {"ids": ["a"]})


def test_deprecated_queries_are_kept_and_never_asked() -> None:
    old = replace(QUERY, id="q0", deprecated=True)
    suite = Suite("s", "canonical", (old, QUERY))
    assert suite.queries == (old, QUERY)
    assert suite.asked == (QUERY,)


def test_queries_are_equal_by_their_content() -> None:
    assert Query("q1", "Hashable", {"ids": ["a"]}) == QUERY
    assert replace(QUERY, pass_rank=1) != QUERY
    assert replace(QUERY, expect={"ids": ["b"]}) != QUERY


def test_a_suite_without_rules_allows_no_regression() -> None:
    suite = Suite("s", "canonical", (QUERY,))
    assert suite.rules == RegressionRules()
    assert (suite.rules.at_most, suite.rules.protected, suite.rules.accept_at) == (None, (), None)
    assert (suite.gate, suite.latency, suite.proportions) == ((), {}, {})


def test_a_threshold_decides_unless_it_is_diagnostic() -> None:
    assert Threshold("RR@10", 0.8) == Threshold("RR@10", 0.8, "", diagnostic=False)
    assert Threshold("RR@10", 0.8) != Threshold("RR@10", 0.8, diagnostic=True)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (QUERY, "text"),
        (Suite("s", "canonical", (QUERY,)), "queries"),
        (Threshold("RR@10", 0.8), "at_least"),
        (RegressionRules(), "at_most"),
    ],
)
def test_the_values_of_a_suite_are_frozen(value: object, name: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(value, name, None)


def test_queries_do_not_share_what_they_expect() -> None:
    assert Query("a", "x").expect is not Query("b", "x").expect
