"""The store on a real PostgreSQL server, which is started for these tests."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import inspect, text
from tests.runs.samples import right_first, small_suite

from cranfield.errors import StoreAwayError, StoreError
from cranfield.runs.regrading import audit_run, audit_store
from cranfield.runs.runner import run_suite
from cranfield.runs.store import open_store
from cranfield.runs.store_connection import repeated_while_away

if TYPE_CHECKING:
    from pathlib import Path

    from tests.databases import PostgresServer

    from cranfield.runs.store import Store

pytestmark = [pytest.mark.process, pytest.mark.server, pytest.mark.xdist_group("postgres")]

WRITER = """
import sys, time
from pathlib import Path
from tests.runs.samples import right_first, small_suite
from cranfield import open_store, run_suite
def search(text, limit):
    if not Path(sys.argv[2]).exists():
        time.sleep(0.05)
    return right_first(text, limit)
run_suite(small_suite(150), search, store=open_store(sys.argv[1]))
"""


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    return postgres.make_database("runs")


@pytest.mark.server
def test_runs_are_kept_and_read_again(url: str) -> None:
    store = open_store(url)
    run = run_suite(small_suite(3), right_first, store=store)
    values = run.outcomes().values
    store.close()
    again = open_store(url)
    assert again.header(run.header.id) == run.header
    assert (again.outcomes(run.header).values == values).all()
    assert audit_run(replace(run, store=again)) == []
    again.close()


def test_two_runs_share_a_suite_and_deleting_one_leaves_the_other(url: str) -> None:
    store = open_store(url)
    first = run_suite(small_suite(3), right_first, store=store)
    second = run_suite(small_suite(3), right_first, store=store)
    store.delete(first.header.id)
    assert first.header.id not in [header.id for header in store.headers()]
    assert list(store.answers(first.header.id)) == []
    assert second.outcomes().first_ranks == (1, 1, 1)
    store.close()


def test_eight_writers_outlast_a_restart_of_the_server_and_nothing_is_lost(
    postgres: PostgresServer, url: str, tmp_path: Path
) -> None:
    store = open_store(url)
    command = [sys.executable, "-c", WRITER, url, str(tmp_path / "hurry")]
    writers = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(8)]
    while [store.count_answers(run)[0] > 2 for run in store.run_ids()] != [True] * 8:
        assert not any(writer.poll() for writer in writers)
        time.sleep(0.1)
    postgres.stop()
    time.sleep(1.0)
    postgres.start()
    (tmp_path / "hurry").touch()
    said = [writer.communicate(timeout=120)[1] for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * 8, said
    assert all(" is away (" in each and " is back" in each for each in said), said
    assert [store.count_answers(run) for run in store.run_ids()] == [(150, 0)] * 8
    assert audit_store(store).passed
    store.close()


def test_what_was_committed_before_the_connection_was_lost_is_not_stored_twice(url: str) -> None:
    """The server is asked what became of the transaction that was being committed."""
    store = open_store(url)
    with store.changing() as connection:
        connection.execute(text("CREATE TABLE made (attempt integer)"))
    attempts: list[str] = []

    class Writer:
        def __init__(self) -> None:
            self.store = store

        @repeated_while_away
        def write(self, outcome: str) -> None:
            attempts.append(outcome)
            number = None
            with store.changing() as connection:
                number = connection.execute(text("SELECT pg_current_xact_id()::text")).scalar()
                connection.execute(text("INSERT INTO made VALUES (1)"))
                if outcome == "aborted" and len(attempts) == 1:
                    connection.rollback()
            if len(attempts) == 1:
                raise StoreAwayError(store.name, "lost", number)

    for outcome, expected in (("committed", 1), ("aborted", 2)):
        attempts.clear()
        Writer().write(outcome)
        assert len(attempts) == expected
        with store.changing() as connection:
            assert connection.execute(text("SELECT count(*) FROM made")).scalar() == 1
            connection.execute(text("DELETE FROM made"))
    store.close()


def test_a_server_that_stays_away_is_reported_after_the_patience(
    postgres: PostgresServer, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    store = open_store(url, patience=0.3)
    run = run_suite(small_suite(3), right_first, store=store)
    postgres.stop()
    try:
        with pytest.raises(StoreAwayError) as caught, caplog.at_level(logging.WARNING):
            store.update(run.header)
        with pytest.raises(StoreAwayError):
            store.headers()
    finally:
        postgres.start()
    assert "start the server, or name another store with --store" in str(caught.value)
    assert "waiting for it, 0.3 s at most" in caplog.text
    assert store.header(run.header.id) == run.header
    store.close()


def test_a_run_goes_on_when_the_server_is_back(postgres: PostgresServer, url: str) -> None:
    store = open_store(url)

    def start_later() -> None:
        time.sleep(0.5)
        postgres.start()

    restarted = threading.Thread(target=start_later)

    def stopping(text: str, limit: int) -> list[str]:
        if text == small_suite(20).queries[10].text:
            postgres.stop()
            restarted.start()
        return right_first(text, limit)

    run = run_suite(small_suite(20), stopping, store=store)
    restarted.join()
    assert store.count_answers(run.header.id) == (20, 0)
    store.close()


def test_an_older_store_is_migrated_once_by_many(url: str) -> None:
    store = open_store(url)
    run = run_suite(small_suite(3), right_first, store=store)
    with store.changing() as connection:
        for table in ("claims", "judgments", "preferences", "judged_contents", "judged_queries",
                      "model_answers"):  # fmt: skip
            connection.execute(text(f"DROP TABLE {table}"))
        connection.execute(text("ALTER TABLE runs DROP COLUMN headline"))
        connection.execute(text("UPDATE store_version SET version = 1"))
    store.close()
    opened: list[Store] = []
    threads = [threading.Thread(target=lambda: opened.append(open_store(url))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 6
    with opened[0].reading() as connection:
        assert {"judgments", "model_answers"} <= set(inspect(connection).get_table_names())
    assert opened[0].entries()[0].headline is not None
    assert opened[0].header(run.header.id) == run.header
    for each in opened:
        each.close()


def test_a_server_that_is_not_there_is_reported_without_the_password() -> None:
    with pytest.raises(StoreError) as caught:
        open_store("postgresql://me:secret@127.0.0.1:1/runs?sslpassword=hidden&password=hidden")
    assert "secret" not in str(caught.value)
    assert "hidden" not in str(caught.value)
    assert "postgresql://me:***@127.0.0.1:1/runs cannot be reached" in str(caught.value)
