"""The vectors of a file in memory, and the documents nearest to one vector.

Every vector is compared: the result is exact but for the rounding of each number to one byte.
Vectors are kept as bytes and widened block by block, which stays in the processor's cache; a
document is as near as its nearest piece.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from stacks.schema import SOURCE_SHIFT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from stacks.embedding import Embedder
    from stacks.guidance import Expansion
    from stacks.query.filters import Condition, DocumentFilter
    from stacks.storage import Database

__all__ = ["VectorTable", "choose_vectors", "embed_question", "load_vectors"]

_BLOCK = 2_048
"""How many vectors are widened at a time."""
_LEAST_SIMILARITY = 0.12
"""Documents that are less similar are similar by chance."""


class _Pieces(NamedTuple):
    """Where the vectors of documents are: the first of each, the others, and whose those are."""

    firsts: NDArray[np.intp]
    others: NDArray[np.intp]
    owners: NDArray[np.intp]


@dataclass(frozen=True)
class VectorTable:
    """The vectors of a file: the document, the scale, and the numbers as bytes of each."""

    documents: NDArray[np.int64]
    scales: NDArray[np.float32]
    numbers: NDArray[np.int8]

    def compare(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the similarity of each vector to one: the cosine, since all have length 1."""
        result = np.empty(len(self.documents), dtype=np.float32)
        # One block is filled again and again: new memory takes longer than the numbers in it.
        block = np.empty((min(_BLOCK, len(result)), self.numbers.shape[1]), dtype=np.float32)
        for start in range(0, len(result), _BLOCK):
            numbers = self.numbers[start : start + _BLOCK]
            wide = block[: len(numbers)]
            np.copyto(wide, numbers)
            # Row by row: the threads of a product with a matrix wait for each other if other work
            # keeps the cores busy.
            np.vecdot(wide, vector, out=result[start : start + _BLOCK])
        result *= self.scales
        return result

    def search(
        self, vector: NDArray[np.float32], count: int, chosen: NDArray[np.bool_] | None = None
    ) -> dict[int, float]:
        """Find the documents nearest to a vector, each as near as its nearest piece.

        There are more than `count` if several are as near as the last.
        """
        similarity = self.compare(vector)
        if chosen is not None:
            similarity[~chosen] = -np.inf
        firsts, others, owners = self._pieces
        best = similarity[firsts]
        np.maximum.at(best, owners, similarity[others])
        # A partition finds the last of the best without sorting the rest.
        least = np.partition(best, -count)[-count] if len(best) > count else -np.inf
        among = np.flatnonzero(best >= least)
        order = among[np.argsort(-best[among], kind="stable")]
        numbers = self.documents[firsts[order]]
        pairs = zip(numbers.tolist(), best[order].tolist(), strict=True)
        return {number: value for number, value in pairs if value >= _LEAST_SIMILARITY}

    @cached_property
    def _pieces(self) -> _Pieces:
        """The pieces of a document are adjacent; its first is where the number changes."""
        is_first = np.diff(self.documents, prepend=-1) != 0
        owners = np.cumsum(is_first) - 1
        return _Pieces(np.flatnonzero(is_first), np.flatnonzero(~is_first), owners[~is_first])


def load_vectors(database: Database) -> VectorTable:
    """Read all vectors of a file into memory."""
    rows = database.rows("SELECT doc_id, scale, vector FROM vectors ORDER BY doc_id, piece")
    numbers, scales, vectors = zip(*rows, strict=True) if rows else ((), (), ())
    width = len(vectors[0]) if vectors else 0
    return VectorTable(
        np.array(numbers, dtype=np.int64),
        np.array(scales, dtype=np.float32),
        np.frombuffer(b"".join(vectors), dtype=np.int8).reshape(len(rows), width),
    )


def embed_question(
    embedder: Embedder, text: str, bridged: Sequence[Expansion]
) -> NDArray[np.float32]:
    """Embed a query, moved towards the words of the corpus that it is run with as well."""
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
    passing: DocumentFilter,
) -> NDArray[np.bool_] | None:
    """Return which vectors belong to documents that may be found; None if all may."""
    if len(sources) == len(database.sources) and not condition and not passing:
        return None
    # A mask over all vectors: to compare them and forget some is faster than to copy the others.
    chosen = np.isin(table.documents >> SOURCE_SHIFT, np.array(sources, dtype=np.int64))
    if condition:
        sql = f"SELECT m.id FROM docs_metadata AS m WHERE {condition.sql}"  # noqa: S608 - fixed conditions
        numbers = [number for (number,) in database.rows(sql, condition.values)]
        chosen &= np.isin(table.documents, np.array(numbers, dtype=np.int64))
    if passing.allowed is not None:
        chosen &= np.isin(table.documents, np.array(list(passing.allowed), dtype=np.int64))
    if passing.refused:
        chosen &= ~np.isin(table.documents, np.array(list(passing.refused), dtype=np.int64))
    return chosen
