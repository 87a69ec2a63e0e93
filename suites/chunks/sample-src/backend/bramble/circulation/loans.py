"""Handing books out and taking them back."""

from __future__ import annotations

import logging
import sqlite3
from dataclasses import dataclass
from datetime import date
from typing import Any

from bramble.catalogue.copies import Copies, CopyState
from bramble.circulation import policy
from bramble.circulation.fines import Ledger, Tariff
from bramble.circulation.reservations import WaitingList
from bramble.clock import OpeningCalendar, SystemClock
from bramble.errors import Conflict, NotFound, Refused
from bramble.members.members import Members
from bramble.storage.database import Database

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Loan:
    id: int
    copy: str
    member: str
    due: date
    renewals: int
    returned: date | None = None

    @classmethod
    def from_row(cls, row: sqlite3.Row) -> Loan:
        back = date.fromisoformat(row["returned"]) if row["returned"] else None
        due = date.fromisoformat(row["due"])
        return cls(row["id"], row["copy"], row["member"], due, row["renewals"], back)

    def days_late(self, today: date) -> int:
        return max(0, ((self.returned or today) - self.due).days)

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, "copy": self.copy, "due": str(self.due), "renewals": self.renewals}


class Loans:
    """The table of loans."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def __len__(self) -> int:
        return int(self._database.scalar("SELECT count(*) FROM loans WHERE returned IS NULL"))

    def of_copy(self, barcode: str) -> Loan:
        row = self._database.one("SELECT * FROM loans WHERE copy = ? AND returned IS NULL", barcode)
        if row is None:
            raise NotFound("this copy is not out", barcode=barcode)
        return Loan.from_row(row)

    def of_member(self, card: str) -> list[Loan]:
        rows = self._database.many(
            "SELECT * FROM loans WHERE member = ? AND returned IS NULL ORDER BY due", card
        )
        return [Loan.from_row(row) for row in rows]

    def due_between(self, first: date, last: date) -> list[Loan]:
        rows = self._database.many(
            "SELECT * FROM loans WHERE returned IS NULL AND due BETWEEN ? AND ?",
            str(first),
            str(last),
        )
        return [Loan.from_row(row) for row in rows]


class Desk:
    """What happens between a clerk, a reader and a book."""

    def __init__(self, database: Database, clock: SystemClock, calendar: OpeningCalendar) -> None:
        self._database = database
        self._clock = clock
        self._calendar = calendar
        self.copies = Copies(database)
        self.loans = Loans(database)
        self.members = Members(database, clock)
        self.ledger = Ledger(database, clock)
        self.waiting = WaitingList(database, clock, calendar)
        self.tariff = Tariff()

    def standing(self, card: str) -> policy.Standing:
        open_loans = self.loans.of_member(card)
        today = self._clock.today()
        latest = max((loan.days_late(today) for loan in open_loans), default=0)
        owed = self.ledger.balance(card)
        return policy.Standing(self.members.get(card), len(open_loans), owed, latest)

    def hand_out(self, barcode: str, card: str) -> Loan:
        """Lend a copy; whoever reserved it may take it from the hold shelf."""
        today = self._clock.today()
        standing = self.standing(card)
        reasons = policy.objections(standing, today)
        if reasons:
            raise Refused("; ".join(reasons), card=card)
        copy = self.copies.get(barcode)
        if copy.state is CopyState.HELD and not self.waiting.is_held_for(barcode, card):
            raise Refused("kept for somebody else", barcode=barcode)
        due = policy.due_date(standing.member.kind, today, self._calendar)
        with self._database.transaction() as connection:
            if copy.state not in (CopyState.SHELF, CopyState.HELD):
                raise Conflict(f"the copy is '{copy.state.value}'", barcode=barcode)
            self.copies.move(barcode, copy.state, CopyState.OUT)
            self.waiting.fulfil(copy.title, card)
            connection.execute(
                "INSERT INTO loans (copy, member, taken, due) VALUES (?, ?, ?, ?)",
                (barcode, card, str(today), str(due)),
            )
        return self.loans.of_copy(barcode)

    def take_back(self, barcode: str) -> str | None:
        """Close the loan, charge for lateness; return the card of the next in line, if any."""
        loan = self.loans.of_copy(barcode)
        copy = self.copies.get(barcode)
        today = self._clock.today()
        with self._database.transaction() as connection:
            connection.execute("UPDATE loans SET returned = ? WHERE id = ?", (str(today), loan.id))
            late = self._calendar.count_open_days(loan.due, today) if today > loan.due else 0
            cents = self.tariff.lateness(late, self.members.get(loan.member).kind)
            if cents:
                self.ledger.charge(loan.member, cents, "returned late", loan.id)
            follower = self.waiting.assign(copy.title, barcode)
            self.copies.move(
                barcode, CopyState.OUT, CopyState.HELD if follower else CopyState.SHELF
            )
        log.info("copy %s came back, next: %s", barcode, follower)
        return follower

    def prolong(self, barcode: str) -> Loan:
        loan = self.loans.of_copy(barcode)
        member = self.members.get(loan.member)
        is_wanted = self.waiting.count(self.copies.get(barcode).title) > 0
        if not policy.can_prolong(member.kind, loan.renewals, is_wanted):
            raise Refused("this loan cannot be extended", renewals=loan.renewals, wanted=is_wanted)
        due = policy.due_date(member.kind, self._clock.today(), self._calendar)
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE loans SET due = ?, renewals = renewals + 1 WHERE id = ?",
                (str(max(due, loan.due)), loan.id),
            )
        return self.loans.of_copy(barcode)

    def write_off(self, barcode: str) -> None:
        """The reader lost it: the loan ends, and the replacement is charged."""
        loan = self.loans.of_copy(barcode)
        with self._database.transaction() as connection:
            today = str(self._clock.today())
            connection.execute("UPDATE loans SET returned = ? WHERE id = ?", (today, loan.id))
            self.copies.move(barcode, CopyState.OUT, CopyState.LOST)
            self.ledger.charge(loan.member, self.tariff.replacement, "lost item", loan.id)
