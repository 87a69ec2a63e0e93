"""Fleiss' kappa: the worked table of fourteen judges, and where it is undefined."""

import numpy as np
import pytest

from cranfield.errors import StatisticsError
from cranfield.statistics import fleiss_kappa

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


def test_one_category_throughout_leaves_kappa_undefined() -> None:
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
