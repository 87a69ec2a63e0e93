"""The hits that are to be judged: the first ones of several runs, each content once."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping  # noqa: TC003 - read at run time by dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cranfield.defaults import POOL_DEPTH
from cranfield.errors import CranfieldError
from cranfield.judgments import item_of, query_key
from cranfield.relevance import hash_content

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cranfield.model import Hit, JudgingSettings, Query, Response
    from cranfield.runs.runner import Run

__all__ = ["Pool", "PooledHit", "PooledQuery", "draw", "first_answers", "make_pool"]

_MOST_DIFFERING = 0.5
"""If more than this share of the documents that two runs share has two texts, texts are excerpts of
documents, made for each query, and not their content."""


@dataclass(frozen=True, slots=True)
class PooledHit:
    """A content that some run found for a query; nothing says which, or how high.

    `documents` are all ids under which it was found.
    """

    query: str
    documents: tuple[str, ...]
    content: str
    text: str
    fields: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def document(self) -> str:
        """The id under which it is judged."""
        return self.documents[0]

    @property
    def item(self) -> str:
        """What identifies it among the hits of its query."""
        return item_of(self.document, self.content)


@dataclass(frozen=True, slots=True)
class PooledQuery:
    """A query with all hits that are to be judged for it."""

    query: Query
    suite: str
    hits: tuple[PooledHit, ...]

    @property
    def key(self) -> str:
        """The key of what is asked."""
        return query_key(self.query)


@dataclass(frozen=True, slots=True)
class Pool:
    """The first `depth` hits of every run, by query.

    `is_by_id` if the texts of one document differ between runs, so documents are judged by
    their ids. `unanswered` is the number of answers that had failed.
    """

    queries: Mapping[str, PooledQuery]
    depth: int
    runs: tuple[str, ...]
    settings: JudgingSettings
    is_by_id: bool = False
    unanswered: int = 0

    @property
    def hits(self) -> Iterable[PooledHit]:
        """All hits, query by query."""
        return (hit for query in self.queries.values() for hit in query.hits)

    def __len__(self) -> int:
        return sum(len(query.hits) for query in self.queries.values())


def make_pool(runs: Sequence[Run], depth: int = POOL_DEPTH) -> Pool:
    """Put together the first hits of stored runs, each content once."""
    if not runs:
        raise CranfieldError("there is no run to take hits from; `cranfield run` makes one")
    found = _FoundHits()
    for run in runs:
        suite = run.header.suite
        for answer in run.store.answers(run.header.id):
            query = suite.queries[answer.place]
            found.add(run.header.id, suite.id, query, answer.response.hits[:depth])
            found.unanswered += answer.response.status.is_failure
    is_by_id = found.has_excerpts()
    return Pool(
        queries={key: found.pooled(key, is_by_id=is_by_id) for key in found.queries},
        depth=depth,
        runs=tuple(run.header.id for run in runs),
        settings=runs[-1].header.suite.judging,
        is_by_id=is_by_id,
        unanswered=found.unanswered,
    )


def draw(seed: int, text: str) -> str:
    """Draw a place in an order at random: it depends on nothing but the seed and the text."""
    return hashlib.sha256(f"{seed} {text}".encode()).hexdigest()


def first_answers(run: Run) -> dict[str, Response]:
    """Return what a run answered by the keys of its queries; first repetitions count."""
    queries = run.header.suite.queries
    return {
        query_key(queries[answer.place]): answer.response
        for answer in run.store.answers(run.header.id)
        if answer.repeat == 0 and not answer.response.status.is_failure
    }


class _FoundHits:
    """The hits of all runs, by query; first the first hit of every run, then the second."""

    def __init__(self) -> None:
        self.queries: dict[str, tuple[Query, str]] = {}
        self.unanswered = 0
        self._hits: dict[str, list[tuple[int, Hit]]] = {}
        self._contents: dict[str, dict[str, set[str]]] = {}

    def add(self, run: str, suite: str, query: Query, hits: Iterable[Hit]) -> None:
        key = query_key(query)
        self.queries.setdefault(key, (query, suite))
        listed = self._hits.setdefault(key, [])
        for rank, hit in enumerate(hits):
            listed.append((rank, hit))
            if content := hash_content(hit):
                self._contents.setdefault(hit.id, {}).setdefault(run, set()).add(content)

    def has_excerpts(self) -> bool:
        shared = [list(by_run.values()) for by_run in self._contents.values() if len(by_run) > 1]
        differing = sum(not set.intersection(*contents) for contents in shared)
        # A run that answers one document with many texts cuts them to fit the query.
        alone = [len(texts) for by_run in self._contents.values() for texts in by_run.values()]
        cut = sum(count > 1 for count in alone)
        return differing > _MOST_DIFFERING * len(shared) or cut > _MOST_DIFFERING * len(alone)

    def pooled(self, key: str, *, is_by_id: bool) -> PooledQuery:
        query, suite = self.queries[key]
        items: dict[str, list[Hit]] = {}
        for _, hit in sorted(self._hits[key], key=lambda each: each[0]):
            content = "" if is_by_id else hash_content(hit)
            items.setdefault(item_of(hit.id, content), []).append(hit)
        hits = tuple(_merge(key, hits, is_by_id=is_by_id) for hits in items.values())
        return PooledQuery(query, suite, hits)


def _merge(key: str, hits: Sequence[Hit], *, is_by_id: bool) -> PooledHit:
    """Make one of hits of the same content; of excerpts the longest is shown."""
    longest = max(hits, key=lambda hit: len(hit.text))
    return PooledHit(
        query=key,
        documents=tuple(dict.fromkeys(hit.id for hit in hits)),
        content="" if is_by_id else hash_content(longest),
        text=longest.text,
        fields=dict(longest.fields),
    )
