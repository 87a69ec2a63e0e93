"""`cranfield compare` of stored runs: each option is applied as to systems, or refused."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest
from tests.cli.projects import cranfield, make_python_project

if TYPE_CHECKING:
    from pathlib import Path

APPLIED = {
    "category": ("--category", "even"),
    "two categories": ("--category", "even", "--category", "odd"),
    "language": ("--language", "en"),
    "measure": ("-m", "nDCG@10", "-m", "P@1"),
    "qrels": ("--qrels", "judged.txt"),
    "all of them": ("--category", "odd", "-m", "P@3", "--qrels", "judged.txt"),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = make_python_project(tmp_path)
    suite = made / "small.toml"
    suite.write_text(suite.read_text().replace('text = "word2"', 'text = "word2"\nlanguage = "en"'))
    (made / "judged.txt").write_text("".join(f"q{n} 0 doc-x 1\n" for n in range(20)))
    for name in ("old", "new"):
        assert cranfield(made, "run", "-s", name, "--label", f"{name}-run").returncode == 0
    return made


def compared(project: Path, *arguments: str) -> dict[str, Any]:
    shown = cranfield(project, "compare", *arguments, "-f", "json")
    assert shown.returncode == 0, shown.stderr
    document: dict[str, Any] = json.loads(shown.stdout)
    return document


def figures(document: dict[str, Any]) -> list[Any]:
    """Return all that was found out, without how the arms are called."""
    return [{**suite, "runs": None} for suite in document["suites"]]


@pytest.mark.parametrize("options", APPLIED.values(), ids=APPLIED)
def test_an_option_means_the_same_for_stored_and_live_arms(
    project: Path, options: tuple[str, ...]
) -> None:
    live = compared(project, "old", "new", *options)
    stored = compared(project, "old-run", "new-run", *options)
    assert figures(stored) == figures(live)
    mixed = compared(project, "old-run", "new", *options)
    assert figures(mixed) == figures(live)


def test_a_category_of_stored_runs_is_compared_alone(project: Path) -> None:
    whole = compared(project, "old-run", "new-run")["suites"][0]
    part = compared(project, "old-run", "new-run", "--category", "even")["suites"][0]
    assert (whole["queries"], part["queries"]) == (20, 10)
    assert {each["category"] for each in part["per_query"]} == {"even"}
    wrong = cranfield(project, "compare", "old-run", "new-run", "--category", "evn")
    assert wrong.returncode == 2
    assert "did you mean even?" in wrong.stderr


def test_the_first_chosen_measure_is_the_headline_of_both_arms(project: Path) -> None:
    suite = compared(project, "old-run", "new-run", "-m", "nDCG@10", "-m", "P@1")["suites"][0]
    assert suite["headline"] == "nDCG@10"
    # The measure of the gate is measured too, as in a run.
    assert [each["measure"] for each in suite["measures"]] == ["nDCG@10", "P@1", "RR@10"]
    deep = cranfield(project, "compare", "old-run", "new-run", "-m", "P@50")
    assert deep.returncode == 2
    assert "P@50 looks at 50 hits, and only 10 are asked for" in deep.stderr


def test_nothing_of_a_stored_run_changes(project: Path) -> None:
    before = cranfield(project, "runs", "list").stdout
    compared(project, "old-run", "new-run", "--category", "even", "-m", "AP")
    assert cranfield(project, "runs", "list").stdout == before
    assert compared(project, "old-run", "new-run")["suites"][0]["queries"] == 20


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("--k", "5"), "--k 5 cannot be applied to old-run: the run"),
        (("--repeat", "2"), "--repeat 2 cannot be applied to old-run: the run"),
        (("--jobs", "2"), "--jobs has no effect: all arms are stored"),
        (("--suite", "other.toml"), "--suite: old-run has no run of the suite other"),
    ],
)
def test_how_to_run_is_refused_if_nothing_is_run(
    project: Path, option: tuple[str, str], said: str
) -> None:
    other = (project / "small.toml").read_text().replace('id = "small"', 'id = "other"')
    (project / "other.toml").write_text(other)
    refused = cranfield(project, "compare", "old-run", "new-run", *option)
    assert refused.returncode == 2
    assert said in refused.stderr
    assert refused.stdout == ""


def test_an_unfinished_run_is_refused_before_anything_is_run(project: Path) -> None:
    database = project / ".cranfield" / "cranfield.db"
    with sqlite3.connect(database) as store:
        store.execute(
            "DELETE FROM answers WHERE place = 3 AND run = (SELECT id FROM runs WHERE label = ?)",
            ("old-run",),
        )
    store.close()
    before = cranfield(project, "runs", "list").stdout
    refused = cranfield(project, "compare", "old-run", "new")
    assert refused.returncode == 2
    assert "lacks 1 of 20 answers; finish it with `cranfield run --resume`" in refused.stderr
    assert cranfield(project, "runs", "list").stdout == before


def test_an_unfinished_run_of_a_system_is_named_with_how_to_go_on(project: Path) -> None:
    assert cranfield(project, "run", "-s", "mostly").returncode in (0, 4)
    with sqlite3.connect(project / ".cranfield" / "cranfield.db") as store:
        store.execute(
            "UPDATE runs SET state = 'running', header = json_set(header, '$.state', 'running') "
            "WHERE system = 'mostly'"
        )
    store.close()
    refused = cranfield(project, "report", "mostly", "old-run")
    assert refused.returncode == 2
    assert "has no finished run of mostly: " in refused.stderr
    assert "`cranfield run --system mostly --resume`" in refused.stderr


def test_a_query_is_shown_in_the_latest_runs_of_two_systems(project: Path) -> None:
    shown = cranfield(project, "runs", "show", "old", "new", "q1")
    assert shown.returncode == 0, shown.stderr
    assert "A is old-run, run " in shown.stdout
    unknown = cranfield(project, "runs", "show", "old", "new", "q1x")
    assert "unknown query of the run" in unknown.stderr


def test_a_system_is_run_once(project: Path) -> None:
    refused = cranfield(project, "run", "-s", "old", "-s", "old")
    assert refused.returncode == 2
    assert "the system old is named twice" in refused.stderr


def test_what_a_stored_run_did_anyway_is_not_refused(project: Path) -> None:
    assert compared(project, "old-run", "new-run", "--k", "10", "--repeat", "1")["suites"]
