"""The queries that are known by their ids: of suites, stored runs and stored judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cranfield.errors import CranfieldError
from cranfield.judgments import JudgmentStore, query_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cranfield.model import Query, Suite
    from cranfield.runs import Store

__all__ = ["KnownQueries", "KnownQuery", "find_known_queries"]


class KnownQuery(NamedTuple):
    """A query, and the suite that has it."""

    query: Query
    suite: str


class KnownQueries:
    """Queries by id, by key and by text."""

    def __init__(self, queries: Iterable[tuple[str, KnownQuery]]) -> None:
        self._by_key: dict[str, KnownQuery] = {}
        self._by_id: dict[str, dict[str, KnownQuery]] = {}
        self._by_text: dict[str, dict[str, KnownQuery]] = {}
        for name, known in queries:
            key = query_key(known.query)
            first = self._by_key.setdefault(key, known)
            self._by_id.setdefault(name, {}).setdefault(key, first)
            self._by_text.setdefault(fold(known.query.text), {}).setdefault(key, first)

    def find(self, name: str, key: str = "") -> KnownQuery | None:
        """Return the query of a key or an id; an id of two queries is an error."""
        if key in self._by_key:
            return self._by_key[key]
        found = list(self._by_id.get(name, {}).values()) if name else []
        if len(found) > 1:
            suites = " and ".join(sorted({each.suite for each in found}))
            raise CranfieldError(
                f"{len(found)} queries have the id {name!r} (in {suites}); say which suite is "
                "meant with --suite FILE"
            )
        return found[0] if found else None

    def find_text(self, text: str) -> KnownQuery | None:
        """Return the one query that asks this, whatever its case and white space."""
        found = list(self._by_text.get(fold(text), {}).values())
        return found[0] if len(found) == 1 else None


def fold(text: str) -> str:
    """Return a text without differences of case and white space."""
    return " ".join(text.casefold().split())


def find_known_queries(store: Store, suites: Sequence[Suite] = ()) -> KnownQueries:
    """Return the queries of suites; without any, those of stored runs and judgments."""
    if suites:
        return KnownQueries(_of_suites(suites))
    stored = {header.suite.id: header.suite for header in store.headers()}
    return KnownQueries([*_of_suites(stored.values()), *_of_judgments(store)])


def _of_suites(suites: Iterable[Suite]) -> Iterable[tuple[str, KnownQuery]]:
    for suite in suites:
        for query in suite.queries:
            yield query.id, KnownQuery(query, suite.id)


def _of_judgments(store: Store) -> Iterable[tuple[str, KnownQuery]]:
    judged = JudgmentStore(store)
    queries = judged.queries()
    for each in judged.judgments():
        yield each.query_id, KnownQuery(queries[each.query], each.suite)
