"""`cranfield runs delete`: says what goes, asks, and spares what something needs."""

from __future__ import annotations

import os
import pty
import re
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield, make_python_project

from cranfield.model import Hit, Query, Response, Suite
from cranfield.runs.runner import RunOptions, run_suite
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from pathlib import Path


def ids(folder: Path) -> list[str]:
    shown = cranfield(folder, "runs", "list").stdout
    return re.findall(r"^\d{6}-\S+", shown, re.M)


def search(_: Query, limit: int) -> Response:
    return Response.of((Hit("right"),)[:limit])


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Six runs, three of each of two suites; the second has the labels a, b and b."""
    made = make_python_project(tmp_path, 10)
    store = open_store(made / ".cranfield" / "cranfield.db")
    for suite in ("first", "other"):
        for label in ("a", "b", "b"):
            queries = (Query("q", "text", {"ids": ["right"]}),)
            options = RunOptions(label=label if suite == "other" else "")
            run_suite(Suite(suite, "canonical", queries), search, options, store=store)
    store.close()
    return made


def change(folder: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(folder / ".cranfield" / "cranfield.db") as database:
        database.execute(statement, values)
    database.close()


def test_the_latest_run_a_label_and_the_beginning_of_an_id_are_deleted(project: Path) -> None:
    before = ids(project)
    assert cranfield(project, "runs", "delete", "latest", "--yes").returncode == 0
    assert ids(project) == before[:-1]
    deleted = cranfield(project, "runs", "delete", "a", before[0][:18], "--yes")
    assert "2 runs to delete" in deleted.stdout
    assert "deleted 2 runs" in deleted.stderr
    assert ids(project) == [before[1], before[2], before[4]]


def test_nothing_is_deleted_without_an_answer(project: Path) -> None:
    shown = cranfield(project, "runs", "delete", "latest")
    assert shown.returncode == 2
    assert ids(project)[-1] in shown.stdout
    assert "--yes deletes what is listed" in shown.stderr
    assert len(ids(project)) == 6


def test_keep_leaves_the_newest_of_each_suite_and_system(project: Path) -> None:
    before = ids(project)
    shown = cranfield(project, "runs", "delete", "--keep", "1", "--yes")
    assert "4 runs to delete" in shown.stdout
    assert ids(project) == [before[2], before[5]]
    again = cranfield(project, "runs", "delete", "--keep", "1")
    assert (again.returncode, again.stdout) == (0, "there is nothing to delete\n")


def test_keep_counts_runs_of_a_part_and_unfinished_runs_apart(project: Path) -> None:
    store = open_store(project / ".cranfield" / "cranfield.db")
    queries = (Query("q", "text", {"ids": ["right"]}),)
    part = [
        run_suite(Suite("first", "canonical", queries), search, options, store=store)
        for options in [RunOptions(selection="--smoke")] * 3
    ]
    stopped = run_suite(Suite("first", "canonical", queries), search, RunOptions(), store=store)
    store.close()
    change(
        project,
        "UPDATE runs SET header = json_set(header, '$.state', 'running') WHERE id = ?",
        stopped.header.id,
    )
    before = ids(project)
    assert cranfield(project, "runs", "delete", "--keep", "1", "--yes").returncode == 0
    kept = [before[2], before[5], part[2].header.id, stopped.header.id]
    assert sorted(ids(project)) == sorted(kept)


def test_runs_older_than_an_age_are_deleted(project: Path) -> None:
    before = ids(project)
    change(
        project, "UPDATE runs SET header = json_set(header, '$.started', ?) WHERE id IN (?, ?)",
        "2020-01-01T00:00:00.000+00:00", before[0], before[5],
    )  # fmt: skip
    cranfield(project, "runs", "delete", "--older-than", "30d", "--keep", "1", "--yes")
    assert set(ids(project)) == {*before[1:5], before[5]}
    cranfield(project, "runs", "delete", "--older-than", "30d", "--yes")
    assert set(ids(project)) == set(before[1:5])


@pytest.mark.process
def test_baselines_and_unfinished_runs_are_spared_and_named(project: Path) -> None:
    before = ids(project)
    accepted = cranfield(project, "baseline", "accept", before[0], "--reason", "good")
    assert accepted.returncode == 0, accepted.stderr
    change(
        project,
        "UPDATE runs SET header = json_set(header, '$.state', 'running') WHERE id = ?",
        before[1],
    )
    shown = cranfield(project, "runs", "delete", "--keep", "0", "--yes")
    assert ids(project) == before[:2]
    assert f"{before[0]}  first  search  –      1        complete" in shown.stdout
    assert "the baseline main of first" in shown.stdout
    assert "--resume: it is unfinished" in shown.stdout
    named = cranfield(project, "runs", "delete", before[0], "--yes")
    assert f"warning: {before[0]}: something needs what is deleted" in named.stdout
    assert ids(project) == [before[1]]


def test_finished_runs_of_a_stopped_command_are_spared(project: Path) -> None:
    before = ids(project)
    for name, state in ((before[0], "complete"), (before[3], "running")):
        statement = (
            "UPDATE runs SET header = json_set(header, '$.batch', 'one', '$.state', ?) WHERE id = ?"
        )
        change(project, statement, state, name)
    cranfield(project, "runs", "delete", "--keep", "0", "--yes")
    assert ids(project) == [before[0], before[3]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["latest", "--keep", "3"], "give runs to delete, or --keep and --older-than"),
        (["--older-than", "30"], "'30' is not an age; write a number of hours, days or weeks"),
        (["nothing", "--yes"], "has no run 'nothing'"),
    ],
)
def test_what_cannot_be_deleted_is_said(project: Path, arguments: list[str], message: str) -> None:
    shown = cranfield(project, "runs", "delete", *arguments)
    assert shown.returncode == 2
    assert message in shown.stderr
    assert len(ids(project)) == 6


@pytest.mark.process
@pytest.mark.parametrize(("typed", "left"), [(b"y\n", 5), (b"n\n", 6), (b"\x04", 6)])
def test_a_person_at_a_terminal_is_asked(project: Path, typed: bytes, left: int) -> None:
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "cranfield", "runs", "delete", "latest"],
        cwd=project, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    os.write(ours, typed)
    said, _ = running.communicate()
    os.close(ours)
    os.close(theirs)
    assert running.returncode == 0, said
    assert "delete 1 run? [y/N]" in said
    assert ("deleted 1 run" in said) == (left == 5)
    assert len(ids(project)) == left
