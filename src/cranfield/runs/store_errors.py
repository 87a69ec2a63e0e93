"""What a database's errors mean for a store: what is wrong with it, and what can be done."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy.exc import DBAPIError, IntegrityError, NoResultFound

from cranfield.errors import DamagedStoreError, ReadOnlyStoreError, StoreError

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
        raise _explain(name, problem) from None


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
