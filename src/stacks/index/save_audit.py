"""The audit of a save: what happened to every page, counted, and each problem with its page."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection

__all__ = ["EVENTS", "Audit", "Event"]

EVENTS = {
    "duplicate-a": "same URI, same content: dropped",
    "duplicate-b": "same URI, title differs in spaces or case: dropped",
    "duplicate-c": "same URI, other content: an error in the corpus; the first is kept",
    "error-template": "title of an HTTP error page: refused",
    "placeholder-title": "placeholder or no title: refused",
    "unreadable": "page that could not be read: skipped",
    "name-only": "indexed by name only: its content is not searched",
    "empty-source": "source without a single document",
    "without-document": "page with nothing to search for, such as navigation: skipped",
}
"""Every event that a save can note, and what was done."""


@dataclass(frozen=True, slots=True)
class Event:
    """One page and what happened to it."""

    source: str
    event: str
    page: str
    message: str


class Audit:
    """The record of one save, stored in the index."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.counts: Counter[str] = Counter()
        self.documents: Counter[str] = Counter()
        self.pages: Counter[str] = Counter()
        self.unchanged: Counter[str] = Counter()
        self.dropped: Counter[str] = Counter()

    def note(self, source: str, event: str, page: str, message: str) -> None:
        """Record an event."""
        self.events.append(Event(source, event, page, message))
        self.counts[event] += 1

    def keep(self, connection: sqlite3.Connection, source: str, unchanged: Collection[str]) -> None:
        """Keep the `name-only` events that an earlier save recorded for unchanged pages."""
        sql = "SELECT page, message FROM audit WHERE source = ? AND event = 'name-only'"
        for page, message in connection.execute(sql, (source,)).fetchall():
            if page in unchanged:
                self.note(source, "name-only", page, message)

    def write(self, connection: sqlite3.Connection) -> None:
        """Store the record in place of an older one about the same sources."""
        for source in {*self.pages, *(event.source for event in self.events)}:
            connection.execute("DELETE FROM audit WHERE source = ?", (source,))
        connection.executemany(
            "INSERT INTO audit (source, event, page, message) VALUES (?, ?, ?, ?)",
            [(each.source, each.event, each.page, each.message) for each in self.events],
        )
        summary = {
            "documents": dict(self.documents),
            "pages": dict(self.pages),
            "unchanged": dict(self.unchanged),
            "dropped": dict(self.dropped),
            "events": dict(self.counts),
        }
        connection.execute(
            "INSERT OR REPLACE INTO meta VALUES ('last_save', ?)",
            (json.dumps(summary, sort_keys=True),),
        )
