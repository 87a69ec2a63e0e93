"""What is expected of the answer as a whole."""

from __future__ import annotations

from typing import Any

import pytest

from cranfield.errors import ExpectationError
from cranfield.measures import parse_measure
from cranfield.model import Hit, Query, Response, Status
from cranfield.relevance import read_expectation

SOMETHING = Response.of((Hit("a", score=0.4), Hit("b", score=0.1)))
EMPTY = Response.of(())
FAILURES = [status for status in Status if status.is_failure]


def check(name: str, value: Any, response: Response) -> object:
    expectation = read_expectation(Query("q", "text", {name: value}))
    return expectation.grade(response).checks[name]


def test_anything_is_met_by_any_result_and_by_no_empty_answer() -> None:
    assert check("anything", True, SOMETHING) == 1.0
    assert check("anything", True, EMPTY) == 0.0


def test_nothing_is_met_by_an_empty_answer_alone() -> None:
    assert check("nothing", True, EMPTY) == 1.0
    assert check("nothing", True, SOMETHING) == 0.0


@pytest.mark.parametrize(("below", "held"), [(0.5, 1.0), (0.4, 0.0), (0.05, 0.0)])
def test_nothing_may_let_low_scores_pass(below: float, held: float) -> None:
    assert check("nothing", {"below_score": below}, SOMETHING) == held


def test_a_hit_without_a_score_is_never_low() -> None:
    assert check("nothing", {"below_score": 0.9}, Response.of((Hit("a"),))) == 0.0


@pytest.mark.parametrize("status", FAILURES)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("nothing", True),
        ("nothing", {"below_score": 0.5}),
        ("route", "no_results"),
        ("anything", True),
        ("excludes", "x"),
    ],
)
def test_a_system_that_failed_has_met_nothing(status: Status, name: str, value: Any) -> None:
    failed = Response.failed(status, "it broke")
    assert check(name, value, failed) == 0.0


@pytest.mark.parametrize("status", FAILURES)
def test_a_failure_with_hits_left_over_is_graded_as_no_hits(status: Status) -> None:
    expectation = read_expectation(Query("q", "text", {"ids": ["a"], "anything": True}))
    grades = expectation.grade(Response(status, (Hit("a"),)))
    assert grades.ranked == ()
    assert grades.checks == {"anything": 0.0}
    assert parse_measure("Pass")(grades) == 0.0


@pytest.mark.parametrize(
    ("expected", "response", "held"),
    [
        ("practice_bridge", Response.of((), route="practice_bridge"), 1.0),
        ("practice_bridge", Response.of((Hit("a"),), route="search"), 0.0),
        ("practice_bridge", SOMETHING, 0.0),
        (["practice_bridge", "search"], SOMETHING, 1.0),
        ("search", SOMETHING, 1.0),
        ("search", EMPTY, 0.0),
        ("search", Response.of((), route="search"), 1.0),
        ("search", Response.of((Hit("a"),), route="practice_bridge"), 0.0),
        ("no_results", EMPTY, 1.0),
        ("no_results", SOMETHING, 0.0),
        ("no_results", Response.of((Hit("a"),), route="no_results"), 1.0),
        ("no_results", Response.of((), route="search"), 1.0),
        ("no_results", Response.of((), route="practice_bridge"), 0.0),
    ],
)
def test_a_route_is_the_one_named_or_the_one_taken_in_silence(
    expected: str | list[str], response: Response, held: float
) -> None:
    assert check("route", expected, response) == held


def test_every_expected_flag_has_to_be_raised() -> None:
    raised = Response.of((Hit("a"),), flags=("meet_first", "crisis"))
    assert check("flags", "crisis", raised) == 1.0
    assert check("flags", ["meet_first", "crisis"], raised) == 1.0
    assert check("flags", ["meet_first", "console"], raised) == 0.0


def test_a_query_with_checks_alone_expects_no_hits() -> None:
    grades = read_expectation(Query("q", "text", {"route": "search"})).grade(SOMETHING)
    assert not grades.expects_hits
    assert parse_measure("Pass")(grades) == 1.0


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("anything", False, "anything: write anything = true, or leave it out; got False"),
        ("nothing", 0, "nothing: write nothing = true"),
        ("nothing", {"below": 1}, "nothing: unknown key 'below': did you mean below_score?"),
        ("route", "", "route: is empty"),
        ("route", [], "route: is empty"),
        ("flags", ["a", ""], "flags: is empty"),
        ("route", 3, "route: expected `str | array`, got `int`; write it as in: route ="),
    ],
)
def test_a_check_that_says_nothing_is_refused(name: str, value: Any, message: str) -> None:
    with pytest.raises(ExpectationError) as refused:
        read_expectation(Query("q7", "text", {name: value}))
    assert "query 'q7': " in str(refused.value)
    assert message in str(refused.value)
