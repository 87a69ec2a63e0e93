"""Money: what lateness costs, and who owes what. Amounts are cents; debts are positive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bramble.clock import SystemClock
from bramble.errors import Invalid
from bramble.storage.database import Database


@dataclass(frozen=True)
class Tariff:
    per_day: int = 25
    most: int = 1000
    grace_days: int = 2
    replacement: int = 2500
    free_kinds: frozenset[str] = frozenset({"child", "school"})

    def lateness(self, days: int, kind: str) -> int:
        """Nothing within the days of grace, and never more than the cap for one item."""
        if kind in self.free_kinds or days <= self.grace_days:
            return 0
        return min(self.per_day * days, self.most)


@dataclass(frozen=True)
class Entry:
    cents: int
    reason: str
    at: str

    def to_json(self) -> dict[str, Any]:
        return {"cents": self.cents, "reason": self.reason, "at": self.at}


class Ledger:
    """Entries are only ever added; what a person owes is their sum."""

    def __init__(self, database: Database, clock: SystemClock) -> None:
        self._database = database
        self._clock = clock

    def balance(self, card: str) -> int:
        return int(
            self._database.scalar(
                "SELECT coalesce(sum(cents), 0) FROM entries WHERE member = ?", card
            )
        )

    def charge(self, card: str, cents: int, reason: str, loan: int | None = None) -> None:
        self._write(card, cents, reason, loan=loan)

    def pay(self, card: str, cents: int, clerk: str) -> int:
        """Book money that was handed over; return what is left to pay."""
        if not 0 < cents <= self.balance(card):
            raise Invalid("nobody pays more than is owed", cents=cents)
        self._write(card, -cents, "paid", clerk=clerk)
        return self.balance(card)

    def forgive(self, card: str, cents: int, clerk: str, why: str) -> int:
        """Let somebody off; the clerk signs for it with a reason."""
        if not why.strip():
            raise Invalid("a reason is needed")
        self._write(card, -min(cents, self.balance(card)), f"let off: {why}", clerk=clerk)
        return self.balance(card)

    def statement(self, card: str) -> list[Entry]:
        rows = self._database.many("SELECT * FROM entries WHERE member = ? ORDER BY id", card)
        return [Entry(row["cents"], row["reason"], row["at"]) for row in rows]

    def _write(self, card: str, cents: int, reason: str, **more: Any) -> None:
        self._database.connection.execute(
            "INSERT INTO entries (member, cents, reason, loan, clerk, at) VALUES (?,?,?,?,?,?)",
            (
                card,
                cents,
                reason,
                more.get("loan"),
                more.get("clerk"),
                self._clock.now().isoformat(),
            ),
        )
