"""`cranfield gate` and `cranfield baseline`: the real commands, from a fresh project on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from tests.cli.projects import cranfield, make_project

if TYPE_CHECKING:
    from pathlib import Path

RULES = """
[regressions]
at_most = 1
protected = ["even"]
accept_at = 2
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    make_project(tmp_path)
    suite = tmp_path / "small.toml"
    head, query, rest = suite.read_text().partition("[[query]]")
    suite.write_text(f"{head}{RULES}\n{query}{rest}")
    return tmp_path


def accept(project: Path, system: str) -> Path:
    assert cranfield(project, "run", "--system", system).returncode == 0
    done = cranfield(project, "baseline", "accept", "latest", "--reason", "as released")
    assert done.returncode == 0, done.stderr
    return project / "baselines" / "small.main.json"


def test_without_a_baseline_the_thresholds_alone_decide(project: Path) -> None:
    done = cranfield(project, "gate", "--system", "new")
    assert (done.returncode, done.stderr.count("Traceback")) == (0, 0)
    assert "PASSED" in done.stdout


def test_a_build_that_lost_queries_fails(project: Path) -> None:
    accept(project, "new")
    done = cranfield(project, "gate", "--system", "old")
    assert done.returncode == 1
    assert "FAILED" in done.stdout
    assert "queries regressed; at most 1 may" in done.stdout


def test_an_unchanged_build_passes(project: Path) -> None:
    accept(project, "new")
    done = cranfield(project, "gate", "--system", "new")
    assert done.returncode == 0, done.stdout


def test_a_better_build_becomes_the_baseline_and_says_so_loudly(project: Path) -> None:
    path = accept(project, "old")
    before = path.read_text()
    assert "NEW BASELINE" not in cranfield(project, "gate", "--system", "new").stderr
    search = project / "search.py"
    search.write_text(search.read_text().replace('build in ("new",', 'build in ("old", "new",'))
    done = cranfield(project, "gate", "--system", "old")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "since the baseline these files of the system changed: search.py" in done.stdout
    assert "NEW BASELINE" in done.stderr
    assert path.read_text() != before
    history = cranfield(project, "baseline", "history")
    assert history.stdout.count("RR@10") == 2
    assert "as released" in history.stdout


def test_a_stored_run_can_be_judged_again(project: Path) -> None:
    accept(project, "new")
    cranfield(project, "run", "--system", "old")
    assert cranfield(project, "gate", "--run", "latest").returncode == 1


def test_reports_are_written_beside_the_terminal(project: Path) -> None:
    accept(project, "new")
    reports = [f"--report={name}=out/{name}" for name in ("junit", "json", "github", "comment")]
    done = cranfield(project, "gate", "--system", "old", *reports)
    assert done.returncode == 1
    assert "FAILED" in done.stdout
    suites = ET.parse(project / "out" / "junit").getroot()  # noqa: S314 - our own file
    assert suites.findall(".//failure")
    assert json.loads((project / "out" / "json").read_text())
    assert (project / "out" / "comment").read_text().startswith("<!-- cranfield gate -->")


def test_a_change_that_touches_nothing_relevant_is_skipped_and_said_so(project: Path) -> None:
    config = project / "cranfield.toml"
    config.write_text(f'{config.read_text()}\n[gate]\npaths = ["src/search/**", "*.toml"]\n')
    changed = project / "changed.txt"
    changed.write_text("docs/index.md\nREADME.md\n")
    done = cranfield(project, "gate", "--system", "broken", "--changed-paths", str(changed))
    assert done.returncode == 0
    assert "none of the 2 changed paths fits src/search/**, *.toml" in done.stdout
    changed.write_text("small.toml\n")
    done = cranfield(project, "gate", "--system", "new", "--changed-paths", str(changed))
    assert "PASSED" in done.stdout


def test_a_run_of_a_part_is_neither_judged_nor_accepted(project: Path) -> None:
    cranfield(project, "run", "--system", "new", "--category", "even")
    for command in (("gate", "--run", "latest"), ("baseline", "accept", "latest", "--reason", "x")):
        done = cranfield(project, *command)
        assert done.returncode == 2
        assert "asked 5 of the 10 queries" in done.stderr


def test_a_run_without_an_answer_is_no_baseline(project: Path) -> None:
    cranfield(project, "run", "--system", "broken")
    done = cranfield(project, "baseline", "accept", "latest", "--reason", "x")
    assert done.returncode == 2
    assert "has no answer" in done.stderr


def test_an_empty_list_of_paths_skips_nothing(project: Path) -> None:
    config = project / "cranfield.toml"
    config.write_text(f'{config.read_text()}\n[gate]\npaths = ["src/**"]\n')
    (project / "changed.txt").write_text("\n")
    done = cranfield(project, "gate", "--system", "old", "--changed-paths", "changed.txt")
    assert done.returncode == 1


def test_a_stored_run_is_judged_without_asking_anybody(project: Path) -> None:
    done = cranfield(project, "gate", "--run", "latest", "--system", "new")
    assert done.returncode == 2
    assert "takes no suite and no --system" in done.stderr


def test_changed_paths_without_patterns_is_a_mistake(project: Path) -> None:
    (project / "changed.txt").write_text("a\n")
    done = cranfield(project, "gate", "--system", "new", "--changed-paths", "changed.txt")
    assert done.returncode == 2
    assert "[gate]" in done.stderr


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda text: text.replace('"P@1": 1.0', '"P@1": 0.0', 1), "was changed by hand"),
        (lambda text: text[: len(text) // 2], "is no baseline"),
        (lambda text: text.replace('"version": 1', '"version": 9'), "has version 9"),
        (lambda _: "", "is no baseline"),
    ],
)
def test_a_damaged_baseline_never_passes(project: Path, damage: object, message: str) -> None:
    path = accept(project, "new")
    path.write_text(damage(path.read_text()))  # type: ignore[operator]
    done = cranfield(project, "gate", "--system", "new")
    assert done.returncode == 2
    assert message in done.stderr


def test_a_baseline_of_another_suite_is_refused(project: Path) -> None:
    path = accept(project, "new")
    other = project / "other.toml"
    other.write_text((project / "small.toml").read_text().replace('id = "small"', 'id = "other"'))
    path.rename(path.with_name("other.main.json"))
    done = cranfield(project, "gate", "other.toml", "--system", "new")
    assert done.returncode == 2
    assert "is a baseline of the suite 'small', not of 'other'" in done.stderr


def test_a_stale_baseline_says_what_changed(project: Path) -> None:
    accept(project, "new")
    suite = project / "small.toml"
    suite.write_text(suite.read_text().replace('text = "word3"', 'text = "word1"'))
    done = cranfield(project, "gate", "--system", "new")
    assert "1 query was added, changed or removed" in done.stdout


def test_a_baseline_that_is_named_must_be_there(project: Path) -> None:
    done = cranfield(project, "gate", "--system", "new", "--baseline", "release")
    assert done.returncode == 2
    assert "cranfield baseline accept" in done.stderr


def test_a_system_that_cannot_be_asked_is_no_failed_gate(project: Path) -> None:
    assert cranfield(project, "gate", "--system", "broken").returncode == 3
    assert cranfield(project, "gate", "--system", "nobody").returncode == 2


def test_a_baseline_is_shown(project: Path) -> None:
    accept(project, "new")
    done = cranfield(project, "baseline", "show")
    assert "small, baseline main: 10 queries by new, 10 hits each" in done.stdout
    assert "P@1 1.0000" in done.stdout
    assert cranfield(project, "baseline", "show", "nothing").returncode == 2


def test_a_baseline_needs_a_reason(project: Path) -> None:
    cranfield(project, "run", "--system", "new")
    assert cranfield(project, "baseline", "accept", "latest").returncode == 2
    done = cranfield(project, "baseline", "accept", "latest", "--reason", " ")
    assert done.returncode == 2


def test_a_suite_that_was_renamed_does_not_lose_its_baseline_unseen(project: Path) -> None:
    accept(project, "new")
    suite = project / "small.toml"
    suite.write_text(suite.read_text().replace('id = "small"', 'id = "tiny"', 1))
    done = cranfield(project, "gate", "--system", "new")
    assert done.returncode == 2
    assert "queries of the suite 'tiny' under its old id 'small'" in done.stderr


def test_a_baseline_that_cannot_be_read_is_told_before_anything_is_asked(project: Path) -> None:
    path = accept(project, "new")
    path.write_text("{")
    before = cranfield(project, "runs", "list").stdout
    assert cranfield(project, "gate", "--system", "new").returncode == 2
    assert cranfield(project, "runs", "list").stdout == before
