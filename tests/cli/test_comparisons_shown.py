"""The first screen of `cranfield compare`, many arms, and what was not answered."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.cli.projects import cranfield, make_python_project

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_python_project(tmp_path)


def test_what_got_worse_and_was_never_found_is_said_before_any_p(project: Path) -> None:
    search = (project / "search.py").read_text()
    swapped = """

def swapped(text, limit):
    number = int(text.removeprefix("word"))
    return ["doc-x"] if number < 2 else old(text, limit) if number == 3 else new(text, limit)


def blind(text, limit):
    return ["doc-x"] if text == "word0" else new(text, limit)
"""
    (project / "search.py").write_text(search + swapped)
    config = project / "cranfield.toml"
    for name in ("swapped", "blind"):
        config.write_text(
            f'{config.read_text()}\n[systems.{name}]\nkind = "python"\ncall = "search.py:{name}"\n'
        )
    lines = cranfield(project, "compare", "blind", "swapped").stdout.splitlines()
    assert lines[1].startswith(
        "swapped against blind: cannot tell: 0 improved, 2 worse, 18 the same"
    )
    assert lines[2] == "got worse: q1 (rank 1 → –), q3 (rank 1 → 3)"
    assert lines[3] == "never found: q0"
    assert lines[4].startswith("RR@10 0.9500 → 0.8667, p ")


def test_what_got_worse_is_said_by_the_headline_if_the_first_right_hit_did_not_fall(
    project: Path,
) -> None:
    text = (
        'id = "two"\nclass = "judged"\nmeasures = ["P@5"]\n[[query]]\nid = "q"\ntext = "word"\n'
        'expect.ids = ["a", "b"]\n'
    )
    (project / "two.toml").write_text(text)
    (project / "search.py").write_text(
        'def old(text, limit):\n    return ["x", "a", "b"]\n\n\n'
        'def new(text, limit):\n    return ["a", "x"]\n'
    )
    lines = cranfield(project, "compare", "old", "new", "--suite", "two.toml").stdout.splitlines()
    assert lines[0] == "two, 1 query of the class judged"
    assert lines[2] == "got worse: q (P@5 0.4000 → 0.2000)"


def test_a_run_that_is_compared_with_itself_is_pointed_out(project: Path) -> None:
    cranfield(project, "run", "--system", "old", "--label", "before")
    shown = cranfield(project, "compare", "before", "latest").stdout
    assert "warning: both arms are the run " in shown
    assert "so nothing can differ" in shown


def test_failures_have_an_exit_code_of_their_own(project: Path) -> None:
    shown = cranfield(project, "compare", "old", "mostly")
    assert shown.returncode == 4
    lines = shown.stdout.splitlines()
    assert lines[1].startswith(
        "mostly against old: better: 14 improved, 0 worse, 5 the same, 1 not"
    )
    assert "not answered: 1 of 20 queries failed in mostly (1 error): q19" in lines
    assert "all figures are of the 19 queries that both answered" in lines
    assert cranfield(project, "compare", "old", "mostly", "--fail-on", "better").returncode == 1
    assert cranfield(project, "compare", "old", "new").returncode == 0


def test_with_many_failures_there_is_no_verdict(project: Path) -> None:
    shown = cranfield(project, "compare", "old", "partly", "-f", "json")
    assert shown.returncode == 4
    [suite] = json.loads(shown.stdout)["suites"]
    assert (suite["verdict"], suite["queries"], suite["answered"]) == ("cannot tell", 20, 16)
    assert suite["reason"] == "4 of 20 queries failed in partly"
    assert suite["failures"]["a"] == {"count": 0, "statuses": {}, "queries": []}
    assert suite["failures"]["b"]["statuses"] == {"error": 4}
    assert suite["failures"]["b"]["queries"] == ["q1", "q6", "q11", "q16"]
    grid = cranfield(project, "compare", "--grid", "old", "old", "new", "partly")
    assert grid.returncode == 4
    assert "cannot tell: 4 of 20 queries failed in partly" in grid.stdout


def test_stored_failures_are_failures(project: Path) -> None:
    for name in ("old", "partly"):
        cranfield(project, "run", "-s", name, "--label", f"{name}-run")
    assert cranfield(project, "compare", "old-run", "partly-run").returncode == 4
    even = cranfield(
        project, "compare", "old-run", "partly-run", "--category", "even", "-f", "json"
    )
    assert json.loads(even.stdout)["suites"][0]["failures"]["b"]["queries"] == ["q6", "q16"]


def test_categories_have_verdicts_of_their_own(project: Path) -> None:
    shown = cranfield(project, "compare", "old", "new")
    rows = [line.split() for line in shown.stdout.splitlines()]
    assert ["odd", "better", "10", "0.3333", "1.0000", "+0.6667"] in [row[:6] for row in rows]
    document = json.loads(cranfield(project, "compare", "old", "new", "-f", "json").stdout)
    even, odd = document["suites"][0]["categories"]
    assert (odd["name"], odd["queries"], odd["pairs"], odd["verdict"]) == ("odd", 10, 10, "better")
    assert (even["name"], even["a"], even["b"]) == ("even", pytest.approx(2 / 3), 1.0)


def board_of(project: Path, *arguments: str) -> dict[str, Any]:
    shown = cranfield(project, "compare", *arguments, "-f", "json")
    document: dict[str, Any] = json.loads(shown.stdout)
    assert document["kind"] == "leaderboard"
    return document


def test_any_number_of_arms_makes_a_table_of_all(project: Path) -> None:
    shown = cranfield(project, "compare", "old", "new", "mostly", "--show", "overview")
    assert shown.returncode == 4
    rows = [line.split() for line in shown.stdout.splitlines()]
    assert rows[0] == ["small,", "class", "canonical"]
    assert rows[2][:4] == ["old", "–", "20", "0.5000"]
    assert rows[3][:4] == ["new", "better", "20", "1.0000"]
    assert rows[4][:4] == ["mostly", "better", "19", "1.0000"]

    document = board_of(project, "old", "new", "old")
    [suite] = document["suites"]
    assert [arm.split()[0] for arm in document["arms"]] == ["old", "new", "old"]
    assert len(set(document["arms"])) == 3
    assert [arm["mean"] for arm in suite["arms"]] == pytest.approx([0.5, 1.0, 0.5])
    assert [each["suites"][0]["verdict"] for each in document["comparisons"]] == [
        arm["verdict"] for arm in suite["arms"][1:]
    ]


def test_stored_runs_and_systems_share_a_table(project: Path) -> None:
    cranfield(project, "run", "-s", "new", "--label", "kept")
    live, mixed = (board_of(project, "old", arm, "old")["suites"] for arm in ("new", "kept"))
    for suite in (*live, *mixed):
        for arm in suite["arms"]:
            arm.pop("name")
    assert mixed == live


def test_a_row_of_csv_has_all_arms(project: Path) -> None:
    shown = cranfield(project, "compare", "old", "new", "mostly", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(shown.stdout)))
    assert len(rows) == 20
    last = rows[19]
    assert (last["rank A"], last["rank B"], last["status C"]) == ("3", "1", "error")
    assert (last["bucket B"], last["bucket C"]) == ("fixed", "not answered")
    assert float(last["RR@10 B"]) == 1.0


def test_any_arm_can_fail_the_command(project: Path) -> None:
    assert cranfield(project, "compare", "new", "new", "old", "--fail-on", "worse").returncode == 1
    assert cranfield(project, "compare", "new", "new", "new", "--fail-on", "worse").returncode == 0


def test_a_grid_fails_on_a_verdict_and_has_an_overview(project: Path) -> None:
    arms = ("compare", "--grid", "new", "new", "old", "old")
    assert cranfield(project, *arms, "--fail-on", "worse").returncode == 1
    whole, short = (
        cranfield(project, *arms, "--show", show).stdout for show in ("changed", "overview")
    )
    assert "P@1" in whole
    assert "P@1" not in short
    assert "RR@10    index" in short
    assert cranfield(project, *arms, "--show", "none").stdout == ""


MOVING = """

def titled(text, limit):
    number = text.removeprefix("word")
    return [
        {"id": "doc-z"},
        {"id": f"doc-{number}", "title": f"All about {number}"},
        {"id": "doc-x"},
    ]
"""


@pytest.fixture
def moved(project: Path) -> Path:
    (project / "search.py").write_text((project / "search.py").read_text() + MOVING)
    config = project / "cranfield.toml"
    titled = '[systems.titled]\nkind = "python"\ncall = "search.py:titled"\n'
    config.write_text(f"{config.read_text()}\n{titled}")
    for name in ("old", "titled", "partly"):
        cranfield(project, "run", "-s", name, "--label", f"{name}-run")
    return project


def test_two_rankings_are_shown_side_by_side(moved: Path) -> None:
    shown = cranfield(moved, "runs", "show", "old-run", "titled-run", "q1")
    assert shown.returncode == 0, shown.stderr
    lines = shown.stdout.splitlines()
    assert lines[0] == "q1: word1"
    assert lines[1] == (
        "old-run: first right hit at rank 3, titled-run: first right hit at rank 2: improved"
    )
    rows = [line.split() for line in lines if line[:4].strip().isdigit()]
    assert rows == [
        ["1", "doc-x", "–", "3", "doc-z", "–", "new"],
        ["2", "doc-y", "–", "gone", "All", "about", "1", "(doc-1)", "1", "▲1"],
        ["3", "doc-1", "1", "2", "doc-x", "–", "▼2"],
    ]
    assert "RR@10    0.3333  0.5000     +0.1667" in lines


def test_a_moved_ranking_is_plain_data_too(moved: Path) -> None:
    shown = cranfield(moved, "runs", "show", "old-run", "titled-run", "q1", "-f", "json")
    document = json.loads(shown.stdout)
    assert (document["kind"], document["bucket"]) == ("ranking change", "improved")
    assert [hit["rank_in_other"] for hit in document["b"]["hits"]] == [None, 3, 1]
    assert [hit["title"] for hit in document["b"]["hits"]] == [None, "All about 1", None]


def test_a_failure_is_no_change_of_a_ranking(moved: Path) -> None:
    shown = cranfield(moved, "runs", "show", "old-run", "partly-run", "q1").stdout
    assert "partly-run: found nothing right: not answered" in shown
    assert "partly-run error: " in shown
    unknown = cranfield(moved, "runs", "show", "old-run", "partly-run", "q99")
    assert unknown.returncode == 2
    assert "unknown query of the run" in unknown.stderr
    assert cranfield(moved, "runs", "show", "a", "b", "c", "d").returncode == 2


def test_how_much_text_is_shown_is_no_matter_of_json(project: Path) -> None:
    refused = cranfield(project, "compare", "old", "new", "--show", "overview", "-f", "json")
    assert refused.returncode == 2
    assert "--show says how much text is shown" in refused.stderr
    both = ("compare", "old", "new", "--show", "overview", "-f", "json", "-o", "whole.json")
    shown = cranfield(project, *both).stdout
    assert shown.startswith("suite  verdict")
    assert json.loads((project / "whole.json").read_text())["suites"][0]["per_query"]


def test_a_gate_that_only_lacks_answers_has_the_same_code_everywhere(project: Path) -> None:
    suite = project / "small.toml"
    suite.write_text(suite.read_text().replace("at_least = 0.8", "at_least = 0.9"))
    assert cranfield(project, "run", "-s", "partly", "--gate").returncode == 4
    assert cranfield(project, "gate", "-s", "partly").returncode == 4
    assert cranfield(project, "run", "-s", "old", "--gate").returncode == 1
