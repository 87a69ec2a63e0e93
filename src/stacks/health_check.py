"""Checks the files of an index, for `stacks doctor`."""

from __future__ import annotations

import json
import shlex
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from cranfield_shared.files import sqlite_uri
from stacks.errors import IndexUnusableError
from stacks.schema import DATABASES, FTS_TABLES, LATEST_SCHEMA
from stacks.storage import UNREADABLE, Database, find_corpora, find_damage, find_files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["HealthFinding", "examine"]


_FAULTS = ("duplicate-c", "reader-failed")
"""Events of a save that a sound corpus and sound readers do not have."""


class HealthFinding(NamedTuple):
    """Something that was checked, and whether it is as it should be."""

    is_fine: bool
    message: str


def examine(path: Path, most_events: int | None = None) -> list[HealthFinding]:
    """Check every file of an index; one that cannot be opened is a finding.

    `most_events` is how many events of its last save are reported for each file; None means all.
    """
    findings = [
        HealthFinding(True, f"SQLite {sqlite3.sqlite_version}, index version {LATEST_SCHEMA}")
    ]
    try:
        files = find_files(path)
    except IndexUnusableError as problem:
        files = []
        findings.append(HealthFinding(False, str(problem)))
    for file in files:
        findings += _examine(file, most_events)
    return [*findings, *_find_leftovers(path)]


def _examine(path: Path, most_events: int | None) -> Iterator[HealthFinding]:
    """Check one file; if it is damaged, say how it is made again."""
    damage: list[str] = []
    try:
        with closing(Database(path)) as database:
            damage = find_damage(database)
            for line in damage or ["ok"]:
                yield HealthFinding(not damage, f"{path}: {line}")
            indexed = database.value("SELECT count(*) FROM docs_fts_docsize")
            yield HealthFinding(
                indexed == database.documents,
                f"{path}: {database.documents:,} documents, {indexed:,} in the text index",
            )
            yield from _scan_text_indexes(path)
            yield from _report_save(database, most_events)
    except IndexUnusableError as problem:
        damage = [str(problem)]
        yield HealthFinding(False, str(problem))
    except UNREADABLE as problem:
        damage = [str(problem)]
        yield HealthFinding(False, f"{path}: its last save cannot be read ({problem})")
    if damage and (corpora := find_corpora(path)):
        named = " ".join(f"--from {shlex.quote(each)}" for each in corpora)
        yield HealthFinding(False, f"{path}: make it again with stacks save {named}")


def _scan_text_indexes(path: Path) -> Iterator[HealthFinding]:
    """Read every entry of every text index, which no other check of a read-only file does."""
    total = 0
    uri = sqlite_uri(path)
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        for table in FTS_TABLES:
            try:
                total += _count_words(connection, table)
            except sqlite3.Error as problem:
                message = f"{path}: {table} is broken ({problem}); save the index again"
                yield HealthFinding(False, message)
    yield HealthFinding(True, f"{path}: {total:,} words in the text indexes")


def _count_words(connection: sqlite3.Connection, table: str) -> int:
    """Count all words, and rank by one of them, which reads the averages of the table."""
    words = f"temp.words_of_{table}"
    connection.execute(f"CREATE VIRTUAL TABLE {words} USING fts5vocab(main, {table}, row)")
    counted = f"SELECT count(cnt) FROM {words}"  # noqa: S608 - a fixed name
    shortest = f"SELECT term FROM {words} ORDER BY length(term), term LIMIT 1"  # noqa: S608 - so
    ranked = f"SELECT bm25({table}) FROM {table} WHERE {table} MATCH ?"  # noqa: S608 - so
    (count,) = connection.execute(counted).fetchone()
    for (term,) in connection.execute(shortest):
        connection.execute(ranked, (f'"{term}"',)).fetchone()
    return int(count)


def _find_leftovers(path: Path) -> Iterator[HealthFinding]:
    """Report files that are being built, or were when their save was killed."""
    try:
        files = [path / f"{name}.db" for name in DATABASES] if path.is_dir() else [path]
        suffixes = ("in-flight", "embedding")
        flights = [file.with_name(f"{file.name}.{suffix}") for file in files for suffix in suffixes]
        found = [flight for flight in flights if flight.exists()]
    except (OSError, ValueError):
        return
    for flight in found:
        yield HealthFinding(
            True, f"{flight}: being saved, or left by a save that was killed; never read"
        )


def _report_save(database: Database, most_events: int | None) -> Iterator[HealthFinding]:
    summary = json.loads(database.value("SELECT value FROM meta WHERE name = 'last_save'") or "{}")
    for event, count in summary.get("events", {}).items():
        if count:
            yield HealthFinding(
                event not in _FAULTS, f"{database.path}: last save: {event} {count:,}"
            )
    rows = database.rows("SELECT event, source, page, message FROM audit ORDER BY id")
    for event, source, page, message in rows[:most_events]:
        yield HealthFinding(event not in _FAULTS, f"  {event}: {source} {page} {message}")
    if most_events is not None and len(rows) > most_events:
        yield HealthFinding(True, f"  … and {len(rows) - most_events:,} more: stacks doctor --all")
