"""A sweep from its file to its outcome, on a system that is a Python function."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from tests.sweeps.samples import SWEEP, make_sweep_project

from cranfield.errors import CranfieldError
from cranfield.evaluation.sessions import Session
from cranfield.formats import render
from cranfield.runs.store import open_store
from cranfield.statistics import VerdictKind
from cranfield.sweeps.report import report_sweep
from cranfield.sweeps.searches import Trial
from cranfield.sweeps.settings import apply_winner
from cranfield.sweeps.sweep import SweepOptions, run_sweep
from cranfield.sweeps.sweep_plan import open_sweep

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.sweeps.sweep import Sweep


def sweep(file: Path, jobs: int = 1, **options: Any) -> Sweep:
    session = Session(open_store(file.parent / "sweeps.db"), dict(os.environ))
    return run_sweep(open_sweep(file), session, SweepOptions(jobs, **options))


def asked(folder: Path) -> int:
    return len((folder / "asked.txt").read_text().splitlines())


def test_what_helps_one_category_is_found_and_shown_there(tmp_path: Path) -> None:
    found = sweep(make_sweep_project(tmp_path))
    assert found.tuning.winner.values["boost"] == 1.0
    assert found.outcome is not None
    assert found.is_shown_better
    verdicts = {each.category: each.verdict.kind for each in found.outcome.categories}
    assert verdicts["odd"] is VerdictKind.BETTER
    assert verdicts["even"] is not VerdictKind.BETTER


def test_held_out_queries_are_asked_of_no_trial_that_was_not_chosen(tmp_path: Path) -> None:
    found = sweep(make_sweep_project(tmp_path))
    lines = (tmp_path / "asked.txt").read_text().splitlines()
    trials = {line.partition(" ")[2] for line in lines}
    assert len(trials) == 6
    whole = {each for each in trials if sum(line.endswith(f" {each}") for line in lines) == 100}
    named = [found.tuning.default, found.tuning.winner]
    named += [each.trial for each in found.tuning.alternatives]
    assert whole == {f"{each.values['boost']} {each.values['noise']}" for each in named}


@pytest.mark.parametrize("queries", [100, 30], ids=["held out", "folds"])
@pytest.mark.parametrize(
    ("parameters", "constraint"),
    [
        ("boost = [0.0, 1.0]\nnoise = [0, 1, 2]", 'holds = "boost < 0"'),
        ("boost = [0.0]\nnoise = [0, 1, 2]", 'holds = "noise < 1"'),
        (
            "boost = { values = [0.0], default = 1.0 }\nnoise = [0]",
            'category = "odd"\nat_least = 0.95',
        ),
    ],
)
def test_constraints_that_exclude_all_but_the_default_are_named(
    tmp_path: Path, parameters: str, constraint: str, queries: int
) -> None:
    head, _, _ = SWEEP.partition("boost = [")
    made = f"{head}{parameters}\n[[constraints]]\n{constraint}\n"
    found = sweep(make_sweep_project(tmp_path, queries, made))
    assert found.tuning.best == 0
    shown = render(report_sweep(found))
    assert "the constraints exclude every trial but the default; loosen one" in shown
    assert "no trial is above the default" not in shown


def test_a_default_without_rivals_is_no_matter_of_constraints(tmp_path: Path) -> None:
    head, _, _ = SWEEP.partition("boost = [")
    found = sweep(make_sweep_project(tmp_path, sweep=f"{head}boost = [0.0]\nnoise = [0]\n"))
    assert "no trial is above the default" in render(report_sweep(found))


def test_a_repeated_sweep_asks_nothing_and_says_the_same(tmp_path: Path) -> None:
    file = make_sweep_project(tmp_path)
    first = sweep(file)
    before = asked(tmp_path)
    second = sweep(file)
    assert asked(tmp_path) == before
    assert second.made == 0
    assert second.reused == first.made
    assert render(report_sweep(first), "markdown") == render(report_sweep(second), "markdown")


def test_a_stopped_sweep_goes_on_where_it_was(tmp_path: Path) -> None:
    file = make_sweep_project(tmp_path)
    session = Session(open_store(tmp_path / "sweeps.db"))

    class Stop:
        def advance(self, done: int, *_: object) -> None:
            if done == 3:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_sweep(open_sweep(file), session, SweepOptions(progress=Stop()))
    assert asked(tmp_path) == 150
    whole = sweep(file)
    assert asked(tmp_path) == 6 * 50 + 50 * (2 + len(whole.tuning.alternatives))


def test_another_build_or_fresh_asks_again(tmp_path: Path) -> None:
    file = make_sweep_project(tmp_path)
    first = sweep(file)
    assert sweep(file, fresh=True).made == first.made
    code = tmp_path / "search.py"
    code.write_text(code.read_text() + "\n# another build\n")
    assert sweep(file).made == first.made


def test_what_is_only_in_the_log_of_a_database_is_another_build(tmp_path: Path) -> None:
    file = make_sweep_project(tmp_path)
    config = tmp_path / "cranfield.toml"
    config.write_text(config.read_text().replace("kind =", 'database = "facts.db"\nkind ='))
    with closing(sqlite3.connect(tmp_path / "facts.db", isolation_level=None)) as opened:
        opened.execute("PRAGMA journal_mode = WAL")
        opened.execute("CREATE TABLE facts (fact)")
        first = sweep(file)
        assert sweep(file).made == 0
        opened.execute("INSERT INTO facts VALUES ('new')")
        assert sweep(file).made == first.made


def test_trials_at_the_same_time_come_to_the_same(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    first = sweep(make_sweep_project(tmp_path / "one"))
    second = sweep(make_sweep_project(tmp_path / "two"), jobs=3)
    assert [each.trial for each in first.tuning.trials] == [
        each.trial for each in second.tuning.trials
    ]
    assert first.tuning.winner == second.tuning.winner
    assert [each.objective for each in first.tuning.trials] == [
        each.objective for each in second.tuning.trials
    ]


def test_an_error_in_a_trial_ends_a_parallel_sweep(tmp_path: Path) -> None:
    file = make_sweep_project(
        tmp_path,
        sweep=SWEEP.replace(
            "boost = [0.0, 1.0]", "boost = [0.0, 1.0]\nwhat = { values = [1, 2], default = 1 }"
        ).replace('noise = "{noise}"', 'noise = "{noise}", what = "{what}"'),
    )
    with pytest.raises(CranfieldError, match="cannot be called"):
        sweep(file, jobs=2)


@pytest.mark.parametrize(
    ("search", "trials", "ended_by"),
    [
        ('method = "random"\nruns = 3', 4, "runs"),
        ('method = "optuna"\nruns = 4', 5, "runs"),
        ('method = "each"', 4, ""),
        ("runs = 2", 3, "runs"),
        ("minutes = 0.0000001", 1, "minutes"),
        ('method = "optuna"\nruns = 40', 6, ""),
    ],
)
def test_a_budget_ends_the_search(tmp_path: Path, search: str, trials: int, ended_by: str) -> None:
    found = sweep(make_sweep_project(tmp_path, sweep=f"{SWEEP}[search]\n{search}\n"))
    assert len(found.tuning.trials) == trials
    assert found.ended_by == ended_by


def test_relations_keep_trials_from_being_run(tmp_path: Path) -> None:
    text = f'{SWEEP}[[constraints]]\nholds = "noise <= 1"\n'
    found = sweep(make_sweep_project(tmp_path, sweep=text))
    assert {each.trial.values["noise"] for each in found.tuning.trials} == {0, 1}


def test_a_figure_that_is_not_reached_refuses_a_trial_with_the_reason(tmp_path: Path) -> None:
    text = f'{SWEEP}[[constraints]]\nsuite = "small"\ncategory = "odd"\nat_least = 0.9\n'
    found = sweep(make_sweep_project(tmp_path, sweep=text))
    refused = {str(each.trial): each.refused for each in found.tuning.trials if each.refused}
    assert all("boost=0.0" in name for name in refused)
    assert all(reason.startswith("small odd 0.") for reason in refused.values())


def test_few_queries_are_cross_validated(tmp_path: Path) -> None:
    found = sweep(make_sweep_project(tmp_path, queries=30))
    assert found.outcome is not None
    assert len(found.outcome.fold_winners) == 5
    assert found.outcome.suites[0].held_out is not None
    assert found.outcome.suites[0].held_out.n == 30


def test_if_nothing_is_above_the_default_it_is_kept(tmp_path: Path) -> None:
    text = SWEEP.replace("boost = [0.0, 1.0]", "boost = [0.0, -1.0]").replace("[0, 1, 2]", "[0]")
    found = sweep(make_sweep_project(tmp_path, sweep=text))
    assert found.tuning.winner == Trial({"boost": 0.0, "noise": 0})
    assert found.outcome is None
    assert "keep the default" in render(report_sweep(found))


def test_the_winner_is_written_and_comments_stay(tmp_path: Path) -> None:
    file = make_sweep_project(tmp_path)
    found = sweep(file)
    (written,) = apply_winner(found)
    text = written.read_text()
    noise = found.tuning.winner.values["noise"]
    assert f"arguments = {{ boost = 1.0, noise = {noise} }}  # chosen by hand\n" in text
    assert text.startswith("# my search\n")
    assert "[systems.mine]  # in production" in text
    assert open_sweep(file).default == found.tuning.winner


@pytest.mark.process
def test_a_parameter_of_prepare_builds_each_value_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOG", "built")
    file = make_sweep_project(
        tmp_path,
        sweep="""
system = "mine"
[settings]
files = ["builds/{build}.txt"]
prepare = ["sh", "-c", "mkdir -p builds; echo {words} | tee -a $LOG >> builds/{build}.txt"]
arguments = { boost = "{boost}" }
[parameters]
boost = [0.0, 1.0]
words = { values = [200, 300], default = 300 }
""",
    )
    found = sweep(file, jobs=2)
    assert len(found.tuning.trials) == 4
    assert sorted((tmp_path / "built").read_text().split()) == ["200", "300"]
    assert (tmp_path / "builds" / "words-200.txt").read_text() == "200\n"
