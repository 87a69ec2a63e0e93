"""Systems that are PostgreSQL databases: a search in SQL, by words, by vectors or by both."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.errors import SystemUnusableError
from cranfield.model import Query, Response, Status
from cranfield.systems.extraction import Extraction, ReadingSettings
from cranfield.systems.masked_secrets import VARIABLE
from cranfield.systems.postgres_connections import Connections, NoConnectionError, describe_error
from cranfield.systems.presets import SQL_PRESETS
from cranfield.systems.stacks_system import open_query_embedder
from cranfield.systems.system import InitOption, System, SystemContext, SystemKind
from cranfield.systems.templates import FILTER, is_placeholder, placeholder_values, refuse_unpassed
from cranfield_shared.registry import near_names

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import psycopg

__all__ = [
    "POSTGRES_SYSTEM",
    "SqlTemplate",
]

_WRONG_SQL = "42"
"""The class of error codes for SQL that no query can be answered with: unknown names, syntax."""
_ADVICE = {
    "25006": "sql is run in a read-only transaction; write a search that only reads",
    "42P18": "say of which type it is, such as %(filters.kind)s::text",
    "42501": "grant the user of dsn the right to read it",
    "42P01": "fix the name in sql, or the database in dsn",
}
_PLAIN_TYPES = (str, int, float, bool, type(None))


class PostgresSettings(ReadingSettings, kw_only=True):
    """`sql` is the search: one statement whose rows are the hits, the best first.

    Its parameters %(query)s, %(k)s, %(id)s, %(language)s, %(category)s and %(filters.NAME)s are
    bound for each query; one that a query has no value for is NULL. `embedder` is the model that
    makes %(vector)s, written as for `stacks save --embedder`. `dsn` is the name of an environment
    variable with the connection string, as ${NAME}.
    """

    sql: str
    dsn: str = "${DATABASE_URL}"
    embedder: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        template = SqlTemplate(self.sql)
        if not VARIABLE.fullmatch(self.dsn):
            raise ValueError(
                "dsn is written down here, where others can read it; put it into an environment "
                'variable and write dsn = "${DATABASE_URL}"'
            )
        if template.wants_vector and not self.embedder:
            raise ValueError(
                "sql has %(vector)s, and no embedder makes it; name the model that made the "
                'vectors of the table, such as embedder = "wordllama"'
            )
        if self.embedder and not template.wants_vector:
            raise ValueError("embedder makes %(vector)s, which sql does not have; take it out")


class PostgresSystem(System):
    """Searches a database; each query is a read-only transaction of its own."""

    def __init__(self, settings: PostgresSettings, context: SystemContext) -> None:
        self._template = SqlTemplate(settings.sql)
        self._extraction = Extraction(settings)
        self._timeout = settings.timeout
        self._connections = Connections(context.variables.fill(settings.dsn, "dsn"), self._timeout)
        self._embed = (
            open_query_embedder(settings.embedder, context.folder) if settings.embedder else None
        )

    def check(self) -> None:
        """Connect, and have the server plan the statement; it is not run."""
        import psycopg

        values = self._template.values(Query("", "cats"), 1, self._embed)
        try:
            self._connections.run(f"EXPLAIN {self._template.sql}", values)
        except (NoConnectionError, TimeoutError) as problem:
            raise SystemUnusableError(str(problem) or "PostgreSQL does not answer") from None
        except psycopg.Error as problem:
            if (problem.sqlstate or "").startswith(_WRONG_SQL):
                raise SystemUnusableError(f"sql cannot be run: {_explain(problem)}") from None

    def check_queries(self, queries: Sequence[Query]) -> list[str]:
        """Refuse filters that the statement does not have."""
        condition = "(%(filters.{name})s::text IS NULL OR {name} = %(filters.{name})s)"
        example = f"write {condition} into its WHERE"
        refuse_unpassed(queries, self._template.filters, "sql", form="%({})s", example=example)
        return []

    def search(self, query: Query, limit: int) -> Response:
        """Run the statement for a query and read its rows."""
        import psycopg

        try:
            values = self._template.values(query, limit, self._embed)
            rows = self._connections.run(self._template.sql, values)
        except (psycopg.errors.QueryCanceled, TimeoutError):
            return Response.failed(Status.TIMEOUT, f"no answer within {self._timeout:g} s")
        except NoConnectionError as problem:
            return Response.failed(Status.ERROR, str(problem))
        except psycopg.Error as problem:
            return Response.failed(Status.ERROR, f"PostgreSQL: {_explain(problem)}")
        except UnicodeEncodeError as problem:
            return Response.failed(Status.ERROR, f"cannot be queried: {problem}")
        return self._extraction.from_hits((_plain_row(row) for row in rows), limit)

    def close(self) -> None:
        """Close all connections."""
        self._connections.close()


def _explain(problem: psycopg.Error) -> str:
    advice = _ADVICE.get(problem.sqlstate or "", "")
    if 'type "vector" does not exist' in str(problem):
        advice = "pgvector is missing; CREATE EXTENSION vector"
    return "; ".join(filter(None, [describe_error(problem), advice]))


def _plain_row(row: dict[str, Any]) -> dict[str, Any]:
    return {name: _plain(value) for name, value in row.items()}


def _plain(value: Any) -> Any:
    """Return a value as JSON has it; a sum of fractions is a number, not a text."""
    if isinstance(value, _PLAIN_TYPES):
        return value
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, date | datetime | time | timedelta):
        return str(value)
    return msgspec.to_builtins(value, enc_hook=str)


POSTGRES_SYSTEM = SystemKind(
    name="postgres",
    summary="a PostgreSQL database that is searched by SQL",
    example='kind = "postgres"\ndsn = "${DATABASE_URL}"\nsql = "SELECT id, title FROM documents '
    'WHERE title ILIKE %(query)s ORDER BY id LIMIT %(k)s"',
    settings=PostgresSettings,
    open=PostgresSystem,
    refuses=dict.fromkeys(("pattern", "hits", "route", "flags"), "its hits are rows"),
    init=InitOption(
        option="--sql",
        setting="sql",
        example="fulltext",
        read=lambda text: SQL_PRESETS.get(text) if text in SQL_PRESETS else text,
        filled="%(query)s is bound for each query, %(k)s is the number of hits.",
    ),
)


_PLACE = re.compile(r"%(?:%|\((?P<name>[^)]*)\)s|(?P<other>.?))", re.S)
_VECTOR = "vector"
_PARAMETERS = (
    "%(query)s, %(k)s, %(vector)s, %(id)s, %(language)s, %(category)s and %(filters.NAME)s"
)


class SqlTemplate:
    """SQL, and the values of its parameters for each query.

    A parameter that a query has no value for is NULL.
    """

    def __init__(self, sql: str) -> None:
        self.sql = sql
        self._names = frozenset(_read_names(sql))
        for name in sorted(self._names):
            if name != _VECTOR and not is_placeholder(name):
                near = near_names(name, ["query", "k", _VECTOR, "id", "language", "category"], 1)
                hint = f"did you mean %({near[0]})s? " if near else ""
                raise ValueError(f"sql: nothing fills %({name})s; {hint}there are {_PARAMETERS}")
        if not self._names & {"query", _VECTOR}:
            raise ValueError("sql has no %(query)s; put it where the text of the query belongs")
        if "k" not in self._names:
            raise ValueError("sql has no %(k)s, the number of hits; end it with LIMIT %(k)s")

    @property
    def wants_vector(self) -> bool:
        """Whether it has %(vector)s."""
        return _VECTOR in self._names

    @property
    def filters(self) -> list[str]:
        """The filters that it passes on."""
        passed = (name for name in self._names if name.startswith(FILTER))
        return sorted(name.removeprefix(FILTER) for name in passed)

    def values(
        self, query: Query, limit: int, embed: Callable[[str], str | None] | None
    ) -> dict[str, Any]:
        """Return the values of all parameters for a query."""
        known: dict[str, Any] = placeholder_values(query, limit)
        if embed is not None:
            known = {**known, _VECTOR: embed(query.text)}
        return {name: _plain_sql(known.get(name)) for name in self._names}


def _read_names(sql: str) -> list[str]:
    names = []
    for place in _PLACE.finditer(sql):
        if place["other"] is not None:
            line = sql.count("\n", 0, place.start()) + 1
            raise ValueError(
                f"sql, line {line}: {place[0].strip()!r} is not a parameter; name it, such as "
                "%(query)s, and write %% for a percent sign"
            )
        if place["name"] is not None:
            names.append(place["name"])
    return names


def _plain_sql(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
