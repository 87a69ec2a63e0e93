"""Steps from an empty file to the tables of today; steps are only ever added at the end."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from bramble.storage.database import Database

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Step:
    number: int
    name: str
    sql: str


STEPS = (
    Step(
        1,
        "titles, copies and members",
        """
        CREATE TABLE titles (id INTEGER PRIMARY KEY, isbn TEXT UNIQUE, name TEXT NOT NULL,
            author TEXT, year INTEGER, subjects TEXT DEFAULT '');
        CREATE TABLE copies (barcode TEXT PRIMARY KEY, title INTEGER REFERENCES titles(id),
            branch TEXT, state TEXT NOT NULL DEFAULT 'shelf');
        CREATE TABLE members (card TEXT PRIMARY KEY, name TEXT, mail TEXT, born TEXT,
            kind TEXT NOT NULL, valid_until TEXT NOT NULL, pin TEXT, blocked TEXT);
        """,
    ),
    Step(
        2,
        "loans; a copy is out at most once",
        """
        CREATE TABLE loans (id INTEGER PRIMARY KEY, copy TEXT REFERENCES copies(barcode),
            member TEXT REFERENCES members(card), taken TEXT, due TEXT, returned TEXT,
            renewals INTEGER NOT NULL DEFAULT 0);
        CREATE UNIQUE INDEX one_open_loan ON loans(copy) WHERE returned IS NULL;
        """,
    ),
    Step(
        3,
        "reservations and money",
        """
        CREATE TABLE reservations (id INTEGER PRIMARY KEY, title INTEGER, member TEXT,
            placed TEXT, copy TEXT, held_until TEXT, UNIQUE (title, member));
        CREATE TABLE entries (id INTEGER PRIMARY KEY, member TEXT, cents INTEGER NOT NULL,
            reason TEXT, loan INTEGER, clerk TEXT, at TEXT);
        """,
    ),
    Step(
        4,
        "letters on their way, and when jobs ran",
        """
        CREATE TABLE outbox (id INTEGER PRIMARY KEY, receiver TEXT, subject TEXT, body TEXT,
            tries INTEGER NOT NULL DEFAULT 0, not_before TEXT, state TEXT DEFAULT 'waiting');
        CREATE TABLE job_runs (job TEXT PRIMARY KEY, last_run TEXT, outcome TEXT);
        """,
    ),
)


def installed_version(database: Database) -> int:
    return int(database.scalar("PRAGMA user_version"))


def upgrade(database: Database) -> int:
    """Run the steps that this file has not seen; return how many there were."""
    version = installed_version(database)
    if version > STEPS[-1].number:
        raise RuntimeError(f"{database.path} was written by a newer Bramble (step {version})")
    missing = [step for step in STEPS if step.number > version]
    for step in missing:
        log.info("step %d: %s", step.number, step.name)
        with database.transaction() as connection:
            for statement in filter(str.strip, step.sql.split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {step.number}")
    return len(missing)
