"""`cranfield compare` as a user types it: systems run now, and stored runs."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield, make_project, make_python_project

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.corpus, pytest.mark.process]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Systems that are functions: what is compared matters here, not how it is asked."""
    make_python_project(tmp_path)
    with (tmp_path / "search.py").open("a") as search:
        search.write("\n\ndef broken(text, limit):\n    raise RuntimeError('no index')\n")
    with (tmp_path / "cranfield.toml").open("a") as config:
        config.write('\n[systems.broken]\nkind = "python"\ncall = "search.py:broken"\n')
        config.write(
            '\n[systems.missing]\nkind = "command"\nrun = ["./no-such-program", "{query}"]\n'
        )
    return tmp_path


def test_two_systems_are_run_and_compared(project: Path) -> None:
    shown = cranfield(project, "compare", "old", "new", "-j", "2")
    assert shown.returncode == 0, shown.stderr
    lines = shown.stdout.splitlines()
    assert lines[0] == "small, 20 queries of the class canonical"
    assert lines[1] == "new against old: better: 15 improved, 0 worse, 5 the same: not luck"
    assert lines[2].startswith("RR@10 0.5000 → 1.0000, p 0.00")
    assert "queries: 15 fixed, 5 unchanged at rank 1" in shown.stdout


def test_stored_runs_are_compared_by_label_without_running_anything(project: Path) -> None:
    for name in ("old", "new"):
        cranfield(project, "run", "-s", name, "--label", f"{name}-build")
    (project / "search.py").unlink()
    shown = cranfield(project, "compare", "old-build", "new-build")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.splitlines()[1].startswith("new-build against old-build: better")


def test_a_verdict_can_fail_the_command(project: Path) -> None:
    assert cranfield(project, "compare", "new", "old").returncode == 0
    assert cranfield(project, "compare", "new", "old", "--fail-on", "worse").returncode == 1
    assert cranfield(project, "compare", "old", "new", "--fail-on", "worse").returncode == 0
    wrong = cranfield(project, "compare", "old", "new", "--fail-on", "bad")
    assert wrong.returncode == 2
    assert "better, worse, equivalent, cannot tell" in wrong.stderr


def test_failures_of_one_arm_are_said_before_any_number(project: Path) -> None:
    shown = cranfield(project, "compare", "new", "broken")
    lines = shown.stdout.splitlines()
    assert lines[1] == "broken against new: cannot tell: 20 of 20 queries failed in broken"
    assert lines[2].startswith("not answered: 20 of 20 queries failed in broken (20 error): q0,")


def test_runs_that_differ_are_refused_and_common_pairs_the_rest(project: Path) -> None:
    cranfield(project, "run", "-s", "old", "--label", "before")
    suite = (project / "small.toml").read_text()
    (project / "small.toml").write_text(suite.replace('"word3"', '"word3 again"'))
    cranfield(project, "run", "-s", "new", "--label", "after")
    refused = cranfield(project, "compare", "before", "after")
    assert refused.returncode == 2
    assert "1 changed (q3)" in refused.stderr
    assert "--common" in refused.stderr
    shown = cranfield(project, "compare", "before", "after", "--common")
    assert shown.returncode == 0
    assert "left out: 1 changed (q3)" in shown.stdout


def test_an_arm_that_answered_nothing_exits_with_3(project: Path) -> None:
    assert cranfield(project, "compare", "broken", "new", "--fail-on", "worse").returncode == 3


def test_an_empty_name_is_no_arm(project: Path) -> None:
    cranfield(project, "run", "-s", "old")
    assert cranfield(project, "compare", "", "new").returncode == 2


def test_repetitions_show_a_noise_column(project: Path) -> None:
    shown = cranfield(project, "compare", "old", "new", "--repeat", "2", "--show", "measures")
    head = next(line for line in shown.stdout.splitlines() if line.startswith("measure"))
    assert "noise" in head


def test_a_grid_of_four_systems_is_attributed(project: Path) -> None:
    shown = cranfield(project, "compare", "--grid", "old", "old", "new", "new")
    assert shown.returncode == 0, shown.stderr
    rows = [line.split() for line in shown.stdout.splitlines()]
    assert ["RR@10", "index", "better", "+0.5000"] in [row[:4] for row in rows]
    assert cranfield(project, "compare", "--grid", "old", "new").returncode == 2


def test_a_grid_is_written_to_further_reports(project: Path) -> None:
    arms = ("compare", "--grid", "old", "old", "new", "new")
    shown = cranfield(project, *arms, "--report", "json=grid.json")
    assert shown.returncode == 0
    assert json.loads((project / "grid.json").read_text())["kind"] == "grid"

    refused = cranfield(project, *arms, "--report", "junit=grid.xml")
    assert refused.returncode == 2
    assert not (project / "grid.xml").exists()


def test_two_comparisons_over_the_same_runs_are_the_same_bytes(project: Path) -> None:
    for label in ("old", "new"):
        cranfield(project, "run", "-s", label, "--label", f"{label}-build")
    for name in ("text", "json", "csv", "markdown", "cupertino-json"):
        arguments = ("compare", "old-build", "new-build", "-f", name)
        first, second = cranfield(project, *arguments), cranfield(project, *arguments)
        assert first.returncode == 0, first.stderr
        assert first.stdout == second.stdout
        assert first.stdout


def test_json_of_two_runs_over_the_same_inputs_differs_only_in_what_is_volatile(
    project: Path,
) -> None:
    reports = [
        json.loads(cranfield(project, "compare", "old", "new", "-f", "json").stdout)
        for _ in range(2)
    ]
    volatile = [report.pop("volatile") for report in reports]
    assert reports[0] == reports[1]
    assert volatile[0] != volatile[1]


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["old"], 2, "two arms"),
        (["old", "nwe"], 2, "is neither a system"),
        (["old", "new", "--show", "some"], 2, "none, overview, measures"),
        (["old", "missing"], 3, "no-such-program"),
    ],
)
def test_mistakes_are_told_in_one_message(
    project: Path, arguments: list[str], code: int, told: str
) -> None:
    shown = cranfield(project, "compare", *arguments)
    assert shown.returncode == code, shown.stderr
    assert told in shown.stderr
    assert "Traceback" not in shown.stderr


def test_each_level_tells_more_than_the_one_before(project: Path) -> None:
    for system in ("old", "new"):
        cranfield(project, "run", "--system", system, "--label", f"{system}-run")
    texts = {}
    for level in ("none", "overview", "measures", "failed", "changed", "all"):
        shown = cranfield(project, "compare", "old-run", "new-run", "--show", level)
        assert shown.returncode == 0, shown.stderr
        texts[level] = shown.stdout
    assert texts["none"] == ""
    assert [len(text.splitlines()) for text in texts.values()] == sorted(
        len(text.splitlines()) for text in texts.values()
    )
    assert "small" in texts["overview"]
    assert "queries: " not in texts["overview"]
    assert "queries: " in texts["measures"]
    # The ten odd ones changed, and the even ones are listed only where all are.
    assert [text.count("word1 ") for text in texts.values()] == [0, 0, 0, 0, 1, 1]
    assert [text.count("word2 ") for text in texts.values()] == [0, 0, 0, 0, 0, 1]


def test_a_report_is_written_whole_where_no_text_is_shown(project: Path) -> None:
    shown = cranfield(
        project, "compare", "old", "new", "--show", "none", "--report", "markdown=audit.md"
    )
    assert (shown.returncode, shown.stdout) == (0, "")
    assert "word1" in (project / "audit.md").read_text()


UNUSABLE = {
    "program": ('kind = "command"\nrun = ["./no-such-program", "{query}"]', "no-such-program"),
    "index": ('kind = "stacks"\nindex = "nowhere"', "nowhere"),
    "setting": ('kind = "stacks"\nindx = "nowhere"', "did you mean index?"),
    "file": (
        'kind = "python"\ncall = "found.py:find"\nfiles = ["lost.db"]',
        "lost.db cannot be read",
    ),
}


@pytest.mark.parametrize("command", [["compare", "marks", "other"], ["run", "-smarks", "-sother"]])
@pytest.mark.parametrize("case", UNUSABLE)
def test_a_system_that_cannot_be_asked_is_refused_before_another_is_asked(
    tmp_path: Path, case: str, command: list[str]
) -> None:
    project = make_project(tmp_path)
    written, told = UNUSABLE[case]
    config = project / "cranfield.toml"
    config.write_text(f"{config.read_text()}\n[systems.other]\n{written}\n")
    if case == "file":
        (project / "found.py").write_text("def find(text, limit):\n    return []\n")
    shown = cranfield(project, *command)
    assert shown.returncode in (2, 3), shown.stderr
    assert told in shown.stderr
    assert "Traceback" not in shown.stderr
    assert not (project / "asked.txt").exists()


def test_what_a_suite_asks_of_a_database_is_looked_for_before_anything_is_asked(
    tmp_path: Path,
) -> None:
    """The first system has none of its own: whose truth should grade both is for people to say."""
    project = make_project(tmp_path)
    sqlite3.connect(project / "docs.db").execute("CREATE TABLE docs AS SELECT 'doc-1' AS id")
    config = project / "cranfield.toml"
    text = config.read_text()
    config.write_text(text.replace("[systems.marks]", '[systems.marks]\ndatabase = "docs.db"'))
    (project / "small.toml").write_text(
        'id = "small"\nclass = "fragment"\n\n[[query]]\nid = "q"\ntext = "word1"\n'
        'expect.sql = "SELECT id FROM docs"\n'
    )
    shown = cranfield(project, "compare", "new", "marks")
    assert shown.returncode in (2, 3), shown.stderr
    assert "there is no database to query; name one" in shown.stderr
    assert not (project / "asked.txt").exists()
