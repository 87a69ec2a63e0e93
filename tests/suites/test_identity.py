"""Equal hashes mean the same question."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cranfield.model import Query, Suite
from cranfield.suites import hash_query, hash_suite

QUERY = Query("q1", "text", {"ids": {"a": 1, "b": 2}}, category="c", notes="n")


@pytest.mark.parametrize(
    "change",
    [
        {"id": "q2"},
        {"text": "other"},
        {"expect": {"ids": {"a": 1, "b": 1}}},
        {"language": "hi"},
        {"filters": {"source": "docs"}},
        {"pass_rank": 1},
    ],
)
def test_what_is_asked_and_expected_changes_the_hash(change: dict[str, Any]) -> None:
    assert hash_query(replace(QUERY, **change)) != hash_query(QUERY)


@pytest.mark.parametrize(
    "change",
    [
        {"notes": "x"},
        {"tags": ("t",)},
        {"category": "d"},
        {"expect": {"ids": {"b": 2, "a": 1}}},
    ],
)
def test_what_is_said_about_a_query_does_not(change: dict[str, Any]) -> None:
    assert hash_query(replace(QUERY, **change)) == hash_query(QUERY)


def test_a_suites_hash_holds_everything() -> None:
    suite = Suite("s", "canonical", (QUERY,))
    assert hash_suite(suite) == hash_suite(replace(suite))
    assert hash_suite(suite) == hash_suite(replace(suite, fixture="x"))
    assert hash_suite(suite) != hash_suite(replace(suite, description="x"))
    assert hash_suite(suite) != hash_suite(replace(suite, queries=(replace(QUERY, notes="x"),)))


def test_declared_measures_change_the_hash_of_a_suite() -> None:
    suite = Suite("s", "canonical", (QUERY,))
    assert hash_suite(replace(suite, measures=("AP",))) != hash_suite(suite)
