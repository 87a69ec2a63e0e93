"""Cohen's kappa: a worked table, weights by hand, and where it is undefined."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import StatisticsError, UnknownNameError
from cranfield.statistics import KAPPA_WEIGHTS, cohen_kappa

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
