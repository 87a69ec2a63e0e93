"""`cranfield power`: from stored runs to what a suite can show."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield, make_python_project

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = make_python_project(tmp_path, 10)
    cranfield(made, "run", "-s", "old", "-s", "new")
    return made


def test_the_table_says_what_can_be_seen_and_how_many_more_queries_it_takes(
    project: Path,
) -> None:
    shown = cranfield(project, "power", "--delta", "0.1")
    assert shown.returncode == 0, shown.stderr
    lines = shown.stdout.splitlines()
    assert lines[0] == "small, 10 queries of the class canonical"
    assert lines[1] == "2 runs of old, new, 1 pair to compare"
    assert lines[2] == "left out of a measure: pairs whose differences in it have no spread"
    assert lines[4].split() == [
        "measure",
        "queries",
        "from",
        "sd",
        "detectable",
        "for",
        "0.1",
        "more",
    ]
    # RR falls from 1 to 1/3 for five of ten queries: sd = 1/3 · √(10/9).
    assert lines[5].split()[:5] == ["RR@10", "10", "1", "pair", "0.3514"]
    assert int(lines[5].split()[-1]) == int(lines[5].split()[-2]) - 10
    assert "four times in five" in shown.stdout


def test_json_holds_the_same_and_is_the_same_each_time(project: Path) -> None:
    first, second = (cranfield(project, "power", "small.toml", "-f", "json") for _ in range(2))
    assert first.stdout == second.stdout
    written = json.loads(first.stdout)
    assert (written["kind"], written["suites"][0]["delta"]) == ("power", 0.03)
    headline = written["suites"][0]["measures"][0]
    assert headline["more"] == headline["needed"] - 10


def test_one_system_alone_gives_a_guess_that_says_so(project: Path) -> None:
    shown = cranfield(project, "power", "--system", "old")
    assert "1 run of old" in shown.stdout
    assert "1 run *" in shown.stdout
    assert "guessed from one run" in shown.stdout


def test_a_system_without_runs_is_a_mistake_that_says_what_to_do(project: Path) -> None:
    shown = cranfield(project, "power", "--system", "slow")
    assert shown.returncode == 2
    assert "no complete run by slow of small; `cranfield run` makes one" in shown.stderr


def test_asking_before_any_run_makes_no_store(tmp_path: Path) -> None:
    project = make_python_project(tmp_path, 10)
    shown = cranfield(project, "power")
    assert shown.returncode == 2
    assert "there is no store" in shown.stderr
    assert not (project / ".cranfield").exists()


@pytest.mark.parametrize(
    "arguments", [("--delta", "0"), ("--delta", "nan"), ("--format", "xml"), ("no.toml",)]
)
def test_what_makes_no_sense_is_refused(project: Path, arguments: tuple[str, ...]) -> None:
    shown = cranfield(project, "power", *arguments)
    assert shown.returncode == 2
    assert "Traceback" not in shown.stderr
