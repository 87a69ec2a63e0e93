"""What a sweep shows, in text, JSON and HTML."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.sweeps.samples import make_sweep_project

from cranfield.evaluation.sessions import Session
from cranfield.formats import render
from cranfield.runs.store import open_store
from cranfield.sweeps.report import report_sweep
from cranfield.sweeps.sweep import Sweep, SweepOptions, run_sweep
from cranfield.sweeps.sweep_plan import open_sweep

SCHEMA = Path(__file__).parents[2] / "docs" / "schemas" / "sweep.json"


@pytest.fixture(scope="module", params=[100, 30], ids=["held out", "folds"])
def sweep(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    file = make_sweep_project(tmp_path_factory.mktemp("sweep"), queries=request.param)
    return run_sweep(open_sweep(file), Session(open_store()), SweepOptions())


def test_the_json_keeps_to_its_schema(sweep: Sweep) -> None:
    content: dict[str, Any] = json.loads(SCHEMA.read_text())
    Draft202012Validator.check_schema(content)
    written = json.loads(render(report_sweep(sweep), "json"))
    assert list(Draft202012Validator(content).iter_errors(written)) == []
    assert len(written["trials"]) == 6


def test_the_text_has_winner_optimism_and_what_was_corrected(sweep: Sweep) -> None:
    text = render(report_sweep(sweep))
    assert "winner: boost=1.0" in text
    assert "optimism" in text
    assert "corrected (Holm) over the 5 tried" in text
    assert "corrected (Holm) over 1 suite" in text


def test_the_page_has_a_heat_map_with_a_cell_for_each_trial_and_category(sweep: Sweep) -> None:
    page = render(report_sweep(sweep), "html")
    assert page.count('class="heat ') == 5 * 2
    assert "boost=1.0, odd: +" in page
