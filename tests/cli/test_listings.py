"""Commands that list or check something write it as JSON too."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.cli.projects import cranfield, make_project

if TYPE_CHECKING:
    from pathlib import Path


def read(folder: Path, *arguments: str) -> dict[str, Any]:
    shown = cranfield(folder, *arguments, "--format", "json")
    found: dict[str, Any] = json.loads(shown.stdout)
    assert found["schema_version"] == 1
    return found


def test_measures_are_listed_as_json(tmp_path: Path) -> None:
    found = {each["name"]: each for each in read(tmp_path, "measures")["measures"]}
    assert found["nDCG"]["cutoff"] == "optional"
    assert found["P"]["parameters"] == {"rel": 1}
    assert found["Route"]["cutoff"] == "none"


def test_a_check_is_written_as_json_with_the_place_of_every_finding(tmp_path: Path) -> None:
    project = make_project(tmp_path, 2)
    suite = project / "small.toml"
    suite.write_text(suite.read_text().replace("'^doc-1$'", "'(doc'"))
    shown = cranfield(project, "check", "--format", "json")
    assert shown.returncode == 2
    found = json.loads(shown.stdout)
    assert (found["kind"], found["passed"]) == ("check", False)
    [checked] = found["suites"]
    assert (checked["id"], checked["class"], checked["queries"]) == ("small", "canonical", 2)
    [error] = [each for each in checked["findings"] if each["severity"] == "error"]
    assert (error["query"], error["line"]) == ("q1", 14)
    suite.write_text("not toml")
    [unread] = read(project, "check")["suites"]
    assert (unread["id"], unread["passed"]) == (None, False)


def test_a_check_with_mutations_is_text_only(tmp_path: Path) -> None:
    shown = cranfield(make_project(tmp_path), "check", "--mutate", "--format", "json")
    assert shown.returncode == 2
    assert "--mutate reports as text only" in shown.stderr


@pytest.mark.process
def test_baselines_are_written_as_json(tmp_path: Path) -> None:
    project = make_project(tmp_path)
    for reason in ("first", "second"):
        cranfield(project, "run", "-s", "new")
        cranfield(project, "baseline", "accept", "latest", "--reason", reason, "--author", "me")
    for command in ("show", "history"):
        [found] = read(project, "baseline", command)["baselines"]
        assert (found["suite"], found["name"], found["queries"]) == ("small", "main", 10)
        assert found["accepted"]["reason"] == "second"
        assert found["accepted"]["means"]["RR@10"] == 1.0
        assert [each["reason"] for each in found["history"]] == ["first"]
