"""Documents that mean what a query means: its vector beside those of their pieces."""

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
    from stacks.query.vectors import VectorTable

__all__ = ["Meanings"]


class Meanings:
    """The models and vectors of an index; each is loaded when it is first needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._embedders: dict[str, Embedder] = {}
        self._tables: dict[int, VectorTable] = {}

    def find(
        self, database: Database, sources: Sequence[int], question: Question
    ) -> dict[int, float]:
        """Find documents of some sources that mean what a query means, with their likeness."""
        if not database.embedder:
            return {}
        # Numbers are loaded where they are wanted: most searches end without them.
        from stacks.query.vectors import choose_vectors, embed_question, load_vectors

        with self._lock:
            embedder = self._open(database)
            if not embedder.reads(question.query.wanted):
                return {}
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


def _describe(name: str, revision: str, dimension: int) -> str:
    return f"{name} {revision} with {dimension} dimensions"
