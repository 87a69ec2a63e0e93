from __future__ import annotations

import enum
from dataclasses import dataclass

from bramble.errors import Conflict, NotFound
from bramble.storage.database import Database


class CopyState(enum.Enum):
    SHELF = "shelf"
    OUT = "out"
    HELD = "held"
    LOST = "lost"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True)
class Copy:
    """One physical book, known by the barcode on its back."""

    barcode: str
    title: int
    branch: str
    state: CopyState

    def to_json(self) -> dict[str, str | int]:
        return {"barcode": self.barcode, "title": self.title, "state": self.state.value}


class Copies:
    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, barcode: str) -> Copy:
        row = self._database.one("SELECT * FROM copies WHERE barcode = ?", barcode)
        if row is None:
            raise NotFound("no copy with this barcode", barcode=barcode)
        return Copy(row["barcode"], row["title"], row["branch"], CopyState(row["state"]))

    def move(self, barcode: str, before: CopyState, after: CopyState) -> None:
        """Change the state only if it is still what the caller believes it to be."""
        changed = self._database.connection.execute(
            "UPDATE copies SET state = ? WHERE barcode = ? AND state = ?",
            (after.value, barcode, before.value),
        )
        if changed.rowcount != 1:
            raise Conflict(f"the copy is no longer '{before.value}'", barcode=barcode)

    def on_shelf(self, title: int) -> list[Copy]:
        rows = self._database.many(
            "SELECT barcode FROM copies WHERE title = ? AND state = 'shelf'", title
        )
        return [self.get(row["barcode"]) for row in rows]
