"""The tables of the store, and its numbered migrations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import (
    Column,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    inspect,
    select,
    text,
)

from cranfield.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

__all__ = ["answers", "is_current", "migrate", "runs", "suites", "version"]

metadata = MetaData()

version = Table("store_version", metadata, Column("version", Integer, nullable=False))

suites = Table(
    "suites",
    metadata,
    Column("hash", String, primary_key=True),
    Column("content", Text, nullable=False),  # JSON: the suite, and its queries' hashes
)

runs = Table(
    "runs",
    metadata,
    Column("id", String, primary_key=True),
    Column("label", String, nullable=False, index=True),
    Column("suite", String, nullable=False, index=True),
    Column("suite_hash", String, ForeignKey("suites.hash"), nullable=False),
    Column("system", String, nullable=False, index=True),
    Column("state", String, nullable=False),
    Column("started", String, nullable=False),  # orders runs, also if the clock was set back
    Column("finished", String, nullable=False),
    Column("header", Text, nullable=False),  # JSON: the header without its suite
)

answers = Table(
    "answers",
    metadata,
    Column("run", String, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("repeat", Integer, primary_key=True),
    Column("status", String, nullable=False),
    Column("seconds", Float),
    Column("first_rank", Integer),
    Column("figures", Text, nullable=False),  # JSON: one number or null a measure
    Column("reasons", Text, nullable=False),  # JSON: why a figure is undefined, by column
    Column("response", LargeBinary, nullable=False),  # JSON: hits, route, flags, message, raw
)


MIGRATIONS: tuple[Callable[[Connection], None], ...] = ()
"""Step n brings a store from version n to n + 1, the first one from 1 to 2. Steps are added, never
changed. A new store gets the tables above and the newest version."""
_NEWEST = 1 + len(MIGRATIONS)


def is_current(connection: Connection, name: str) -> bool:
    """Return whether a store has all tables of the newest version; a new one has none yet.

    Refuses a store that is newer than this program, and a file that is no store.
    """
    tables = inspect(connection).get_table_names()
    if version.name not in tables:
        if tables and connection.dialect.name == "sqlite":
            raise StoreError(f"{name} is no store of runs: it has no table {version.name}")
        return False
    found = connection.execute(select(version.c.version)).scalar_one()
    if not isinstance(found, int):
        raise TypeError(f"its version is {found!r}")
    if found > _NEWEST:
        raise StoreError(
            f"{name} has the store version {found}, and this cranfield knows versions up to "
            f"{_NEWEST}; upgrade cranfield, or use another store"
        )
    return bool(found == _NEWEST)


def migrate(connection: Connection, name: str) -> None:
    """Make the tables of a new store, or bring an older one to the newest version."""
    if connection.dialect.name == "postgresql":
        # Others that open a new store at the same time wait here.
        connection.execute(text("SELECT pg_advisory_xact_lock(1967)"))
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
