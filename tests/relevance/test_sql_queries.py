"""SQL of a suite reads and does nothing else, and no query takes more than its limits."""

from __future__ import annotations

import resource
import sqlite3
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from cranfield.errors import ExpectationError
from cranfield.model import Query
from cranfield.relevance import RuleContext, keep_reader, open_read_only, read_expectation
from cranfield.relevance.sql_queries import SqlLimits, query_ids

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process


def endless(rest: str) -> str:
    return f"WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) {rest}"  # noqa: S608 - ours


LONG_STEP = "SELECT instr(hex(zeroblob(1000000)), hex(zeroblob(400000)) || '1')"
"""A single step of SQLite, which nothing inside it interrupts."""
REMEDY = "add a condition, or list the answers with ids = […]"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "in" / "index.db"
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as opened, opened:
        opened.execute("CREATE TABLE symbols (uri, is_async)")
        opened.execute("INSERT INTO symbols VALUES ('docs://a', 1), ('docs://b', 0), (NULL, 0)")
        opened.execute("CREATE VIEW asynchronous AS SELECT uri FROM symbols WHERE is_async")
        opened.execute("CREATE VIRTUAL TABLE pages USING fts5(uri, body)")
        opened.execute("CREATE VIRTUAL TABLE boxes USING rtree(id, low, high)")
        opened.execute("INSERT INTO boxes VALUES (7, 1, 2)")
        opened.execute("INSERT INTO pages VALUES ('docs://a', 'sea and sky'), ('docs://b', 'sea')")
    return path


@pytest.mark.parametrize(
    ("statement", "action"),
    [
        ("VACUUM INTO '{folder}/copy.db'", "ATTACH {folder}/copy.db"),
        ("ATTACH '{folder}/new.db' AS more", "ATTACH {folder}/new.db"),
        ("PRAGMA journal_mode = DELETE", "PRAGMA journal_mode"),
        ("PRAGMA temp_store_directory = '{folder}'", "PRAGMA temp_store_directory"),
        ("CREATE TEMP TABLE more (x)", "INSERT sqlite_temp_master"),
        ("PRAGMA page_size = 512", "PRAGMA page_size"),
        ("BEGIN EXCLUSIVE", "TRANSACTION BEGIN"),
        ("SELECT load_extension('{folder}/evil.so')", "FUNCTION load_extension"),
    ],
)
def test_whatever_does_more_than_read_is_refused_by_name(
    database: Path, tmp_path: Path, statement: str, action: str
) -> None:
    before = database.read_bytes()
    sql = statement.format(folder=tmp_path)
    with pytest.raises(ExpectationError) as refused:
        read_expectation(Query("q7", "text", {"sql": sql}), RuleContext(database=database))
    assert str(refused.value) == (
        f"query 'q7': sql: {database} does not answer {sql!r}: a rule may only read, not "
        f"{action.format(folder=tmp_path)}; write one SELECT"
    )
    assert sorted(tmp_path.rglob("*")) == [tmp_path / "in", database]
    assert database.read_bytes() == before


@pytest.mark.parametrize(
    ("statement", "limits", "message"),
    [
        (
            endless("SELECT max(x) FROM n"),
            SqlLimits(steps=1_000_000),
            f"it took more than 1,000,000 steps of SQLite; {REMEDY}",
        ),
        (
            endless("SELECT x FROM n ORDER BY randomblob(10000)"),
            SqlLimits(memory_mb=40),
            f"it needs more than 40 MB of memory; {REMEDY}",
        ),
        (
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION SELECT x + 1 FROM n) SELECT max(x) FROM n",
            SqlLimits(memory_mb=40),
            f"it needs more than 40 MB of memory; {REMEDY}",
        ),
        (
            "SELECT zeroblob(900000000)",
            SqlLimits(memory_mb=40),
            f"it needs more than 40 MB of memory; {REMEDY}",
        ),
        (
            endless("SELECT x FROM n"),
            SqlLimits(ids=1000),
            f"it names more than 1,000 ids; {REMEDY}",
        ),
        (
            endless("SELECT hex(zeroblob(100000)) || x FROM n"),
            SqlLimits(ids_mb=2),
            f"its ids take more than 2 MB; {REMEDY}",
        ),
        (
            LONG_STEP,
            SqlLimits(seconds=1),
            f"it took more than 1 s; {REMEDY}",
        ),
        ("DELETE FROM symbols", SqlLimits(), "attempt to write a readonly database"),
        (
            "INSERT INTO symbols VALUES ('x', 1) RETURNING uri",
            SqlLimits(),
            "attempt to write a readonly database",
        ),
        ("DROP TABLE symbols", SqlLimits(), "a rule may only read, not DROP TABLE symbols"),
        ("SELECT uri FROM symbols", SqlLimits(), "row 3 has NULL for an id; leave such rows out"),
        ("SELECT 1; SELECT 2", SqlLimits(), "You can only execute one statement at a time."),
        ("-- nothing", SqlLimits(), "it is not a query; write one SELECT"),
        ("SELECT '\ud800'", SqlLimits(), "surrogates not allowed"),
        ("SELECT \0", SqlLimits(), "null character"),
    ],
)
def test_a_query_beyond_a_limit_is_refused_with_the_limit_and_a_remedy(
    database: Path, statement: str, limits: SqlLimits, message: str
) -> None:
    with pytest.raises(ExpectationError) as refused:
        query_ids(database, statement, limits)
    assert message in str(refused.value)


def test_the_memory_of_a_query_is_not_ours(database: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ExpectationError, match="more than 200 MB of memory"):
        query_ids(
            database,
            endless("SELECT x FROM n ORDER BY randomblob(1000000)"),
            SqlLimits(memory_mb=200),
        )
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000


def test_one_process_answers_all_queries_and_another_follows_one_that_was_killed(
    database: Path,
) -> None:
    with keep_reader():
        assert query_ids(database, "SELECT uri FROM asynchronous") == ["docs://a"]
        with pytest.raises(ExpectationError, match="more than 1 s"):
            query_ids(
                database,
                LONG_STEP,
                SqlLimits(seconds=1),
            )
        assert query_ids(database, "SELECT 'it’s'") == ["it’s"]
        assert query_ids(database, "SELECT 1.5 UNION SELECT 2") == ["1.5", "2"]


def test_full_text_search_views_and_descriptions_of_tables_can_be_read(database: Path) -> None:
    words = "SELECT uri FROM pages WHERE pages MATCH 'sky' ORDER BY bm25(pages)"
    assert query_ids(database, words) == ["docs://a"]
    assert query_ids(database, "SELECT id FROM boxes WHERE low > 0") == ["7"]
    assert query_ids(database, """SELECT value FROM json_each('["a"]')""") == ["a"]
    columns = "SELECT name FROM pragma_table_info('symbols')"
    assert query_ids(database, columns) == ["uri", "is_async"]


def test_threads_have_processes_of_their_own(database: Path) -> None:
    found: list[list[str]] = []

    def ask() -> None:
        found.append(query_ids(database, "SELECT uri FROM asynchronous"))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [["docs://a"]] * 3


def test_our_own_queries_can_only_read_as_well(database: Path, tmp_path: Path) -> None:
    with closing(open_read_only(database)) as opened:
        assert len(opened.execute("SELECT * FROM symbols").fetchall()) == 3
        with pytest.raises(sqlite3.DatabaseError, match="not authorized"):
            opened.execute(f"ATTACH '{tmp_path}/new.db' AS more")
