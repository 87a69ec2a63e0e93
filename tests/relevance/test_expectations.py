"""Laws that hold for every expectation and every response."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import ExpectationError, UnknownNameError
from cranfield.measures import parse_measure
from cranfield.model import Hit, Query, Response, Status, Undefined
from cranfield.relevance import RULES, read_expectation

if TYPE_CHECKING:
    from collections.abc import Callable

EXPECTATIONS: list[dict[str, Any]] = [
    {"matches": ["^a", {"pattern": "b$", "grade": 3}]},
    {"ids": {"a": 2, "b": 0, "c": -1}},
    {"files": ["a", "b/c"]},
    {"chunks": {"a": 1, "b": 0}},
    {"passages": ["a", {"text": "b", "book": "a", "chapter": 1, "relevance": "partial"}]},
    {"where": {"a": {"contains": "a", "matches": "b"}, "b": {"at_least": 0}}},
    {"where": {"id": ["a", "b"], "a": {"contains": 3}}},
    {"prefers": {"this": "a", "over": "b"}},
    {"sources": [{"source": "a", "pattern": "^a"}, {"source": "b", "pattern": "b"}]},
    {"excludes": ["b"], "ids": ["a"]},
    {"anything": True},
    {"nothing": {"below_score": 0.5}},
    {"route": ["a", "no_results"], "flags": "a"},
    {"sql": {"query": "", "ids": ["a", "b"]}},
    {"matches": "a", "ids": ["b"], "passages": "c", "where": {"a": 1}, "route": "a"},
]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inside: (
        st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=6), inside, max_size=3)
    ),
    max_leaves=6,
)
words = st.text(alphabet="abc/ ", max_size=4)
field_names = st.sampled_from(["a", "b", "book", "chapter", "hash", "file", "parents"])
hits = st.builds(
    Hit,
    id=words | st.text(max_size=4),
    score=st.none() | st.floats(),
    text=words | st.text(max_size=8),
    fields=st.dictionaries(field_names, json_values | words, max_size=3),
)
responses = st.builds(
    Response,
    status=st.sampled_from(Status),
    hits=st.lists(hits, max_size=6).map(tuple),
    route=st.sampled_from(["", "a", "search", "no_results"]),
    flags=st.lists(words, max_size=2).map(tuple),
)


@pytest.mark.corpus
@given(st.sampled_from(EXPECTATIONS), responses)
def test_every_expectation_grades_every_response(
    expect: dict[str, Any], response: Response
) -> None:
    expectation = read_expectation(Query("q", "text", expect))
    grades = expectation.grade(response)
    expected_length = 0 if response.status.is_failure else len(response.hits)
    assert len(grades.ranked) == expected_length
    assert grades.targets is not None
    assert len(grades.targets) == expected_length
    for grade, target in zip(grades.ranked, grades.targets, strict=True):
        assert grade == (None if target is None else expectation.targets[target].grade)
    for value in grades.checks.values():
        assert isinstance(value, Undefined) or value in (0.0, 1.0)
    if response.status.is_failure:
        assert all(isinstance(value, Undefined) or value == 0 for value in grades.checks.values())


@given(st.sampled_from(EXPECTATIONS), responses)
def test_no_target_is_earned_twice(expect: dict[str, Any], response: Response) -> None:
    grades = read_expectation(Query("q", "text", expect)).grade(response)
    assert grades.targets is not None
    met = {target for target in grades.targets if target is not None}
    earned = [grade for grade in grades.earned if grade is not None and grade > 0]
    assert len(earned) <= len(met)
    if grades.judgments is not None:
        assert len(earned) <= sum(grade > 0 for grade in grades.judgments)
        recall = parse_measure("R")(grades)
        assert isinstance(recall, Undefined) or 0 <= recall <= 1


@given(st.sampled_from(RULES.names()), json_values)
def test_an_expectation_of_any_shape_is_read_or_refused(name: str, value: Any) -> None:
    with suppress(ExpectationError):
        read_expectation(Query("q", "text", {name: value}))


SHAPES: dict[str, Callable[[str], Any]] = {
    "matches": lambda text: [text, {"pattern": text}],
    "prefers": lambda text: {"this": text, "over": f"{text}x"},
    "sources": lambda text: [{"source": "s", "pattern": text}],
    "excludes": lambda text: [text],
    "where": lambda text: {"id": {"matches": text}},
}


@given(
    st.sampled_from(sorted(SHAPES)), st.text(alphabet="ab()[]{}*+?|\\^$.-,<>=!:PpNx1é", max_size=9)
)
def test_any_text_is_a_pattern_or_refused_as_one(name: str, text: str) -> None:
    query = Query("q", "text", {name: SHAPES[name](text)})
    with suppress(ExpectationError):
        read_expectation(query).grade(Response.of((Hit("aba"), Hit("(b)"))))


def test_an_unknown_rule_suggests_near_ones() -> None:
    with pytest.raises(UnknownNameError, match="unknown rule 'match': did you mean matches"):
        read_expectation(Query("q", "text", {"match": "a"}))


def test_a_query_that_expects_nothing_at_all_is_refused() -> None:
    with pytest.raises(ExpectationError, match="query 'q' expects nothing; give it at least one"):
        read_expectation(Query("q", "text"))


def test_rules_combine_and_share_one_ranking() -> None:
    expect = {"ids": {"a": 3}, "matches": "^b", "route": "search", "excludes": "^z"}
    grades = read_expectation(Query("q", "text", expect, pass_rank=2)).grade(
        Response.of((Hit("b1"), Hit("a"), Hit("z")), route="search")
    )
    assert grades.ranked == (1, 3, None)
    assert grades.targets == (1, 0, None)
    assert grades.judgments == (3, 1)
    assert grades.checks == {"route": 1.0, "excludes": 1.0}
    assert grades.pass_rank == 2
    assert parse_measure("Pass")(grades) == 1.0


def test_a_query_of_ten_thousand_characters_is_graded_like_any_other() -> None:
    long = "a very long question " * 500
    expect = {"passages": long, "matches": "^doc$"}
    grades = read_expectation(Query("q", long, expect)).grade(
        Response.of((Hit("x", text=f"{long} and more"), Hit("doc")))
    )
    assert grades.ranked == (2, 1)


def graded(expect: dict[str, Any], *ids: str) -> tuple[tuple[int | None, ...], list[int | None]]:
    grades = read_expectation(Query("q", "text", expect)).grade(
        Response.of(tuple(Hit(name) for name in ids))
    )
    assert grades.targets is not None
    return grades.ranked, list(grades.targets)


def test_a_target_of_grade_0_is_judged_and_not_relevant() -> None:
    expect = {"ids": {"right": 1, "wrong": 0, "pooled": -1}}
    ranked, targets = graded(expect, "wrong", "unknown", "pooled", "right")
    assert ranked == (0, None, -1, 1)
    assert targets == [1, None, 2, 0]
    assert read_expectation(Query("q", "text", expect)).grade(Response.of(())).judgments == (
        1,
        0,
        -1,
    )


def test_a_repeated_right_target_goes_before_a_new_one_of_grade_0() -> None:
    expect = {"matches": ["^a", {"pattern": "b$", "grade": 0}]}
    assert graded(expect, "a1", "ab") == ((1, 1), [0, 0])


def test_a_new_right_target_goes_before_a_better_one_that_was_met() -> None:
    expect = {"matches": [{"pattern": "^a", "grade": 3}, "b$"]}
    assert graded(expect, "a1", "ab") == ((3, 1), [0, 1])
    assert graded(expect, "ab", "a1") == ((3, 3), [0, 0])


def test_of_two_wrong_targets_the_less_wrong_one_is_met() -> None:
    expect = {"matches": [{"pattern": "^a", "grade": -2}, {"pattern": "b$", "grade": 0}]}
    assert graded(expect, "ab", "ab") == ((0, 0), [1, 1])


def test_a_hit_of_grade_0_is_not_the_first_relevant_one_for_excludes() -> None:
    expect = {"ids": {"wrong": 0, "right": 1}, "excludes": "^old"}
    expectation = read_expectation(Query("q", "text", expect))
    hits = (Hit("wrong"), Hit("old"), Hit("right"))
    assert expectation.grade(Response.of(hits)).checks == {"excludes": 0.0}
    assert expectation.grade(Response.of((Hit("right"), Hit("old")))).checks == {"excludes": 1.0}


PASSES: list[tuple[dict[str, Any], int | None, list[str], float]] = [
    ({"ids": ["a"]}, None, ["x", "y", "a"], 1.0),
    ({"ids": ["a"]}, None, ["x", "y", "z", "a"], 0.0),
    ({"ids": ["a"]}, 4, ["x", "y", "z", "a"], 1.0),
    ({"ids": ["a"]}, 1, ["x", "a"], 0.0),
    ({"ids": {"a": 0, "b": 1}}, None, ["a"], 0.0),
    ({"ids": {"a": 0, "b": 1}}, None, ["a", "b"], 1.0),
    ({"ids": ["a"]}, None, [], 0.0),
    ({"ids": ["a"], "excludes": "^x"}, None, ["x", "a"], 0.0),
    ({"ids": ["a"], "excludes": "^x"}, None, ["a", "x"], 1.0),
    ({"ids": ["a"], "route": "search"}, None, ["a"], 1.0),
    ({"ids": ["a"], "route": "elsewhere"}, None, ["a"], 0.0),
    ({"anything": True}, 1, ["x"], 1.0),
    ({"anything": True}, 1, [], 0.0),
    ({"nothing": True}, None, [], 1.0),
    ({"nothing": True}, None, ["x"], 0.0),
    ({"prefers": {"this": "^a", "over": "^b"}}, None, ["a", "b"], 1.0),
    ({"prefers": {"this": "^a", "over": "^b"}}, None, ["a"], 1.0),
    ({"prefers": {"this": "^a", "over": "^b"}}, None, ["b", "a"], 0.0),
]


@pytest.mark.parametrize(("expect", "pass_rank", "ids", "value"), PASSES)
def test_a_query_passes_if_everything_it_expects_holds(
    expect: dict[str, Any], pass_rank: int | None, ids: list[str], value: float
) -> None:
    expectation = read_expectation(Query("q", "text", expect, pass_rank=pass_rank))
    grades = expectation.grade(Response.of(tuple(Hit(name) for name in ids)))
    assert parse_measure("Pass")(grades) == value


@pytest.mark.parametrize("expect", [{"ids": ["a"]}, {"nothing": True}, {"excludes": "^x"}])
def test_a_failed_response_passes_nothing(expect: dict[str, Any]) -> None:
    failed = Response.failed(Status.TIMEOUT, "no answer within 1 s")
    grades = read_expectation(Query("q", "text", expect)).grade(failed)
    assert parse_measure("Pass")(grades) == 0.0
