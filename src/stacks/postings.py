"""Where the words that many documents have occur, in a form that numpy reads at once.

FTS5 takes a microsecond to score one document, a third of a second for a word that all of a large
index have. So each word of at least `LEAST_DOCUMENTS` documents, and of one in `ONE_IN` of all, has
its posting lists in `term_postings` as well, one for each column of the text index.

A list is the documents as places among all ids in order, each as its distance from the one before,
then how often each has the word, then one byte that says how wide both are.

Writes the posting lists of common words, read back from the text index that has them.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from stacks.schema import SOURCE_SHIFT, TEXT_COLUMNS

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = [
    "LEAST_DOCUMENTS",
    "ONE_IN",
    "PostingList",
    "TextLengths",
    "has_postings",
    "write_postings",
]

LEAST_DOCUMENTS = 100
ONE_IN = 100
"""Of fewer documents FTS5 is fast enough, and the lists of all words would be a third of a file."""
_MOST_COUNTED = 65_535
"""A document that has a word more often than this scores the same to five digits."""
_WIDTHS = (("<u2", "u1"), ("<u4", "u1"), ("<u2", "<u2"), ("<u4", "<u2"))
"""The types of distances and of counts, by the last byte of a list."""


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


class PostingList(NamedTuple):
    """The documents that have a word in one column, by place, and how often each has it."""

    documents: NDArray[np.int64]
    counts: NDArray[np.int64]

    def pack(self) -> bytes:
        """Return the list as it is stored."""
        distances = np.diff(self.documents, prepend=0)
        counts = np.minimum(self.counts, _MOST_COUNTED)
        is_far, is_often = distances.max() > np.iinfo("u2").max, counts.max() > np.iinfo("u1").max
        widths = int(is_far) + 2 * int(is_often)
        wide, often = _WIDTHS[widths]
        return distances.astype(wide).tobytes() + counts.astype(often).tobytes() + bytes([widths])

    @classmethod
    def unpack(cls, stored: bytes) -> PostingList:
        """Read a list as `pack` wrote it; ValueError if it is none."""
        if not stored or stored[-1] >= len(_WIDTHS):
            raise ValueError("this is not a posting list")
        wide, often = map(np.dtype, _WIDTHS[stored[-1]])
        length, rest = divmod(len(stored) - 1, wide.itemsize + often.itemsize)
        if rest or not length:
            raise ValueError("this is not a posting list")
        distances = np.frombuffer(stored, wide, length)
        counts = np.frombuffer(stored, often, length, offset=length * wide.itemsize)
        return cls(np.cumsum(distances, dtype=np.int64), counts)

    def fits(self, documents: int) -> bool:
        """Return whether every place is one of so many documents."""
        return bool(self.documents[-1] < documents)


class TextLengths(NamedTuple):
    """The ids of all documents in order, how many words each has, and the mean of that."""

    ids: NDArray[np.int64]
    words: NDArray[np.float64]
    mean: float

    @classmethod
    def unpack(cls, ids: bytes, words: bytes, total: int) -> TextLengths:
        """Read what `text_lengths` stores; ValueError if it is something else."""
        numbers = np.frombuffer(ids, "<i8")
        lengths = np.frombuffer(words, "<u4").astype(np.float64)
        return cls(numbers, lengths, total / max(len(numbers), 1))

    def find_source(self, source: int) -> slice:
        """Return the places of the documents of a source."""
        bounds = (source << SOURCE_SHIFT, (source + 1) << SOURCE_SHIFT)
        low, high = np.searchsorted(self.ids, bounds)
        return slice(int(low), int(high))

    def find_places(self, numbers: NDArray[np.int64]) -> NDArray[np.intp]:
        """Return the places of documents that are there; others are left out."""
        places = np.searchsorted(self.ids, numbers)
        is_there = np.zeros(len(places), dtype=np.bool_)
        inside = places < len(self.ids)
        is_there[inside] = self.ids[places[inside]] == numbers[inside]
        return places[is_there]


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
