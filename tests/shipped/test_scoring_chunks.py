"""The chunks are scored again from nothing, and the tool exports what is shipped."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from tests.shipped.projects import SUITES, load_script

from cranfield.judging.files.judgment_export import ExportOptions, export_judgments
from cranfield.judging.files.judgment_import import ImportOptions, KnownQueries, import_judgments
from cranfield.judging.pool import make_pool
from cranfield.judging.queue import JudgingQueue
from cranfield.judging.queue_options import QueueFilter, QueueOptions
from cranfield.judgments import JudgedItem, JudgmentStore
from cranfield.runs.runner import RunOptions, run_suite
from cranfield.runs.store import open_store
from cranfield.suites import load_suite
from cranfield.systems import load_systems, open_system

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.model import Suite
    from cranfield.runs.runner import Run
    from cranfield.runs.store import Store

pytestmark = pytest.mark.corpus

CHUNKS = SUITES / "chunks"
SHIPPED = CHUNKS / "evals.db"


def run_every(store: Store) -> Run:
    """Find every chunk for every question, without looking at any score."""
    spec = load_systems(CHUNKS / "scoring.toml")["every"]
    system = open_system(spec, {})
    return run_suite(
        load_suite(CHUNKS / "questions.csv"), system, RunOptions(limit=400), spec=spec, store=store
    )


def read_table(path: Path, table: str) -> list[tuple[object, ...]]:
    columns = "questionId, chunkHash, score" if table == "Scores" else "*"
    with closing(sqlite3.connect(path)) as database:
        return sorted(database.execute(f"SELECT {columns} FROM {table}"), key=repr)  # noqa: S608


def test_scoring_from_nothing_exports_the_shipped_scores(tmp_path: Path) -> None:
    answers: dict[str, dict[str, int]] = {
        query.text: query.expect["chunks"] for query in load_suite(SHIPPED).queries
    }
    store = open_store()
    pool = make_pool([run_every(store)], 400)
    assert len(pool) == 24 * 400
    for asked in pool.queries.values():
        chosen = QueueFilter(query=asked.query.text)
        queue = JudgingQueue(pool, JudgmentStore(store), QueueOptions(chosen=chosen))
        for hit in asked.hits:
            queue.judge(
                "ann", JudgedItem(hit.query, hit.item), answers[asked.query.text][hit.content]
            )
    path = tmp_path / "evals.db"
    assert export_judgments(store, path).count == 9600
    for table in ("Chunks", "Blobs", "Hashes", "Documents", "Questions", "Scores"):
        assert read_table(path, table) == read_table(SHIPPED, table), table
    assert [row[0::2] for row in read_table(path, "Files")] == [
        row[0::2] for row in read_table(SHIPPED, "Files")
    ]
    first, second = (figures(load_suite(each)) for each in (SHIPPED, path))
    assert first == second
    assert len(first) == 24


def figures(suite: Suite) -> list[list[float | None]]:
    """The values of a system that selects the first eight chunks of the code."""
    every = open_system(load_systems(CHUNKS / "scoring.toml")["every"], {})
    outcomes = run_suite(suite, every, RunOptions(limit=8)).outcomes()
    return [outcomes.figures(place) for place in range(len(suite.queries))]


def test_a_rater_gets_the_chunks_of_a_question_one_by_one(tmp_path: Path) -> None:
    store = open_store(tmp_path / "store.db")
    pool = make_pool([run_every(store)], 400)
    needed = {
        chunk for chunk, score in load_suite(SHIPPED).queries[0].expect["chunks"].items() if score
    }
    options = QueueOptions(chosen=QueueFilter(query="may not borrow", document="*circulation*"))
    queue = JudgingQueue(pool, JudgmentStore(store), options)
    while (shown := queue.next("ann")) is not None:
        item = JudgedItem(shown.hit.query, shown.hit.item)
        queue.judge("ann", item, int(shown.hit.content in needed))
    assert queue.progress("ann").left == 0
    export_judgments(store, tmp_path / "evals.db")
    (query,) = load_suite(tmp_path / "evals.db").queries
    found = {chunk for chunk, score in query.expect["chunks"].items() if score}
    assert found
    assert found == needed & set(query.expect["chunks"])


def test_the_shipped_scores_imported_and_exported_are_the_same(tmp_path: Path) -> None:
    store = open_store()
    run_every(store)
    options = ImportOptions(rater="author")
    done = import_judgments(SHIPPED, store, KnownQueries([]), options)
    assert (len(done.added), done.duplicates, done.unknown) == (9600, 0, {})
    again = import_judgments(SHIPPED, store, KnownQueries([]), options)
    assert (len(again.added), again.duplicates) == (0, 9600)
    export_judgments(store, tmp_path / "again.db", ExportOptions())
    for table in ("Blobs", "Hashes", "Documents", "Questions", "Scores"):
        assert len(read_table(tmp_path / "again.db", table)) == len(read_table(SHIPPED, table))
    assert read_table(tmp_path / "again.db", "Scores") == read_table(SHIPPED, "Scores")


def test_the_list_of_questions_is_that_of_the_answers() -> None:
    script = load_script(CHUNKS / "build_scores.py")
    answered = script.read_questions(script.QUESTIONS).questions
    asked = load_suite(CHUNKS / "questions.csv").queries
    assert [(each.id, each.text) for each in asked] == [
        (each.id, each.question) for each in answered
    ]
