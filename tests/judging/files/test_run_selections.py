"""Runs beside scored chunks: what each selected, so precision, recall and F1 follow in SQL."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from tests.judging.samples import listed_run, questions

from cranfield.errors import CranfieldError
from cranfield.judging.files.judgment_export import ExportOptions, export_judgments
from cranfield.judgments import Judgment, JudgmentStore, query_key
from cranfield.model import Hit, JudgingSettings, Suite
from cranfield.relevance import hash_content
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.runs.store import Store

F1 = """
WITH counts AS (
  SELECT runId, questionId,
    sum(RunScores.score) AS selected,
    sum(RunScores.score * coalesce(Scores.score, 0)) AS right,
    (SELECT sum(score) FROM Scores AS all_scores
      WHERE all_scores.questionId = RunScores.questionId) AS wanted
  FROM RunScores LEFT JOIN Scores USING (questionId, chunkHash)
  GROUP BY runId, questionId
)
SELECT runId, questionId, 1.0 * right / selected, 1.0 * right / wanted FROM counts
"""


def hit(name: str, score: float | None = None) -> Hit:
    return Hit(name, score, text=f"def {name}(): ...")


@pytest.fixture
def store() -> Store:
    """Two questions and five chunks: everything is judged for q0, three chunks for q1."""
    made = open_store()
    suite = Suite("code", "unjudged", questions(2), judging=JudgingSettings(highest=1))
    listed_run(
        suite,
        {
            "question 0": [hit("a", 4.0), hit("b", 2.0), hit("e", 1.0)],
            "question 1": [hit("a", -1.0), hit("unseen", 2.0)],
        },
        made,
    )
    listed_run(suite, {"question 0": [hit("c")], "question 1": [hit("a"), hit("d")]}, made)
    wanted = {("q0", "a"), ("q0", "c"), ("q0", "d"), ("q1", "b")}
    given = [
        Judgment(
            query_key(query), name, "ann", grade=int((query.id, name) in wanted),
            content=hash_content(hit(name)), suite="code", query_id=query.id,
        )
        for query in suite.queries
        for name in ("abcde" if query.id == "q0" else "abc")
    ]  # fmt: skip
    JudgmentStore(made).add(given, suite.queries)
    return made


def export(store: Store, folder: Path, *runs: str) -> tuple[dict[str, list[Any]], tuple[str, ...]]:
    path = folder / "evals.db"
    done = export_judgments(store, path, ExportOptions(runs=runs))
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        tables = {
            name: database.execute(f"SELECT * FROM {name}").fetchall()  # noqa: S608 - our own names
            for name in ("Runs", "RunScores")
        }
        return {**tables, "F1": database.execute(F1).fetchall()}, done.notes


def test_each_run_says_of_every_scored_chunk_whether_it_selected_it(
    store: Store, tmp_path: Path
) -> None:
    first, second = (each.id for each in store.entries())
    tables, notes = export(store, tmp_path, first, second)
    assert [row[:2] for row in tables["Runs"]] == [
        (first, f"Listed ({first})"),
        (second, f"Listed ({second})"),
    ]
    names = {hash_content(hit(name)): name for name in "abcde"}
    rows = {
        (run, question, names[chunk]): (score, relevance)
        for run, question, chunk, score, relevance in tables["RunScores"]
    }
    assert {key[2]: value for key, value in rows.items() if key[:2] == (first, "q0")} == {
        "a": (1, 1.0),
        "b": (1, 0.5),
        "c": (0, None),
        "d": (0, None),
        "e": (1, 0.25),
    }
    # Scores below 0 leave no share; d was judged for the other question only.
    assert {key[2]: value for key, value in rows.items() if key[:2] == (second, "q1")} == {
        "a": (1, None),
        "b": (0, None),
        "c": (0, None),
        "d": (1, None),
    }
    assert rows[first, "q1", "a"] == (1, None)
    assert notes == ("1 unjudged hit for any question is left out",)


def test_precision_and_recall_follow_from_the_tables(store: Store, tmp_path: Path) -> None:
    first, second = (each.id for each in store.entries())
    tables, _ = export(store, tmp_path, first, second)
    found = {row[:2]: (row[2], row[3]) for row in tables["F1"]}
    assert found == {
        (first, "q0"): (pytest.approx(1 / 3), pytest.approx(1 / 3)),
        (first, "q1"): (0.0, 0.0),
        (second, "q0"): (1.0, pytest.approx(1 / 3)),
        (second, "q1"): (0.0, 0.0),
    }


def test_without_runs_the_tables_stay_empty(store: Store, tmp_path: Path) -> None:
    tables, notes = export(store, tmp_path)
    assert (tables["Runs"], tables["RunScores"], notes) == ([], [], ())


def test_a_format_that_holds_no_runs_refuses_them(store: Store, tmp_path: Path) -> None:
    with pytest.raises(CranfieldError, match=r"csv holds judgments and no runs; leave out --run"):
        export_judgments(store, tmp_path / "out.csv", ExportOptions(runs=("latest",)))
    assert not (tmp_path / "out.csv").exists()


def test_a_run_of_other_queries_is_refused(store: Store, tmp_path: Path) -> None:
    other = listed_run(Suite("other", "unjudged", questions(9)[5:]), {}, store)
    with pytest.raises(CranfieldError, match="asks none of the queries that are exported"):
        export(store, tmp_path, other.header.id)
