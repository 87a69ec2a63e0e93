"""The tables of an index: the text index follows the list of its columns."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from stacks.errors import IndexUnusableError
from stacks.schema import APPLICATION_ID, LATEST_SCHEMA, TEXT_COLUMNS, create, migrate


def read_columns(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute("SELECT name FROM pragma_table_info('docs_fts')")
    return [name for (name,) in rows]


def go_back(connection: sqlite3.Connection) -> None:
    """Make a file of version 2: undo what later steps did."""
    connection.executescript(
        """
        DROP VIEW package_dependencies;
        DROP TABLE dependencies;
        DROP TABLE graph_constraints;
        DROP TABLE term_postings;
        DROP TABLE text_lengths;
        ALTER TABLE sources DROP COLUMN is_archive;
        PRAGMA user_version = 2;
        """
    )


def test_the_text_index_has_the_columns_that_are_listed() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        create(connection)
        assert read_columns(connection) == list(TEXT_COLUMNS)
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA user_version").fetchone() == (LATEST_SCHEMA,)


def test_the_text_index_of_an_older_file_is_rebuilt_with_its_documents() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        create(connection)
        connection.executescript(
            """
            INSERT INTO docs_metadata (id, uri, source, framework, language, kind, is_deprecated,
                                       content_hash, word_count, page_id)
            VALUES (7, 'docs://a', 'docs', 'a', '', 'article', 0, '', 1, 1);
            INSERT INTO docs_structured VALUES (7, 'Grid', '', '', 'cells', '', '', '', '', '', '',
                                                '', '', '');
            DROP TABLE docs_fts;
            CREATE VIRTUAL TABLE docs_fts USING fts5(title, content = 'docs_text');
            """
        )
        go_back(connection)
        migrate(connection)
        assert read_columns(connection) == list(TEXT_COLUMNS)
        found = connection.execute("SELECT rowid FROM docs_fts WHERE docs_fts MATCH 'cells'")
        assert found.fetchall() == [(7,)]


def test_a_text_index_of_the_present_columns_is_left_as_it_is() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        create(connection)
        go_back(connection)
        connection.execute("INSERT INTO docs_fts (rowid, content) VALUES (9, 'kept')")
        migrate(connection)
        found = connection.execute("SELECT rowid FROM docs_fts WHERE docs_fts MATCH 'kept'")
        assert found.fetchall() == [(9,)]


def test_a_newer_file_is_refused() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"PRAGMA user_version = {LATEST_SCHEMA + 1}")
        with pytest.raises(IndexUnusableError, match="newer than"):
            migrate(connection)
