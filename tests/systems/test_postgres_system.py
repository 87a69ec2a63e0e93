"""Searches in SQL on a real PostgreSQL server: full text, pgvector, filters, limits, failures."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from cranfield.errors import CranfieldError, SystemUnusableError
from cranfield.model import Status
from cranfield.systems.presets import SQL_PRESETS
from tests.cli.projects import cranfield
from tests.systems.helpers import ask, opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from cranfield.model import Response
    from cranfield.systems import System
    from tests.databases import PostgresServer

pytestmark = [pytest.mark.process, pytest.mark.server, pytest.mark.xdist_group("postgres")]

PAGES = [
    ("dogs", "Dogs", "Dogs bark at cats.", "pet", 3.5),
    ("cats", "Cats", "Cats sleep all day.", "pet", 1.25),
    ("fish", "Fish", "Fish swim in the river.", "wild", 2.0),
]
FILTERED = """
SELECT id, title, kind, ts_rank_cd(to_tsvector('english', title || ' ' || body), asked) AS score
FROM documents, websearch_to_tsquery('english', %(query)s) AS asked
WHERE to_tsvector('english', title || ' ' || body) @@ asked
AND (%(filters.kind)s::text IS NULL OR kind = %(filters.kind)s)
ORDER BY score DESC, id LIMIT %(k)s
"""


@pytest.fixture(scope="module")
def url(postgres: PostgresServer) -> Iterator[str]:
    """Make a database of three pages with vectors."""
    import psycopg

    import stacks

    texts = [f"{title}. {body}" for _, title, body, *_ in PAGES]
    vectors = stacks.open_embedder("wordllama").embed_documents(texts)
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS documents")
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        connection.execute(
            "CREATE TABLE documents (id text PRIMARY KEY, title text, body text, kind text,"
            " price numeric, embedding vector(256))"
        )
        for page, vector in zip(PAGES, vectors, strict=True):
            values = (*page, str(vector.tolist()))
            connection.execute("INSERT INTO documents VALUES (%s, %s, %s, %s, %s, %s)", values)
    yield postgres.url
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute("DROP TABLE documents")


def database(url: str, folder: Path, sql: str, **settings: Any) -> AbstractContextManager[System]:
    return opened("postgres", folder, {"DATABASE_URL": url}, sql=sql, **settings)


def ids(response: Response) -> list[str]:
    assert not response.status.is_failure, response.message
    return [hit.id for hit in response.hits]


@pytest.mark.parametrize(
    ("preset", "settings", "query", "expected"),
    [
        ("fulltext", {}, "cats", ["cats", "dogs"]),
        ("fulltext", {}, 'stray "quotes (and] cats', []),
        ("vector", {"embedder": "wordllama"}, "kittens nap", ["cats", "dogs", "fish"]),
        ("hybrid", {"embedder": "wordllama"}, "swim", ["fish"]),
    ],
)
def test_a_preset_finds_the_pages(
    url: str, tmp_path: Path, preset: str, settings: dict[str, str], query: str, expected: list[str]
) -> None:
    with database(url, tmp_path, SQL_PRESETS.get(preset), **settings) as system:
        system.check()
        found = system.search(ask(query), 10)
    assert ids(found)[: len(expected) or None] == expected
    assert all(hit.score is not None for hit in found.hits)


def test_the_scores_of_fused_places_are_numbers(url: str, tmp_path: Path) -> None:
    """PostgreSQL adds fractions as decimals: 1/61 + 1/61 for the first of both lists."""
    with database(url, tmp_path, SQL_PRESETS.get("hybrid"), embedder="wordllama") as system:
        best, *_ = system.search(ask("fish"), 10).hits
    assert best.id == "fish"
    assert best.score == pytest.approx(2 / 61)


def test_no_more_hits_than_asked_for_and_their_columns_are_fields(url: str, tmp_path: Path) -> None:
    sql = "SELECT id, price, now() AS at, body FROM documents WHERE %(query)s <> '' LIMIT %(k)s"
    with database(url, tmp_path, sql, score="price", text="body") as system:
        [hit] = system.search(ask(), 1).hits
    assert (hit.id, hit.score, hit.text) == ("dogs", 3.5, "Dogs bark at cats.")
    assert isinstance(hit.fields["at"], str)


def test_a_filter_is_bound_and_none_is_null(url: str, tmp_path: Path) -> None:
    with database(url, tmp_path, FILTERED) as system:
        pets = ask("fish or cats", filters={"kind": "pet"})
        assert system.check_queries([pets]) == []
        assert ids(system.search(pets, 10)) == ["cats", "dogs"]
        assert ids(system.search(ask("fish or cats"), 10)) == ["cats", "fish", "dogs"]
        sly = ask("cats", filters={"kind": "pet' OR 'a' = 'a"})
        assert ids(system.search(sly, 10)) == []


def test_a_filter_that_the_statement_does_not_have_is_refused(url: str, tmp_path: Path) -> None:
    with database(url, tmp_path, FILTERED) as system, pytest.raises(SystemUnusableError) as refused:
        system.check_queries([ask(filters={"kinds": "pet"})])
    assert (
        "the suite has the filters kinds (of q1), and sql has no %(filters.kinds)s (it has "
        "%(filters.kind)s: is that the one?): every query would be searched without it; write "
        "(%(filters.kinds)s::text IS NULL OR kinds = %(filters.kinds)s) into its WHERE, or list"
    ) in str(refused.value)


@pytest.mark.parametrize(
    "write",
    [
        "DELETE FROM documents WHERE id = %(query)s AND %(k)s > 0 RETURNING id",
        "WITH a AS (DELETE FROM documents RETURNING id) SELECT id, %(query)s FROM a LIMIT %(k)s",
        "SELECT set_config('transaction_read_only', 'off', true) AS id, %(query)s, %(k)s",
    ],
)
def test_nothing_is_written(url: str, tmp_path: Path, write: str) -> None:
    import psycopg

    with database(url, tmp_path, write) as system:
        response = system.search(ask("dogs"), 10)
    assert response.status is Status.ERROR
    assert "PostgreSQL: " in response.message
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM documents").fetchone() == (3,)


def test_a_write_is_explained(url: str, tmp_path: Path) -> None:
    write = "DELETE FROM documents WHERE id = %(query)s AND %(k)s > 0 RETURNING id"
    with database(url, tmp_path, write) as system:
        message = system.search(ask("dogs"), 10).message
    assert message == (
        "PostgreSQL: cannot execute DELETE in a read-only transaction; sql is run in a read-only "
        "transaction; write a search that only reads"
    )


def test_a_second_statement_is_refused(url: str, tmp_path: Path) -> None:
    two = "SELECT id FROM documents WHERE id = %(query)s LIMIT %(k)s; COMMIT; DELETE FROM documents"
    with database(url, tmp_path, two) as system, pytest.raises(SystemUnusableError) as refused:
        system.check()
    assert "cannot insert multiple commands into a prepared statement" in str(refused.value)


def test_a_slow_statement_is_ended_by_the_server(url: str, tmp_path: Path) -> None:
    slow = "SELECT id FROM documents, pg_sleep(60) WHERE %(query)s <> '' LIMIT %(k)s"
    with database(url, tmp_path, slow, timeout=2) as system:
        response = system.search(ask(), 10)
        assert (response.status, response.message) == (Status.TIMEOUT, "no answer within 2 s")
        assert ids(system.search(ask(""), 10)) == []  # the connection can be used again


def test_a_silent_server_is_not_waited_for(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection is cut by us if the server does not end the statement."""
    monkeypatch.setattr("cranfield.systems.postgres_connections._GRACE_SECONDS", -59.8)
    slow = "SELECT id FROM documents, pg_sleep(60) WHERE %(query)s <> '' LIMIT %(k)s"
    with database(url, tmp_path, slow, timeout=60) as system:
        response = system.search(ask(), 10)
    assert (response.status, response.message) == (Status.TIMEOUT, "no answer within 60 s")


def test_closing_ends_a_search_that_is_running(url: str, tmp_path: Path) -> None:
    slow = "SELECT id FROM documents, pg_sleep(60) WHERE %(query)s <> '' LIMIT %(k)s"
    found: list[Response] = []
    with database(url, tmp_path, slow) as system:
        searching = threading.Thread(target=lambda: found.append(system.search(ask(), 1)))
        searching.start()
        while not system.system._connections._lent:  # type: ignore[attr-defined]
            time.sleep(0.01)
        time.sleep(0.1)
        system.close()
        searching.join(timeout=60)
    assert [each.message for each in found] == ["the system was closed"]


def test_many_threads_search_at_once(url: str, tmp_path: Path) -> None:
    with database(url, tmp_path, SQL_PRESETS.get("fulltext")) as system:
        found: list[list[str]] = []
        threads = [
            threading.Thread(target=lambda: found.append(ids(system.search(ask("cats"), 10))))
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [["cats", "dogs"]] * 8


def test_a_restarted_server_is_found_again(
    postgres: PostgresServer, url: str, tmp_path: Path
) -> None:
    with database(url, tmp_path, SQL_PRESETS.get("fulltext")) as system:
        assert ids(system.search(ask("cats"), 10)) == ["cats", "dogs"]
        postgres.stop()
        try:
            away = system.search(ask("cats"), 10)
        finally:
            postgres.start()
        assert away.status is Status.ERROR
        assert "no connection to PostgreSQL at " in away.message
        assert "start the server, or fix the environment variable that dsn names" in away.message
        assert ids(system.search(ask("cats"), 10)) == ["cats", "dogs"]
        assert ids(system.search(ask("cats"), 10)) == ["cats", "dogs"]


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT nme FROM documents", 'column "nme" does not exist'),
        (
            "SELECT id FROM document",
            'relation "document" does not exist; fix the name in sql, or the database in dsn',
        ),
        ("SELECT id FRM documents", "syntax error at or near"),
        (
            "SELECT id FROM documents WHERE %(filters.kind)s IS NULL",
            "parameter $1; say of which type it is, such as %(filters.kind)s::text",
        ),
    ],
)
def test_wrong_sql_is_reported_before_the_first_query(
    url: str, tmp_path: Path, sql: str, message: str
) -> None:
    whole = f"SELECT * FROM ({sql}) AS found WHERE %(query)s <> '' LIMIT %(k)s"  # noqa: S608 - fixed
    with database(url, tmp_path, whole) as system, pytest.raises(SystemUnusableError) as refused:
        system.check()
    assert "system 'mine': sql cannot be run: " in str(refused.value)
    assert message in str(refused.value)


def test_rows_without_an_id_name_their_columns(url: str, tmp_path: Path) -> None:
    sql = "SELECT title AS page_id FROM documents WHERE %(query)s <> '' LIMIT %(k)s"
    with database(url, tmp_path, sql) as system:
        response = system.search(ask(), 10)
    assert response.status is Status.UNPARSEABLE
    assert 'it has page_id; set id to the path of the id, such as id = "page_id"' in (
        response.message
    )


SQL = "SELECT id FROM documents WHERE body ILIKE %(query)s LIMIT %(k)s"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"sql": "SELECT 1 LIMIT %(k)s"}, "sql has no %(query)s; put it where the text"),
        ({"sql": "SELECT %(query)s"}, "sql has no %(k)s, the number of hits; end it with LIMIT"),
        ({"sql": SQL + " %(qury)s"}, "nothing fills %(qury)s; did you mean %(query)s? there are"),
        (
            {"sql": SQL + " LIKE 'a%'"},
            'line 1: "%\'" is not a parameter; name it, such as %(query)s',
        ),
        ({"sql": SQL + "\nLIKE %s"}, "line 2: '%s' is not a parameter"),
        ({"sql": SQL + " %(vector)s"}, "no embedder makes it; name the model that made the vect"),
        ({"sql": SQL, "embedder": "wordllama"}, "embedder makes %(vector)s, which sql does not"),
        ({"sql": SQL, "dsn": "postgresql://u:hidden@h/d"}, 'variable and write dsn = "${NAME}"'),
        ({"sql": SQL, "dsn": "host=h password=hidden"}, 'write dsn = "${DATABASE_URL}"'),
        ({"sql": SQL, "pattern": "a"}, "pattern has no effect on the kind postgres: its hits are"),
    ],
    ids=str,
)
def test_wrong_settings_are_refused(tmp_path: Path, settings: dict[str, str], message: str) -> None:
    with pytest.raises(CranfieldError) as refused, opened("postgres", tmp_path, **settings):
        pass
    assert message in str(refused.value)
    assert "hidden" not in str(refused.value)


@pytest.mark.parametrize(
    ("dsn", "message"),
    [
        (None, "dsn needs the environment variable DATABASE_URL, which is not set; set it"),
        ("", "holds no connection string; set it to one such as postgresql://user@host:5432/name"),
        ("hunter2-and-no-dsn", "holds no connection string"),
        ("postgresql://me:hunter2@127.0.0.1:1/docs", "no connection to PostgreSQL at 127.0.0.1:1"),
    ],
)
def test_a_wrong_connection_string_is_reported_without_the_password(
    tmp_path: Path, dsn: str | None, message: str
) -> None:
    environment = {} if dsn is None else {"DATABASE_URL": dsn}
    with (
        pytest.raises(SystemUnusableError) as refused,
        opened("postgres", tmp_path, environment, sql=SQL) as system,
    ):
        system.check()
    assert message in str(refused.value)
    assert "hunter2" not in str(refused.value)


def test_init_writes_a_search_that_runs(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    made = cranfield(
        tmp_path, "init", "--sql", "fulltext", "--set", "dsn=${DATABASE_URL}",
        "--query", "cats", "--expect", "cats",
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    assert "2 hits" in made.stdout
    config = (tmp_path / "cranfield.toml").read_text()
    assert "# How queries are sent. %(query)s is bound for each query" in config
    assert "\nORDER BY score DESC, id\nLIMIT %(k)s\n'''\ndsn = \"${DATABASE_URL}\"\n" in config
    assert cranfield(tmp_path, "run", "--gate").returncode == 0
    monkeypatch.setenv("DATABASE_URL", "postgresql://me:hunter2@127.0.0.1:1/docs")
    away = cranfield(tmp_path, "run")
    assert away.returncode == 3, away.stderr
    assert "no connection to PostgreSQL at 127.0.0.1:1/docs" in away.stderr
    assert "hunter2" not in away.stderr + away.stdout


def test_init_explains_a_table_that_is_not_there(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    sql = "SELECT id FROM nowhere WHERE a = %(query)s LIMIT %(k)s"
    made = cranfield(tmp_path, "init", "--sql", sql, "--query", "cats")
    assert made.returncode != 0
    assert 'relation "nowhere" does not exist; fix the name in sql' in made.stderr
    unread = "SELECT title FROM documents WHERE %(query)s <> '' LIMIT %(k)s"
    made = cranfield(tmp_path, "init", "--sql", unread, "--query", "cats")
    assert "hit 1 has no id: it has title; set id to the path of the id" in made.stderr
