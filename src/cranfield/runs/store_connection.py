"""Connections to a store: transactions, servers that go away, and errors in words."""

from __future__ import annotations

import logging
import sqlite3
import time
import weakref
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import bindparam, text
from sqlalchemy.exc import DBAPIError, IntegrityError, NoResultFound, OperationalError

from cranfield.errors import (
    DamagedStoreError,
    ReadOnlyStoreError,
    StoreAwayError,
    StoreError,
)
from cranfield.runs.store_places import connect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sqlalchemy import Connection, Table

    from cranfield.runs.store_places import StorePlace

__all__ = [
    "PATIENCE",
    "ConnectedStore",
    "explaining_errors",
    "insert_missing",
    "reading_rows",
    "repeat_while_away",
    "repeated_while_away",
]

_DAMAGE = (
    "SQLITE_CORRUPT",
    "SQLITE_ERROR",  # a table or a column is not there
    "SQLITE_FORMAT",
    "SQLITE_IOERR_SHORT_READ",
    "SQLITE_MISMATCH",
    "SQLITE_TOOBIG",
)
_UNREADABLE = (AttributeError, LookupError, MemoryError, OverflowError, TypeError, ValueError)
"""What decoding raises for content of another type, length or form."""
_AWAY = ("08", "57P0")
"""The beginnings of a server's codes for a lost connection, and for one that stops or starts."""
_READ_ONLY = "25006"
_FORBIDDEN = "42501"
_NO_TEXT = "Could not decode to UTF-8"


@contextmanager
def explaining_errors(name: str) -> Iterator[None]:
    """Turn errors of the database into messages that say what to do."""
    try:
        yield
    except IntegrityError:
        raise StoreError(
            f"another process wrote the same to {name} at the same time; run one at a time"
        ) from None
    except DBAPIError as problem:
        is_server = not isinstance(problem.orig, sqlite3.Error)
        raise (_explain_server if is_server else _explain)(name, problem) from None


def _explain_server(name: str, problem: DBAPIError) -> StoreError:
    """Explain what a database server, or the way to it, says."""
    code = getattr(problem.orig, "sqlstate", None)
    lines = [line.strip() for line in str(problem.orig).splitlines() if line.strip()]
    reason = lines[0] if lines else type(problem.orig).__name__
    is_unreached = code is None and isinstance(problem, OperationalError)
    if problem.connection_invalidated or is_unreached or (code or "").startswith(_AWAY):
        return StoreAwayError(name, reason)
    if code == _READ_ONLY:
        return ReadOnlyStoreError(name)
    if code == _FORBIDDEN:
        return StoreError(
            f"the store {name} cannot be used: {reason}; grant its user the right to create and "
            "change tables, or name another with --store"
        )
    return StoreError(f"the store {name} cannot be used: {reason}")


def _explain(name: str, problem: DBAPIError) -> StoreError:
    reason = str(problem.orig)
    code = getattr(problem.orig, "sqlite_errorname", "")
    if code == "SQLITE_NOTADB":
        return StoreError(
            f"{name} is not a store of runs, or its beginning was overwritten: {reason}; restore "
            "it from a copy, or name another with --store"
        )
    if code.startswith(_DAMAGE) or reason.startswith(_NO_TEXT):
        return DamagedStoreError(name, reason.partition(" with text ")[0])
    if code.startswith("SQLITE_READONLY"):
        return ReadOnlyStoreError(name)
    return StoreError(f"the store {name} cannot be used: {reason}")


@contextmanager
def reading_rows(name: str, what: str) -> Iterator[None]:
    """Report rows that are not as they were written; `what` names what they belong to."""
    try:
        yield
    except NoResultFound:
        raise DamagedStoreError(name, f"{what} is gone") from None
    except _UNREADABLE as problem:
        raise DamagedStoreError(name, f"{what} cannot be read: {problem}") from None


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
        # The dialect of the other kind of store would take as long to load as a list of runs.
        dialect = import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
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
