"""Rules that describe right answers: conditions on a hit's fields, or an SQL query."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.errors import ExpectationError
from cranfield.relevance.expectations import Rule, RuleContext, Target, read_as, register_rule
from cranfield.relevance.id_rules import IdRule
from cranfield.relevance.pattern_rules import TimedPattern
from cranfield.relevance.sql_queries import query_ids

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cranfield.model import Hit

__all__: list[str] = []


class WhereRule(Rule):
    """Hits whose fields fulfil all conditions; how many such documents exist is unknown."""

    targets_are_all = False

    def __init__(self, conditions: Mapping[str, Callable[[Any], bool]], name: str) -> None:
        self.targets = (Target(name),)
        self.fields = tuple((field,) for field in conditions)
        self._conditions = conditions

    def meets(self, hit: Hit) -> tuple[int, ...]:
        """Test every condition."""
        held = all(
            condition(_field_of(hit, field)) for field, condition in self._conditions.items()
        )
        return (0,) if held else ()


class SqlRule(IdRule):
    """Hits are right if an SQL query named them; if it named none, every hit is wrong."""

    expects_hits = True


def _field_of(hit: Hit, field: str) -> Any:
    if field in hit.fields:
        return hit.fields[field]
    return getattr(hit, field) if field in ("id", "score", "text") else None


@dataclass(frozen=True, slots=True)
class _Condition:
    matches: str | None = None
    contains: Any = None
    at_least: float | None = None
    at_most: float | None = None

    def parts(self) -> list[Callable[[Any], bool]]:
        made: list[Callable[[Any], bool]] = []
        if self.matches is not None:
            made.append(_matches(TimedPattern(self.matches)))
        if self.contains is not None:
            made.append(_contains(self.contains))
        if self.at_least is not None:
            made.append(_bounded(self.at_least, float("inf")))
        if self.at_most is not None:
            made.append(_bounded(float("-inf"), self.at_most))
        return made


def _matches(pattern: TimedPattern) -> Callable[[Any], bool]:
    return lambda value: (
        value is not None
        and any(
            pattern.is_in(str(each)) for each in (value if isinstance(value, list) else [value])
        )
    )


def _contains(wanted: Any) -> Callable[[Any], bool]:
    """Search a list, the keys of a table, or a text, which can only contain a text."""
    return lambda value: (
        (isinstance(value, str) and isinstance(wanted, str) and wanted in value)
        or (isinstance(value, list | dict) and wanted in list(value))
    )


def _bounded(low: float, high: float) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int | float) and low <= value <= high


def _condition(field: str, wanted: Any) -> Callable[[Any], bool]:
    """Make a condition: a value to equal, a list of values to choose from, or a table."""
    if isinstance(wanted, list):
        return lambda value: value in wanted
    if not isinstance(wanted, dict):
        return lambda value: bool(value == wanted)
    if unknown := sorted(set(wanted) - {"matches", "contains", "at_least", "at_most"}):
        raise ExpectationError(
            f"where: {field} has no condition {unknown[0]!r}; "
            "there are matches, contains, at_least and at_most"
        )
    parts = read_as(wanted, _Condition, "where").parts()
    if not parts:
        raise ExpectationError(f"where: {field} has an empty condition")
    return lambda value: all(part(value) for part in parts)


def _read_where(value: Any, _: RuleContext) -> Rule:
    given = read_as(value, dict[str, Any], "where")
    if not given:
        raise ExpectationError("where: without a field every hit is right; name one")
    conditions = {field: _condition(field, wanted) for field, wanted in given.items()}
    name = ", ".join(f"{field} = {wanted}" for field, wanted in given.items())
    return WhereRule(conditions, name)


@dataclass(frozen=True, slots=True)
class _Sql:
    """A query for ids, and the ids that it returned when a run was made."""

    query: str
    database: str = ""
    ids: list[str] | None = None


def _answer_sql(value: Any, context: RuleContext) -> dict[str, Any]:
    """Query the database, and return the expectation with the resulting ids."""
    given = _read_sql_parts(value)
    ids = _query_ids(given, context) if given.ids is None else given.ids
    database = {"database": given.database} if given.database else {}
    return {"query": given.query, **database, "ids": ids}


def _read_sql(value: Any, context: RuleContext) -> Rule:
    ids = _answer_sql(value, context)["ids"]
    return SqlRule(dict.fromkeys(ids, 1))


def _read_sql_parts(value: Any) -> _Sql:
    shape: Any = str | _Sql
    given = read_as(value, shape, "sql")
    return _Sql(given) if isinstance(given, str) else given


def _query_ids(given: _Sql, context: RuleContext) -> list[str]:
    path = context.database
    if given.database:
        path = (context.folder or Path()) / given.database
    if path is None:
        raise ExpectationError(
            "sql: there is no database to query; name one in the rule or the suite (database = …), "
            "or as the database of the system (of the first, if several are compared)"
        )
    if not path.is_file():
        raise ExpectationError(f"sql: the database {path} does not exist")
    try:
        return query_ids(path, given.query)
    except ExpectationError as problem:
        raise ExpectationError(f"sql: {problem}") from None


register_rule(
    "where",
    "the hit's fields fulfil conditions",
    "where = { kind = 'property', attributes = { contains = '@MainActor' } }",
    _read_where,
)
register_rule(
    "sql",
    "the hit's id is in the answer of an SQL query to the system's database",
    "sql = \"SELECT uri FROM doc_symbols WHERE is_async AND kind = 'method'\"",
    _read_sql,
    _answer_sql,
)
