"""Whether what a suite expects exists in an index: a document for every target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError
from cranfield.relevance import Context, read_expectation, resolve_expectation
from cranfield.suites.corpus import read_corpus

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from cranfield.model import Query
    from cranfield.relevance import Expectation
    from cranfield.suites.findings import Finding
    from cranfield.suites.sources import SuiteSource

__all__ = ["find_missing"]

_MOST_NAMED = 3


def find_missing(source: SuiteSource, indexes: Sequence[Path]) -> Iterator[Finding]:
    """Find targets that no document of an index is; texts of passages are looked for elsewhere."""
    expected = []
    for place, query in enumerate(source.suite.queries):
        if query.deprecated or "passages" in query.expect:
            continue
        try:
            expected.append((place, query, _read(query, indexes)))
        except CranfieldError as problem:
            yield source.error(str(problem), place)
    met: list[set[int]] = [set() for _ in expected]
    for index in indexes:
        for document in read_corpus(index):
            for found, (_, _, expectation) in zip(met, expected, strict=True):
                found.update(expectation.meets(document))
    where = ", ".join(map(str, indexes))
    for found, (place, query, expectation) in zip(met, expected, strict=True):
        yield from _tell(source, place, query, _missing(expectation, found), where)


def _read(query: Query, indexes: Sequence[Path]) -> Expectation:
    database = indexes[0] if len(indexes) == 1 else None
    return read_expectation(resolve_expectation(query, Context(database=database)))


def _missing(expectation: Expectation, met: set[int]) -> tuple[list[str], bool]:
    """Name the targets that are right and were not met; tell whether any was."""
    right = [
        (position, target.name)
        for position, target in enumerate(expectation.targets)
        if target.grade > 0
    ]
    names = [name for position, name in right if position not in met]
    return names, len(names) < len(right)


def _tell(
    source: SuiteSource, place: int, query: Query, missing: tuple[list[str], bool], where: str
) -> Iterator[Finding]:
    names, is_any_there = missing
    if not names:
        return
    shown = ", ".join(repr(name) for name in names[:_MOST_NAMED])
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    message = f"query {query.id!r} expects {shown}{more}, which no document of {where} is"
    yield source.warning(message, place) if is_any_there else source.error(message, place)
