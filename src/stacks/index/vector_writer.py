"""Writes the vectors of documents: each text is embedded once, however often it is saved.

A vector is identified by a hash of its text and of the model. It is taken from the previous index,
or from the cache that an unfinished save left (`search.db.embedding`, committed batch by batch,
deleted when a save succeeds); only texts that neither has are given to the model.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from stacks.embedding import Identity, ModelSpec, open_embedder
from stacks.text import split_identifier

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from stacks.embedding import Embedder
    from stacks.index.index_file import PreviousIndex
    from stacks.index.requests import ProgressReporter

__all__ = ["choose_embedder", "quantise", "vector_cache_path", "write_vectors"]

_NO_EMBEDDER = "none"
_DEFAULT_EMBEDDER = "wordllama"
_DOCUMENTS_AT_ONCE = 512
_LENGTH = 100
"""In words. On NFCorpus, shorter pieces rank slightly better and cost more in proportion."""
_OVERLAP = 10

StoredVector: TypeAlias = tuple[float, bytes]
"""The scale of a vector, and its values as signed bytes."""

_WITHOUT_VECTORS = """
SELECT m.id, m.kind <> 'passage', s.title, s.abstract, substr(s.overview, 1, 100000)
FROM docs_metadata AS m
JOIN docs_structured AS s ON s.id = m.id
WHERE m.id > ? AND NOT EXISTS (SELECT 1 FROM vectors AS v WHERE v.doc_id = m.id)
ORDER BY m.id LIMIT ?
"""
_CACHE = """
CREATE TABLE IF NOT EXISTS vectors (hash BLOB PRIMARY KEY, scale REAL, vector BLOB) WITHOUT ROWID
"""


class _Piece(NamedTuple):
    """A piece of a document: its number in the document, and its text."""

    document: int
    number: int
    hash: bytes
    text: str


def vector_cache_path(path: Path) -> Path:
    """Return the file that keeps the vectors of an index until it is saved."""
    return path.with_name(f"{path.name}.embedding")


def choose_embedder(asked: str, stored: str, *, embeds: bool) -> str:
    """Choose the model of an index: the one asked for, the one it has, the default, or none."""
    chosen = asked or stored or (_DEFAULT_EMBEDDER if embeds else _NO_EMBEDDER)
    if chosen == _NO_EMBEDDER:
        return ""
    spec = ModelSpec.parse(chosen)
    # The path of a model must not depend on the folder that a search is run from.
    is_folder = bool(spec.location) and Path(spec.location).expanduser().is_dir()
    location = str(Path(spec.location).expanduser().resolve()) if is_folder else spec.location
    return str(replace(spec, location=location))


def _read_identity(connection: sqlite3.Connection) -> str:
    """Read which model made the vectors of an index; empty if it has none."""
    sql = "SELECT value FROM meta WHERE name = 'embedder_identity'"
    found = connection.execute(sql).fetchone()
    return str(found[0]) if found else ""


def write_vectors(
    connection: sqlite3.Connection,
    spec: str,
    path: Path,
    previous: PreviousIndex | None,
    progress: ProgressReporter,
) -> int:
    """Give every document without vectors its own; return how many pieces were embedded.

    Without a model the index loses the vectors it has. `path` is where the index will be.
    """
    if not spec:
        connection.execute("DELETE FROM vectors")
        connection.execute("DELETE FROM meta WHERE name = 'embedder_identity'")
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('embedder', ?)", (_NO_EMBEDDER,))
        return 0
    with closing(open_embedder(spec)) as embedder:
        stored = _read_identity(connection)
        earlier = previous.facts.get("embedder_identity", "") if previous else ""
        identity = _choose_identity(embedder, stored, earlier)
        # Vectors of two models cannot be compared, so all are made again.
        if stored != identity:
            connection.execute("DELETE FROM vectors")
        facts = {"embedder": spec, "embedder_identity": identity}
        connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", facts.items())
        count = "SELECT count(*) FROM docs_metadata WHERE id NOT IN (SELECT doc_id FROM vectors)"
        (missing,) = connection.execute(count).fetchone()
        if not missing:
            return 0
        progress.start(f"embedding by {embedder.identity.name}", missing)
        vectors = _read_vectors(previous) if previous and earlier == identity else {}
        with closing(_VectorCache(path, identity, vectors)) as cache:
            return _embed_documents(connection, embedder, cache, progress)


def _choose_identity(embedder: Embedder, *stored: str) -> str:
    """Choose the name that a model's vectors are stored under: a stored one, if it matches."""
    for text in stored:
        if text and embedder.matches(Identity(*json.loads(text))):
            return text
    return json.dumps(embedder.identity)


def _embed_documents(
    connection: sqlite3.Connection,
    embedder: Embedder,
    cache: _VectorCache,
    progress: ProgressReporter,
) -> int:
    embedded = 0
    for documents in _read_documents(connection):
        pieces = []
        for document, is_named, *texts in documents:
            cut = _cut_pieces(*texts, most=embedder.most_pieces, is_named=bool(is_named))
            pieces += [
                _Piece(document, number, cache.hash(text), text) for number, text in enumerate(cut)
            ]
        vectors = cache.find([piece.hash for piece in pieces])
        # By hash: a text that several documents share is embedded once.
        new = {piece.hash: piece.text for piece in pieces if piece.hash not in vectors}
        for start in range(0, len(new), embedder.batch):
            batch = list(new.items())[start : start + embedder.batch]
            made = quantise(embedder.embed_documents([text for _, text in batch]))
            added = dict(zip((digest for digest, _ in batch), made, strict=True))
            # Kept at once: a model may take hours, and a save that is stopped goes on from here.
            cache.add(added)
            vectors |= added
        rows = ((p.document, p.number, p.hash, *vectors[p.hash]) for p in pieces)
        connection.executemany("INSERT INTO vectors VALUES (?, ?, ?, ?, ?)", rows)
        embedded += len(new)
        progress.advance(len(documents))
    return embedded


def _read_documents(
    connection: sqlite3.Connection,
) -> Iterator[list[tuple[int, int, str, str, str]]]:
    """Yield documents that have no vectors, in batches, ordered by id."""
    last = 0
    while rows := connection.execute(_WITHOUT_VECTORS, (last, _DOCUMENTS_AT_ONCE)).fetchall():
        yield rows
        last = rows[-1][0]


def quantise(vectors: NDArray[np.float32]) -> list[StoredVector]:
    """Store each value as one signed byte; the largest of each vector becomes 127."""
    scales = np.abs(vectors).max(axis=1) / 127
    # A vector of zeros has no direction; any scale will do.
    scales[scales == 0] = 1.0
    numbers = np.rint(vectors / scales[:, None]).astype(np.int8)
    return [(float(scale), row.tobytes()) for scale, row in zip(scales, numbers, strict=True)]


class _VectorCache:
    """Vectors that need no model: those of the previous index, and of an unfinished save."""

    def __init__(self, path: Path, identity: str, previous: dict[bytes, StoredVector]) -> None:
        self._identity = identity.encode()
        self._previous = previous
        cache = vector_cache_path(path)
        self._cache = sqlite3.connect(cache, isolation_level=None)
        try:
            self._cache.execute(_CACHE)
            self._cache.execute("SELECT count(*) FROM vectors")
        except sqlite3.DatabaseError:
            # A damaged cache is of no use, and only saves work: start an empty one.
            self._cache.close()
            cache.unlink(missing_ok=True)
            self._cache = sqlite3.connect(cache, isolation_level=None)
            self._cache.execute(_CACHE)

    def hash(self, text: str) -> bytes:
        """Hash a text together with the model."""
        whole = self._identity + b"\0" + text.encode("utf-8", "surrogatepass")
        return blake2b(whole, digest_size=16).digest()

    def find(self, hashes: Sequence[bytes]) -> dict[bytes, StoredVector]:
        """Return the vectors that are known."""
        found = {digest: self._previous[digest] for digest in hashes if digest in self._previous}
        sql = "SELECT scale, vector FROM vectors WHERE hash = ?"
        for digest in hashes:
            if digest not in found and (row := self._cache.execute(sql, (digest,)).fetchone()):
                found[digest] = row
        return found

    def add(self, vectors: dict[bytes, StoredVector]) -> None:
        """Keep vectors until the save is done."""
        rows = [(digest, *stored) for digest, stored in vectors.items()]
        self._cache.execute("BEGIN")
        self._cache.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
        self._cache.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        self._cache.close()


def _read_vectors(previous: PreviousIndex) -> dict[bytes, StoredVector]:
    """Read the vectors of the previous index by their hashes."""
    with closing(previous.connect()) as connection:
        rows = connection.execute("SELECT hash, scale, vector FROM vectors")
        return {digest: (scale, vector) for digest, scale, vector in rows}


def _cut_pieces(
    title: str, summary: str, content: str, *, most: int, is_named: bool = True
) -> list[str]:
    """Cut a document into at most `most` pieces: its name alone, then its text under its name.

    A title that is not the document's own (passages have their chapter's) is not a piece by itself.
    """
    # A language model has read more words than identifiers.
    head = " ".join(" ".join(split_identifier(word)) or word for word in title.split())
    words = f"{summary} {content}".split()
    starts = range(0, max(1, len(words) - _OVERLAP), _LENGTH - _OVERLAP)[: most - 1]
    pieces = [f"{head}. {' '.join(words[start : start + _LENGTH])}" for start in starts if words]
    return list(dict.fromkeys([head, *pieces] if is_named or not pieces else pieces))
