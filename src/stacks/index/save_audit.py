"""The audit of a save: what happened to every page, counted, and each problem with its page."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield_shared.secret_kinds import mask_secrets

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection

__all__ = ["EVENTS", "KEPT_EVENTS", "Audit", "Event"]

EVENTS = {
    "duplicate-a": "same URI, same content: dropped",
    "duplicate-b": "same URI, title differs in spaces or case: dropped",
    "duplicate-c": "same URI, other content: an error in the corpus; the first is kept",
    "error-template": "title of an HTTP error page: refused",
    "placeholder-title": "placeholder or no title: refused",
    "unreadable": "page that could not be read: skipped",
    "reader-failed": "page that its reader failed with, a bug to report: skipped",
    "as-text": "code that takes too long to parse: kept as text, without symbols",
    "name-only": "indexed by name only: its content is not searched",
    "masked": "keys and tokens of known kinds in the text: masked",
    "secret-in-name": "key or token in a name or address: skipped",
    "empty-source": "corpus without a single document: allowed by --allow-empty",
    "without-document": "page with nothing to search for, such as navigation: skipped",
}
"""Every event that a save can note, and what was done."""

KEPT_EVENTS = ("name-only", "masked")
"""Those that stay true of a page until its bytes change."""


@dataclass(frozen=True, slots=True)
class Event:
    """One page and what happened to it."""

    source: str
    event: str
    page: str
    message: str


class Audit:
    """The record of one save, stored in the index.

    `duplicated` are the corpora (source, location) of which a document came before.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.counts: Counter[str] = Counter()
        self.documents: Counter[str] = Counter()
        self.pages: Counter[str] = Counter()
        self.unchanged: Counter[str] = Counter()
        self.dropped: Counter[str] = Counter()
        self.duplicated: set[tuple[str, str]] = set()

    def note(self, source: str, event: str, page: str, message: str) -> None:
        """Record an event; names and messages may quote a secret of the page."""
        self.events.append(Event(source, event, mask_secrets(page), mask_secrets(message)))
        self.counts[event] += 1

    def keep(self, connection: sqlite3.Connection, source: str, unchanged: Collection[str]) -> None:
        """Keep the events that an earlier save recorded for unchanged pages, if still true."""
        sql = "SELECT event, page, message FROM audit WHERE source = ?"
        for event, page, message in connection.execute(sql, (source,)).fetchall():
            if event in KEPT_EVENTS and page in unchanged:
                self.note(source, event, page, message)

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
