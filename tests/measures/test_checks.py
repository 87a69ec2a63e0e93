"""What is expected of an answer besides its hits: Pass, Route, Preference, TopSource."""

from __future__ import annotations

import pytest

from cranfield.measures import parse_measure
from cranfield.model import Grades, Undefined, Value

UNKNOWN = Undefined("only one of them was returned")


def passed(grades: Grades, measure: str = "Pass") -> Value:
    return parse_measure(measure)(grades)


def test_a_relevant_hit_by_the_pass_rank_passes_and_a_later_one_does_not() -> None:
    assert passed(Grades((0, None, 1))) == 1.0
    assert passed(Grades((0, None, 0, 1))) == 0.0
    assert passed(Grades((0, None, 0, 1), pass_rank=4)) == 1.0
    assert passed(Grades((0, 1), pass_rank=1)) == 0.0
    assert passed(Grades(())) == 0.0


def test_a_hit_of_a_lower_grade_than_asked_for_does_not_pass() -> None:
    assert passed(Grades((1,)), "Pass(rel=2)") == 0.0
    assert passed(Grades((1, 2)), "Pass(rel=2)") == 1.0


def test_a_hit_of_grade_0_is_judged_and_does_not_pass() -> None:
    assert passed(Grades((0, 0, 0), judgments=(0, 1))) == 0.0


@pytest.mark.parametrize("check", ["route", "nothing", "excludes", "anything"])
def test_a_right_hit_does_not_make_up_for_a_check_that_failed(check: str) -> None:
    assert passed(Grades((1,), checks={check: 1.0})) == 1.0
    assert passed(Grades((1,), checks={check: 0.0})) == 0.0
    assert passed(Grades((1,), checks={"prefers": 1.0, check: 0.0})) == 0.0


def test_checks_that_held_do_not_make_up_for_a_missing_hit() -> None:
    assert passed(Grades((0,), checks={"route": 1.0})) == 0.0


def test_a_query_that_expects_no_hits_passes_by_its_checks_alone() -> None:
    assert passed(Grades((), checks={"nothing": 1.0}, expects_hits=False)) == 1.0
    assert passed(Grades((1,), checks={"nothing": 0.0}, expects_hits=False)) == 0.0
    both = {"route": 1.0, "nothing": 0.0}
    assert passed(Grades((), checks=both, expects_hits=False)) == 0.0


def test_a_query_that_expects_nothing_at_all_has_no_pass() -> None:
    value = passed(Grades((1,), expects_hits=False))
    assert value == Undefined("the query expects nothing")


def test_a_finer_view_of_a_check_does_not_count_a_second_time() -> None:
    assert passed(Grades((1,), checks={"prefers": 1.0, "prefers.both": 0.0})) == 1.0


@pytest.mark.parametrize(
    ("measure", "check", "reason"),
    [
        ("Route", "route", "the query expects no route"),
        ("Preference", "prefers", "the query prefers no hit to another"),
        ("Preference(present=both)", "prefers.both", "the query prefers no hit to another"),
        ("TopSource", "sources", "the query lists no sources"),
        ("TopSource(of=listed)", "sources.listed", "the query lists no sources"),
    ],
)
def test_a_measure_of_one_check_is_that_check(measure: str, check: str, reason: str) -> None:
    for value in (0.0, 1.0):
        grades = Grades((), checks={check: value, "another": 1.0 - value}, expects_hits=False)
        assert parse_measure(measure)(grades) == value
    assert parse_measure(measure)(Grades((1,), checks={check: UNKNOWN})) == UNKNOWN
    assert parse_measure(measure)(Grades((1,), checks={"another": 1.0})) == Undefined(reason)


def test_a_check_that_could_not_be_made_neither_fails_the_query_nor_lets_it_pass() -> None:
    unknown = Undefined("the server did not say")
    passing = parse_measure("Pass")
    assert passing(Grades((1,), checks={"route": unknown})) == unknown
    assert passing(Grades((1,), checks={"route": unknown, "flags": 0.0})) == 0.0
    assert passing(Grades((0,), checks={"route": unknown})) == 0.0
    assert passing(Grades((1,), checks={"route": 1.0, "prefers.both": unknown})) == 1.0
