"""Waiting for a book that somebody else is reading."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from bramble.clock import OpeningCalendar, SystemClock
from bramble.errors import NotFound, Refused
from bramble.storage.database import Database

PICKUP_DAYS = 7
MOST_PER_MEMBER = 10


@dataclass(frozen=True)
class Reservation:
    id: int
    title: int
    member: str
    copy: str | None
    held_until: date | None

    def to_json(self) -> dict[str, object]:
        until = str(self.held_until) if self.held_until else None
        return {"id": self.id, "title": self.title, "ready": bool(self.copy), "until": until}


class WaitingList:
    def __init__(self, database: Database, clock: SystemClock, calendar: OpeningCalendar) -> None:
        self._database = database
        self._clock = clock
        self._calendar = calendar

    def join(self, title: int, card: str) -> int:
        """Queue up; return the place in the line."""
        mine = self._database.scalar("SELECT count(*) FROM reservations WHERE member = ?", card)
        if mine >= MOST_PER_MEMBER:
            raise Refused(f"no more than {MOST_PER_MEMBER} reservations at a time")
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT INTO reservations (title, member, placed) VALUES (?, ?, ?)",
                (title, card, self._clock.now().isoformat()),
            )
        return self.place(title, card)

    def place(self, title: int, card: str) -> int:
        rows = self._database.many(
            "SELECT member FROM reservations WHERE title = ? ORDER BY placed, id", title
        )
        line = [row["member"] for row in rows]
        if card not in line:
            raise NotFound("not in this line", title=title)
        return line.index(card) + 1

    def count(self, title: int) -> int:
        """How many wait and have no copy set aside yet."""
        return int(
            self._database.scalar(
                "SELECT count(*) FROM reservations WHERE title = ? AND copy IS NULL", title
            )
        )

    def assign(self, title: int, barcode: str) -> str | None:
        """Set a copy aside for the first in line and tell who that is."""
        row = self._database.one(
            "SELECT id, member FROM reservations WHERE title = ? AND copy IS NULL "
            "ORDER BY placed, id LIMIT 1",
            title,
        )
        if row is None:
            return None
        until = self._calendar.next_open_day(self._clock.today() + timedelta(days=PICKUP_DAYS))
        self._database.connection.execute(
            "UPDATE reservations SET copy = ?, held_until = ? WHERE id = ?",
            (barcode, str(until), row["id"]),
        )
        return str(row["member"])

    def is_held_for(self, barcode: str, card: str) -> bool:
        return bool(
            self._database.scalar(
                "SELECT 1 FROM reservations WHERE copy = ? AND member = ?", barcode, card
            )
        )

    def fulfil(self, title: int, card: str) -> None:
        self._database.connection.execute(
            "DELETE FROM reservations WHERE title = ? AND member = ?", (title, card)
        )

    def lapse(self) -> list[tuple[str, int]]:
        """Drop holds that nobody came for; return barcode and title of each."""
        rows = self._database.many(
            "SELECT id, copy, title FROM reservations WHERE held_until < ?",
            str(self._clock.today()),
        )
        with self._database.transaction() as connection:
            for row in rows:
                connection.execute("DELETE FROM reservations WHERE id = ?", (row["id"],))
        return [(row["copy"], row["title"]) for row in rows]
