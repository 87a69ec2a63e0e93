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

__all__ = [
    "answers",
    "claims",
    "is_current",
    "judged_contents",
    "judged_queries",
    "judgments",
    "metadata",
    "migrate",
    "model_answers",
    "preferences",
    "runs",
    "suites",
    "version",
]

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


judged_queries = Table(
    "judged_queries",
    metadata,
    Column("key", String, primary_key=True),  # a hash of what is below
    Column("text", Text, nullable=False),
    Column("language", String, nullable=False),
    Column("filters", Text, nullable=False),  # JSON
)

judged_contents = Table(
    "judged_contents",
    metadata,
    Column("hash", String, primary_key=True),
    Column("text", Text, nullable=False),
)

judgments = Table(
    "judgments",
    metadata,
    Column("number", Integer, primary_key=True),  # their order, whatever the clock says
    Column("query", String, ForeignKey("judged_queries.key"), nullable=False, index=True),
    Column("document", Text, nullable=False),
    Column("content", String, nullable=False),  # a hash; empty if only the id was known
    Column("source", String, nullable=False),
    Column("rater", String, nullable=False),
    Column("state", String, nullable=False),
    Column("grade", Integer),
    Column("given", String, nullable=False),
    Column("note", Text, nullable=False),
    Column("guideline", String, nullable=False),
    Column("suite", String, nullable=False),
    Column("query_id", String, nullable=False),
    Column("batch", String, nullable=False),  # given at once, and undone at once
)

preferences = Table(
    "preferences",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("query", String, ForeignKey("judged_queries.key"), nullable=False, index=True),
    Column("first_answer", String, nullable=False),  # hashes of two lists of hits
    Column("second_answer", String, nullable=False),
    Column("first_run", String, nullable=False),
    Column("second_run", String, nullable=False),
    Column("choice", String, nullable=False),
    Column("is_swapped", Integer, nullable=False),  # 1 if the second was shown on the left
    Column("rater", String, nullable=False),
    Column("given", String, nullable=False),
    Column("note", Text, nullable=False),
    Column("guideline", String, nullable=False),
    Column("suite", String, nullable=False),
    Column("query_id", String, nullable=False),
)

claims = Table(
    "claims",
    metadata,
    Column("query", String, primary_key=True),
    Column("item", String, primary_key=True),  # a content, or an id
    Column("rater", String, primary_key=True),
    Column("until", String, nullable=False),
)

model_answers = Table(
    "model_answers",
    metadata,
    Column("key", String, primary_key=True),  # a hash of model, prompt, query, content and options
    Column("rater", String, nullable=False, index=True),  # the model, and its prompt's version
    Column("prompt_digest", String, nullable=False),
    Column("query", String, nullable=False),
    Column("item", String, nullable=False),
    Column("answer", Text, nullable=False),
    Column("grade", Integer),  # null: unjudged
    Column("reason", Text, nullable=False),
    Column("input_tokens", Integer, nullable=False),
    Column("output_tokens", Integer, nullable=False),
    Column("given", String, nullable=False),
)


def _add_judgments(connection: Connection) -> None:
    added = (judged_queries, judged_contents, judgments, preferences, claims)
    metadata.create_all(connection, tables=list(added))


def _add_model_answers(connection: Connection) -> None:
    metadata.create_all(connection, tables=[model_answers])


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (_add_judgments, _add_model_answers)
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
    if not isinstance(found, int) or found < 1:
        raise ValueError(f"its version is {found!r}")
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
