"""Connections to a PostgreSQL server that only read, each with a deadline, for any thread."""

from __future__ import annotations

import os
import socket
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from cranfield.errors import SystemUnusableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TypeAlias

    import psycopg

    _Connection: TypeAlias = psycopg.Connection[dict[str, Any]]

__all__ = ["Connections", "NoConnectionError", "describe_error"]

_CONNECT_SECONDS = 10
_GRACE_SECONDS = 2.0
"""How much later than the server we end a statement: the server says it better."""


class NoConnectionError(Exception):
    """The server cannot be reached, or is gone; the message names it and says what to do."""


class Connections:
    """Runs statements, each in a read-only transaction that is rolled back.

    The transaction cannot be made to write again, and the server ends a statement that reaches
    `timeout`. If the server itself is silent, the connection is cut a little later.
    """

    def __init__(self, dsn: str, timeout: float) -> None:
        self._settings = _read_dsn(dsn)
        self._timeout = timeout
        self._lock = threading.Lock()
        self._idle: list[_Connection] = []
        self._lent: set[_Connection] = set()
        self._is_closed = False
        self.address = _name_address(self._settings)

    def run(self, sql: str, values: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Run one statement and return its rows by column; TimeoutError if the server is silent.

        A connection that is found to be dead is replaced once: the server may have been restarted.
        """
        import psycopg

        is_new = self._idle == []
        try:
            with self._lend() as connection:
                return self._run(connection, sql, values)
        except psycopg.OperationalError as problem:
            if problem.sqlstate is not None and not problem.sqlstate.startswith(("08", "57P")):
                raise
            if is_new or self._is_closed:
                raise self._gone(problem) from None
        self._drop_idle()
        return self.run(sql, values)

    def close(self) -> None:
        """Close all connections; statements that are running end with an error."""
        with self._lock:
            self._is_closed = True
            lent = list(self._lent)
        for connection in lent:
            _cut(connection)
        self._drop_idle()

    def _run(
        self, connection: _Connection, sql: str, values: Mapping[str, Any]
    ) -> list[dict[str, Any]]:
        milliseconds = max(1, round(self._timeout * 1000))
        with _cutting_after(self._timeout + _GRACE_SECONDS, connection):
            # SET takes no snapshot: from the first query on, nothing can make this one write.
            connection.execute(f"BEGIN READ ONLY; SET LOCAL statement_timeout = {milliseconds}")
            try:
                return connection.execute(sql.encode(), values).fetchall()
            finally:
                with suppress(Exception):  # a lost connection has nothing to roll back
                    connection.execute("ROLLBACK")

    @contextmanager
    def _lend(self) -> Iterator[_Connection]:
        with self._lock:
            if self._is_closed:
                raise NoConnectionError("the system is closed")
            connection = self._idle.pop() if self._idle else None
        connection = connection or self._connect()
        with self._lock:
            self._lent.add(connection)
        try:
            yield connection
        finally:
            with self._lock:
                self._lent.discard(connection)
                is_kept = not (connection.closed or self._is_closed)
                if is_kept:
                    self._idle.append(connection)
            if not is_kept:
                connection.close()

    def _connect(self) -> _Connection:
        import psycopg
        from psycopg.rows import dict_row

        settings = {
            "application_name": "cranfield",
            "connect_timeout": max(2, min(_CONNECT_SECONDS, round(self._timeout))),
            **self._settings,
        }
        try:
            # Poolers in front of a server cannot keep prepared statements.
            return psycopg.Connection[dict[str, Any]].connect(
                **settings, autocommit=True, prepare_threshold=None, row_factory=dict_row
            )
        except psycopg.Error as problem:
            raise self._gone(problem) from None

    def _drop_idle(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _gone(self, problem: psycopg.Error) -> NoConnectionError:
        if self._is_closed:
            return NoConnectionError("the system was closed")
        lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
        reason = lines[0] if lines else type(problem).__name__
        return NoConnectionError(
            f"no connection to PostgreSQL at {self.address}: {reason}; start the server, or fix "
            "the environment variable that dsn names"
        )


def describe_error(problem: psycopg.Error) -> str:
    """Return what the server says about a statement, with its detail and its hint."""
    said = problem.diag
    parts = (said.message_primary or str(problem), said.message_detail, said.message_hint)
    return "; ".join(part.strip().rstrip(".") for part in parts if part)


@contextmanager
def _cutting_after(seconds: float, connection: _Connection) -> Iterator[None]:
    """Cut a connection that is still waited for after some seconds: a TimeoutError."""
    is_late = threading.Event()

    def cut() -> None:
        is_late.set()
        _cut(connection)

    watch = threading.Timer(seconds, cut)
    watch.daemon = True
    watch.start()
    try:
        yield
    except Exception:
        if is_late.is_set():
            raise TimeoutError from None
        raise
    finally:
        watch.cancel()


def _cut(connection: _Connection) -> None:
    """End a connection from another thread; whoever waits for it gets an error."""
    with suppress(OSError, ValueError), socket.socket(fileno=os.dup(connection.fileno())) as line:
        line.shutdown(socket.SHUT_RDWR)


def _read_dsn(dsn: str) -> dict[str, Any]:
    """Read a connection string; what is wrong with it is not repeated, as it has a password."""
    try:
        import psycopg
        from psycopg.conninfo import conninfo_to_dict
    except ImportError:
        raise SystemUnusableError(
            "the kind postgres needs the package psycopg; pip install 'cranfield[postgres]'"
        ) from None
    try:
        settings = {name: value for name, value in conninfo_to_dict(dsn).items() if value}
    except psycopg.ProgrammingError:
        settings = {}
    if not settings:
        raise SystemUnusableError(
            "the environment variable that dsn names holds no connection string; set it to one "
            "such as postgresql://user@host:5432/name"
        )
    return settings


def _name_address(settings: Mapping[str, Any]) -> str:
    """Name a server and its database, without a user or a password."""
    place = f"{settings.get('host', 'localhost')}:{settings.get('port', 5432)}"
    return f"{place}/{settings['dbname']}" if "dbname" in settings else place
