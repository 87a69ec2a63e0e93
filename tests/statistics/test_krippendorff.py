"""Krippendorff's alpha: his worked example at every level, and where it is undefined."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import StatisticsError, UnknownNameError
from cranfield.statistics import ALPHA_LEVELS, krippendorff_alpha

GAP = None
# Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section C.
FOUR_JUDGES = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, GAP, GAP, GAP],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, GAP, 3],
    [GAP, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, GAP],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, GAP],
]
RATINGS = st.lists(
    st.lists(st.one_of(st.none(), st.integers(0, 4)), min_size=6, max_size=6),
    min_size=1,
    max_size=4,
)


@pytest.mark.parametrize(
    ("level", "alpha"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_krippendorffs_own_example(level: str, alpha: float) -> None:
    assert krippendorff_alpha(FOUR_JUDGES, level=level).value == pytest.approx(alpha, abs=5e-4)


def test_two_judges_and_two_values_by_hand() -> None:
    # Krippendorff (2011), section A: ten items, coincidences 10 4 / 4 2, alpha 0.095.
    first = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    second = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert krippendorff_alpha([first, second]).value == pytest.approx(1 - 19 * 8 / (2 * 14 * 6))
    assert krippendorff_alpha([first, second]).value == pytest.approx(0.095, abs=5e-4)


def test_words_are_nominal_ratings() -> None:
    assert krippendorff_alpha([["a", "b", "c"], ["a", "b", "c"]]).value == 1.0


@pytest.mark.parametrize("level", ALPHA_LEVELS)
@given(ratings=RATINGS)
def test_alpha_equals_the_mean_over_all_pairs_of_ratings(
    level: str, ratings: list[list[int | None]]
) -> None:
    items = [[x for x in item if x is not None] for item in zip(*ratings, strict=True)]
    items = [item for item in items if len(item) > 1]
    pooled = sorted(x for item in items for x in item)

    def distance(one: int, other: int) -> float:
        low, high = sorted((one, other))
        between = sum(low < x < high for x in pooled)
        ends = (pooled.count(low) + pooled.count(high)) / 2
        return {
            "nominal": float(one != other),
            "ordinal": (between + ends) ** 2 if one != other else 0.0,
            "interval": float(one - other) ** 2,
            "ratio": ((one - other) / (one + other)) ** 2 if one != other else 0.0,
        }[level]

    observed = sum(
        distance(*pair) / (len(item) - 1)
        for item in items
        for pair in itertools.permutations(item, 2)
    )
    expected = sum(distance(*pair) for pair in itertools.permutations(pooled, 2))
    value = krippendorff_alpha(ratings, level=level).value
    if expected == 0:
        assert value is None
    else:
        assert value == pytest.approx(1 - (len(pooled) - 1) * observed / expected)


@pytest.mark.parametrize("level", ALPHA_LEVELS)
@given(ratings=RATINGS)
def test_the_order_of_judges_and_items_does_not_matter(
    level: str, ratings: list[list[int | None]]
) -> None:
    turned = [row[::-1] for row in ratings[::-1]]
    one, other = (krippendorff_alpha(x, level=level).value for x in (ratings, turned))
    assert one == pytest.approx(other)


def test_the_same_rating_everywhere_leaves_alpha_undefined() -> None:
    result = krippendorff_alpha([[2, 2], [2, 2]], level="interval")
    assert result.value is None
    assert result.reason == "only one category was used: chance leaves no room to disagree"


def test_zeros_everywhere_leave_the_ratio_alpha_undefined() -> None:
    assert krippendorff_alpha([[0, 0], [0, 0]], level="ratio").value is None


@pytest.mark.parametrize("ratings", [[[1, None], [None, 2]], [[1, 2]], [[], []]])
def test_nothing_to_compare_leaves_alpha_undefined(ratings: list[list[int | None]]) -> None:
    result = krippendorff_alpha(ratings)
    assert (result.value, result.observed_disagreement) == (None, None)
    assert result.reason == "no item has two ratings: nothing can be compared"


def test_rows_of_different_length_are_refused() -> None:
    with pytest.raises(StatisticsError, match=r"rows of \[1, 2\] items"):
        krippendorff_alpha([[1], [1, 2]])


def test_no_judges_are_refused() -> None:
    with pytest.raises(StatisticsError, match="give one row for each judge"):
        krippendorff_alpha([])


@pytest.mark.parametrize("bad", ["good", float("nan")])
def test_levels_of_numbers_refuse_what_is_no_number(bad: object) -> None:
    with pytest.raises(StatisticsError, match="is not a finite number: use level='nominal'"):
        krippendorff_alpha([[1, 2], [1, bad]], level="interval")


def test_a_ratio_refuses_negative_ratings() -> None:
    with pytest.raises(StatisticsError, match="rating -1 is below 0"):
        krippendorff_alpha([[-1, 2], [1, 2]], level="ratio")


def test_an_unknown_level_suggests_a_known_one() -> None:
    with pytest.raises(UnknownNameError, match="did you mean ordinal"):
        krippendorff_alpha([[1], [1]], level="ordnal")
