"""Writes the posting lists of common words, read back from the text index that has them."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from stacks.postings import LEAST_DOCUMENTS, ONE_IN, PostingList
from stacks.schema import TEXT_COLUMNS

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["has_postings", "write_postings"]

_COLUMN_BITS = 4
_VOCABULARY = """
CREATE VIRTUAL TABLE temp.common_words USING fts5vocab('main', docs_fts, row);
CREATE VIRTUAL TABLE temp.word_places USING fts5vocab('main', docs_fts, instance);
"""
_COLUMN = " ".join(f"WHEN '{name}' THEN {number}" for number, name in enumerate(TEXT_COLUMNS))
_PLACES = f"""
SELECT doc << {_COLUMN_BITS} | CASE col {_COLUMN} END FROM temp.word_places WHERE term = ?
"""  # noqa: S608 - our names
_SIZES = "SELECT id, sz FROM docs_fts_docsize ORDER BY id"
_TOTALS = "SELECT block FROM docs_fts_data WHERE id = 1"
"""FTS5's own record of how many documents there are, and how many words in each column."""


def has_postings(connection: sqlite3.Connection) -> bool:
    """Return whether posting lists were written."""
    return connection.execute("SELECT 1 FROM text_lengths").fetchone() is not None


def write_postings(connection: sqlite3.Connection) -> None:
    """Write the posting lists of every word that many documents have, in place of earlier ones."""
    connection.execute("DELETE FROM term_postings")
    connection.execute("DELETE FROM text_lengths")
    ids = _write_lengths(connection)
    for statement in _VOCABULARY.split(";")[:-1]:
        connection.execute(statement)
    sql = "SELECT term FROM temp.common_words WHERE doc >= ? ORDER BY term"
    least = max(LEAST_DOCUMENTS, len(ids) // ONE_IN)
    for (term,) in connection.execute(sql, (least,)).fetchall():
        found = connection.execute(_PLACES, (term,))
        keys = np.fromiter(chain.from_iterable(found), dtype=np.int64)
        rows = [(term, column, own.pack()) for column, own in _divide(keys, ids)]
        connection.executemany("INSERT INTO term_postings VALUES (?, ?, ?)", rows)
    connection.execute("DROP TABLE temp.common_words")
    connection.execute("DROP TABLE temp.word_places")


def _divide(keys: NDArray[np.int64], ids: NDArray[np.int64]) -> Iterator[tuple[int, PostingList]]:
    """Make the posting list of each column from a word's occurrences."""
    occurrences, counts = np.unique(keys, return_counts=True)
    places = np.searchsorted(ids, occurrences >> _COLUMN_BITS)
    columns = occurrences & ((1 << _COLUMN_BITS) - 1)
    for column in np.unique(columns).tolist():
        own = columns == column
        yield column, PostingList(places[own], counts[own])


def _write_lengths(connection: sqlite3.Connection) -> NDArray[np.int64]:
    """Write how long every document is; return their ids in order."""
    rows = connection.execute(_SIZES).fetchall()
    ids = np.array([number for number, _ in rows], dtype="<i8")
    words = np.array([sum(_read_numbers(sizes)) for _, sizes in rows], dtype="<u4")
    (totals,) = connection.execute(_TOTALS).fetchone()
    total = sum(_read_numbers(totals)[1:])
    values = (ids.tobytes(), words.tobytes(), total)
    connection.execute("INSERT INTO text_lengths VALUES (?, ?, ?)", values)
    return ids


def _read_numbers(stored: bytes) -> list[int]:
    """Read numbers as SQLite packs them: seven bits in a byte, the highest first.

    Numbers of nine bytes, whose last has eight bits, are beyond any count of words.
    """
    numbers, number = [], 0
    for byte in stored:
        number = number << 7 | byte & 127
        if byte < 128:
            numbers.append(number)
            number = 0
    return numbers
