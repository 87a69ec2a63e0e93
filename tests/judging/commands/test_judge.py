"""`cranfield judge`: what is in the pool, and what a judgment changes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield, make_python_project

from cranfield.evaluation.project import open_project

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project in which two systems answered queries that nobody has named right hits of."""
    made = make_python_project(tmp_path)
    (made / "asked.txt").write_text("".join(f"word{number}\n" for number in range(20)))
    for system in ("old", "new"):
        cranfield(made, "run", "asked.txt", "-s", system, "--label", f"{system}-run")
    return made


def test_what_is_no_sub_command_is_a_run_of_the_pool(project: Path) -> None:
    short = cranfield(project, "judge", "old-run", "new-run", "--rater", "ann")
    assert short.returncode == 0, short.stderr
    assert short.stdout == cranfield(
        project, "judge", "pool", "old-run", "new-run", "--rater", "ann"
    ).stdout  # fmt: skip
    assert "the pool has 60 hits for 20 queries" in short.stdout
    assert "0 judged, 60 left; 0 judged by ann" in short.stdout


def test_without_runs_the_latest_of_every_system_are_pooled(project: Path) -> None:
    cranfield(project, "run", "asked.txt", "-s", "new", "--label", "again")
    shown = cranfield(project, "judge", "--format", "json")
    data = json.loads(shown.stdout)
    assert len(data["volatile"]["runs"]) == 2
    assert data["progress"]["hits"] == 60


def test_an_unknown_run_is_one_clear_message(project: Path) -> None:
    shown = cranfield(project, "judge", "nothing")
    assert shown.returncode == 2
    assert "no run 'nothing'" in shown.stderr


def test_a_tolerated_error_without_a_comparison_is_refused(project: Path) -> None:
    shown = cranfield(project, "judge", "--error", "0.1")
    assert shown.returncode == 2
    assert "--decisive" in shown.stderr


def judge_everything(project: Path, names: list[str]) -> None:
    """Answer all that the queue asks: a hit is right if its number is that of the query."""
    from cranfield.judging.judging_round import RoundOptions, choose_runs, open_round
    from cranfield.judgments import JudgedItem

    store = open_project(project / "cranfield.toml").open_existing_store()
    queue = open_round(choose_runs(store, names), store, RoundOptions()).queue
    while (shown := queue.next("ann")) is not None:
        number = shown.query.query.text.removeprefix("word")
        grade = int(shown.hit.document == f"doc-{number}")
        queue.judge("ann", JudgedItem(shown.query.key, shown.hit.item), grade)


def set_judged_by(project: Path, more: str = "") -> None:
    config = project / "cranfield.toml"
    config.write_text(config.read_text() + f'\n[judging]\njudged_by = "people"\n{more}')


def test_from_a_list_of_queries_to_a_verdict(project: Path) -> None:
    before = cranfield(project, "compare", "old-run", "new-run")
    assert "AnyResult" in before.stdout
    set_judged_by(project)
    waiting = cranfield(project, "report", "new-run", "-f", "text").stdout
    assert "no query of the suite asked has been judged by people" in " ".join(waiting.split())
    judge_everything(project, ["old-run", "new-run"])
    after = cranfield(project, "compare", "old-run", "new-run")
    assert "nDCG@10" in after.stdout
    assert "better" in after.stdout
    report = json.loads(cranfield(project, "report", "old-run", "new-run", "-f", "json").stdout)
    assert "better" in json.dumps(report["suites"][0]["verdict"])
    shown = json.loads(cranfield(project, "runs", "show", "new-run", "-f", "json").stdout)
    assert shown["runs"][0]["overall"]["means"]["nDCG@10"] == 1.0


def judge_some(project: Path, rater: str = "ann") -> None:
    """Judge what the old system found first; what else it found, and the new one, is open."""
    lines = [
        f"word{number},doc-{number},1\n" if number in (0, 2, 4, 6, 8) else f"word{number},doc-x,0\n"
        for number in range(20)
    ]
    (project / "judged.csv").write_text("query,document,grade\n" + "".join(lines))
    done = cranfield(project, "judge", "import", "judged.csv", "--rater", rater)
    assert done.returncode == 0, done.stderr


def test_no_verdict_rests_on_the_few_queries_that_are_judged(project: Path) -> None:
    judge_some(project)
    set_judged_by(project)
    done = cranfield(project, "compare", "old-run", "new-run", "--fail-on", "worse")
    assert done.returncode == 5, done.stdout + done.stderr
    told = "queries depend on unjudged hits; judge them with `cranfield judge --decisive "
    assert f"of 20 {told}old-run new-run`" in done.stdout
    shown = cranfield(project, "compare", "old-run", "new-run", "--show", "overview").stdout
    assert "cannot tell" in shown
    assert "depend on unjudged hits" in shown


def test_a_list_without_right_answers_is_neither_better_nor_worse(project: Path) -> None:
    for more in ((), ("--show", "overview"), ("-f", "markdown")):
        shown = cranfield(project, "compare", "old-run", "new-run", *more)
        assert shown.returncode == 0, shown.stderr
        assert "nothing says what is right: judge" in " ".join(shown.stdout.split())


def test_a_rater_that_judged_nothing_is_told_who_did(project: Path) -> None:
    judge_some(project, "Ann")
    config = project / "cranfield.toml"
    config.write_text(config.read_text() + '\n[judging]\njudged_by = "people:ann"\n')
    shown = " ".join(cranfield(project, "compare", "old-run", "new-run").stdout.split())
    assert "judged by people:ann, only by Ann; did you mean people:Ann?" in shown


def test_a_source_of_judgments_that_is_none_is_told_what_there_is(project: Path) -> None:
    config = project / "cranfield.toml"
    config.write_text(config.read_text() + '\n[judging]\njudged_by = "peple"\n')
    done = cranfield(project, "compare", "old-run", "new-run")
    assert done.returncode == 2
    assert "judging.judged_by: 'peple' is none of people, people:NAME, model:NAME" in done.stderr
    assert "did you mean people" in done.stderr
    assert "regex" not in done.stderr


def test_a_run_made_after_judging_is_graded_by_the_judgments(project: Path) -> None:
    judge_everything(project, ["old-run", "new-run"])
    set_judged_by(project)
    run = json.loads(cranfield(project, "run", "asked.txt", "-s", "new", "-f", "json").stdout)
    assert run["runs"][0]["overall"]["means"]["nDCG@10"] == 1.0
    assert run["runs"][0]["suite"]["class"] == "judged"


def test_measures_that_were_chosen_stay(project: Path) -> None:
    judge_everything(project, ["old-run", "new-run"])
    set_judged_by(project)
    done = cranfield(project, "run", "asked.txt", "-s", "old", "-m", "P@1", "-f", "json")
    run = json.loads(done.stdout)
    assert run["runs"][0]["measures"][0] == "P@1"
    assert run["runs"][0]["overall"]["means"]["P@1"] == pytest.approx(5 / 20)


def test_a_gate_holds_judged_figures(project: Path) -> None:
    judge_everything(project, ["old-run", "new-run"])
    config = project / "cranfield.toml"
    threshold = '\n[[thresholds]]\nmeasure = "nDCG@10"\nat_least = 0.9\nsuite = "asked"\n'
    config.write_text(
        config.read_text().replace('["small.toml"]', '["asked.txt"]') + threshold
    )  # fmt: skip
    set_judged_by(project)
    assert cranfield(project, "gate", "-s", "new").returncode == 0
    assert cranfield(project, "gate", "-s", "old").returncode == 1
    assert cranfield(project, "gate", "--run", "new-run").returncode == 0
    accepted = cranfield(project, "baseline", "accept", "new-run", "--reason", "judged")
    assert accepted.returncode == 0, accepted.stderr
    assert cranfield(project, "gate", "-s", "new").returncode == 0


def test_wrong_settings_are_refused_with_what_is_allowed(project: Path) -> None:
    (project / "wrong.toml").write_text(
        'id = "w"\nclass = "unjudged"\n[judging]\nhighest = 12\njudged_by = "anybody"\n'
        'overlop = 1\n[[query]]\nid = "a"\ntext = "a"\nexpect.anything = true\n'
    )
    done = cranfield(project, "run", "wrong.toml", "-s", "new")
    assert done.returncode == 2
    assert "judging.highest" in done.stderr
    assert '"people", "people:NAME"' in done.stderr
    assert "overlop" in done.stderr
    assert "overlap" in done.stderr


def test_every_report_counts_the_hits_that_nobody_judged(project: Path) -> None:
    judge_everything(project, ["new-run"])
    config = project / "cranfield.toml"
    config.write_text(config.read_text().replace('["small.toml"]', '["asked.txt"]'))
    (project / "search.py").write_text(
        (project / "search.py").read_text().replace('"doc-x", "doc-y"]', '"doc-z", "doc-y"]')
    )
    set_judged_by(project)
    cranfield(project, "run", "-s", "old", "--label", "moved")
    said = "unjudged hits"
    for command in ("compare new-run moved", "gate --run moved", "runs show moved"):
        shown = cranfield(project, *command.split()).stdout
        assert said in shown, command
        assert "20/60" in shown, command
        page = cranfield(project, *command.split(), "-f", "html").stdout
        assert said in page.casefold(), command
    data = json.loads(cranfield(project, "compare", "new-run", "moved", "-f", "json").stdout)
    holes = data["suites"][0]["holes"]
    assert holes["a"] == []
    assert holes["b"][0]["unjudged"] == 20
    assert holes["b"][0]["low"] < holes["b"][0]["high"]
