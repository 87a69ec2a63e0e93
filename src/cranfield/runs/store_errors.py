"""What a database's errors mean for a store: what is wrong with it, and what can be done."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy.exc import DBAPIError, IntegrityError, NoResultFound, OperationalError

from cranfield.errors import (
    DamagedStoreError,
    ReadOnlyStoreError,
    StoreAwayError,
    StoreError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["explaining_errors", "reading_rows"]

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
            f"{name} is no store of runs, or its beginning was overwritten: {reason}; restore it "
            "from a copy, or name another with --store"
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
