"""Which store a project has: typed, by a variable, by its file, or the usual one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import make_python_project

from cranfield.errors import InputError, StoreError
from cranfield.evaluation.project import Project, open_project

if TYPE_CHECKING:
    from pathlib import Path


def with_store(folder: Path, key: str | None, **environment: str) -> Project:
    config = make_python_project(folder) / "cranfield.toml"
    if key is not None:
        config.write_text(f"store = '{key}'\n{config.read_text()}")
    return open_project(folder, environment)


@pytest.mark.parametrize(
    ("key", "environment", "typed", "expected"),
    [
        (None, {}, None, "HERE/.cranfield/cranfield.db"),
        ("runs/all.db", {}, None, "HERE/runs/all.db"),
        ("${PLACE}", {"PLACE": "named.db"}, None, "HERE/named.db"),
        ("sqlite:///HERE/url.db", {}, None, "HERE/url.db"),
        ("runs.db", {"CRANFIELD_STORE": "HERE/team.db"}, None, "HERE/team.db"),
        ("runs.db", {"CRANFIELD_STORE": ""}, None, "HERE/runs.db"),
        ("runs.db", {"CRANFIELD_STORE": "HERE/team.db"}, "HERE/mine.db", "HERE/mine.db"),
        ("runs.db", {"PLACE": "HERE/mine.db"}, "${PLACE}", "HERE/mine.db"),
    ],
)
def test_what_is_nearest_to_the_command_names_the_store(
    tmp_path: Path, key: str | None, environment: dict[str, str], typed: str | None, expected: str
) -> None:
    here = str(tmp_path)
    filled = {name: value.replace("HERE", here) for name, value in environment.items()}
    project = with_store(tmp_path, key and key.replace("HERE", here), **filled)
    store = project.open_store(typed and typed.replace("HERE", here))
    assert store.name == expected.replace("HERE", here)
    assert project.has_store(typed and typed.replace("HERE", here))
    store.close()


def test_a_sweep_has_a_usual_file_of_its_own_and_no_other_name(tmp_path: Path) -> None:
    usual = with_store(tmp_path, None).open_store(usual="sweeps.db")
    assert usual.name == str(tmp_path / ".cranfield" / "sweeps.db")
    named = with_store(tmp_path, "runs.db").open_store(usual="sweeps.db")
    assert named.name == str(tmp_path / "runs.db")
    usual.close()
    named.close()


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("", "store"),
        ("postgresql://ada:hunter2@db.example/runs", 'write store = "${SEARCH_STORE}"'),
        ("postgresql://db.example/runs?password=hunter2", "the password is written down here"),
        ("mysql://db.example/runs", "names no store; a store is a file, or the URL"),
        ("postgresql://db.example:port/runs", "the URL of the store cannot be read"),
    ],
)
def test_a_store_that_cannot_be_is_refused_with_the_file(
    tmp_path: Path, key: str, message: str
) -> None:
    with pytest.raises(InputError) as refused:
        with_store(tmp_path, key)
    assert message in str(refused.value)
    assert "cranfield.toml" in str(refused.value)
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("${NOWHERE}", "the environment variable NOWHERE is not set"),
        ("postgresql://ada:${NAME}@db.example/runs", "has a variable inside"),
    ],
)
def test_a_variable_that_is_not_set_or_not_alone_is_refused_when_the_store_is_opened(
    tmp_path: Path, place: str, message: str
) -> None:
    project = with_store(tmp_path, place, NAME="hunter2")
    for typed in (None, place):
        with pytest.raises(StoreError, match=message):
            project.open_store(typed)


def test_an_empty_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="the store has no name"):
        with_store(tmp_path, None).open_store("")
