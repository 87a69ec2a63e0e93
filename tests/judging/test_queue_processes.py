"""Judging from several processes, and processes that are killed: nothing is lost."""

from __future__ import annotations

import multiprocessing
import os
import signal
from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.judging.samples import listed_run, unjudged_suite

from cranfield.judging.judging_round import RoundOptions, choose_runs, open_round
from cranfield.judgments import JudgedItem, JudgmentStore
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from pathlib import Path

pytestmark = pytest.mark.process
PROCESSES = multiprocessing.get_context("fork")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A store with a run of 50 queries with 10 hits each."""
    suite = unjudged_suite(50)
    hits = {query.text: [f"{query.id}-{number}" for number in range(10)] for query in suite.queries}
    store = open_store(tmp_path / "store.db")
    listed_run(suite, hits, store)
    store.close()
    return tmp_path / "store.db"


def answer(place: Path, rater: str, told: Connection | None = None, most: int = 500) -> None:
    """Judge what the queue hands out, and say so after each answer."""
    store = open_store(place)
    queue = open_round(choose_runs(store), store, RoundOptions()).queue
    for _ in range(most):
        shown = queue.next(rater)
        if shown is None:
            break
        item = JudgedItem(shown.query.key, shown.hit.item)
        queue.judge(rater, item, len(shown.hit.document) % 2)
        if told is not None:
            told.send(item)
    store.close()


def test_an_answer_that_was_given_is_there_whenever_the_process_is_killed(place: Path) -> None:
    random = Random(500)  # noqa: S311 - seeded on purpose
    given: set[JudgedItem] = set()
    while len(given) < 500:
        reading, writing = PROCESSES.Pipe(duplex=False)
        process = PROCESSES.Process(target=answer, args=(place, "ann", writing))
        process.start()
        writing.close()
        try:
            for _ in range(random.randint(1, 80)):
                given.add(reading.recv())
        except EOFError:
            pass
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        store = open_store(place)
        stored = {JudgedItem(each.query, each.item) for each in JudgmentStore(store).judgments()}
        store.close()
        assert given <= stored
        given = stored
    assert len(given) == 500


def test_twenty_writers_at_once_lose_nothing_and_judge_nothing_twice(place: Path) -> None:
    writers = [
        PROCESSES.Process(target=answer, args=(place, f"rater {number}"), kwargs={"most": 10})
        for number in range(20)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0] * 20
    store = open_store(place)
    stored = JudgmentStore(store).judgments()
    store.close()
    assert len(stored) == 200
    assert len({(each.query, each.item) for each in stored}) == 200
