"""Is an index all right? What its files say when they are looked at closely."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, NamedTuple

from stacks.errors import IndexUnusableError
from stacks.query.database import Database, open_databases
from stacks.schema import SCHEMA_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Finding", "examine"]

MOST_EVENTS = 20


class Finding(NamedTuple):
    """Something that was looked at, and whether it is as it should be."""

    is_fine: bool
    message: str


def examine(path: Path) -> list[Finding]:
    """Look at every file of an index; an index that cannot be opened is a finding."""
    findings = [Finding(True, f"SQLite {sqlite3.sqlite_version}, index version {SCHEMA_VERSION}")]
    try:
        databases = open_databases(path)
    except IndexUnusableError as problem:
        return [*findings, Finding(False, str(problem))]
    for database in databases:
        findings += _examine(database)
        database.close()
    return findings


def _examine(database: Database) -> Iterator[Finding]:
    path = database.path
    try:
        result = database.value("PRAGMA quick_check(1)")
        yield Finding(result == "ok", f"{path}: {result}")
        indexed = database.value("SELECT count(*) FROM docs_fts_docsize")
        yield Finding(
            indexed == database.documents,
            f"{path}: {database.documents:,} documents, {indexed:,} in the text index",
        )
        yield from _tell_save(database)
    except IndexUnusableError as problem:
        yield Finding(False, str(problem))
    flight = path.with_name(f"{path.name}.in-flight")
    if flight.exists():
        yield Finding(True, f"{flight}: being saved, or left by a save that was killed; never read")


def _tell_save(database: Database) -> Iterator[Finding]:
    summary = json.loads(database.value("SELECT value FROM meta WHERE name = 'last_save'") or "{}")
    for event, count in summary.get("events", {}).items():
        if count:
            fine = event != "duplicate-c"
            yield Finding(fine, f"{database.path}: last save: {event} {count:,}")
    rows = database.rows(
        "SELECT event, source, page, message FROM audit ORDER BY id LIMIT ?", (MOST_EVENTS,)
    )
    for event, source, page, message in rows:
        yield Finding(event != "duplicate-c", f"  {event}: {source} {page} {message}")
