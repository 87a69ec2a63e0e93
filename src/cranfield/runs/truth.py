"""Right answers that come from a database: resolved once, and the same for every arm.

An expectation such as an SQL query has no right answers until a database was asked: the suite's
own, or that of the system. Whoever compares two runs has to ask one database for both, or the
truth moves with the system that it is the measure of.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.relevance import RuleContext, keep_reader, resolve_expectation, without_system
from cranfield.runs.records import TruthSource
from cranfield.suites import hash_query
from cranfield.systems import fingerprint_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cranfield.model import Query, Suite
    from cranfield.runs.records import RunHeader

__all__ = ["Truth", "answers_of", "find_moved", "has_no_answers", "resolve_truth", "truth_of"]


@dataclass(frozen=True, slots=True)
class Truth:
    """Expectations with their right answers, by the hashes of the queries as they are written.

    Only queries that a database was asked for are in it; `sources` are those databases.
    """

    queries: Mapping[str, Query] = field(default_factory=dict)
    sources: tuple[TruthSource, ...] = ()


def resolve_truth(suite: Suite, system: str, database: Path | None) -> Truth:
    """Ask the database of a suite, or else that of a system, for the right answers."""
    folder = Path(suite.folder)
    own = folder / suite.database if suite.database else None
    context = RuleContext(folder, own or database)
    asking = [query for query in suite.asked if _asks(query)]
    with keep_reader():
        queries = {hash_query(query): resolve_expectation(query, context) for query in asking}
    sources = dict.fromkeys(
        _source(named or suite.database, folder)
        if named or suite.database
        else TruthSource(system, _name(database), _hash(database))
        for query in asking
        for named in _databases(query)
    )
    return Truth(queries, tuple(sources))


def truth_of(header: RunHeader) -> Truth:
    """Return the truth that a run was graded by."""
    pairs = zip(header.asked.hashes, header.suite.queries, strict=True)
    return Truth({key: query for key, query in pairs if _asks(query)}, header.truth)


def answers_of(query: Query) -> dict[str, Any]:
    """Return the expectations of a query that a database was asked for, by rule."""
    kept = without_system(query)
    if kept is query:
        return {}
    return {name: value for name, value in query.expect.items() if name not in kept.expect}


def find_moved(header: RunHeader, truth: Truth) -> tuple[str, ...]:
    """Return the ids of a run's queries that another truth has other right answers for."""
    pairs = zip(header.asked.hashes, header.suite.queries, strict=True)
    return tuple(
        query.id
        for key, query in pairs
        if key in truth.queries and truth.queries[key].expect != query.expect
    )


def has_no_answers(query: Query) -> bool:
    """Return whether a database was asked for the right answers of a query, and named none."""
    asked = answers_of(query).values()
    return bool(asked) and not any(_ids(value) for value in asked)


def _ids(value: Any) -> bool:
    return not isinstance(value, dict) or bool(value.get("ids", True))


def _asks(query: Query) -> bool:
    return without_system(query) is not query


def _databases(query: Query) -> Iterator[str]:
    """Yield the database that each rule names; empty if it leaves it to the suite or system."""
    kept = without_system(query).expect
    for name, value in query.expect.items():
        if name not in kept:
            yield _named(value)


def _named(value: Any) -> str:
    return str(value.get("database", "")) if isinstance(value, dict) else ""


def _source(database: str, folder: Path) -> TruthSource:
    return TruthSource("", database, _hash(folder / database))


def _name(path: Path | None) -> str:
    """Name a system's database by its folder and file: whole paths differ between machines."""
    return "/".join(path.parts[-2:]) if path else ""


def _hash(path: Path | None) -> str:
    return "" if path is None else fingerprint_files([path])[str(path)].sha256
