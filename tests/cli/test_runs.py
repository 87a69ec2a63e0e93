"""`cranfield runs`: listed, shown, exported, deleted, audited."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield, make_project

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = make_project(tmp_path)
    cranfield(made, "run", "-s", "old", "--label", "before")
    return made


def test_runs_are_listed(project: Path) -> None:
    shown = cranfield(project, "runs", "list").stdout.splitlines()
    assert shown[0].split() == ["run", "suite", "system", "label", "queries", "state", "started"]
    assert shown[1].split()[1:6] == ["small", "old", "before", "10", "complete"]


def test_one_query_is_shown_with_what_matched_and_why(project: Path) -> None:
    shown = cranfield(project, "runs", "show", "before", "q3")
    assert "target 1, grade 1: ^doc-3$" in shown.stdout
    assert "3     doc-3  1      target 1" in shown.stdout
    assert "RR@10: 0.3333" in shown.stdout
    unknown = cranfield(project, "runs", "show", "before", "q33")
    assert unknown.returncode == 2
    assert "did you mean q3" in unknown.stderr


def test_a_failed_query_is_shown_with_what_was_received(project: Path) -> None:
    cranfield(project, "run", "-s", "broken")
    shown = cranfield(project, "runs", "show", "latest", "q3")
    assert "error, ended with code 1" in shown.stdout
    assert "no index" in shown.stdout


def test_an_exported_run_can_be_run_again_with_the_same_figures(project: Path) -> None:
    cranfield(project, "runs", "export", "before", "-f", "recorded", "--out", "again.jsonl")
    with (project / "cranfield.toml").open("a") as config:
        config.write('\n[systems.again]\nkind = "recorded"\nfile = "again.jsonl"\n')
    first, second = (
        cranfield(project, "run", "-s", name, "-f", "csv").stdout.replace(name, "x")
        for name in ("old", "again")
    )
    assert first == second


def test_an_audit_exits_with_1_where_a_figure_was_changed(project: Path) -> None:
    assert cranfield(project, "runs", "audit").returncode == 0
    with sqlite3.connect(project / ".cranfield" / "cranfield.db") as database:
        database.execute("UPDATE answers SET first_rank = 1 WHERE place = 3")
    database.close()
    shown = cranfield(project, "runs", "audit")
    assert shown.returncode == 1
    assert "q3" in shown.stdout
    assert "first rank" in shown.stdout


def test_looking_for_runs_makes_no_store(tmp_path: Path) -> None:
    shown = cranfield(tmp_path, "runs", "list")
    assert shown.returncode == 2
    assert "there is no store" in shown.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_audit_of_an_unknown_run_is_a_mistake(project: Path) -> None:
    assert cranfield(project, "runs", "audit", "nothing").returncode == 2


def test_a_list_of_runs_is_written_as_json(project: Path) -> None:
    listed = json.loads(cranfield(project, "runs", "list", "--format", "json").stdout)
    assert listed["kind"] == "runs"
    [run] = listed["runs"]
    assert (run["system"], run["label"], run["state"]) == ("old", "before", "complete")
    assert (run["suite"]["id"], run["suite"]["queries"]) == ("small", 10)
    lines = cranfield(project, "runs", "list", "-f", "csv").stdout.splitlines()
    assert lines[1].startswith(f"{run['id']},small,old,before,10,complete,")


def test_a_run_and_one_ranking_are_shown_as_json(project: Path) -> None:
    shown = json.loads(cranfield(project, "runs", "show", "latest", "-f", "json").stdout)
    assert (shown["kind"], len(shown["runs"][0]["queries"])) == ("run", 10)
    ranking = json.loads(cranfield(project, "runs", "show", "latest", "q3", "-f", "json").stdout)
    [answer] = ranking["answers"]
    assert answer["hits"][2] == {"rank": 3, "id": "doc-3", "score": 1.0, "targets": [1]}
    assert answer["values"]["RR@10"] == pytest.approx(1 / 3)
    assert ranking["targets"] == [{"name": "^doc-3$", "grade": 1}]
    refused = cranfield(project, "runs", "show", "latest", "q3", "-f", "csv")
    assert refused.returncode == 2
    assert "not for a ranking report; choose html, json, markdown or text" in refused.stderr


def test_an_audit_is_written_as_json(project: Path) -> None:
    audit = json.loads(cranfield(project, "runs", "audit", "--format", "json").stdout)
    assert (audit["runs"], audit["passed"], audit["findings"]) == (1, True, [])
