"""Documents similar in meaning to a query, and rerankers: the models that an index is used with."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Generic, TypeVar

from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from stacks.embedding import Embedder
    from stacks.query.filters import DocumentFilter
    from stacks.query.question import Question
    from stacks.query.rerankers import Reranker
    from stacks.query.vectors import VectorTable
    from stacks.storage import Database

__all__ = ["Rerankers", "SemanticSearch"]

Thing = TypeVar("Thing")


class _Pool(Generic[Thing]):
    """Things that are made when they are first needed, each once, by any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        self._made: dict[str, Thing] = {}

    def get(self, name: str, make: Callable[[], Thing]) -> Thing:
        """Return a thing, made if it is not there; other threads can get others meanwhile."""
        with self._lock:
            own = self._locks.setdefault(name, threading.Lock())
        with own:
            if name not in self._made:
                self._made[name] = make()
            return self._made[name]

    def empty(self) -> list[Thing]:
        """Forget everything, and return what there was."""
        made = list(self._made.values())
        self._made.clear()
        return made


class SemanticSearch:
    """Searches by vectors; models and vectors are loaded when they are first needed."""

    def __init__(self) -> None:
        self._embedders: _Pool[Embedder] = _Pool()
        self._tables: _Pool[VectorTable] = _Pool()

    def find(
        self,
        database: Database,
        sources: Sequence[int],
        question: Question,
        passing: DocumentFilter,
    ) -> dict[int, float] | None:
        """Find documents of some sources that are similar in meaning, with their similarity.

        None if there are no vectors, or the model cannot read the query.
        """
        if not database.embedder:
            return None
        # numpy is loaded only if it is needed: most searches end without it.
        from stacks.query.vectors import choose_vectors, embed_question, load_vectors

        embedder = self._open(database)
        if not embedder.reads(question.query.wanted):
            return None
        # A model knows synonyms by itself.
        bridged = [each for each in question.bridged if not each.instead]
        vector = embed_question(embedder, question.query.wanted, bridged)
        table = self._tables.get(str(database.path), lambda: load_vectors(database))
        chosen = choose_vectors(database, table, sources, question.condition, passing)
        return table.search(vector, question.depth, chosen)

    def weigh(self, database: Database, share: float) -> float:
        """Return the share of meaning beside words for the model of a file.

        `share` is what a ranking gives the default model; a model's weight multiplies its part.
        """
        weight = self._open(database).weight
        return share * weight / (share * weight + 1 - share)

    def has_degrees(self, database: Database) -> bool:
        """Return whether similarities by the model of a file can be blended with scores."""
        return self._open(database).has_degrees

    def _open(self, database: Database) -> Embedder:
        from stacks.embedding import Identity, open_embedder

        spec = database.embedder
        embedder = self._embedders.get(spec, lambda: open_embedder(spec))
        # A model behind a URL or in a folder may have been replaced since the index was saved.
        stored = Identity(*json.loads(database.facts["embedder_identity"]))
        if not embedder.matches(stored):
            raise EmbeddingError(
                f"{database.path} was embedded by {_describe(*stored)}, and {spec} is now "
                f"{_describe(*embedder.identity)}; save the index again, or use --mode fts5"
            )
        return embedder

    def close(self) -> None:
        """Close the models."""
        self._tables.empty()
        for embedder in self._embedders.empty():
            embedder.close()


class Rerankers:
    """The models that score hits again; each is loaded when it is first used."""

    def __init__(self) -> None:
        self._rerankers: _Pool[Reranker] = _Pool()

    def score(self, spec: str, query: str, texts: Sequence[str]) -> list[float]:
        """Score texts by how well they answer a query."""
        from stacks.query.rerankers import open_reranker

        reranker = self._rerankers.get(spec, lambda: open_reranker(spec))
        return reranker.score(query, texts) if texts else []

    def close(self) -> None:
        """Close the models."""
        for reranker in self._rerankers.empty():
            reranker.close()


def _describe(name: str, revision: str, dimension: int) -> str:
    return f"{name} {revision} with {dimension} dimensions"
