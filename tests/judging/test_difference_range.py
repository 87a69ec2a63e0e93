"""The range of a difference is that of all grades that its holes may have."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.judging import decisive as module
from cranfield.judging.decisive import AnswerPair, GradedAnswer, find_range
from cranfield.measures import Measure, parse_measure
from cranfield.model import Grades

ITEMS = "abcdefgh"
MEASURES = ["nDCG@5", "nDCG(gain=exp)@5", "RR@5", "P@3", "Success@3", "AP", "DCG@5"]


def make_pair(first: str, second: str, judged: dict[str, int]) -> AnswerPair:
    """Two answers whose hits are named by letters, with the grades of those that are judged."""
    places = {item: place for place, item in enumerate(judged)}

    def graded(items: str) -> GradedAnswer:
        ranked = tuple(judged.get(item) for item in items)
        targets = tuple(places.get(item) for item in items)
        return GradedAnswer(Grades(ranked, tuple(judged.values()), targets), tuple(items))

    return AnswerPair(graded(first), graded(second))


def extremes(pair: AnswerPair, measure: Measure, highest: int) -> tuple[float, float]:
    holes = pair.holes(measure)
    found = [
        pair.difference(measure, dict(zip(holes, grades, strict=True)))
        for grades in product(range(highest + 1), repeat=len(holes))
    ]
    return min(found), max(found)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[AnswerPair, int]:
    first, second = ("".join(draw(st.permutations(ITEMS))[:5]) for _ in range(2))
    highest = draw(st.integers(1, 3))
    judged = draw(st.dictionaries(st.sampled_from(ITEMS), st.integers(0, highest), max_size=6))
    return make_pair(first, second, judged), highest


@given(pairs(), st.sampled_from(MEASURES))
@settings(max_examples=60)
def test_it_is_that_of_trying_all_grades(drawn: tuple[AnswerPair, int], name: str) -> None:
    pair, highest = drawn
    measure = parse_measure(name)
    if (highest + 1) ** len(pair.holes(measure)) > 2000:
        return
    assert find_range(pair, measure, highest) == pytest.approx(extremes(pair, measure, highest))


@given(pairs(), st.sampled_from(MEASURES))
@settings(max_examples=60)
def test_it_is_never_narrower_if_there_are_too_many_to_try(
    drawn: tuple[AnswerPair, int], name: str
) -> None:
    pair, highest = drawn
    measure = parse_measure(name)
    if (highest + 1) ** len(pair.holes(measure)) > 5000:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MOST_CASES", 100)
        found = find_range(pair, measure, highest)
    lowest, most = extremes(pair, measure, highest)
    assert found.lowest <= lowest + 1e-12
    assert found.highest >= most - 1e-12
    if measure.name == "nDCG" and highest == 1:
        assert found == pytest.approx((lowest, most))


def test_a_rank_below_the_first_right_hit_cannot_change_the_reciprocal_rank() -> None:
    pair = make_pair("abc", "bca", {"a": 1, "b": 1})
    assert find_range(pair, parse_measure("RR@3"), 1).is_certain
    assert not find_range(pair, parse_measure("nDCG@3"), 1).is_certain


def test_the_holes_are_listed_by_rank_down_to_the_depth_of_the_measure() -> None:
    pair = make_pair("abcd", "efab", {"a": 0})
    assert pair.holes(parse_measure("P@2")) == ["e", "b", "f"]
