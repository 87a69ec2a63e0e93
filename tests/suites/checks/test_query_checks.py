"""What time does to a golden set, and what is said about it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cranfield.model import Query, Suite
from cranfield.suites import FindingSeverity, SuiteSource, hash_query
from cranfield.suites.checks.query_checks import (
    always_passed,
    near_duplicates,
    never_passed,
    unbalanced_categories,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


def source(*queries: Query) -> SuiteSource:
    return SuiteSource(
        Suite("a", "canonical", queries), Path("a.toml"), tuple(range(10, 10 + len(queries)))
    )


def of_categories(**counts: int) -> SuiteSource:
    names = [name for name, count in counts.items() for _ in range(count)]
    return source(*(Query(f"q{n}", f"w{n}", category=name) for n, name in enumerate(names)))


def messages(found: SuiteSource, proportions: Mapping[str, Any]) -> list[str]:
    return [finding.message for finding in unbalanced_categories(found, proportions)]


def test_categories_as_declared_are_in_balance() -> None:
    assert messages(of_categories(easy=50, hard=50), {"easy": 0.5, "hard": 0.5}) == []
    assert messages(of_categories(easy=60, hard=40), {"easy": 0.5, "hard": 0.5}) == []
    assert messages(of_categories(easy=5), {}) == []


def test_categories_out_of_balance_say_what_they_have_and_should_have() -> None:
    found = list(unbalanced_categories(of_categories(easy=70, hard=30), {"easy": 0.5, "hard": 0.5}))
    assert [finding.severity for finding in found] == [FindingSeverity.WARNING] * 2
    assert [finding.message for finding in found] == [
        "category 'easy' has 70 of 100 queries, too many: its share of 0.5 would be 50",
        "category 'hard' has 30 of 100 queries, too few: its share of 0.5 would be 50",
    ]


def test_one_query_more_or_less_is_never_out_of_balance() -> None:
    assert messages(of_categories(easy=2, hard=1), {"easy": 0.5, "hard": 0.5}) == []
    assert messages(of_categories(easy=9, hard=0), {"easy": 0.9, "hard": 0.1}) == []


def test_a_declared_category_without_queries_and_one_undeclared_are_named() -> None:
    found = messages(of_categories(easy=30, odd=1), {"easy": 0.8, "hard": 0.2})
    assert found == [
        "category 'hard' has 0 of 31 queries, too few: its share of 0.2 would be 6",
        "1 query of the category 'odd', for which no share is declared; add it to the proportions",
    ]


def test_queries_without_a_category_are_told_where_shares_are_declared() -> None:
    assert messages(source(Query("a", "x")), {"easy": 1.0}) == [
        "1 query without a category, for which no share is declared; add it to the proportions"
    ]


@pytest.mark.parametrize("share", [-0.1, 50, float("nan"), True, "half"])
def test_a_share_that_is_none_is_an_error(share: object) -> None:
    found = of_categories(easy=3)
    [finding] = unbalanced_categories(found, {"easy": share})  # type: ignore[dict-item]
    assert finding.severity is FindingSeverity.ERROR
    assert "write a number from 0 to 1" in finding.message


def test_shares_have_to_sum_to_one_but_thirds_may_be_rounded() -> None:
    assert messages(of_categories(a=1, b=1), {"a": 0.5, "b": 0.7}) == [
        "proportions: the shares sum to 1.2; they have to sum to 1"
    ]
    assert messages(of_categories(a=3, b=3, c=3), {"a": 0.333, "b": 0.333, "c": 0.333}) == []


def test_deprecated_queries_do_not_count_for_the_balance() -> None:
    found = of_categories(easy=10, hard=10)
    retired = tuple(replace(q, deprecated=q.category == "hard") for q in found.suite.queries)
    assert len(messages(source(*retired), {"easy": 0.5, "hard": 0.5})) == 2


def test_a_near_duplicate_names_the_earlier_query_and_its_own_line() -> None:
    found = source(
        Query("a", "How to sort a list?"), Query("b", "open file"), Query("c", "sort the list")
    )
    [finding] = near_duplicates(found)
    assert (finding.query_id, finding.line, finding.severity) == ("c", 12, FindingSeverity.NOTE)
    assert "nearly the same as 'a' ('How to sort a list?')" in finding.message


@pytest.mark.parametrize(
    "second",
    [
        Query("b", "sort list", language="de"),
        Query("b", "sort list", filters={"source": "guide"}),
        Query("b", "sort list", deprecated=True),
        Query("b", "sort  the list?"),
        Query("b", ""),
        Query("b", "sort set"),
    ],
)
def test_another_language_or_filter_or_a_repeated_text_is_no_near_duplicate(second: Query) -> None:
    assert list(near_duplicates(source(Query("a", "sort the list?"), second))) == []


def test_thousands_of_queries_of_one_mould_are_told_apart() -> None:
    queries = [
        Query(f"q{n}", f"what does chapter {n} of the long book say of x{n}") for n in range(5000)
    ]
    again = Query("again", "What does chapter 77 of the long book say of x77?!")
    [finding] = near_duplicates(source(*queries, again))
    assert "'q77'" in finding.message


def outcomes(found: SuiteSource, *passed: list[bool]) -> dict[str, list[bool]]:
    return {hash_query(q): each for q, each in zip(found.suite.queries, passed, strict=False)}


THREE = source(Query("a", "x"), Query("b", "y"), Query("c", "z"))


def test_what_every_run_passes_is_one_note_and_what_none_does_a_warning_each() -> None:
    passes = outcomes(THREE, [True] * 3, [False] * 3, [True, False, True])
    [easy] = always_passed(THREE, passes, systems=2)
    assert easy.severity is FindingSeverity.NOTE
    assert easy.message.startswith("1 of 3 queries are right in every stored run of 2 systems")
    assert "no builds: a; keep" in easy.message
    [hopeless] = never_passed(THREE, passes, systems=2)
    assert (hopeless.severity, hopeless.query_id, hopeless.line) == (
        FindingSeverity.WARNING,
        "b",
        11,
    )
    assert "in none of 3 stored runs of 2 systems" in hopeless.message


@pytest.mark.parametrize(("runs", "systems"), [(2, 2), (9, 1), (0, 2)])
def test_too_few_runs_or_systems_say_nothing(runs: int, systems: int) -> None:
    for check, value in ((always_passed, True), (never_passed, False)):
        assert list(check(THREE, outcomes(THREE, [value] * runs), systems=systems)) == []


def test_a_query_that_was_edited_since_or_retired_is_not_judged_by_old_runs() -> None:
    passes = outcomes(THREE, [False] * 3, [False] * 3, [False] * 3)
    first, second, third = THREE.suite.queries
    now = source(replace(first, text="other"), replace(second, deprecated=True), third)
    assert [finding.query_id for finding in never_passed(now, passes, systems=2)] == ["c"]


def test_many_easy_queries_are_counted_and_a_few_named() -> None:
    found = source(*(Query(f"q{n}", f"w{n}") for n in range(9)))
    [easy] = always_passed(found, outcomes(found, *([True] * 3 for _ in range(9))), systems=2)
    assert "9 of 9 queries" in easy.message
    assert "q0, q1, q2, q3, q4 …;" in easy.message
