"""One way from a project to a result, and nothing on it is done twice."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Any

from tests.cli.projects import make_python_project

from cranfield.cli.main import app
from cranfield.comparisons import Comparison, Leaderboard
from cranfield.evaluation.comparison_evaluation import (
    ComparisonRequest,
    evaluate_comparison,
    evaluate_stored,
)
from cranfield.evaluation.gate_evaluation import GateRequest, evaluate_gate
from cranfield.evaluation.project import open_project
from cranfield.evaluation.run_evaluation import RunRequest, evaluate_run
from cranfield.evaluation.sessions import Session
from cranfield.reports import comparison_report
from cranfield.runs import grading
from cranfield.runs.runner import RunOptions
from cranfield.runs.store import Store
from cranfield.suites import requirements
from cranfield.systems import SystemSpec

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

QUERIES = 10


def count_calls(
    monkeypatch: pytest.MonkeyPatch, counts: Counter[str], owner: Any, name: str
) -> None:
    own = getattr(owner, name)

    def counted(*given: Any, **named: Any) -> Any:
        counts[name] += 1
        return own(*given, **named)

    monkeypatch.setattr(owner, name, counted)


def test_a_comparison_reads_grades_and_reports_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(make_python_project(tmp_path, QUERIES))
    counts: Counter[str] = Counter()
    count_calls(monkeypatch, counts, Store, "_read_outcomes")
    for module in (requirements, grading):
        count_calls(monkeypatch, counts, module, "read_expectation")
    count_calls(monkeypatch, counts, SystemSpec, "_check_settings")
    count_calls(monkeypatch, counts, comparison_report, "chart_comparison")
    count_calls(monkeypatch, counts, comparison_report, "describe_outcome")
    count_calls(monkeypatch, counts, comparison_report, "holes_table")
    app(["compare", "old", "new", "-S", "small.toml"], standalone_mode=False)
    assert "new against old: " in capsys.readouterr().out
    assert counts["_read_outcomes"] == 2
    # Once when the suite is checked, and once for each arm: a database may answer otherwise there.
    assert counts["read_expectation"] == 3 * QUERIES
    assert counts["_check_settings"] <= len(open_project().systems)
    assert counts["describe_outcome"] == counts["holes_table"] == 1
    assert counts["chart_comparison"] == 0


def begin_in(project_folder: Path) -> Callable[[], Session]:
    project = open_project(project_folder)
    return lambda: Session(project.open_store(), dict(os.environ))


def test_what_commands_do_is_one_call_of_the_library(tmp_path: Path) -> None:
    folder = make_python_project(tmp_path, QUERIES)
    project, begin = open_project(folder), begin_in(folder)
    made = evaluate_run(project, RunRequest(systems=("old",), options=RunOptions()), begin)
    assert [len(each.outcomes.queries) for each in made.gated] == [QUERIES]
    compared = evaluate_comparison(project, ComparisonRequest(("old", "new")), begin)
    assert isinstance(compared.result, Comparison)
    assert [[run.header.system for run in arm] for arm in compared.arms] == [["old"], ["new"]]
    stored = evaluate_stored(project, compared.store, ["old", "new"])
    assert isinstance(stored.result, Comparison)
    assert stored.result.suites == compared.result.suites
    board = evaluate_stored(project, compared.store, ["old", "new", "old"])
    assert isinstance(board.result, Leaderboard)
    assert evaluate_stored(project, compared.store, ["new"]).result is None
    judged = evaluate_gate(project, GateRequest(systems=("new",)), begin)
    [again] = evaluate_gate(project, GateRequest(stored=("latest",)), begin).runs
    assert [each.run.header.id for each in judged.runs] == [again.run.header.id]
