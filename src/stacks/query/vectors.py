"""The vectors of a file in memory, and which of them are nearest to one.

Every vector is looked at: the answer is exact but for the byte that each number is stored in.
They are kept as these bytes and widened block by block, which stays in the processor's cache; a
document is as near as its nearest piece.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from stacks.schema import SOURCE_SHIFT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from stacks.embedding import Embedder
    from stacks.guidance import Expansion
    from stacks.query.database import Database
    from stacks.query.demands import Demands
    from stacks.query.filters import Condition

__all__ = ["VectorTable", "choose_vectors", "embed_question", "load_vectors"]

BLOCK = 2_048
"""Vectors widened at a time."""

LEAST_LIKENESS = 0.12
"""What is less alike is alike by chance."""


class VectorTable(NamedTuple):
    """The vectors of a file: whose each is, its scale, and its numbers as bytes."""

    documents: NDArray[np.int64]
    scales: NDArray[np.float32]
    numbers: NDArray[np.int8]

    def compare(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """Say how like each vector is to one: the cosine, for all are of length 1."""
        result = np.empty(len(self.documents), dtype=np.float32)
        for start in range(0, len(result), BLOCK):
            block = self.numbers[start : start + BLOCK].astype(np.float32)
            # Not by BLAS, whose threads wait for each other where other work keeps cores busy.
            np.einsum("ij,j->i", block, vector, out=result[start : start + BLOCK])
        result *= self.scales
        return result

    def search(
        self, vector: NDArray[np.float32], count: int, chosen: NDArray[np.bool_] | None = None
    ) -> dict[int, float]:
        """Find the documents nearest to a vector, each as near as its nearest piece.

        There are more than `count` where several are as near as the last.
        """
        likeness = self.compare(vector)
        if chosen is not None:
            likeness[~chosen] = -np.inf
        # A document's pieces stand beside each other; its first place is where its number changes.
        firsts = np.flatnonzero(np.diff(self.documents, prepend=-1))
        if not len(firsts):
            return {}
        best = np.maximum.reduceat(likeness, firsts)
        least = np.partition(best, -count)[-count] if len(best) > count else -np.inf
        among = np.flatnonzero(best >= least)
        order = among[np.argsort(-best[among], kind="stable")]
        owners = self.documents[firsts[order]]
        pairs = zip(owners.tolist(), best[order].tolist(), strict=True)
        return {number: like for number, like in pairs if like >= LEAST_LIKENESS}


def load_vectors(database: Database) -> VectorTable:
    """Read all vectors of a file into memory."""
    rows = database.rows("SELECT doc_id, scale, vector FROM vectors ORDER BY doc_id, piece")
    width = len(rows[0][2]) if rows else 0
    numbers = np.frombuffer(b"".join(row[2] for row in rows), dtype=np.int8)
    return VectorTable(
        np.array([row[0] for row in rows], dtype=np.int64),
        np.array([row[1] for row in rows], dtype=np.float32),
        numbers.reshape(len(rows), width),
    )


def embed_question(
    embedder: Embedder, text: str, bridged: Sequence[Expansion]
) -> NDArray[np.float32]:
    """Embed a query, leaning to the words of the corpus that it is asked with too."""
    vector = embedder.embed_query(text)
    if bridged:
        phrases = embedder.embed_documents([each.phrase for each in bridged])
        weights = np.array([each.weight for each in bridged], dtype=np.float32)
        vector = vector + (weights[:, None] * phrases).sum(axis=0) / len(bridged)
        vector = vector / (np.linalg.norm(vector) or 1.0)
    return vector.astype(np.float32)


def choose_vectors(
    database: Database,
    table: VectorTable,
    sources: Sequence[int],
    condition: Condition,
    demands: Demands,
) -> NDArray[np.bool_] | None:
    """Say which vectors belong to documents that may be found; None where all may."""
    if len(sources) == len(database.sources) and not condition and not demands:
        return None
    chosen = np.isin(table.documents >> SOURCE_SHIFT, np.array(sources, dtype=np.int64))
    if condition:
        sql = f"SELECT m.id FROM docs_metadata AS m WHERE {condition.sql}"  # noqa: S608 - fixed conditions
        passing = [number for (number,) in database.rows(sql, condition.values)]
        chosen &= np.isin(table.documents, np.array(passing, dtype=np.int64))
    if demands.allowed is not None:
        chosen &= np.isin(table.documents, np.array(list(demands.allowed), dtype=np.int64))
    if demands.refused:
        chosen &= ~np.isin(table.documents, np.array(list(demands.refused), dtype=np.int64))
    return chosen
