"""Any number of arms: each with the first, corrected over all of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.runs.samples import right_first, right_never, right_second, small_suite

from cranfield.comparisons import VerdictKind, compare, compare_arms
from cranfield.errors import ComparisonError
from cranfield.runs.runner import run_suite
from cranfield.statistics import paired_t


def test_each_arm_is_compared_with_the_first() -> None:
    suite = small_suite(20)
    systems = (right_second, right_first, right_never, right_second)
    runs = [run_suite(suite, each) for each in systems]
    board = compare_arms(runs)
    assert board.names == (
        f"right_second ({runs[0].header.id})",
        "right_first",
        "right_never",
        f"right_second ({runs[3].header.id})",
    )
    [only] = board.suites
    assert (only.suite_id, str(only.headline)) == ("small", "RR@10")
    assert [standing.mean for standing in only.standings] == [0.5, 1.0, 0.0, 0.5]
    kinds = [each.comparison.verdict.kind for each in only.standings if each.comparison]
    assert kinds[:2] == [VerdictKind.BETTER, VerdictKind.WORSE]
    assert board.verdicts == tuple(
        each.comparison.verdict for each in only.standings if each.comparison
    )


def test_all_arms_are_corrected_at_once() -> None:
    suite = small_suite(20)
    old, new = run_suite(suite, right_second), run_suite(suite, right_first)
    alone = compare(old, new).suites[0].headline.result
    board = compare_arms([old, new, new, new])
    among = board.comparisons[0].suites[0].headline.result
    assert alone is not None
    assert among is not None
    assert among.compared == 3 * alone.compared
    assert among.test == alone.test
    assert alone.p_adjusted is not None
    assert among.p_adjusted is not None
    assert among.p_adjusted > alone.p_adjusted


def test_two_arms_of_a_leaderboard_are_a_comparison() -> None:
    suite = small_suite(20)
    old, new = run_suite(suite, right_second), run_suite(suite, right_first)
    assert compare_arms([old, new]).comparisons == (compare(old, new),)


def test_a_mean_has_its_own_interval() -> None:
    suite = small_suite(10)

    def mixed(text: str, limit: int) -> list[str]:
        return (right_first if text < "word5" else right_second)(text, limit)

    arms = [run_suite(suite, each) for each in (right_second, mixed)]
    first, second = compare_arms(arms).suites[0].standings
    assert first.interval is None  # all values are the same
    student = paired_t([0.0] * 10, [1.0] * 5 + [0.5] * 5)
    assert second.interval == (student.low, student.high)


def test_suites_stand_apart() -> None:
    suites = [small_suite(10), replace(small_suite(10), id="other", query_class="root")]
    arms = [[run_suite(each, system) for each in suites] for system in (right_second, right_first)]
    board = compare_arms([*arms, arms[0]])
    assert [(suite.suite_id, len(suite.standings)) for suite in board.suites] == [
        ("small", 3),
        ("other", 3),
    ]


def test_one_arm_is_no_comparison() -> None:
    with pytest.raises(ComparisonError, match="two arms at least"):
        compare_arms([run_suite(small_suite(4), right_first)])
