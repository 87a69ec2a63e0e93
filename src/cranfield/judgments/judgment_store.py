"""Judgments in the store: each is on disk before the next is shown."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import delete, func, select

from cranfield.judgments.judgment import JudgedItem, Judgment, Preference, item_of, query_key
from cranfield.model import Query
from cranfield.runs import store_schema
from cranfield.runs.store_connection import insert_missing, repeat_while_away, repeated_while_away

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sqlalchemy import Connection, Row

    from cranfield.runs.store import Store

__all__ = ["JudgmentStore"]

_WHAT = "the judgments"
_AT_ONCE = 500
"""Rows of a statement, and values that it compares with: databases take a few thousand at most."""


class JudgmentStore:
    """The judgments of a store. Nothing is ever changed or deleted: later ones replace earlier."""

    def __init__(self, store: Store) -> None:
        self.store = store

    @repeated_while_away
    def add(
        self,
        judgments: Sequence[Judgment],
        queries: Iterable[Query] = (),
        texts: Mapping[str, str] | None = None,
        preferences: Sequence[Preference] = (),
    ) -> None:
        """Add judgments, all of them or none, with the queries and texts that they are about.

        `texts` are by content; those that are known already are left as they are.
        """
        known = [_query_row(query) for query in queries]
        contents = [{"hash": name, "text": text} for name, text in (texts or {}).items() if name]
        rows = [_judgment_row(each) for each in judgments]
        with self.store.changing() as connection:
            insert_missing(connection, store_schema.judged_queries, known)
            insert_missing(connection, store_schema.judged_contents, contents)
            for start in range(0, len(rows), _AT_ONCE):
                connection.execute(store_schema.judgments.insert(), rows[start : start + _AT_ONCE])
            for preference in preferences:
                _insert_preference(connection, preference)
            _release(connection, judgments)

    def judgments(
        self, queries: Collection[str] | None = None, *, after: int | None = None
    ) -> list[Judgment]:
        """List judgments in the order they were given: all, or those of some keys of queries.

        `after` is the number of the last one that is known already.
        """
        table = store_schema.judgments
        query = select(table).order_by(table.c.number)
        if after is not None:
            query = query.where(table.c.number > after)
        if queries is None:
            return self.store.read_rows(query, _read_judgment, _WHAT)
        found: list[Judgment] = []
        for some in _batches(queries):
            chosen = query.where(table.c.query.in_(some))
            found += self.store.read_rows(chosen, _read_judgment, _WHAT)
        # Each batch is in order; together they are not.
        return sorted(found, key=lambda each: each.number or 0)

    def count(self) -> int:
        """Count the judgments that were ever given; it grows with every change."""
        query = select(func.count()).select_from(store_schema.judgments)
        return sum(self.store.read_rows(query, lambda row: int(row[0]), _WHAT))

    def queries(self) -> dict[str, Query]:
        """Return the queries that judgments are about, by their keys; their ids are the keys."""
        with self.store.reading(_WHAT) as connection:
            rows = connection.execute(select(store_schema.judged_queries)).all()
            return {row.key: _read_query(row) for row in rows}

    def text(self, content: str) -> str | None:
        """Return the text of a content that was judged; None if it is unknown."""
        table = store_schema.judged_contents
        query = select(table.c.text).where(table.c.hash == content)
        with self.store.reading(_WHAT) as connection:
            return connection.execute(query).scalar()

    def texts(self, contents: Collection[str]) -> dict[str, str]:
        """Return the texts of contents that were judged, as far as they are known."""
        table = store_schema.judged_contents
        found: dict[str, str] = {}
        for some in _batches(contents):
            query = select(table.c.hash, table.c.text).where(table.c.hash.in_(some))
            found.update(self.store.read_rows(query, lambda row: (row.hash, row.text), _WHAT))
        return found

    @repeated_while_away
    def add_preference(self, preference: Preference, query: Query) -> None:
        """Add a preference."""
        with self.store.changing() as connection:
            insert_missing(connection, store_schema.judged_queries, [_query_row(query)])
            _insert_preference(connection, preference)

    def preferences(self) -> list[Preference]:
        """List all preferences in the order they were given."""
        table = store_schema.preferences
        query = select(table).order_by(table.c.number)
        return self.store.read_rows(query, _read_preference, _WHAT)

    def claim(
        self, rater: str, needed: Mapping[JudgedItem, int], seconds: float, after: int | None = None
    ) -> JudgedItem | None:
        """Reserve a pair of query and item for a rater, for so many seconds.

        The first that fewer others have reserved than it needs judgments; what the rater has
        reserved already comes before. None if there is nothing to reserve. `after` is the number
        of the last judgment that `needed` counts: what others judged since then is not needed.
        """
        claim = partial(self._claim, rater, needed, seconds, after)
        return repeat_while_away(self.store, claim)

    def _claim(
        self, rater: str, needed: Mapping[JudgedItem, int], seconds: float, after: int | None
    ) -> JudgedItem | None:
        now = datetime.now(UTC)
        table = store_schema.claims
        with self.store.changing() as connection:
            connection.execute(delete(table).where(table.c.until < _write_time(now)))
            rows = connection.execute(select(table.c.query, table.c.item, table.c.rater)).all()
            claims = [(JudgedItem(row.query, row.item), row.rater) for row in rows]
            mine = {item for item, claimer in claims if claimer == rater}
            others = Counter(item for item, claimer in claims if claimer != rater)
            others.update(_judged_since(connection, after))
            kept = (item for item in needed if item in mine)
            free = (item for item, count in needed.items() if others[item] < count)
            chosen = next(kept, None) or next(free, None)
            connection.execute(delete(table).where(table.c.rater == rater))
            if chosen is not None:
                until = _write_time(now + timedelta(seconds=seconds))
                claimed = {**chosen._asdict(), "rater": rater, "until": until}
                connection.execute(table.insert().values(**claimed))
        return chosen

    @repeated_while_away
    def release(self, rater: str) -> None:
        """Give back what a rater has reserved."""
        table = store_schema.claims
        with self.store.changing() as connection:
            connection.execute(delete(table).where(table.c.rater == rater))


def _judged_since(connection: Connection, after: int | None) -> list[JudgedItem]:
    """List what was judged after the judgment of a number."""
    if after is None:
        return []
    table = store_schema.judgments
    query = select(table.c.query, table.c.document, table.c.content).where(table.c.number > after)
    return [
        JudgedItem(row.query, item_of(row.document, row.content))
        for row in connection.execute(query)
    ]


def _write_time(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")


def _batches(values: Collection[str]) -> Iterator[list[str]]:
    """Yield values in lists that a statement can compare with."""
    ordered = sorted(set(values))
    for start in range(0, len(ordered), _AT_ONCE):
        yield ordered[start : start + _AT_ONCE]


def _judgment_row(each: Judgment) -> dict[str, Any]:
    return {
        "query": each.query,
        "document": each.document,
        "content": each.content,
        "source": each.source,
        "rater": each.rater,
        "state": each.state,
        "grade": each.grade,
        "given": each.given or _write_time(datetime.now(UTC)),
        "note": each.note,
        "guideline": each.guideline,
        "suite": each.suite,
        "query_id": each.query_id,
        "batch": each.batch,
    }


def _read_judgment(row: Row[*tuple[Any, ...]]) -> Judgment:
    # Checked as it is converted: the file may have been changed by others.
    stored = {
        "number": row.number,
        "query": row.query,
        "document": row.document,
        "content": row.content,
        "source": row.source,
        "rater": row.rater,
        "state": row.state,
        "grade": row.grade,
        "given": row.given,
        "note": row.note,
        "guideline": row.guideline,
        "suite": row.suite,
        "query_id": row.query_id,
        "batch": row.batch,
    }
    return msgspec.convert(stored, Judgment)


def _read_preference(row: Row[*tuple[Any, ...]]) -> Preference:
    stored = {
        "number": row.number,
        "query": row.query,
        "first_answer": row.first_answer,
        "second_answer": row.second_answer,
        "first_run": row.first_run,
        "second_run": row.second_run,
        "choice": row.choice,
        "is_swapped": bool(row.is_swapped),
        "rater": row.rater,
        "given": row.given,
        "note": row.note,
        "guideline": row.guideline,
        "suite": row.suite,
        "query_id": row.query_id,
    }
    return msgspec.convert(stored, Preference)


def _read_query(row: Row[*tuple[Any, ...]]) -> Query:
    stored = {"id": row.key, "text": row.text, "language": row.language}
    filters = msgspec.json.decode(row.filters, type=dict[str, Any])
    return msgspec.convert(stored | {"filters": filters}, Query)


def _insert_preference(connection: Connection, preference: Preference) -> None:
    row = {
        "query": preference.query,
        "first_answer": preference.first_answer,
        "second_answer": preference.second_answer,
        "first_run": preference.first_run,
        "second_run": preference.second_run,
        "choice": preference.choice,
        "is_swapped": int(preference.is_swapped),
        "rater": preference.rater,
        "given": preference.given or _write_time(datetime.now(UTC)),
        "note": preference.note,
        "guideline": preference.guideline,
        "suite": preference.suite,
        "query_id": preference.query_id,
    }
    connection.execute(store_schema.preferences.insert().values(**row))


def _query_row(query: Query) -> dict[str, str]:
    return {
        "key": query_key(query),
        "text": query.text,
        "language": query.language,
        "filters": msgspec.json.encode(dict(query.filters), order="sorted").decode(),
    }


def _release(connection: Connection, judgments: Iterable[Judgment]) -> None:
    table = store_schema.claims
    for each in judgments:
        connection.execute(
            delete(table).where(
                table.c.query == each.query,
                table.c.item == each.item,
                table.c.rater == each.rater,
            )
        )
