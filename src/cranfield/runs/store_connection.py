"""Transactions of a store, and what becomes of them if a database server goes away.

A server may be restarted in the middle of a run. A transaction that was lost is repeated when the
server is back; if it was lost while it was being committed, the server is asked first whether it
was. Nothing is stored twice, and nothing that was reported as stored is lost.
"""

from __future__ import annotations

import logging
import time
import weakref
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import bindparam, text
from sqlalchemy.dialects import postgresql, sqlite

from cranfield.errors import StoreAwayError
from cranfield.runs.store_errors import explaining_errors, reading_rows
from cranfield.runs.store_places import connect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sqlalchemy import Connection, Table

    from cranfield.runs.store_places import StorePlace

__all__ = [
    "PATIENCE",
    "ConnectedStore",
    "insert_missing",
    "repeat_while_away",
    "repeated_while_away",
]

PATIENCE = 60.0
"""How many seconds a server that was there is waited for."""
_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 2.0
_LOCK = 1967
"""The advisory lock that writers of a PostgreSQL store take in turn."""
_BEGIN = text("SELECT pg_current_xact_id()::text")
_BEGIN_ALONE = text("SELECT pg_current_xact_id()::text, pg_advisory_xact_lock(:lock)")
_STATUS = text("SELECT pg_xact_status(CAST(:number AS xid8))").bindparams(bindparam("number"))

_logger = logging.getLogger("cranfield.store")

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Owner = TypeVar("Owner")


class ConnectedStore:
    """The database of a store. A server that was there is waited for, `patience` seconds."""

    def __init__(self, place: StorePlace, patience: float = PATIENCE) -> None:
        self.name = place.name
        self._patience = patience
        self._was_there = False
        self._engine = connect(place)
        # A command ends without closing its store; a server sees that its clients have left.
        weakref.finalize(self, self._engine.dispose)

    @property
    def _is_server(self) -> bool:
        return self._engine.dialect.name == "postgresql"

    def close(self) -> None:
        """Close the database."""
        self._engine.dispose()

    @contextmanager
    def changing(self, *, alone: bool = True) -> Iterator[Connection]:
        """Open a transaction that writes; it waits for other writers before it reads anything.

        On a server, writers that do not depend on each other need not be `alone`.
        """
        number = ending = None
        try:
            with explaining_errors(self.name), self._engine.connect() as connection:
                connection.execution_options(writes=True)
                with connection.begin():
                    if self._is_server:
                        begin = _BEGIN_ALONE.bindparams(lock=_LOCK) if alone else _BEGIN
                        number = str(connection.execute(begin).first()[0])  # type: ignore[index]
                    yield connection
                    ending = number
        except StoreAwayError as problem:
            raise StoreAwayError(self.name, problem.reason, ending) from None

    @contextmanager
    def reading(self, what: str = "the list of runs") -> Iterator[Connection]:
        """Open a connection to read rows, which belong to what is named."""
        with (
            explaining_errors(self.name),
            reading_rows(self.name, what),
            self._connect() as connection,
        ):
            yield connection

    def _connect(self) -> Connection:
        """Open a connection; wait for a server that was there."""
        while True:
            try:
                with explaining_errors(self.name):
                    connection = self._engine.connect()
            except StoreAwayError as problem:
                self.wait_for_return(problem)
            else:
                self._was_there = True
                return connection

    def wait_for_return(self, problem: StoreAwayError) -> bool:
        """Wait for a server that went away; return whether it has committed what was lost."""
        if not (self._was_there and self._patience):
            raise problem
        end = time.monotonic() + self._patience
        pause = _FIRST_PAUSE
        _logger.warning(
            "%s is away (%s); waiting for it, %g s at most",
            self.name, problem.reason, self._patience,
        )  # fmt: skip
        while True:
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
            try:
                status = self._ask_status(problem.transaction)
            except StoreAwayError as still:
                if time.monotonic() > end:
                    raise StoreAwayError(self.name, still.reason) from None
            else:
                if status != "in progress":
                    _logger.warning("%s is back", self.name)
                    return status == "committed"

    def _ask_status(self, transaction: str | None) -> str:
        with explaining_errors(self.name), self._engine.connect() as connection:
            if transaction is None:
                connection.execute(text("SELECT 1"))
                return "aborted"
            return str(connection.execute(_STATUS, {"number": transaction}).scalar())


def insert_missing(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows whose keys are not there yet; another process may be inserting the same."""
    if rows:
        dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
        connection.execute(dialect.insert(table).on_conflict_do_nothing(), list(rows))


def repeat_while_away(store: ConnectedStore, work: Callable[[], Result]) -> Result:
    """Do something that may be done twice, again if the server went away meanwhile."""
    while True:
        try:
            return work()
        except StoreAwayError as problem:
            store.wait_for_return(problem)


def repeated_while_away(
    method: Callable[Concatenate[Owner, Parameters], None],
) -> Callable[Concatenate[Owner, Parameters], None]:
    """Have a method, which is one transaction, done once even if the server goes away meanwhile.

    The method is that of a store, or of something with a `store`.
    """

    @wraps(method)
    def repeated(owner: Owner, /, *values: Parameters.args, **named: Parameters.kwargs) -> None:
        store: Any = getattr(owner, "store", owner)
        while True:
            try:
                return method(owner, *values, **named)
            except StoreAwayError as problem:
                if store.wait_for_return(problem):
                    return None

    return repeated
