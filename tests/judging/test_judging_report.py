"""The JSON reports of judging keep to their published schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator
from tests.judging.models.helpers import (
    drawn,
    grade_all,
    make_round,
    make_run,
    make_suite,
    model_says,
    people_say,
)
from tests.judging.samples import judge, listed_run, unjudged_suite

from cranfield.formats import render
from cranfield.judging.judging_report import report_progress, report_round
from cranfield.judging.judging_round import RoundOptions, open_round
from cranfield.judging.models.corrected_figures import calibrate
from cranfield.judging.models.model_report import report_calibration, report_model_round
from cranfield.judging.models.request_loop import ModelTally
from cranfield.judgments import JudgmentStore
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from cranfield.formats import Report
    from cranfield.judging.judging_round import JudgingRound

SCHEMA = Path(__file__).parents[2] / "docs" / "schemas" / "judging.json"


def problems(report: Report) -> list[Any]:
    content = json.loads(SCHEMA.read_text())
    Draft202012Validator.check_schema(content)
    return list(Draft202012Validator(content).iter_errors(json.loads(render(report, "json"))))


@pytest.fixture(params=["plain", "decisive"])
def round_of(request: pytest.FixtureRequest) -> JudgingRound:
    store = open_store()
    suite = unjudged_suite(8)
    queries = suite.queries
    hits = [{query.text: [f"{name}{query.id}", "other"] for query in queries} for name in "ab"]
    a, b = (listed_run(suite, each, store) for each in hits)
    given = [
        judge(query, f"a{query.id}", int(query.id != "q1"), rater=rater)
        for query in queries[:5]
        for rater in ("ann", "bob")
    ]
    disputed = judge(queries[0], f"a{queries[0].id}", 0, rater="cat")
    JudgmentStore(store).add([*given, disputed], queries)
    options = RoundOptions(decisive=(a, b) if request.param == "decisive" else None)
    return open_round([a, b], store, options)


@pytest.mark.parametrize("make", [report_round, report_progress])
def test_the_json_of_a_round_keeps_to_its_schema(make: Any, round_of: JudgingRound) -> None:
    assert problems(make(round_of, "ann")) == []


def test_the_json_of_a_models_round_keeps_to_its_schema(tmp_path: Path) -> None:
    suite = make_suite(tmp_path, "", price_in=1.0, price_out=5.0)
    judging = make_round(suite, make_run(suite))
    tally = ModelTally(graded=3, cost=0.01, reasons={"the answer is empty": 2}, stopped="budget")
    for finished in (None, tally):
        assert problems(report_model_round([(judging, judging.plan(), finished)])) == []


@pytest.mark.parametrize("judged", [0, 12])
def test_the_json_of_a_calibration_keeps_to_its_schema(judged: int, tmp_path: Path) -> None:
    suite = make_suite(tmp_path, "", count=20)
    store = open_store()
    runs = [make_run(suite, store), make_run(suite, store, "b")]
    grade_all(store, runs[0], model_says, model=True)
    grade_all(store, runs[0], people_say, queries=set(drawn(suite)[:judged]))
    for some in (runs[:1], runs):
        assert problems(report_calibration(calibrate(some, store, suite=suite))) == []
