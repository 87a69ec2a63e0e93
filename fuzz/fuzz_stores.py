"""Damaged stores of runs and judgments: read or refused with a message, and left as they are."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from functools import cache
from typing import TYPE_CHECKING

from cranfield.comparisons import compare
from cranfield.errors import CranfieldError
from cranfield.judging.pool import make_pool
from cranfield.judging.queue import JudgingQueue
from cranfield.judgments import (
    JudgedBy,
    Judgment,
    JudgmentState,
    JudgmentStore,
    Preference,
    PreferredAnswer,
    judge_run,
    query_key,
)
from cranfield.model import Query, Suite
from cranfield.runs.regrading import audit_store
from cranfield.runs.runner import Run, run_suite
from cranfield.runs.store import open_store
from cranfield.runs.transfer import import_runs, open_copy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

    from cranfield.runs.store import Store

_QUERIES = tuple(
    Query(f"q{n}", f"word {n}", expect={"ids": f"d{n}"}, filters={"n": str(n)}) for n in range(6)
)
_VALUES: tuple[object, ...] = (
    *(None, "", "x", "²", "[", "{}", "[]", "null", "[0.5, ", '{"n": 7}', '{"n": {"m": []}}'),
    *(0, -1, 2**62, 1.5, b"", b"\xff\xfe", b"{}", b"[]", "9" * 400, "x" * 100_000),
)


def attack(random: Random, folder: Path) -> None:
    """Damage a store, in its bytes or in its values, and read everything that is in it."""
    path = folder / "store.db"
    # A new file each time: what was opened before must not be what is damaged now.
    for each in folder.glob("store.db*"):
        each.unlink()
    path.write_bytes(_make_store(folder))
    if random.random() < 0.5:
        path.write_bytes(_damage(random, path.read_bytes()))
    else:
        for _ in range(random.randint(1, 3)):
            _change_value(random, path)
    before = path.read_bytes()
    for read in _READERS:
        with suppress(CranfieldError), closing(open_store(path)) as store:
            read(store)
    with suppress(CranfieldError), open_copy(str(path)) as copy:
        import_runs(open_store(folder / "other.db"), copy)
    for each in folder.glob("other.db*"):
        each.unlink()
    if path.read_bytes() != before:
        raise AssertionError("reading changed the store")
    if left := {each.name for each in folder.iterdir()} - {path.name}:
        raise AssertionError(f"left behind: {sorted(left)}")


def _damage(random: Random, content: bytes) -> bytes:
    place, size = random.randrange(len(content)), random.choice((1, 4, 64, 1024, 4096))
    rest = content[place + size :]
    return content[:place] + random.choice((random.randbytes(size) + rest, bytes(size) + rest, b""))


def _change_value(random: Random, path: Path) -> None:
    """Put another value into one field, or into that of all rows; a constraint may refuse it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        tables = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        names = {name for (name,) in tables} - {
            "store_version"
        }  # an older store is brought up to date
        table = random.choice(sorted(names))
        columns = [row[1] for row in database.execute(f'PRAGMA table_info("{table}")')]
        row = random.choice(("TRUE", "rowid = 1", "rowid = 2"))
        with suppress(sqlite3.Error):
            database.execute(
                f'UPDATE "{table}" SET "{random.choice(columns)}" = ? WHERE {row}',  # noqa: S608 - our own names
                [random.choice(_VALUES)],
            )


def _read_runs(store: Store) -> list[Run]:
    runs = [Run(header, store) for header in store.headers()]
    for run in runs:
        list(store.answers(run.header.id))
        store.outcomes(run.header)
    return runs


def _audit(store: Store) -> None:
    audit_store(store)


def _compare(store: Store) -> None:
    for run in (runs := _read_runs(store)):
        compare(runs[0], run)


def _read_judgments(store: Store) -> None:
    judged = JudgmentStore(store)
    judged.judgments()
    judged.count()


def _read_judged(store: Store) -> None:
    judged = JudgmentStore(store)
    judged.queries()
    judged.text("c0")


def _read_preferences(store: Store) -> None:
    JudgmentStore(store).preferences()


def _judge_runs(store: Store) -> None:
    for run in _read_runs(store):
        judge_run(run, store, JudgedBy(), "left out")


def _queue(store: Store) -> None:
    JudgingQueue(make_pool(_read_runs(store)), JudgmentStore(store)).progress()


_READERS: tuple[Callable[[Store], object], ...] = (
    *(_read_runs, _audit, _compare, _read_judgments, _read_judged, _read_preferences),
    *(_judge_runs, _queue),
)


@cache
def _make_store(folder: Path) -> bytes:
    path = folder / "whole.db"
    with closing(open_store(path)) as store:
        suite = Suite("s", "canonical", _QUERIES)
        for first in ("d", "e"):
            run_suite(suite, _search(first), store=store)
        judged = JudgmentStore(store)
        for number, query in enumerate(_QUERIES[:3]):
            state = JudgmentState.GRADED if number else JudgmentState.UNRATEABLE
            given = Judgment(
                query_key(query), f"d{number}", "me", number or None, f"c{number}", state=state
            )
            judged.add([given], [query], {f"c{number}": f"text {number}"})
            choice = PreferredAnswer.FIRST
            judged.add_preference(Preference(query_key(query), "a", "b", choice, "me"), query)
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = path.read_bytes()
    for each in folder.glob("whole.db*"):
        each.unlink()
    return content


def _search(first: str) -> Callable[[str, int, Query], list[dict[str, str]]]:
    def search(text: str, limit: int, query: Query) -> list[dict[str, str]]:
        number = query.filters["n"]
        return [{"id": f"{first}{number}", "text": text}, {"id": "d9"}][:limit]

    return search
