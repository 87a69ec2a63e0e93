"""Documents that mean what a query means, and models that read hits to score them anew."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Generic, TypeVar

from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from stacks.embedding import Embedder
    from stacks.query.database import Database
    from stacks.query.demands import Demands
    from stacks.query.questions import Question
    from stacks.query.reranking import Reranker
    from stacks.query.vectors import VectorTable

__all__ = ["Meanings", "Rerankers"]


Thing = TypeVar("Thing")


class _Opened(Generic[Thing]):
    """Things that are made when they are first asked for, each once, whoever asks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        self._made: dict[str, Thing] = {}

    def get(self, name: str, make: Callable[[], Thing]) -> Thing:
        """Return a thing; others can be had while it is made."""
        with self._lock:
            own = self._locks.setdefault(name, threading.Lock())
        with own:
            if name not in self._made:
                self._made[name] = make()
            return self._made[name]

    def empty(self) -> list[Thing]:
        """Forget everything, and say what it was."""
        made = list(self._made.values())
        self._made.clear()
        return made


class Meanings:
    """The models and vectors of an index; each is loaded when it is first needed."""

    def __init__(self) -> None:
        self._embedders: _Opened[Embedder] = _Opened()
        self._tables: _Opened[VectorTable] = _Opened()

    def find(
        self, database: Database, sources: Sequence[int], question: Question, demands: Demands
    ) -> dict[int, float] | None:
        """Find documents of some sources that mean what a query means, with their likeness.

        None is not nothing: there are no vectors, or the model cannot read the query.
        """
        if not database.embedder:
            return None
        # Numbers are loaded where they are wanted: most searches end without them.
        from stacks.query.vectors import choose_vectors, embed_question, load_vectors

        embedder = self._open(database)
        if not embedder.reads(question.query.wanted):
            return None
        vector = embed_question(embedder, question.query.wanted, question.bridged)
        table = self._tables.get(str(database.path), lambda: load_vectors(database))
        chosen = choose_vectors(database, table, sources, question.condition, demands)
        return table.search(vector, question.depth, chosen)

    def _open(self, database: Database) -> Embedder:
        from stacks.embedding import Identity, open_embedder

        spec = database.embedder
        embedder = self._embedders.get(spec, lambda: open_embedder(spec))
        stored = Identity(*json.loads(database.facts["embedder_identity"]))
        if not embedder.matches(stored):
            raise EmbeddingError(
                f"{database.path} was embedded by {_describe(*stored)}, and {spec} is now "
                f"{_describe(*embedder.identity)}; save the index again, or use --mode fts5"
            )
        return embedder

    def close(self) -> None:
        """Let the models go."""
        self._tables.empty()
        for embedder in self._embedders.empty():
            embedder.close()


class Rerankers:
    """The models that score hits anew; each is loaded when it is first asked."""

    def __init__(self) -> None:
        self._rerankers: _Opened[Reranker] = _Opened()

    def score(self, spec: str, query: str, texts: Sequence[str]) -> list[float]:
        """Score texts by how well they answer a query."""
        from stacks.query.reranking import open_reranker

        reranker = self._rerankers.get(spec, lambda: open_reranker(spec))
        return reranker.score(query, texts) if texts else []

    def close(self) -> None:
        """Let the models go."""
        for reranker in self._rerankers.empty():
            reranker.close()


def _describe(name: str, revision: str, dimension: int) -> str:
    return f"{name} {revision} with {dimension} dimensions"
