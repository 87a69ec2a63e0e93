"""Documents that mean what a query means, and models that read hits to score them anew."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stacks.embedding import Embedder
    from stacks.query.database import Database
    from stacks.query.questions import Question
    from stacks.query.reranking import Reranker
    from stacks.query.vectors import VectorTable

__all__ = ["Meanings", "Rerankers"]


class Meanings:
    """The models and vectors of an index; each is loaded when it is first needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._embedders: dict[str, Embedder] = {}
        self._tables: dict[int, VectorTable] = {}

    def find(
        self, database: Database, sources: Sequence[int], question: Question
    ) -> dict[int, float] | None:
        """Find documents of some sources that mean what a query means, with their likeness.

        None is not nothing: there are no vectors, or the model cannot read the query.
        """
        if not database.embedder:
            return None
        # Numbers are loaded where they are wanted: most searches end without them.
        from stacks.query.vectors import choose_vectors, embed_question, load_vectors

        with self._lock:
            embedder = self._open(database)
            if not embedder.reads(question.query.wanted):
                return None
            vector = embed_question(embedder, question.query.wanted, question.bridged)
            if id(database) not in self._tables:
                self._tables[id(database)] = load_vectors(database)
            table = self._tables[id(database)]
        chosen = choose_vectors(database, table, sources, question.condition)
        return table.search(vector, question.depth, chosen)

    def _open(self, database: Database) -> Embedder:
        from stacks.embedding import Identity, open_embedder

        spec = database.embedder
        if spec not in self._embedders:
            self._embedders[spec] = open_embedder(spec)
        embedder = self._embedders[spec]
        stored = Identity(*json.loads(database.facts["embedder_identity"]))
        if not embedder.matches(stored):
            raise EmbeddingError(
                f"{database.path} was embedded by {_describe(*stored)}, and {spec} is now "
                f"{_describe(*embedder.identity)}; save the index again, or use --mode fts5"
            )
        return embedder

    def close(self) -> None:
        """Let the models go."""
        for embedder in self._embedders.values():
            embedder.close()
        self._embedders.clear()
        self._tables.clear()


class Rerankers:
    """The models that score hits anew; each is loaded when it is first asked."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._opened: dict[str, Reranker] = {}

    def score(self, spec: str, query: str, texts: Sequence[str]) -> list[float]:
        """Score texts by how well they answer a query."""
        from stacks.query.reranking import open_reranker

        with self._lock:
            if spec not in self._opened:
                self._opened[spec] = open_reranker(spec)
            reranker = self._opened[spec]
        return reranker.score(query, texts) if texts else []

    def close(self) -> None:
        """Let the models go."""
        for reranker in self._opened.values():
            reranker.close()
        self._opened.clear()


def _describe(name: str, revision: str, dimension: int) -> str:
    return f"{name} {revision} with {dimension} dimensions"
