"""Logs of User Behavior Insights: what was asked, what was shown where, and what was clicked.

Of a query are read `query_id`, `user_query`, `query_response_hit_ids` and `timestamp`; of an event
`query_id`, `action_name`, `timestamp`, `event_attributes.object.object_id` and
`event_attributes.position.ordinal`. All other fields are passed over.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cranfield.errors import InputError
from cranfield.judging.files.judgment_records import decode_object, read_table, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["ClickActions", "ClickLog", "Showing", "read_click_log"]

_TABLES = (".csv", ".tsv")
_EXPECTED = "a log is JSON lines or CSV with the fields of User Behavior Insights"


class Showing(NamedTuple):
    """A document that was shown for a query: where, and whether it was clicked."""

    query: str
    document: str
    position: int
    is_clicked: bool


@dataclass(frozen=True, slots=True)
class ClickActions:
    """The names of the events that count as a click, and as a document that was seen."""

    click: tuple[str, ...] = ("click",)
    impression: tuple[str, ...] = ("impression",)


@dataclass(frozen=True, slots=True)
class ClickLog:
    """Everything that was shown, in the order of the log; `last` is when the last thing happened.

    `unplaced` counts clicks on what was not shown, or for queries that the log does not have.
    `untexted` counts queries without a text.
    """

    showings: tuple[Showing, ...]
    last: str = ""
    unplaced: int = 0
    untexted: int = 0


@dataclass(slots=True)
class _Asked:
    text: str
    positions: dict[str, int] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Events:
    clicks: dict[tuple[str, str], None] = field(default_factory=dict)
    impressions: list[tuple[str, str, int | None]] = field(default_factory=list)
    names: Counter[str] = field(default_factory=Counter)
    last: str = ""


def read_click_log(queries: Path, events: Path, actions: ClickActions | None = None) -> ClickLog:
    """Read a file of queries and one of events, each as JSON lines or CSV.

    Shown is what impressions say; in a log without any, all of `query_response_hit_ids`. Several
    clicks on a document after one query are one.
    """
    actions = actions or ClickActions()
    asked, untexted, last = _read_queries(queries)
    happened = _read_events(events, actions)
    for query, document, ordinal in happened.impressions:
        if query in asked:
            place = asked[query].positions.get(document) if ordinal is None else ordinal
            if place is not None:
                asked[query].seen.setdefault(document, place)
    showings = tuple(_showings(asked, happened))
    if not showings:
        raise InputError(
            "nothing says what was shown: no query has query_response_hit_ids, and no event "
            f"{' or '.join(actions.impression)} belongs to one; {_EXPECTED}",
            file=str(queries),
        )
    placed = sum(each.is_clicked for each in showings)
    unplaced = len(happened.clicks) - placed
    return ClickLog(showings, max(last, happened.last), unplaced, untexted)


def _showings(asked: dict[str, _Asked], happened: _Events) -> Iterator[Showing]:
    for query, each in asked.items():
        shown = each.seen if happened.impressions else each.positions
        for document, position in shown.items():
            yield Showing(each.text, document, position, (query, document) in happened.clicks)


def _read_queries(path: Path) -> tuple[dict[str, _Asked], int, str]:
    asked: dict[str, _Asked] = {}
    untexted, last = 0, ""
    for row, line in _rows(path):
        name, text = row.get("query_id"), row.get("user_query")
        if not isinstance(name, str) or not name:
            raise InputError(f"has no query_id; {_EXPECTED}", file=str(path), line=line)
        last = max(last, str(row.get("timestamp") or ""))
        if not isinstance(text, str) or not text.strip():
            untexted += 1
            continue
        hits = _hit_ids(row.get("query_response_hit_ids"), path, line)
        known = asked.setdefault(name, _Asked(text))
        for position, document in enumerate(hits, start=1 + len(known.positions)):
            known.positions.setdefault(document, position)
    return asked, untexted, last


def _hit_ids(value: Any, path: Path, line: int) -> list[str]:
    """Return the ids of hits: a list, or in a table a JSON list or ids between commas."""
    if isinstance(value, str):
        if not value.startswith("["):
            return [each.strip() for each in value.split(",") if each.strip()]
        try:
            value = msgspec.json.decode(value)
        except msgspec.DecodeError:
            value = None
    if value is None:
        return []
    if isinstance(value, list) and all(isinstance(each, str | int) for each in value):
        return [str(each) for each in value]
    raise InputError("query_response_hit_ids is not a list of ids", file=str(path), line=line)


def _read_events(path: Path, actions: ClickActions) -> _Events:
    events = _Events()
    for row, line in _rows(path):
        name = str(row.get("action_name") or "")
        events.names[name] += 1
        events.last = max(events.last, str(row.get("timestamp") or ""))
        if name not in (*actions.click, *actions.impression):
            continue
        query, document = str(row.get("query_id") or ""), _at(row, "object", "object_id")
        if document is None:
            raise InputError(
                f"the {name} has no event_attributes.object.object_id", file=str(path), line=line
            )
        if name in actions.click:
            events.clicks[query, str(document)] = None
        else:
            ordinal = _ordinal(_at(row, "position", "ordinal"), path, line)
            events.impressions.append((query, str(document), ordinal))
    if not events.clicks:
        found = ", ".join(f"{name!r} ({count})" for name, count in events.names.most_common(5))
        raise InputError(
            f"has no event {' or '.join(actions.click)}; its actions are {found}; name the one "
            "that is a click with --click NAME",
            file=str(path),
        )
    return events


def _at(row: dict[str, Any], part: str, name: str) -> Any:
    """Return an attribute of an event: nested as in JSON, or a column with a dotted name."""
    found = row.get(f"event_attributes.{part}.{name}")
    if found not in (None, ""):
        return found
    attributes = row.get("event_attributes")
    if isinstance(attributes, str) and attributes.startswith("{"):
        attributes = msgspec.json.decode(attributes)
    inner = attributes.get(part) if isinstance(attributes, dict) else None
    return inner.get(name) if isinstance(inner, dict) else None


def _ordinal(value: Any, path: Path, line: int) -> int | None:
    if value is None:
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and value.strip().isdecimal():
        return int(value)
    raise InputError(f"the ordinal {value!r} is not a whole number", file=str(path), line=line)


def _rows(path: Path) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield the entries of a log; one of a search index is in its `_source`."""
    if path.suffix.lower() in _TABLES:
        for row in read_table(path)[1]:
            yield dict(row.cells), row.line
        return
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            value = decode_object(line, path, number, _EXPECTED)
            source = value.get("_source")
            yield (source if isinstance(source, dict) else value), number
