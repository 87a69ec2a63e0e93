"""A model measured by people: agreement, the sample, corrected figures, and what is withheld."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from tests.judging.models.helpers import (
    drawn,
    grade_all,
    make_run,
    make_suite,
    model_says,
    number_of,
    people_say,
)

from cranfield.errors import CranfieldError
from cranfield.judging.models.corrected_figures import Calibration, calibrate
from cranfield.judging.models.corrected_mean import corrected_mean
from cranfield.judging.models.human_sample import compare_with_people, take_sample
from cranfield.judging.pool import make_pool
from cranfield.judgments import query_key
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.model import Suite

COUNT = 40
MEASURE = "P@1"


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return replace(
        make_suite(
            tmp_path, "", count=COUNT, agreement=0.5, gate=[{"measure": MEASURE, "at_least": 0.3}]
        ),
        measures=(MEASURE,),
    )


def calibrated(suite: Suite, judged: int, says: Any = model_says) -> Calibration:
    store = open_store()
    run = make_run(suite, store)
    grade_all(store, run, says, model=True)
    grade_all(store, run, people_say, queries=set(drawn(suite)[:judged]))
    return calibrate([run], store, suite=suite)


def test_figures_are_corrected_by_the_queries_that_people_judged(suite: Suite) -> None:
    found = calibrated(suite, 20)
    order = drawn(suite)
    numbers = {query_key(query): number_of(query) for query in suite.queries}
    people = np.array([float(numbers[key] % 3 == 0) for key in order])
    model = np.array([float(numbers[key] % 3 == 0 or numbers[key] % 5 == 0) for key in order])
    figure = found.figures[0][0]
    assert figure.measure == MEASURE
    assert figure.by_rules == 0.0
    assert figure.corrected == corrected_mean(people[:20], model[:20], model[20:])
    assert figure.corrected is not None
    assert figure.corrected.uncorrected == pytest.approx(model.mean())
    assert figure.corrected.low <= people.mean() <= figure.corrected.high


def test_agreement_is_measured_on_hits_that_both_judged(suite: Suite) -> None:
    found = calibrated(suite, 20).agreement
    assert found.kappa is not None
    assert (found.kappa.pairs, found.kappa.clusters) == (60, 20)
    assert found.kappa.low is not None
    assert found.kappa.value is not None
    assert 0.5 < found.kappa.low < found.kappa.value < 1.0
    assert found.is_enough


def test_a_demand_is_met_only_if_the_agreement_is_shown(suite: Suite) -> None:
    found = calibrated(suite, 20)
    assert found.withheld == ""
    assert found.demands[0][0].is_met is True
    opposite = calibrated(suite, 20, lambda query, hit: 2 - people_say(query, hit))
    assert "demands an agreement of 0.5" in opposite.withheld
    assert opposite.demands[0][0].is_met is None
    nobody = calibrated(suite, 0)
    assert "no hit in common" in nobody.withheld
    assert nobody.figures[0][0].corrected is None
    assert "6 are needed" in nobody.figures[0][0].reason


def test_the_sample_is_the_beginning_of_the_drawn_order_and_nothing_else(suite: Suite) -> None:
    store = open_store()
    run = make_run(suite, store)
    order = drawn(suite)
    grade_all(store, run, people_say, queries={*order[:7], *order[8:15]})
    sample = take_sample(suite, make_pool([run]), store)
    assert sample.sampled == frozenset(order[:7])
    assert sample.missing == 2
    by_key = {query_key(query): query.id for query in suite.queries}
    assert sample.next_query == by_key[order[7]]


def test_hits_right_by_the_rules_need_nobody(suite: Suite) -> None:
    store = open_store()
    run = make_run(suite, store)
    pool = make_pool([run])
    assert take_sample(suite, pool, store).unjudged_by_model == 2 * COUNT
    grade_all(
        store,
        run,
        lambda query, hit: None if hit.document.endswith("-right") else people_say(query, hit),
    )
    sample = take_sample(suite, pool, store)
    assert len(sample.sampled) == COUNT
    assert sorted(each.grade for each in sample.people[drawn(suite)[0]])[-1] == 2


def test_the_difference_of_two_runs_is_corrected_too(suite: Suite) -> None:
    store = open_store()
    first = make_run(suite, store)
    second = make_run(suite, store, label="b")
    for run in (first, second):
        grade_all(store, run, model_says, model=True)
        grade_all(store, run, people_say)
    found = calibrate([first, second], store, suite=suite)
    assert [each.measure for each in found.differences] == [MEASURE]
    corrected = found.differences[0].corrected
    assert corrected is not None
    assert corrected.mean == 0.0
    with pytest.raises(CranfieldError, match="two of one suite"):
        calibrate([first, second, first], store, suite=suite)


def test_other_scales_are_compared_as_relevant_or_not(suite: Suite) -> None:
    store = open_store()
    run = make_run(suite, store)
    binary = replace(suite, judging=replace(suite.judging, highest=1))
    grade_all(store, run, model_says, model=True)
    grade_all(store, run, lambda query, hit: min(1, people_say(query, hit)))
    found = compare_with_people(binary, make_pool([run]), store)
    assert found.is_binary
    assert set(found.table) <= {(0, 0), (0, 1), (1, 0), (1, 1)}
