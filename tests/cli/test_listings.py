"""Commands that list or check something write it as JSON too."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.cli.projects import cranfield, make_python_project

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"


def read(folder: Path, *arguments: str) -> dict[str, Any]:
    shown = cranfield(folder, *arguments, "--format", "json")
    found: dict[str, Any] = json.loads(shown.stdout)
    schema = json.loads((SCHEMAS / f"{found['kind']}.json").read_text())
    Draft202012Validator.check_schema(schema)
    assert list(Draft202012Validator(schema).iter_errors(found)) == []
    return found


def test_measures_are_listed_as_json(tmp_path: Path) -> None:
    found = {each["name"]: each for each in read(tmp_path, "measures")["measures"]}
    assert found["nDCG"]["cutoff"] == "optional"
    assert found["P"]["parameters"] == {"rel": 1}
    assert found["Route"]["cutoff"] == "none"


def test_a_check_is_written_as_json_with_the_place_of_every_finding(tmp_path: Path) -> None:
    project = make_python_project(tmp_path, 2)
    suite = project / "small.toml"
    suite.write_text(suite.read_text().replace("'^doc-1$'", "'(doc'"))
    assert cranfield(project, "check", "--format", "json").returncode == 2
    found = read(project, "check")
    assert (found["kind"], found["passed"]) == ("check", False)
    [checked] = found["suites"]
    assert (checked["id"], checked["class"], checked["queries"]) == ("small", "canonical", 2)
    [error] = [each for each in checked["findings"] if each["severity"] == "error"]
    assert (error["query"], error["line"]) == ("q1", 14)
    suite.write_text("not toml")
    [unread] = read(project, "check")["suites"]
    assert (unread["id"], unread["passed"]) == (None, False)


@pytest.mark.process
def test_baselines_are_written_as_json(tmp_path: Path) -> None:
    project = make_python_project(tmp_path, 10)
    for reason in ("first", "second"):
        cranfield(project, "run", "-s", "new")
        cranfield(project, "baseline", "accept", "latest", "--reason", reason, "--author", "me")
    for command in ("show", "history"):
        [found] = read(project, "baseline", command)["baselines"]
        assert (found["suite"], found["name"], found["queries"]) == ("small", "main", 10)
        assert found["accepted"]["reason"] == "second"
        assert found["accepted"]["means"]["RR@10"] == 1.0
        assert [each["reason"] for each in found["history"]] == ["first"]


@pytest.mark.process
def test_runs_and_audits_are_written_by_their_schemas(tmp_path: Path) -> None:
    project = make_python_project(tmp_path, 10)
    cranfield(project, "run", "-s", "old", "--label", "before", "--category", "even")
    [run] = read(project, "runs", "list")["runs"]
    assert (run["label"], run["selection"]) == ("before", "--category even")
    assert read(project, "runs", "audit")["findings"] == []
    with sqlite3.connect(project / ".cranfield" / "cranfield.db") as database:
        database.execute("UPDATE answers SET first_rank = 7 WHERE place = 3")
    database.close()
    [finding] = read(project, "runs", "audit")["findings"]
    assert (finding["query"], finding["stored"]) == ("q6", "7")
