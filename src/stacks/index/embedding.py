"""Documents into vectors: each text is embedded once, however often it is saved.

A vector is known by a hash of its text and of the model. It is taken from the index that is
there, or from what a save that did not finish has left behind (`search.db.embedding`, committed
batch by batch, gone when a save succeeds); only what neither knows is given to the model.
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
from stacks.text import cut_pieces

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from stacks.embedding import Embedder
    from stacks.index.requests import Progress

__all__ = ["choose_embedder", "left_behind_path", "quantise", "read_identity", "write_vectors"]

NONE = "none"
DEFAULT = "wordllama"
BATCH_OF_DOCUMENTS = 512

Stored: TypeAlias = tuple[float, bytes]
"""The scale of a vector, and its numbers as signed bytes."""

_WITHOUT_VECTORS = """
SELECT m.id, m.kind <> 'passage', s.title, s.abstract, substr(s.overview, 1, 100000)
FROM docs_metadata AS m
JOIN docs_structured AS s ON s.id = m.id
WHERE m.id > ? AND NOT EXISTS (SELECT 1 FROM vectors AS v WHERE v.doc_id = m.id)
ORDER BY m.id LIMIT ?
"""
_LEFT_BEHIND = """
CREATE TABLE IF NOT EXISTS vectors (hash BLOB PRIMARY KEY, scale REAL, vector BLOB) WITHOUT ROWID
"""


class _Piece(NamedTuple):
    """A piece of a document: which, and what it says."""

    document: int
    number: int
    hash: bytes
    text: str


def left_behind_path(path: Path) -> Path:
    """Where the vectors of an index are kept until it is saved."""
    return path.with_name(f"{path.name}.embedding")


def choose_embedder(asked: str, kept: str, *, embeds: bool) -> str:
    """Say which model an index gets: the one asked for, the one it has, the default, or none."""
    chosen = asked or kept or (DEFAULT if embeds else NONE)
    if chosen == NONE:
        return ""
    spec = ModelSpec.parse(chosen)
    # A model in a folder is found again from wherever the index is asked.
    is_folder = bool(spec.location) and Path(spec.location).expanduser().is_dir()
    place = str(Path(spec.location).expanduser().resolve()) if is_folder else spec.location
    return str(replace(spec, location=place))


def read_identity(connection: sqlite3.Connection) -> str:
    """Read which model made the vectors of an index; empty where there are none."""
    sql = "SELECT value FROM meta WHERE name = 'embedder_identity'"
    found = connection.execute(sql).fetchone()
    return str(found[0]) if found else ""


def write_vectors(connection: sqlite3.Connection, spec: str, path: Path, progress: Progress) -> int:
    """Give every document without vectors its own, by a model; return how many were embedded.

    Without a model the index loses the vectors it has. `path` is where the index will be.
    """
    if not spec:
        connection.execute("DELETE FROM vectors")
        connection.execute("DELETE FROM meta WHERE name = 'embedder_identity'")
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('embedder', ?)", (NONE,))
        return 0
    with closing(open_embedder(spec)) as embedder:
        old = _Old.read(path)
        identity = _choose_identity(embedder, read_identity(connection), old.identity)
        if read_identity(connection) != identity:
            connection.execute("DELETE FROM vectors")
        facts = {"embedder": spec, "embedder_identity": identity}
        connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", facts.items())
        count = "SELECT count(*) FROM docs_metadata WHERE id NOT IN (SELECT doc_id FROM vectors)"
        (missing,) = connection.execute(count).fetchone()
        if not missing:
            return 0
        progress.start(f"embedding by {embedder.identity.name}", missing)
        vectors = old.vectors() if old.identity == identity else {}
        with closing(_Known(path, identity, vectors)) as known:
            return _embed_documents(connection, embedder, known, progress)


def _choose_identity(embedder: Embedder, *stored: str) -> str:
    """Say under which name a model's vectors are kept: a stored one, where it goes with it."""
    for text in stored:
        if text and embedder.matches(Identity(*json.loads(text))):
            return text
    return json.dumps(embedder.identity)


def _embed_documents(
    connection: sqlite3.Connection, embedder: Embedder, known: _Known, progress: Progress
) -> int:
    embedded = 0
    for documents in _read_documents(connection):
        pieces = [
            _Piece(number, place, known.hash(text), text)
            for number, is_named, *texts in documents
            for place, text in enumerate(cut_pieces(*texts, is_named=bool(is_named)))
        ]
        vectors = known.find([piece.hash for piece in pieces])
        new = {piece.hash: piece.text for piece in pieces if piece.hash not in vectors}
        for start in range(0, len(new), embedder.batch):
            batch = list(new.items())[start : start + embedder.batch]
            made = quantise(embedder.embed_documents([text for _, text in batch]))
            learnt = dict(zip((digest for digest, _ in batch), made, strict=True))
            known.keep(learnt)
            vectors |= learnt
        rows = ((p.document, p.number, p.hash, *vectors[p.hash]) for p in pieces)
        connection.executemany("INSERT INTO vectors VALUES (?, ?, ?, ?, ?)", rows)
        embedded += len(new)
        progress.advance(len(documents))
    return embedded


def _read_documents(
    connection: sqlite3.Connection,
) -> Iterator[list[tuple[int, int, str, str, str]]]:
    """Yield documents that have no vectors, many at a time, in the order of their ids."""
    last = 0
    while rows := connection.execute(_WITHOUT_VECTORS, (last, BATCH_OF_DOCUMENTS)).fetchall():
        yield rows
        last = rows[-1][0]


def quantise(vectors: NDArray[np.float32]) -> list[Stored]:
    """Write vectors with one signed byte a number; the largest of each becomes 127."""
    scales = np.abs(vectors).max(axis=1) / 127
    # A vector of zeros has no direction; any scale does for it.
    scales[scales == 0] = 1.0
    numbers = np.rint(vectors / scales[:, None]).astype(np.int8)
    return [(float(scale), row.tobytes()) for scale, row in zip(scales, numbers, strict=True)]


class _Known:
    """Vectors that need no model: those of the index that is there, and of an unfinished save."""

    def __init__(self, path: Path, identity: str, old: dict[bytes, Stored]) -> None:
        self.identity = identity.encode()
        self._old = old
        left = left_behind_path(path)
        self._left = sqlite3.connect(left, isolation_level=None)
        try:
            self._left.execute(_LEFT_BEHIND)
            self._left.execute("SELECT count(*) FROM vectors")
        except sqlite3.DatabaseError:
            # What is damaged is of no use; it is only what need not be made twice.
            self._left.close()
            left.unlink(missing_ok=True)
            self._left = sqlite3.connect(left, isolation_level=None)
            self._left.execute(_LEFT_BEHIND)

    def hash(self, text: str) -> bytes:
        """Hash a text together with the model."""
        whole = self.identity + b"\0" + text.encode("utf-8", "surrogatepass")
        return blake2b(whole, digest_size=16).digest()

    def find(self, hashes: Sequence[bytes]) -> dict[bytes, Stored]:
        """Return the vectors that are known."""
        found = {digest: self._old[digest] for digest in hashes if digest in self._old}
        sql = "SELECT scale, vector FROM vectors WHERE hash = ?"
        for digest in hashes:
            if digest not in found and (row := self._left.execute(sql, (digest,)).fetchone()):
                found[digest] = row
        return found

    def keep(self, vectors: dict[bytes, Stored]) -> None:
        """Keep vectors until the save is done."""
        rows = [(digest, *stored) for digest, stored in vectors.items()]
        self._left.execute("BEGIN")
        self._left.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
        self._left.execute("COMMIT")

    def close(self) -> None:
        """Let the file go."""
        self._left.close()


class _Old(NamedTuple):
    """The index that is there, and which model made its vectors."""

    path: Path
    identity: str

    @classmethod
    def read(cls, path: Path) -> _Old:
        """Look at an index; there may be none, or one of an earlier form without vectors."""
        try:
            with closing(_open_old(path)) as old:
                return cls(path, read_identity(old))
        except sqlite3.Error:
            return cls(path, "")

    def vectors(self) -> dict[bytes, Stored]:
        """Read its vectors by their hashes."""
        with closing(_open_old(self.path)) as old:
            rows = old.execute("SELECT hash, scale, vector FROM vectors")
            return {digest: (scale, vector) for digest, scale, vector in rows}


def _open_old(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
