"""Readers and their cards."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from bramble.clock import SystemClock
from bramble.errors import Conflict, NotFound
from bramble.storage.database import Database
from bramble.validation import Form, looks_like_mail, not_blank

REGISTRATION = Form(
    {"name": (not_blank,), "mail": (looks_like_mail,), "born": (not_blank,), "kind": (not_blank,)},
    optional=frozenset({"mail"}),
)


@dataclass(frozen=True)
class Member:
    card: str
    name: str
    mail: str | None
    born: date
    kind: str
    valid_until: date
    blocked: str | None = None

    @classmethod
    def from_row(cls, row: sqlite3.Row) -> Member:
        return cls(
            row["card"],
            row["name"],
            row["mail"],
            date.fromisoformat(row["born"]),
            row["kind"],
            date.fromisoformat(row["valid_until"]),
            row["blocked"],
        )

    def has_lapsed(self, today: date) -> bool:
        return self.valid_until < today

    def to_json(self) -> dict[str, Any]:
        return {"card": self.card, "name": self.name, "kind": self.kind, "blocked": self.blocked}


class Members:
    def __init__(self, database: Database, clock: SystemClock) -> None:
        self._database = database
        self._clock = clock

    def __len__(self) -> int:
        return int(self._database.scalar("SELECT count(*) FROM members"))

    def get(self, card: str) -> Member:
        row = self._database.one("SELECT * FROM members WHERE card = ?", card)
        if row is None:
            raise NotFound("no member has this card")
        return Member.from_row(row)

    def register(self, body: dict[str, Any]) -> Member:
        """Issue a new card that is good for a year."""
        given = REGISTRATION.validate(body)
        until = self._clock.today() + timedelta(days=365)
        with self._database.transaction() as connection:
            card = self._next_card()
            connection.execute(
                "INSERT INTO members (card, name, mail, born, kind, valid_until) VALUES (?,?,?,?,?,?)",
                (card, given["name"], given.get("mail"), given["born"], given["kind"], str(until)),
            )
        return self.get(card)

    def prolong(self, card: str) -> Member:
        start = max(self.get(card).valid_until, self._clock.today())
        with self._database.transaction() as connection:
            until = str(start + timedelta(days=365))
            connection.execute("UPDATE members SET valid_until = ? WHERE card = ?", (until, card))
        return self.get(card)

    def suspend(self, card: str, reason: str) -> None:
        """Stop a card until somebody at the desk has had a word with its owner."""
        with self._database.transaction() as connection:
            connection.execute("UPDATE members SET blocked = ? WHERE card = ?", (reason, card))

    def erase(self, card: str) -> None:
        """Forget a person who leaves: history stays for statistics, but belongs to nobody."""
        if self._database.scalar(
            "SELECT count(*) FROM loans WHERE member = ? AND returned IS NULL", card
        ):
            raise Conflict("there are books to bring back first")
        with self._database.transaction() as connection:
            connection.execute("UPDATE loans SET member = NULL WHERE member = ?", (card,))
            connection.execute("DELETE FROM reservations WHERE member = ?", (card,))
            connection.execute("UPDATE entries SET member = NULL WHERE member = ?", (card,))
            connection.execute("DELETE FROM members WHERE card = ?", (card,))

    def inactive_since(self, day: date) -> list[Member]:
        """Lapsed long ago and nothing borrowed since: candidates for erasure."""
        rows = self._database.many(
            "SELECT * FROM members m WHERE valid_until < ? AND NOT EXISTS "
            "(SELECT 1 FROM loans l WHERE l.member = m.card AND l.taken > ?)",
            str(day),
            str(day),
        )
        return [Member.from_row(row) for row in rows]

    def _next_card(self) -> str:
        last = self._database.scalar("SELECT max(card) FROM members")
        return f"BR{(int(last[2:]) if last else 0) + 1:08d}"
