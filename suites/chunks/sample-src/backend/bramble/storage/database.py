"""SQLite, one connection a thread, and transactions that are either whole or nothing."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import contextmanager
from typing import Any, Iterator

from bramble.errors import Conflict, Unavailable


class Database:
    def __init__(self, path: str) -> None:
        self.path = path
        self._local = threading.local()

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection of this thread, opened on first use."""
        opened = getattr(self._local, "connection", None)
        if opened is None:
            opened = sqlite3.connect(self.path, isolation_level=None, timeout=5)
            opened.row_factory = sqlite3.Row
            opened.execute("PRAGMA journal_mode = WAL")
            opened.execute("PRAGMA foreign_keys = ON")
            self._local.connection = opened
        return opened

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Take the write lock at once, so that what was read is still true when it is written."""
        try:
            self.connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as problem:
            raise Unavailable("the database is busy") from problem
        try:
            yield self.connection
        except sqlite3.IntegrityError as problem:
            self.connection.execute("ROLLBACK")
            raise Conflict("another change came first", cause=str(problem)) from problem
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    def one(self, sql: str, *values: Any) -> sqlite3.Row | None:
        return self.connection.execute(sql, values).fetchone()

    def many(self, sql: str, *values: Any) -> list[sqlite3.Row]:
        return self.connection.execute(sql, values).fetchall()

    def scalar(self, sql: str, *values: Any) -> Any:
        row = self.one(sql, *values)
        return None if row is None else row[0]
