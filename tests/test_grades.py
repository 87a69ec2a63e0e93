"""The graded ranking of one query, and values that are undefined."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from cranfield.model import Grades, Undefined


def test_every_hit_has_one_target_or_none() -> None:
    with pytest.raises(ValueError, match="targets has 1 entries for 2 hits; give one target"):
        Grades((1, 0), targets=(0,))


def test_without_targets_every_hit_earns_its_grade() -> None:
    assert Grades((1, None, 2, 1)).earned == (1, None, 2, 1)


def test_a_second_hit_of_a_target_earns_nothing() -> None:
    grades = Grades((2, 2, None, 1, 2), targets=(0, 0, None, 1, 0))
    assert grades.earned == (2, 0, None, 1, 0)


def test_hits_without_a_target_keep_their_grade() -> None:
    assert Grades((None, 0, None), targets=(None, None, None)).earned == (None, 0, None)


def test_grades_are_equal_by_their_content() -> None:
    assert Grades((1,), (1, 0), checks={"route": 1.0}) == Grades(
        (1,), (1, 0), checks={"route": 1.0}
    )
    assert Grades((1,)) != Grades((1,), ())
    assert Grades((1,), checks={"a": Undefined("x")}) == Grades((1,), checks={"a": Undefined("x")})


def test_the_usual_pass_rank_is_3_and_hits_are_expected() -> None:
    assert (Grades(()).pass_rank, Grades(()).expects_hits, Grades(()).judgments) == (3, True, None)


def test_grades_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Grades((1,)).ranked = (0,)  # type: ignore[misc]


def test_an_undefined_value_says_why() -> None:
    assert str(Undefined("no query was judged")) == "undefined: no query was judged"


def test_an_undefined_value_is_neither_true_nor_false() -> None:
    with pytest.raises(TypeError, match=r"neither true nor false \(nothing was judged\)"):
        bool(Undefined("nothing was judged"))


def test_undefined_values_are_equal_by_their_reason() -> None:
    assert Undefined("a") == Undefined("a")
    assert Undefined("a") != Undefined("b")
    assert len({Undefined("a"), Undefined("a"), Undefined("b")}) == 2


def test_an_undefined_value_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Undefined("a").reason = "b"  # type: ignore[misc]
