"""Projects by their name, and the ways to run them that they name themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield, make_python_project

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process

MODES = """
[modes.both]
systems = ["old", "new"]
format = "text"
reports = { json = "report.json" }

[modes.strict]
systems = ["old"]

[modes.loose]
systems = ["old"]
gate = false
"""
GATE = '[[gate]]\nmeasure = "P@1"\nat_least = 0.9\n'


def make(folder: Path) -> Path:
    project = folder / "suites" / "shop"
    project.mkdir(parents=True)
    make_python_project(project, 10)
    config = project / "cranfield.toml"
    config.write_text(config.read_text() + MODES)
    suite = project / "small.toml"
    head, query, rest = suite.read_text().partition("[[query]]")
    suite.write_text(f"{head}{GATE}\n{query}{rest}")
    return project


def test_a_mode_sets_its_first_system_against_its_last_and_writes_its_report(
    tmp_path: Path,
) -> None:
    project = make(tmp_path)
    done = cranfield(tmp_path, "run", "shop", "--mode", "both")
    assert done.returncode == 0, done.stderr
    assert "new against old" in done.stdout
    assert (project / "report.json").exists()


def test_the_gate_decides_unless_the_mode_says_otherwise(tmp_path: Path) -> None:
    make(tmp_path)
    assert cranfield(tmp_path, "run", "shop", "--mode", "strict").returncode == 1
    assert cranfield(tmp_path, "run", "suites/shop", "--mode", "loose").returncode == 0


def test_a_project_is_known_by_its_name_to_every_command(tmp_path: Path) -> None:
    make(tmp_path)
    assert "new against old" in cranfield(tmp_path, "compare", "old", "new", "-S", "shop").stdout
    assert cranfield(tmp_path, "check", "shop").returncode == 0
    assert cranfield(tmp_path, "gate", "shop", "--system", "old").returncode == 1
    assert cranfield(tmp_path, "runs", "list", "--config", "shop").returncode == 0


def test_a_mode_that_is_not_there_is_told_with_those_that_are(tmp_path: Path) -> None:
    make(tmp_path)
    done = cranfield(tmp_path, "run", "shop", "--mode", "booth")
    assert (done.returncode, "did you mean both?" in done.stderr) == (2, True)
    done = cranfield(tmp_path, "run", "shop", "--mode", "both", "--system", "new")
    assert (done.returncode, "leave out --system" in done.stderr) == (2, True)


@pytest.mark.parametrize("field", ["suite", "language"])
def test_what_a_suite_says_never_leads_a_report_out_of_its_folder(
    tmp_path: Path, field: str
) -> None:
    project = make(tmp_path / "inside")
    config = project / "cranfield.toml"
    text = config.read_text().replace("report.json", f"results/{{{field}}}.json")
    config.write_text(f"{text}\n[accept]\nlanguages = ['../../../../pwned']\n")
    suite = project / "small.toml"
    hostile = "../../../../pwned"
    text = suite.read_text().replace('id = "small"', f'id = "{hostile}"')
    suite.write_text(text.replace('text = "word', f'language = "{hostile}"\ntext = "word'))
    before = set(tmp_path.iterdir())
    done = cranfield(project, "run", "--mode", "both")
    assert "..%2F..%2F..%2Fpwned.json" in done.stderr, done.stderr
    assert [each.name for each in (project / "results").iterdir()] == [
        "%2E.%2F..%2F..%2F..%2Fpwned.json"
    ]
    assert set(tmp_path.iterdir()) == before
