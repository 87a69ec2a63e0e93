"""Runs in a list: what their headers say, and the headline that a summary has."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from tests.runs.samples import right_first, right_second, small_suite

from cranfield.errors import DamagedStoreError
from cranfield.measures import parse_measure
from cranfield.runs.regrading import audit_run
from cranfield.runs.runner import Run, RunOptions, run_suite
from cranfield.runs.store import open_store
from cranfield.runs.summaries import summarise

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.runs.store import Store

_ADDED = 3
"""The step that added headlines, as a store without them counts its version."""


def headline(run: Run) -> float:
    mean = summarise(run).overall.means[run.measures[0]]
    assert isinstance(mean, float)
    return mean


def make_older(path: Path) -> None:
    """Turn a store into one of the version before headlines were stored."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("ALTER TABLE runs DROP COLUMN headline")
        database.execute("UPDATE store_version SET version = ?", (_ADDED,))


def test_an_entry_says_what_the_header_says() -> None:
    with closing(open_store()) as store:
        run = run_suite(small_suite(), right_second, RunOptions(label="v1"), store=store).header
        (entry,) = store.entries()
        assert (entry.id, entry.suite, entry.query_class, entry.queries) == (
            run.id,
            "small",
            "canonical",
            10,
        )
        assert (entry.system, entry.label, entry.state) == ("right_second", "v1", run.state)
        assert (entry.started, entry.batch, entry.selection) == (run.started, "", "")
        assert (entry.measure, entry.headline) == (run.measures[0], 0.5)
        assert entry.is_whole


def drift(text: str, limit: int) -> list[str]:
    """Be right at a rank that depends on the query, or nowhere."""
    number = int(text.removeprefix("word"))
    found = [f"doc-x{place}" for place in range(limit)]
    return found if number % 11 == 10 else [*found[: number % 11], f"doc-{number}"]


@pytest.mark.parametrize("repeats", [1, 9])
@pytest.mark.parametrize("measure", ["RR@10", "nDCG@10", "P@5", "GMAP", "NumRelRet"])
def test_a_stored_headline_is_that_of_the_summary_to_the_last_bit(
    repeats: int, measure: str
) -> None:
    options = RunOptions(repeats=repeats, measures=(parse_measure(measure),))
    with closing(open_store()) as store:
        run = run_suite(small_suite(113), drift, options, store=store)
        mean = summarise(run).overall.means[run.measures[0]]
        assert store.entries()[0].headline == (mean if isinstance(mean, float) else None)


def test_an_unfinished_run_has_no_headline() -> None:
    with closing(open_store()) as store:
        store.begin(run_suite(small_suite(), right_first).header)
        assert store.entries()[0].headline is None


def test_an_older_store_gets_its_headlines_when_it_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with closing(open_store(path)) as store:
        runs = [run_suite(small_suite(), each, store=store) for each in (right_first, right_second)]
        expected = [headline(run) for run in runs]
    make_older(path)
    with closing(open_store(path)) as store:
        assert [each.headline for each in store.entries()] == expected == [1.0, 0.5]


def test_an_older_store_that_cannot_be_written_lists_its_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cranfield.errors import ReadOnlyStoreError
    from cranfield.runs import store as store_module

    path = tmp_path / "store.db"
    with closing(open_store(path)) as store:
        run = run_suite(small_suite(), right_second, store=store).header
    make_older(path)

    def refuse(*_: object) -> None:
        raise ReadOnlyStoreError("store.db")

    monkeypatch.setattr(store_module, "migrate", refuse)
    with closing(open_store(path)) as store:
        (entry,) = store.entries()
        assert (entry.id, entry.headline) == (run.id, None)
        assert audit_run(Run(store.header(run.id), store)) == []


def change(store_path: Path, statement: str) -> None:
    with closing(sqlite3.connect(store_path)) as database, database:
        database.execute(statement)


def test_an_audit_finds_a_headline_that_does_not_follow_from_the_answers(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with closing(open_store(path)) as store:
        run = run_suite(small_suite(), right_second, store=store)
        change(path, "UPDATE runs SET headline = 0.75")
        (finding,) = audit_run(run)
        assert (finding.figure, finding.stored, finding.computed) == ("headline", "0.75", "0.5")


@pytest.mark.parametrize(
    "statement",
    ["UPDATE runs SET headline = 'high'", "UPDATE runs SET state = 'done'", "DELETE FROM suites"],
)
def test_what_was_not_written_so_is_damage(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "store.db"
    with closing(open_store(path)) as store:
        run_suite(small_suite(), right_second, store=store)
    change(path, statement)
    with closing(open_store(path)) as store, pytest.raises(DamagedStoreError, match=r"store\.db"):
        store.entries()


def test_answers_that_are_replaced_take_the_headline_away_until_the_run_is_finished_again() -> None:
    with closing(open_store()) as store:
        run = run_suite(small_suite(), right_first, store=store)
        worse = run_suite(small_suite(), right_second)
        rows = [row for row in _rows(worse.store, worse.header.id, run.header.id) if row["place"]]
        store.add(run.header.id, rows, replacing=True)
        assert store.entries()[0].headline is None
        store.update(run.header)
        assert store.entries()[0].headline == headline(run) == 0.55


def _rows(store: Store, run: str, renamed: str) -> list[dict[str, object]]:
    from cranfield.runs.store_rows import answer_row

    return [answer_row(renamed, answer) for answer in store.answers(run)]
