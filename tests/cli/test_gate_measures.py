"""`cranfield gate`: its measures, its failures, and the options that it takes with a stored run."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield, make_python_project

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose systems run in process, with the baseline of the build that is right."""
    make_python_project(tmp_path)
    assert cranfield(tmp_path, "run", "--system", "new").returncode == 0
    done = cranfield(tmp_path, "baseline", "accept", "latest", "--reason", "as released")
    assert done.returncode == 0, done.stderr
    return tmp_path


def test_the_first_measure_is_the_headline_of_a_run_and_of_a_stored_one(project: Path) -> None:
    for command in (("--system", "new"), ("--run", "latest")):
        done = cranfield(project, "gate", *command, "-m", "nDCG@10", "-m", "P@1", "-f", "json")
        assert done.returncode == 0, done.stderr
        [run] = json.loads(done.stdout)["runs"]
        assert run["measures"][:2] == ["nDCG@10", "P@1"]
        assert run["compared"]["headline"]["measure"] == "nDCG@10"
        assert "nDCG@10" in run["compared"]["measures"]


@pytest.mark.parametrize("later", ['["P@1", "nDCG@10"]', None])
def test_a_stored_run_is_measured_by_what_the_project_sets_now(
    project: Path, later: str | None
) -> None:
    config = project / "cranfield.toml"
    plain = config.read_text()
    config.write_text(f'{plain}\n[measures]\nsmall = ["nDCG@10", "RR@10"]\n')
    assert cranfield(project, "run", "--system", "old").returncode == 0
    config.write_text(f"{plain}\n[measures]\nsmall = {later}\n" if later else plain)
    stored, fresh = (
        json.loads(cranfield(project, "gate", *command, "-f", "json").stdout)["runs"][0]
        for command in (("--run", "latest"), ("--system", "old"))
    )
    assert stored["compared"]["headline"]["measure"] == ("P@1" if later else "RR@10")
    assert {**stored, "volatile": ""} == {**fresh, "volatile": ""}


def test_a_stored_run_cannot_be_measured_deeper_than_it_was_asked(project: Path) -> None:
    with (project / "cranfield.toml").open("a") as config:
        config.write('\n[measures]\nsmall = ["nDCG@20"]\n')
    done = cranfield(project, "gate", "--run", "latest")
    assert done.returncode == 2
    assert "nDCG@20 looks at 20 hits, and only 10 are asked for; use --k 20" in done.stderr


def test_a_headline_that_the_baseline_has_not_is_refused_before_a_query_is_run(
    project: Path,
) -> None:
    before = cranfield(project, "runs", "list").stdout
    done = cranfield(project, "gate", "--system", "new", "-m", "nDCG@5")
    assert done.returncode == 2
    assert "the baseline main of small has no nDCG@5, but RR@10" in done.stderr
    assert cranfield(project, "runs", "list").stdout == before


def test_a_measure_that_means_nothing_is_refused(project: Path) -> None:
    done = cranfield(project, "gate", "--system", "new", "-m", "nDGC@10")
    assert done.returncode == 2
    assert "nDCG" in done.stderr


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("NumRet", "NumRet describes an answer and does not judge it, so it cannot be the"),
        ("GMAP", "GMAP is computed over all queries at once; a verdict needs a value per"),
    ],
)
@pytest.mark.parametrize(
    "command", [("gate", "--system", "new"), ("gate", "--run", "latest"), ("compare", "old", "new")]
)
def test_a_measure_that_cannot_decide_is_no_headline(
    project: Path, command: tuple[str, ...], measure: str, message: str
) -> None:
    done = cranfield(project, *command, "-m", measure, "-m", "RR@10")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert cranfield(project, *command, "-m", "RR@10", "-m", measure).returncode == 0


@pytest.mark.process
def test_a_run_without_a_headline_is_neither_accepted_nor_judged(project: Path) -> None:
    suite = project / "small.toml"
    suite.write_text(re.sub(r"\[\[gate\]\].*?\n\n", "", suite.read_text(), flags=re.DOTALL))
    assert cranfield(project, "run", "--system", "new", "-m", "GMAP").returncode == 0
    for command in (("baseline", "accept", "latest", "--reason", "x"), ("gate", "--run", "latest")):
        done = cranfield(project, *command)
        assert done.returncode == 2, done.stderr
        assert "has no measure of quality, only GMAP; choose measures with -m" in done.stderr


@pytest.mark.parametrize("option", ["--k", "--jobs", "--repeat"])
def test_a_stored_run_takes_no_option_that_says_how_to_run(project: Path, option: str) -> None:
    done = cranfield(project, "gate", "--run", "latest", option, "3")
    assert done.returncode == 2
    assert f"it takes no {option}" in done.stderr


def test_failures_of_the_system_have_an_exit_code_of_their_own(project: Path) -> None:
    done = cranfield(project, "gate", "--system", "partly")
    assert done.returncode == 4, done.stdout + done.stderr
    assert "failed: 4 of 20 queries were not answered (error 4): the system failed" in done.stdout
    done = cranfield(project, "gate", "--run", "latest", "-f", "json")
    assert (done.returncode, json.loads(done.stdout)["runs"][0]["cause"]) == (4, "failures")
