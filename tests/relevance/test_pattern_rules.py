"""Right answers told by the form of their id."""

from __future__ import annotations

from typing import Any

import pytest

from cranfield.errors import ExpectationError
from cranfield.model import Grades, Hit, Query, Response, Undefined
from cranfield.relevance import read_expectation


def grade(expect: dict[str, Any], *ids: str, pass_rank: int | None = None) -> Grades:
    query = Query("q", "text", expect, pass_rank=pass_rank)
    return read_expectation(query).grade(Response.of(tuple(Hit(each) for each in ids)))


def test_an_id_is_right_when_the_pattern_is_found_in_it() -> None:
    pattern = r"^docs://swift/hashable($|/)"
    grades = grade(
        {"matches": pattern},
        "docs://swift/hashablekey",
        "docs://swift/hashable",
        "docs://swift/hashable/hash",
    )
    assert grades.ranked == (None, 1, 1)
    assert grades.judgments == (1,)


def test_a_second_hit_of_one_pattern_earns_nothing() -> None:
    grades = grade({"matches": "^a"}, "a1", "b", "a2")
    assert grades.ranked == (1, None, 1)
    assert grades.targets == (0, None, 0)
    assert grades.earned == (1, None, 0)


def test_the_same_hit_twice_earns_once() -> None:
    assert grade({"ids": {"a": 2}}, "a", "a", "x").earned == (2, 0, None)


def test_several_patterns_are_several_targets_with_grades_of_their_own() -> None:
    expect = {"matches": [{"pattern": "^a", "grade": 3}, "^b"]}
    grades = grade(expect, "b", "a", "c")
    assert grades.ranked == (1, 3, None)
    assert grades.judgments == (3, 1)


def test_a_hit_that_meets_two_targets_takes_the_one_that_is_still_open() -> None:
    expect = {"matches": [{"pattern": "^a", "grade": 3}, "a$"]}
    grades = grade(expect, "aba", "axa")
    assert grades.targets == (0, 1)
    assert grades.earned == (3, 1)


@pytest.mark.parametrize(
    ("ids", "held", "both"),
    [
        (("new", "old"), 1.0, 1.0),
        (("old", "new"), 0.0, 0.0),
        (("x", "new"), 1.0, None),
        (("x", "old"), 0.0, None),
        (("x",), 0.0, None),
        ((), 0.0, None),
        (("old", "new", "new2"), 0.0, 0.0),
        (("newold", "old"), 1.0, 1.0),
    ],
)
def test_the_preferred_hit_stands_above_the_other(
    ids: tuple[str, ...], held: float, both: float | None
) -> None:
    grades = grade({"prefers": {"this": "^new", "over": "old$"}}, *ids)
    assert grades.checks["prefers"] == held
    if both is None:
        assert isinstance(grades.checks["prefers.both"], Undefined)
    else:
        assert grades.checks["prefers.both"] == both


def test_what_the_preferred_stands_over_is_known_not_to_be_right() -> None:
    assert grade({"prefers": {"this": "^new", "over": "^old"}}, "old", "new").ranked == (0, 1)


SOURCES = [
    {"source": "docs", "pattern": "^docs://actor$"},
    {"source": "book", "pattern": "^book://"},
    {"source": "blog", "pattern": "^blog://"},
]


@pytest.mark.parametrize(
    ("ids", "best_returned", "best_listed"),
    [
        (("docs://actor", "blog://a"), 1.0, 1.0),
        (("blog://a", "docs://actor"), 0.0, 0.0),
        (("book://a", "blog://a"), 1.0, 0.0),
        (("blog://a",), 1.0, 0.0),
        (("other://a", "docs://actor"), 0.0, 0.0),
        (("other://a",), 0.0, 0.0),
        ((), 0.0, 0.0),
    ],
)
def test_the_first_hit_is_of_the_best_source_that_has_a_match(
    ids: tuple[str, ...], best_returned: float, best_listed: float
) -> None:
    checks = grade({"sources": SOURCES}, *ids).checks
    assert checks == {"sources": best_returned, "sources.listed": best_listed}


def test_sources_are_graded_in_the_order_of_their_authority() -> None:
    ranked = grade({"sources": SOURCES}, "blog://a", "book://a", "docs://actor", "x").ranked
    assert ranked == (1, 2, 3, None)


@pytest.mark.parametrize(
    ("ids", "held"),
    [
        (("src/config.cpp", "tests/test_config.py"), 1.0),
        (("tests/test_config.py", "src/config.cpp"), 0.0),
        (("x", "y", "tests/test_config.py"), 0.0),
        (("x", "y", "z", "tests/test_config.py"), 1.0),
        ((), 1.0),
    ],
)
def test_an_excluded_hit_must_not_stand_above_the_first_right_one(
    ids: tuple[str, ...], held: float
) -> None:
    expect = {"files": ["src/config.cpp"], "excludes": "(^|/)test_"}
    assert grade(expect, *ids).checks["excludes"] == held


def test_without_a_right_hit_the_pass_rank_says_how_far_exclusion_reaches() -> None:
    expect = {"files": ["a"], "excludes": ["^bad"]}
    assert grade(expect, "x", "bad", pass_rank=1).checks["excludes"] == 1.0
    assert grade(expect, "x", "bad", pass_rank=2).checks["excludes"] == 0.0


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ({"matches": "("}, "'(' is not a regular expression: missing )"),
        ({"matches": "[a"}, "unterminated character set"),
        ({"matches": ""}, "matches: an empty pattern matches everything"),
        ({"matches": []}, "matches: an empty pattern"),
        ({"matches": ["a", 3]}, "[1]: expected `str | object`, got `int`"),
        ({"matches": [{"pattern": "a", "grade": "high"}]}, "[0].grade: expected `int`"),
        ({"matches": "(" * 5000 + ")" * 5000}, "is nested too deeply"),
        ({"prefers": {"this": "a"}}, "missing required field `over`"),
        ({"prefers": {"this": "a", "over": "a"}}, "this and over are the same pattern"),
        ({"sources": []}, "sources: an empty pattern"),
        ({"excludes": {"a": 1}}, "excludes: expected `str | array`"),
    ],
)
def test_a_pattern_that_cannot_be_used_is_refused(expect: dict[str, Any], message: str) -> None:
    with pytest.raises(ExpectationError) as refused:
        read_expectation(Query("q", "text", expect))
    assert message in str(refused.value)
