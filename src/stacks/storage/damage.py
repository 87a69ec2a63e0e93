"""Damage of an index: what of a file is not as it was saved, and how that is told."""

from __future__ import annotations

import functools
import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from cranfield_shared.files import sqlite_uri
from stacks.errors import IndexUnusableError
from stacks.schema import TEXT_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path
    from typing import Protocol

    from stacks.storage.database import Database

    class _Opened(Protocol):
        databases: list[Database]


__all__ = [
    "UNREADABLE",
    "explaining_damage",
    "find_corpora",
    "find_damage",
    "make_unusable",
    "reports_damage",
]

UNREADABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What reading raises for content of another type, length or form than was saved."""

_DAMAGE = ("SQLITE_CORRUPT", "SQLITE_ERROR", "SQLITE_FORMAT", "SQLITE_IOERR_SHORT_READ")
_MOST_FINDINGS = 20
_TABLES = """
SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE %'
AND sql NOT LIKE 'CREATE TABLE ''%' AND name NOT LIKE 'sqlite%' ORDER BY name
"""
_TYPES = {
    "TEXT": ("text",),
    "INTEGER": ("integer",),
    "REAL": ("real", "integer"),
    "BLOB": ("blob",),
}
_LAWS = {
    "documents whose facts are no JSON": """
        SELECT count(*) FROM docs_structured
        WHERE NOT json_valid(coalesce(nullif(facts, ''), '{}'))
        OR NOT json_valid(coalesce(nullif(platforms, ''), '{}'))""",
    "facts of the index that are no JSON": """
        SELECT count(*) FROM meta
        WHERE name IN ('embedder_identity', 'last_save') AND NOT json_valid(value)""",
    "lengths of other documents than there are": """
        SELECT count(*) FROM text_lengths
        WHERE length(ids) <> 8 * (SELECT count(*) FROM docs_fts_docsize)
        OR length(words) <> 4 * (SELECT count(*) FROM docs_fts_docsize)""",
    "vectors of another length than the first": """
        SELECT count(*) FROM vectors
        WHERE length(vector) <> (SELECT length(vector) FROM vectors LIMIT 1)""",
}

_Self = TypeVar("_Self", bound="_Opened")
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def make_unusable(path: Path, problem: sqlite3.Error) -> IndexUnusableError:
    """Make the error of a file that SQLite cannot read."""
    code = getattr(problem, "sqlite_errorname", "")
    if code == "SQLITE_NOTADB":
        return IndexUnusableError(f"{path} is no index ({problem}); make one with stacks save")
    if code.startswith(_DAMAGE) or str(problem).startswith("Could not decode"):
        return _make_damaged(path, str(problem).partition(" with text ")[0])
    return IndexUnusableError(f"{path} cannot be read ({problem})")


def _make_damaged(path: Path, reason: str) -> IndexUnusableError:
    return IndexUnusableError(
        f"{path} is damaged ({reason}), and was left as it is; stacks doctor says more, and "
        "stacks save with the same --from makes it again"
    )


@contextmanager
def explaining_damage(databases: Sequence[Database]) -> Iterator[None]:
    """Tell a file that is damaged from a defect of the program, which stays what it is."""
    try:
        yield
    except UNREADABLE as problem:
        for database in databases:
            if found := find_damage(database):
                raise _make_damaged(database.path, found[0]) from problem
        raise


def reports_damage(
    method: Callable[Concatenate[_Self, _Arguments], _Result],
) -> Callable[Concatenate[_Self, _Arguments], _Result]:
    """Have a method of an open index report damage of its files."""

    @functools.wraps(method)
    def call(self: _Self, /, *given: _Arguments.args, **named: _Arguments.kwargs) -> _Result:
        with explaining_damage(self.databases):
            return method(self, *given, **named)

    return call


def find_damage(database: Database) -> list[str]:
    """Check a file: its structure, the type of every value, and what values must fulfil."""
    try:
        checked = database.rows(f"PRAGMA quick_check({_MOST_FINDINGS})")
        found = [line for (line,) in checked if line != "ok"]
        return found or [*_find_mistyped(database), *_find_unlawful(database)]
    except IndexUnusableError as problem:
        return [str(problem.__cause__ or problem)]


def _find_mistyped(database: Database) -> Iterator[str]:
    for (table,) in database.rows(_TABLES):
        columns = database.rows(f"PRAGMA table_info({table})")
        typed = [(name, kind) for _, name, kind, *_ in columns if kind in _TYPES]
        wrong = " OR ".join(_write_condition(name, kind) for name, kind in typed) or "0"
        count = database.value(f"SELECT count(*) FROM {table} WHERE {wrong}")  # noqa: S608 - its own names
        if count:
            yield f"{count:,} rows of {table} have a value of another type"


def _write_condition(name: str, kind: str) -> str:
    """Write the condition that a column has a value of another type than it is declared with."""
    allowed = ", ".join(f"'{each}'" for each in ("null", *_TYPES[kind]))
    return f'typeof("{name}") NOT IN ({allowed})'


def _find_unlawful(database: Database) -> Iterator[str]:
    for what, sql in _LAWS.items():
        if count := database.value(sql):
            yield f"{count:,} {what}"
    if count := _count_broken_lists(database):
        yield f"{count:,} posting lists that are none of this index"


def _count_broken_lists(database: Database) -> int:
    # numpy is loaded only if it is needed.
    from stacks.postings import PostingList

    def is_sound(column: int, stored: bytes) -> bool:
        try:
            return 0 <= column < len(TEXT_COLUMNS) and PostingList.unpack(stored).fits(documents)
        except ValueError:
            return False

    documents = database.value("SELECT count(*) FROM docs_fts_docsize")
    rows = database.rows('SELECT "column", postings FROM term_postings')
    return sum(not is_sound(*row) for row in rows)


def find_corpora(path: Path) -> list[str]:
    """Find what a file was made from, as `--from` takes it, as far as it can be read."""
    try:
        with closing(sqlite3.connect(sqlite_uri(path), uri=True)) as connection:
            return _write_corpora(connection.execute("SELECT DISTINCT source, location FROM pages"))
    except sqlite3.Error:
        return []


def _write_corpora(rows: Iterable[tuple[object, object]]) -> list[str]:
    return [f"{source}={location}" for source, location in rows]
