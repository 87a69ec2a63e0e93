"""Projects with and without a file, and runs of theirs that were stopped."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import make_python_project

from cranfield.errors import CranfieldError, StoreError
from cranfield.evaluation.project import Project, open_project
from cranfield.evaluation.sessions import Session, resume_systems, run_systems
from cranfield.runs.records import RunState
from cranfield.runs.runner import RunOptions
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from pathlib import Path


def test_a_folder_without_a_file_has_no_systems(tmp_path: Path) -> None:
    with pytest.raises(CranfieldError, match=r"no cranfield\.toml was found here or above"):
        Project(tmp_path).system("new")


def test_only_what_was_started_and_not_finished_is_resumed(tmp_path: Path) -> None:
    project = open_project(make_python_project(tmp_path))
    session = Session(open_store())
    what = [project.system("partly")], project.load_suites(), RunOptions()
    with pytest.raises(StoreError, match="has no unfinished run of partly with the same suite"):
        resume_systems(session, *what)
    with pytest.raises(StoreError, match="has no run of partly"):
        resume_systems(session, *what, retry_failed=True)
    (run,) = run_systems(session, *what)
    with pytest.raises(StoreError, match="has no unfinished run of partly"):
        resume_systems(session, *what)
    (again,) = resume_systems(session, *what, retry_failed=True)
    assert again.header.id == run.header.id


def test_a_finished_run_of_another_build_is_not_kept_beside_a_resumed_one(tmp_path: Path) -> None:
    folder = make_python_project(tmp_path)
    config = folder / "cranfield.toml"
    config.write_text(config.read_text().replace("search.py:old", "older.py:old"))
    (folder / "older.py").write_text((folder / "search.py").read_text())
    project = open_project(folder)
    session = Session(open_store())
    specs = [project.system("old"), project.system("new")]
    what = specs, project.load_suites(), RunOptions()
    old, new = run_systems(session, *what)
    session.store.update(replace(new.header, state=RunState.RUNNING))
    kept, _ = resume_systems(session, *what)
    assert kept.header.id == old.header.id
    session.store.update(replace(new.header, state=RunState.RUNNING))
    with (folder / "older.py").open("a") as script:
        script.write("# edited\n")
    with pytest.raises(StoreError, match=r"another build of old: .*older\.py"):
        resume_systems(session, *what)
