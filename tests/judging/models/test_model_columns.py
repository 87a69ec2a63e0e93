"""Figures that use a model, beside those of runs and comparisons: the same in every format."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator
from tests.judging.models.helpers import (
    drawn,
    grade_all,
    make_run,
    make_suite,
    model_says,
    people_say,
)

from cranfield.comparisons import compare
from cranfield.evaluation.project import open_project
from cranfield.formats import render
from cranfield.gates.gated_runs import gate_run
from cranfield.judging.models.corrected_figures import Calibration, calibrate
from cranfield.judging.models.model_report import ModelColumns, find_model_columns
from cranfield.reports.additions import find_supplements
from cranfield.reports.comparison_report import report_comparison
from cranfield.reports.run_report import report_runs
from cranfield.runs.regrading import regrade
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from cranfield.evaluation.project import Project
    from cranfield.formats import Report
    from cranfield.model import Suite
    from cranfield.runs.runner import Run
    from cranfield.runs.store import Store

COUNT = 30
MEASURE = "P@1"
SCHEMAS = Path(__file__).parents[3] / "docs" / "schemas"


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    made = make_suite(tmp_path, "", count=COUNT, agreement=0.5, prompt=str(tmp_path / "prompt.txt"))
    return replace(made, measures=(MEASURE,))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "cranfield.toml").write_text("")
    return open_project(str(tmp_path / "cranfield.toml"))


def judged_run(suite: Suite, store: Store, judged: int = 20, says: Any = model_says) -> Run:
    run = make_run(suite, store)
    grade_all(store, run, says, model=True)
    grade_all(store, run, people_say, queries=set(drawn(suite)[:judged]))
    return run


def only(columns: tuple[ModelColumns, ...]) -> Calibration:
    (found,) = columns
    assert found.calibration is not None
    return found.calibration


def test_a_run_has_the_figures_of_a_calibration(suite: Suite, project: Project) -> None:
    store = open_store()
    run = judged_run(suite, store)
    found = only(find_model_columns([[run]], project, store))
    expected = calibrate([run], store, suite=suite)
    assert (found.figures, found.agreement) == (expected.figures, expected.agreement)
    assert found.figures[0][0].by_rules == 0.0


def test_two_runs_have_their_difference(suite: Suite, project: Project) -> None:
    store = open_store()
    runs = [judged_run(suite, store), make_run(suite, store)]
    found = only(find_model_columns([runs], project, store))
    assert [each.measure for each in found.differences] == [MEASURE]
    assert found.differences == calibrate(runs, store, suite=suite).differences


def test_nothing_is_shown_of_a_model_that_has_judged_nothing(
    suite: Suite, project: Project
) -> None:
    store = open_store()
    run = make_run(suite, store)
    assert find_model_columns([[run]], project, store) == ()
    grade_all(store, run, people_say)
    assert find_model_columns([[run]], project, store) == ()


def test_nothing_is_shown_of_a_suite_without_a_model(suite: Suite, project: Project) -> None:
    store = open_store()
    plain = replace(suite, judging=replace(suite.judging, model={}))
    assert find_model_columns([[judged_run(plain, store)]], project, store) == ()


def test_a_part_of_a_run_has_no_figures_with_a_model(suite: Suite, project: Project) -> None:
    store = open_store()
    run = judged_run(suite, store)
    part = regrade(run, replace(suite, queries=suite.queries[:9]), selection="--category x")
    (found,) = find_model_columns([[part]], project, store)
    assert found.calibration is None
    assert "a part" in found.reason


def test_a_prompt_that_is_gone_leaves_the_report_whole_and_says_why(
    suite: Suite, project: Project
) -> None:
    store = open_store()
    run = judged_run(suite, store)
    Path(str(suite.judging.model["prompt"])).unlink()
    supplements = find_supplements([[run]], project, store)
    shown = render(report_runs([gate_run(run)], supplements=supplements), "text")
    assert "figures that use the model are left out: " in shown
    assert "the prompt cannot be read" in shown
    assert MEASURE in shown


def the_report(kind: str, suite: Suite, project: Project, judged: int) -> tuple[Report, Any]:
    store = open_store()
    run = judged_run(suite, store, judged)
    if kind == "run":
        columns = find_model_columns([[run]], project, store)
        supplements = find_supplements([[run]], project, store)
        return report_runs([gate_run(run)], supplements=supplements), columns
    compared = compare(run, make_run(suite, store))
    columns = find_model_columns(compared.paired, project, store)
    supplements = find_supplements(compared.paired, project, store)
    return report_comparison(compared, supplements=supplements), columns


@pytest.mark.parametrize("kind", ["run", "comparison"])
@pytest.mark.parametrize("name", ["text", "markdown", "html"])
def test_every_format_shows_the_corrected_figure_and_the_agreement(
    kind: str, name: str, suite: Suite, project: Project
) -> None:
    report, columns = the_report(kind, suite, project, 20)
    found = only(columns)
    written = render(report, name)
    plain = re.sub(r"<[^>]+>", "", written).replace("\\", "")
    corrected, kappa = found.figures[0][0].corrected, found.agreement.kappa
    assert corrected is not None
    assert kappa is not None
    assert "with a model by judge-1@1, corrected by people" in plain
    assert f"{corrected.mean:.4f}" in plain
    assert f"{corrected.low:.4f}" in plain
    # A page explains the term between the two.
    assert re.search(rf"kappa.{{0,120}} {kappa.value:.2f} \[", plain)
    assert "the suite demands 0.5" in plain


@pytest.mark.parametrize("judged", [20, 0])
@pytest.mark.parametrize("kind", ["run", "comparison"])
def test_json_has_the_same_figures_by_its_schema(
    kind: str, judged: int, suite: Suite, project: Project
) -> None:
    report, columns = the_report(kind, suite, project, judged)
    written = json.loads(render(report, "json"))
    schema = json.loads((SCHEMAS / f"{kind}.json").read_text())
    assert list(Draft202012Validator(schema).iter_errors(written)) == []
    (model,) = written["models"]
    found = only(columns)
    corrected = found.figures[0][0].corrected
    shown = model["figures"][0][0]
    assert model["withheld"] == found.withheld
    assert bool(found.withheld) is (judged == 0)
    if corrected is None:
        assert shown["corrected"] is None
        assert "are needed" in shown["reason"]
    else:
        assert shown["corrected"]["mean"] == corrected.mean


def test_a_model_changes_no_verdict_and_no_threshold(suite: Suite, project: Project) -> None:
    report, _ = the_report("comparison", suite, project, 20)
    written = json.loads(render(report, "json"))
    plain = json.loads(render(report_comparison(report.subject), "json"))
    assert plain.pop("models") == []
    assert len(written.pop("models")) == 1
    assert written == plain
