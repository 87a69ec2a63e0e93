"""Connections to a file: threads read at the same time, and all read the same file."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.stacks.serve.corpus import DOCUMENTS, save_documents

from stacks import storage as module
from stacks.errors import IndexUnusableError
from stacks.storage import Database

if TYPE_CHECKING:
    from pathlib import Path

NEWER = (*DOCUMENTS, replace(DOCUMENTS[0], uri="docs://shapes/new", title="Newcomer"))
COUNT = "SELECT count(*) FROM docs_metadata"


def test_as_many_threads_read_at_a_time_as_there_are_connections(tmp_path: Path) -> None:
    meeting = threading.Barrier(3)
    with closing(Database(save_documents(tmp_path) / "search.db", 3)) as database:
        for connection in database._connections:
            connection.create_function("meet", 0, lambda: meeting.wait(60))
        with ThreadPoolExecutor(3) as pool:
            met = list(pool.map(database.value, ["SELECT meet()"] * 3))
    assert sorted(met) == [0, 1, 2]


def test_more_threads_than_connections_take_turns(tmp_path: Path) -> None:
    with (
        closing(Database(save_documents(tmp_path) / "search.db", 2)) as database,
        ThreadPoolExecutor(16) as pool,
    ):
        assert set(pool.map(database.value, [COUNT] * 200)) == {len(DOCUMENTS)}


def test_a_file_replaced_while_it_is_opened_is_never_mixed_with_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save_documents(tmp_path) / "search.db"
    connect, opened = module._connect, []

    def connect_then_save(path: Path, count: int) -> sqlite3.Connection:
        opened.append(connect(path, count))
        if len(opened) == 1:
            save_documents(tmp_path, NEWER)
        return opened[-1]

    monkeypatch.setattr(module, "_connect", connect_then_save)
    with closing(Database(path, 2)) as database:
        counts = {each.execute(COUNT).fetchone()[0] for each in database._connections}
    assert counts == {len(NEWER)}
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].execute(COUNT)


def test_a_file_that_is_replaced_all_the_time_is_an_error_not_a_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save_documents(tmp_path) / "search.db"
    names = iter(range(1000))
    monkeypatch.setattr(module, "_identify", lambda _: (0, next(names)))
    with pytest.raises(IndexUnusableError, match="is being replaced again and again"):
        Database(path, 2)


def test_a_closed_file_is_an_error_in_every_thread(tmp_path: Path) -> None:
    database = Database(save_documents(tmp_path) / "search.db", 2)
    database.close()
    database.close()
    for _ in range(3):
        with pytest.raises(IndexUnusableError, match="closed"):
            database.value(COUNT)
