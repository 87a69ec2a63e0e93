"""Values of parameters, and trials."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.sweeps.searches import SEARCHES, Parameter, Trial


def test_a_range_has_both_ends_and_whole_numbers_stay_whole() -> None:
    assert Parameter("k", 60, low=40, high=80, step=20).list_values() == (40, 60, 80)
    assert Parameter("m", 0.5, low=0.0, high=0.3, step=0.1).list_values() == (0, 0.1, 0.2, 0.3)


@given(st.integers(0, 2**32), st.booleans())
def test_a_drawn_value_lies_in_its_range(seed: int, is_log: bool) -> None:
    parameter = Parameter("m", 1.0, low=0.01, high=5.0, is_log=is_log)
    value = parameter.draw(np.random.default_rng(seed))
    assert isinstance(value, int | float)
    assert 0.01 <= value <= 5.0


@pytest.mark.parametrize(
    ("value", "distance"), [(60, 0.0), (40, 0.5), (20, 1.0), (80, 0.5)], ids=str
)
def test_distance_is_a_share_of_the_farthest_value(value: int, distance: float) -> None:
    assert Parameter("k", 60, (20, 40, 60, 80)).distance(value) == distance


def test_names_are_as_far_from_each_other_as_can_be() -> None:
    assert Parameter("model", "small", ("small", "large")).distance("large") == 1.0


def test_trials_written_alike_are_equal() -> None:
    assert Trial({"a": 1, "b": True}) == Trial({"a": 1, "b": True})
    assert Trial({"a": 1}) != Trial({"a": True})
    assert str(Trial({"a": 1, "b": True})) == "a=1 b=true"


def test_a_grid_has_every_combination_and_each_has_one_change_at_a_time() -> None:
    parameters = {"a": Parameter("a", 1, (1, 2)), "b": Parameter("b", "x", ("x", "y", "z"))}
    grid = SEARCHES.get("grid").open(parameters, 0).propose(100)
    assert len(set(grid)) == 6
    each = SEARCHES.get("each").open(parameters, 0).propose(100)
    default = Trial({"a": 1, "b": "x"})
    assert {str(one) for one in each} == {"a=1 b=x", "a=2 b=x", "a=1 b=y", "a=1 b=z"}
    assert max(len(one.changed_from(default)) for one in each) == 1


@pytest.mark.parametrize("method", ["random", "optuna"])
def test_a_search_repeats_itself_with_the_same_seed_and_the_same_figures(method: str) -> None:
    parameters = {"a": Parameter("a", 0.5, low=0.0, high=1.0), "b": Parameter("b", 1, (1, 2, 3))}

    def walk(seed: int) -> list[Trial]:
        search = SEARCHES.get(method).open(parameters, seed)
        found: list[Trial] = []
        for _ in range(4):
            proposed = search.propose(3)
            search.learn(proposed, [float(len(str(one))) for one in proposed])
            found += proposed
        return found

    assert walk(7) == walk(7)
    assert walk(7) != walk(8)


def test_a_random_search_ends_when_all_combinations_are_drawn() -> None:
    parameters = {"a": Parameter("a", 1, (1, 2)), "b": Parameter("b", 1, (1, 2))}
    search = SEARCHES.get("random").open(parameters, 1)
    assert len(search.propose(1000)) == 4
    assert search.propose(1) == []
