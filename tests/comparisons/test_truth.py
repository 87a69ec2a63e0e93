"""One truth grades both arms: right answers that come from a database do not move with the arm."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield

from cranfield.comparisons import VerdictKind, compare
from cranfield.formats import render
from cranfield.reports.comparison_report import report_comparison
from cranfield.runs.runner import Run, run_suite
from cranfield.runs.summaries import summarise
from cranfield.suites import load_suite
from cranfield.systems import SystemSpec, load_systems, open_system

if TYPE_CHECKING:
    from pathlib import Path

MODULES = 12
FUNCTIONS = 10
SEARCH = """\
import sqlite3

def search_in(path):
    def search(text, limit):
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as opened:
            rows = opened.execute(
                "SELECT uri FROM symbols WHERE module = ? AND is_async ORDER BY uri DESC LIMIT ?",
                (text.removeprefix("async functions of "), limit),
            ).fetchall()
        return [uri for uri, in rows]
    return search
"""
CONFIG = """\
suites = ["attributes.toml"]

[systems.old]
kind = "python"
call = "engine.py:old"
database = "old.db"

[systems.new]
kind = "python"
call = "engine.py:new"
database = "new.db"

[systems.bare]
kind = "python"
call = "engine.py:new"

[systems.empty]
kind = "python"
call = "engine.py:new"
database = "empty.db"
"""


def write_index(path: Path, *, is_broken: bool = False) -> None:
    """Write an index of functions, half of them async; a broken one says that all of them are."""
    rows = [
        (f"docs://m{module}/f{number}", f"m{module}", number % 2 == 0 or is_broken)
        for module in range(MODULES)
        for number in range(FUNCTIONS)
    ]
    with closing(sqlite3.connect(path)) as opened, opened:
        opened.execute("CREATE TABLE symbols (uri TEXT, module TEXT, is_async INTEGER)")
        opened.executemany("INSERT INTO symbols VALUES (?, ?, ?)", rows)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Make a project whose new index says of every function that it is async."""
    write_index(tmp_path / "old.db")
    write_index(tmp_path / "new.db", is_broken=True)
    write_index(tmp_path / "empty.db")
    with closing(sqlite3.connect(tmp_path / "empty.db")) as opened, opened:
        opened.execute("DELETE FROM symbols")
    engine = "".join(
        f"{name} = search_in({str(tmp_path / f'{name}.db')!r})\n" for name in ("old", "new")
    )
    (tmp_path / "engine.py").write_text(SEARCH + engine)
    (tmp_path / "cranfield.toml").write_text(CONFIG)
    write_suite(tmp_path)
    return tmp_path


QUERY = """\
[[query]]
id = "m0"
text = "async functions of m0"
expect.sql = "SELECT uri FROM symbols WHERE module = 'm0' AND is_async"
"""


def write_suite(folder: Path, head: str = "") -> None:
    queries = "".join(QUERY.replace("m0", f"m{module}") for module in range(MODULES))
    head = f'id = "attributes"\nclass = "attribute"\n{head}'
    (folder / "attributes.toml").write_text(f"{head}\n{queries}")


def spec_of(project: Path, name: str) -> SystemSpec:
    return load_systems(project / "cranfield.toml")[name]


def run_by_itself(project: Path, name: str) -> Run:
    """Run a system as `cranfield run` does: graded by its own database."""
    spec = spec_of(project, name)
    with closing(open_system(spec, {})) as system:
        return run_suite(load_suite(project / "attributes.toml"), system, spec=spec)


@pytest.mark.process
def test_an_index_in_which_every_function_became_async_is_worse(project: Path) -> None:
    """By its own database everything that it returns is right."""
    old, new = run_by_itself(project, "old"), run_by_itself(project, "new")
    assert set(summarise(new).overall.means.values()) == {1.0}
    [compared] = compare(old, new).suites
    assert compared.verdict.kind is VerdictKind.WORSE
    assert compared.headline.result is not None
    assert compared.headline.result.mean_b == pytest.approx(0.4)
    assert len(compared.runs.regraded) == MODULES
    assert not compared.runs.left_out


@pytest.mark.process
def test_the_report_says_whose_database_named_the_right_answers(project: Path) -> None:
    report = report_comparison(
        compare(run_by_itself(project, "old"), run_by_itself(project, "new"))
    )
    text = render(report, "text")
    assert "right answers: " in text
    assert "/old.db of the system old (" in text
    assert f"for both arms; new had others for {MODULES} queries, graded again" in text
    [suite] = json.loads(render(report, "json"))["suites"]
    [database] = suite["truth"]["databases"]
    assert database["system"] == "old"
    assert database["sha256"] == suite["runs"]["a"]["truth"][0]["sha256"]
    assert len(suite["truth"]["regraded"]) == MODULES


@pytest.mark.process
def test_stored_runs_are_not_changed_by_a_comparison(project: Path) -> None:
    old, new = run_by_itself(project, "old"), run_by_itself(project, "new")
    before = new.outcomes().values.tolist()
    compare(old, new)
    assert new.outcomes().values.tolist() == before


@pytest.mark.process
@pytest.mark.parametrize("arm", ["new", "bare", "empty"])
def test_an_arm_is_graded_by_the_database_of_the_first(
    project: Path, monkeypatch: pytest.MonkeyPatch, arm: str
) -> None:
    """Also one that has no database, or one that finds nothing."""
    monkeypatch.chdir(project)
    done = cranfield(project, "compare", "old", arm, "--format", "json")
    assert done.returncode == 0, done.stderr
    [suite] = json.loads(done.stdout)["suites"]
    assert suite["verdict"] == "worse"
    assert [each["system"] for each in suite["truth"]["databases"]] == ["old"]


@pytest.mark.process
def test_a_stored_first_arm_grades_a_system_that_is_run_now(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    ran = cranfield(project, "run", "--system", "old", "--label", "before")
    assert ran.returncode == 0, ran.stderr
    (project / "old.db").unlink()
    done = cranfield(project, "compare", "before", "bare", "--format", "json")
    assert done.returncode == 0, done.stderr
    [suite] = json.loads(done.stdout)["suites"]
    assert suite["verdict"] == "worse"


@pytest.mark.process
def test_a_suite_may_have_a_database_of_its_own(project: Path) -> None:
    """The first arm's own database would have said otherwise."""
    write_index(project / "truth.db")
    write_suite(project, 'database = "truth.db"\n')
    new, old = run_by_itself(project, "new"), run_by_itself(project, "old")
    [compared] = compare(new, old).suites
    assert compared.verdict.kind is VerdictKind.BETTER
    assert compared.runs.regraded == ()
    text = render(report_comparison(compare(new, old)), "text")
    assert "right answers: truth.db of the suite (" in text


@pytest.mark.process
def test_sql_that_finds_nothing_is_a_score(project: Path) -> None:
    run = run_by_itself(project, "empty")
    assert set(summarise(run).overall.means.values()) == {0.0}
    shown = cranfield(project, "run", "--system", "empty")
    assert shown.returncode == 0
    assert "the database names no right answer for 12 queries" in shown.stdout


@pytest.mark.process
def test_a_gate_grades_by_the_truth_of_the_baseline_and_says_that_it_moved(project: Path) -> None:
    """The index of the same system is replaced by one in which every function is async."""
    assert cranfield(project, "run", "--system", "old").returncode == 0
    accepted = cranfield(project, "baseline", "accept", "latest", "--reason", "the release")
    assert accepted.returncode == 0, accepted.stderr
    assert cranfield(project, "gate", "--system", "old").returncode == 0
    (project / "new.db").replace(project / "old.db")
    shown = cranfield(project, "gate", "--system", "old")
    assert shown.returncode == 1, shown.stdout
    assert f"the database names other right answers for {MODULES} queries" in shown.stdout
    assert "the comparison with the baseline says worse" in shown.stdout
