"""`cranfield judge`: what is in the pool, and what a judgment changes."""

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
    """A project in which two systems answered queries that nobody has named right hits of."""
    made = make_python_project(tmp_path)
    (made / "asked.txt").write_text("".join(f"word{number}\n" for number in range(12)))
    for system in ("old", "new"):
        cranfield(made, "run", "asked.txt", "-s", system, "--label", f"{system}-run")
    return made


def test_what_is_no_sub_command_is_a_run_of_the_pool(project: Path) -> None:
    short = cranfield(project, "judge", "old-run", "new-run", "--rater", "ann")
    assert short.returncode == 0, short.stderr
    assert short.stdout == cranfield(
        project, "judge", "pool", "old-run", "new-run", "--rater", "ann"
    ).stdout  # fmt: skip
    assert "the pool has 36 hits for 12 queries" in short.stdout
    assert "0 judged, 36 left; 0 judged by ann" in short.stdout


def test_without_runs_the_latest_of_every_system_are_pooled(project: Path) -> None:
    cranfield(project, "run", "asked.txt", "-s", "new", "--label", "again")
    shown = cranfield(project, "judge", "--format", "json")
    data = json.loads(shown.stdout)
    assert len(data["volatile"]["runs"]) == 2
    assert data["progress"]["hits"] == 36


def test_an_unknown_run_is_one_clear_message(project: Path) -> None:
    shown = cranfield(project, "judge", "nothing")
    assert shown.returncode == 2
    assert "no run 'nothing'" in shown.stderr


def test_a_tolerated_error_without_a_comparison_is_refused(project: Path) -> None:
    shown = cranfield(project, "judge", "--error", "0.1")
    assert shown.returncode == 2
    assert "--decisive" in shown.stderr
