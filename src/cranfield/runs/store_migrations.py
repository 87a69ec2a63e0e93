"""The numbered migrations of the store: how an older one is brought to the newest version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import inspect, select, text

from cranfield.errors import StoreError
from cranfield.runs.records import RunState
from cranfield.runs.run_entries import store_headline
from cranfield.runs.store_schema import metadata, runs, version

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sqlalchemy import Connection

__all__ = ["find_missing_tables", "is_current", "migrate"]


def _add_judgments(connection: Connection) -> None:
    added = ("judged_queries", "judged_contents", "judgments", "preferences", "claims")
    _create(connection, added)


def _add_model_answers(connection: Connection) -> None:
    _create(connection, ["model_answers"])


def _create(connection: Connection, names: Iterable[str]) -> None:
    metadata.create_all(connection, tables=[metadata.tables[name] for name in names])


def _add_headlines(connection: Connection) -> None:
    """Store the headline of every finished run."""
    connection.execute(text("ALTER TABLE runs ADD COLUMN headline FLOAT"))
    finished = select(runs.c.id, runs.c.header).where(runs.c.state != RunState.RUNNING)
    for run, header in connection.execute(finished).all():
        store_headline(connection, run, header)


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (
    _add_judgments,
    _add_model_answers,
    _add_headlines,
)
"""Step n brings a store from version n to n + 1, the first one from 1 to 2. Steps are added, never
changed. A new store gets all tables and the newest version."""
_NEWEST = 1 + len(MIGRATIONS)


def is_current(connection: Connection, name: str) -> bool:
    """Return whether a store has all tables of the newest version; a new one has none yet.

    Refuses a store that is newer than this program, and a file that is not a store.
    """
    tables = inspect(connection).get_table_names()
    if version.name not in tables:
        if tables and connection.dialect.name == "sqlite":
            raise StoreError(f"{name} is not a store of runs: it has no table {version.name}")
        return False
    found = connection.execute(select(version.c.version)).scalar_one()
    if not isinstance(found, int) or found < 1:
        raise ValueError(f"its version is {found!r}")
    if found > _NEWEST:
        raise StoreError(
            f"{name} has the store version {found}, and this cranfield knows versions up to "
            f"{_NEWEST}; upgrade cranfield, or use another store"
        )
    return bool(found == _NEWEST)


def find_missing_tables(connection: Connection) -> frozenset[str]:
    """Return the tables that a store of an older version lacks."""
    return frozenset(metadata.tables) - frozenset(inspect(connection).get_table_names())


def migrate(connection: Connection, name: str) -> None:
    """Make the tables of a new store, or bring an older one to the newest version."""
    # Whoever was here before has done it: others that open a new store at the same time waited.
    if is_current(connection, name):
        return
    if not inspect(connection).has_table(version.name):
        metadata.create_all(connection)
        connection.execute(version.insert().values(version=_NEWEST))
        return
    found = connection.execute(select(version.c.version)).scalar_one()
    for step in MIGRATIONS[found - 1 :]:
        step(connection)
    connection.execute(version.update().values(version=_NEWEST))
