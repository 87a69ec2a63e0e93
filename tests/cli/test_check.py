"""`cranfield check`: what is wrong with a suite, with places, and an exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield, make_python_project

if TYPE_CHECKING:
    from pathlib import Path


def test_a_sound_suite_is_fit_to_run(tmp_path: Path) -> None:
    shown = cranfield(make_python_project(tmp_path, 10), "check", "small.toml")
    assert shown.returncode == 0
    assert shown.stdout.endswith(
        "small.toml: small, 10 queries of the class canonical: fit to run\n"
    )


def test_everything_that_is_wrong_is_listed_at_once(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(
        'id = "bad"\nclass = "canonical"\n'
        "[[query]]\nid = 'a'\ntext = 'x'\nexpect.matches = '('\n"
        f"[[query]]\nid = 'b'\ntext = '{'a' * 60}!'\nexpect.matches = '^(a|aa)+$'\n"
        "[[query]]\nid = 'b'\ntext = 'z'\nexpect.matches = 'z'\n"
    )
    shown = cranfield(tmp_path, "check", "bad.toml")
    assert shown.returncode == 2
    assert "bad.toml:3: error" in shown.stdout
    assert "bad.toml:7: error" in shown.stdout
    assert "bad.toml:11: error" in shown.stdout
    assert "not fit to run" in shown.stdout


def test_without_a_name_the_suites_of_the_project_are_checked(tmp_path: Path) -> None:
    project = make_python_project(tmp_path, 10)
    assert "small.toml" in cranfield(project, "check").stdout
    (project / "cranfield.toml").unlink()
    done = cranfield(project, "check")
    assert (done.returncode, "no suite was named" in done.stderr) == (2, True)


def test_an_id_that_vanished_is_found_by_the_ledger(tmp_path: Path) -> None:
    project = make_python_project(tmp_path, 10)
    assert cranfield(project, "check", "small.toml", "--update-ledger").returncode == 0
    suite = (project / "small.toml").read_text()
    (project / "small.toml").write_text(suite[: suite.index('\n[[query]]\nid = "q9"')])
    shown = cranfield(project, "check", "small.toml")
    assert shown.returncode == 2
    assert "q9" in shown.stdout
    assert "deprecated" in shown.stdout


def test_a_ledger_is_advised_only_if_an_id_of_a_stored_run_was_reused(tmp_path: Path) -> None:
    project = make_python_project(tmp_path)
    cranfield(project, "run", "-s", "old")
    assert "ledger" not in cranfield(project, "check", "small.toml").stdout
    suite = project / "small.toml"
    suite.write_text(suite.read_text().replace('text = "word3"', 'text = "another"'))
    done = cranfield(project, "check", "small.toml")
    assert done.returncode == 0
    assert "1 id of a stored run is gone or asked with another text (q3)" in done.stdout
    assert "--update-ledger writes a ledger of ids (small.toml.ledger.json)" in done.stdout


@pytest.mark.process
def test_stored_runs_tell_which_queries_say_nothing(tmp_path: Path) -> None:
    make_python_project(tmp_path, 10)
    for system in ("old", "new", "new"):
        cranfield(tmp_path, "run", "--system", system)
    done = cranfield(tmp_path, "check", "small.toml")
    assert done.returncode == 0
    assert "5 of 10 queries are right in every stored run of 2 systems" in done.stdout
