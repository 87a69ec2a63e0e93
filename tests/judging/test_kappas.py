"""Agreement of judges: worked examples of Krippendorff, Cohen and Fleiss, and undefined cases."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import StatisticsError, UnknownNameError
from cranfield.judging.kappas import (
    ALPHA_LEVELS,
    KAPPA_WEIGHTS,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
)

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


@pytest.mark.parametrize("bad", ["good"])
def test_levels_of_numbers_refuse_what_is_no_number(bad: object) -> None:
    with pytest.raises(StatisticsError, match="is not a finite number: use level='nominal'"):
        krippendorff_alpha([[1, 2], [1, bad]], level="interval")


def test_a_ratio_refuses_negative_ratings() -> None:
    with pytest.raises(StatisticsError, match="rating -1 is below 0"):
        krippendorff_alpha([[-1, 2], [1, 2]], level="ratio")


def test_an_unknown_level_suggests_a_known_one() -> None:
    with pytest.raises(UnknownNameError, match="did you mean ordinal"):
        krippendorff_alpha([[1], [1]], level="ordnal")


GRADES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40)


def judges(table: list[list[int]]) -> tuple[list[int], list[int]]:
    cells = [
        (row, column)
        for row, counts in enumerate(table)
        for column, count in enumerate(counts)
        for _ in range(count)
    ]
    return [row for row, _ in cells], [column for _, column in cells]


def test_fifty_grant_proposals() -> None:
    # Agreement 35/50; by chance 0.5 · 0.6 + 0.5 · 0.4 = 0.5.
    result = cohen_kappa(*judges([[20, 5], [10, 15]]))
    assert result.value == pytest.approx((0.7 - 0.5) / (1 - 0.5))
    assert result.observed_disagreement == pytest.approx(0.3)
    assert result.expected_disagreement == pytest.approx(0.5)


def test_weights_count_the_steps_between_grades() -> None:
    table = [[2, 1, 1], [0, 3, 1], [1, 0, 1]]
    # Rows 4, 4, 2 and columns 3, 4, 3 of 10. Observed: one step 2 times, two steps 2 times.
    # Expected, in tenths: one step (16+12+12+8)/10 = 4.8, two steps (12+6)/10 = 1.8.
    first, second = judges(table)
    assert cohen_kappa(first, second).value == pytest.approx(1 - 4 / 6.6)
    assert cohen_kappa(first, second, weights="linear").value == pytest.approx(1 - 6 / 8.4)
    assert cohen_kappa(first, second, weights="quadratic").value == pytest.approx(1 - 10 / 12.0)


def test_labels_may_be_words() -> None:
    assert cohen_kappa(["yes", "no"], ["yes", "no"]).value == 1.0


def test_an_unused_grade_between_two_others_counts_as_a_step() -> None:
    first, second = [0, 0, 1, 3], [0, 1, 1, 0]
    by_use = cohen_kappa(first, second, weights="linear")
    by_scale = cohen_kappa(first, second, weights="linear", categories=[0, 1, 2, 3])
    # Three steps in place of two weigh more.
    assert by_use.observed_disagreement == pytest.approx(3 / 4)
    assert by_scale.observed_disagreement == pytest.approx(4 / 4)


def test_one_category_throughout_leaves_kappa_undefined() -> None:
    result = cohen_kappa([1, 1, 1], [1, 1, 1])
    assert result.value is None
    assert result.reason == "only one category was used: chance leaves no room to disagree"


@pytest.mark.parametrize("weights", KAPPA_WEIGHTS)
@given(pairs=GRADES)
def test_swapping_the_judges_changes_nothing(weights: str, pairs: list[tuple[int, int]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    one, other = (cohen_kappa(*x, weights=weights) for x in ((first, second), (second, first)))
    assert one.value == pytest.approx(other.value)


@given(GRADES)
def test_kappa_is_at_most_one_and_one_only_for_full_agreement(
    pairs: list[tuple[int, int]],
) -> None:
    value = cohen_kappa([a for a, _ in pairs], [b for _, b in pairs]).value
    if value is not None:
        assert value <= 1.0
        assert (value == 1.0) == all(a == b for a, b in pairs)


def test_two_grades_weigh_the_same_under_every_weighting() -> None:
    first, second = judges([[20, 5], [10, 15]])
    values = {cohen_kappa(first, second, weights=weights).value for weights in KAPPA_WEIGHTS}
    assert len(values) == 1


def test_unequal_numbers_of_labels_are_refused() -> None:
    with pytest.raises(StatisticsError, match="the judges have 1 and 2 labels"):
        cohen_kappa([1], [1, 2])


def test_no_labels_are_refused() -> None:
    with pytest.raises(StatisticsError, match="at least one"):
        cohen_kappa([], [])


def test_a_label_outside_the_categories_is_refused_by_name() -> None:
    with pytest.raises(StatisticsError, match=r"labels \['3'\] are not among the categories"):
        cohen_kappa([1, 3], [1, 2], categories=[1, 2])


def test_labels_without_order_are_refused_until_categories_are_given() -> None:
    with pytest.raises(StatisticsError, match="give categories="):
        cohen_kappa([1, "a"], [1, "a"])
    assert cohen_kappa([1, "a"], [1, "a"], categories=[1, "a"]).value == 1.0


def test_an_unknown_weighting_suggests_a_known_one() -> None:
    with pytest.raises(UnknownNameError, match="did you mean quadratic"):
        cohen_kappa([1], [1], weights="quadratc")


FOURTEEN_JUDGES = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


def test_fourteen_judges_on_ten_items() -> None:
    result = fleiss_kappa(FOURTEEN_JUDGES)
    assert result.value == pytest.approx(0.210, abs=5e-4)
    assert result.observed_disagreement == pytest.approx(1 - 0.378, abs=5e-4)
    assert result.expected_disagreement == pytest.approx(1 - 0.213, abs=5e-4)


def test_two_judges_by_hand() -> None:
    # Agreement on 2 of 3 items; shares 1/2 each: kappa = (2/3 - 1/2) / (1/2).
    assert fleiss_kappa([[2, 0], [0, 2], [1, 1]]).value == pytest.approx(1 / 3)


def test_full_agreement_on_different_categories_is_one() -> None:
    assert fleiss_kappa(np.array([[3, 0], [0, 3]])).value == 1.0


def test_one_category_throughout_leaves_fleiss_kappa_undefined() -> None:
    result = fleiss_kappa([[3, 0], [3, 0]])
    assert result.value is None
    assert result.reason == "only one category was used: chance leaves no room to disagree"


@pytest.mark.parametrize("table", [[[2, 0], [1, 0]], [[1, 0], [0, 1]], [[0, 0]]])
def test_items_with_unequal_or_too_few_judgments_are_refused(table: list[list[int]]) -> None:
    with pytest.raises(StatisticsError, match="every item needs the same number, at least 2"):
        fleiss_kappa(table)


@pytest.mark.parametrize("table", [[], [[1, 1], [2]]])
def test_a_table_without_rows_or_with_uneven_ones_is_refused(table: list[list[int]]) -> None:
    with pytest.raises(StatisticsError, match="the rows of the table"):
        fleiss_kappa(table)


@pytest.mark.parametrize("table", [[[3, -1]], [[1.5, 0.5]]])
def test_what_are_no_counts_is_refused(table: list[list[int]]) -> None:
    with pytest.raises(StatisticsError, match="must hold counts"):
        fleiss_kappa(table)


def test_a_missing_label_is_no_category() -> None:
    nan = float("nan")
    with pytest.raises(StatisticsError, match="label 1 is nan: leave out the items"):
        cohen_kappa([1.0, nan, 2.0], [1.0, 2.0, 2.0])
    with pytest.raises(StatisticsError, match="label 2 is None"):
        cohen_kappa([1, 2, 2], [1, 2, None])


def test_alpha_leaves_out_what_is_not_a_number_as_it_leaves_out_none() -> None:
    nan = float("nan")
    with_none = krippendorff_alpha([[1, 2, 3, None], [1, 2, 2, 3]])
    assert krippendorff_alpha([[1, 2, 3, nan], [1, 2, 2, 3]]) == with_none
    assert krippendorff_alpha([[1, 2, 3, np.float64("nan")], [1, 2, 2, 3]]) == with_none
