"""A project from wherever it is named, and wherever it was copied to."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process

PROGRAM = f"""\
#!{sys.executable}
import json, pathlib, sys
print(json.dumps([pathlib.Path("answer.txt").read_text()]))
"""
SUITE = """\
id = "cats"
class = "canonical"

[[query]]
id = "q"
text = "cats"
expect.ids = ["markdown://docs/one"]
"""
COPIED = """\
suites = ["cats.toml"]

[systems.index]
kind = "stacks"
index = "index"
corpus = ["docs"]
prepare = ["stacks", "save", "--from", "markdown=docs", "--to", "index", "--quiet"]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    program = folder / "program"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    (folder / "answer.txt").write_text("markdown://docs/one")
    (folder / "cats.toml").write_text(SUITE)
    (folder / "cranfield.toml").write_text(
        'suites = ["cats.toml"]\n[systems.own]\nkind = "command"\nrun = ["./program", "{query}"]\n'
    )
    return folder


@pytest.mark.parametrize(
    ("place", "arguments"),
    [
        ("project", ["run"]),
        ("project", ["run", "."]),
        ("project", ["run", "--config", "."]),
        ("project", ["run", "--config", "cranfield.toml"]),
        ("project", ["run", "./"]),
        (".", ["run", "project"]),
        (".", ["run", "--config", "project"]),
        (".", ["run", "--config", "./project/cranfield.toml"]),
        (".", ["run", "project/cats.toml", "--config", "project"]),
        ("project/below", ["run"]),
        ("project/below", ["run", ".."]),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_a_program_is_found_from_the_folder_of_the_project(
    project: Path, place: str, arguments: list[str]
) -> None:
    (project / "below").mkdir()
    shown = cranfield(project.parent / place, *arguments)
    assert shown.returncode == 0, shown.stderr
    assert "1.0000" in shown.stdout


@pytest.mark.parametrize("original", ["kept", "gone"])
def test_a_copied_project_builds_its_index_again(tmp_path: Path, original: str) -> None:
    """An index remembers where its documents were; those beside the copy are the same corpus."""
    project, copy = tmp_path / "project", tmp_path / "elsewhere" / "copy"
    (project / "docs").mkdir(parents=True)
    (project / "docs" / "one.md").write_text("# One\n\nA page about cats.\n")
    (project / "cats.toml").write_text(SUITE)
    (project / "cranfield.toml").write_text(COPIED)
    assert "1.0000" in cranfield(project, "run").stdout
    shutil.copytree(project, copy)
    if original == "gone":
        shutil.rmtree(project)
    assert "1.0000" in cranfield(copy, "run").stdout
    (copy / "docs" / "one.md").write_text("# One\n\nA page about dogs.\n")
    (copy / "docs" / "two.md").write_text("# Two\n\nA page about cats.\n")
    shown = cranfield(copy, "run")
    assert shown.returncode == 0, shown.stderr
    assert "0.0000" in shown.stdout


@pytest.mark.parametrize("command", [["run"], ["check"], ["gate"], ["compare", "own", "own"]])
def test_a_project_found_above_is_named(project: Path, command: list[str]) -> None:
    below = project / "below"
    below.mkdir()
    line = f"project: {project / 'cranfield.toml'}\n"
    assert line in cranfield(below, *command).stderr
    assert "project: " not in cranfield(project, *command).stderr
    assert "project: " not in cranfield(below, *command, "--config", "..").stderr
    if command != ["check"]:
        assert "project: " not in cranfield(below, *command, "--quiet").stderr


def test_a_named_project_above_is_not_looked_for_beyond_the_repository(project: Path) -> None:
    named = project / "suites" / "cats"
    named.mkdir(parents=True)
    for each in ("cranfield.toml", "cats.toml", "program", "answer.txt"):
        shutil.copy(project / each, named)
    checkout = project / "checkout"
    checkout.mkdir()
    assert cranfield(checkout, "run", "cats").returncode == 0
    (checkout / ".git").mkdir()
    shown = cranfield(checkout, "run", "cats")
    assert shown.returncode == 2
    assert "no cranfield.toml was found here or above, up to the root of the repo" in shown.stderr
