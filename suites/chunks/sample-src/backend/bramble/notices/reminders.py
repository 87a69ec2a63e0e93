"""Which letters are written, and to whom."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta

from bramble.catalogue.titles import Titles
from bramble.circulation.loans import Desk, Loan
from bramble.clock import SystemClock
from bramble.notices.outbox import Outbox
from bramble.notices.templates import choose_letter

DAYS_AHEAD = 3


class Reminders:
    def __init__(self, desk: Desk, titles: Titles, outbox: Outbox, clock: SystemClock) -> None:
        self._desk = desk
        self._titles = titles
        self._outbox = outbox
        self._clock = clock

    def write_due_soon(self) -> int:
        """One letter for each member who has something to bring back shortly."""
        day = self._clock.today() + timedelta(days=DAYS_AHEAD)
        return self._write("due_soon", self._desk.loans.due_between(day, day))

    def write_late(self) -> int:
        """A week after the day, and again after three weeks."""
        today = self._clock.today()
        late = [
            loan
            for days in (7, 21)
            for loan in self._desk.loans.due_between(
                today - timedelta(days=days), today - timedelta(days=days)
            )
        ]
        return self._write("late", late)

    def tell_ready(self, card: str, title: int, until: str) -> None:
        member = self._desk.members.get(card)
        if member.mail:
            name = self._titles.get(title).name
            letter = choose_letter("ready", "en").fill(name=member.name, title=name, until=until)
            self._outbox.put(member.mail, *letter)

    def _write(self, kind: str, loans: list[Loan]) -> int:
        by_member: dict[str, list[Loan]] = defaultdict(list)
        for loan in loans:
            by_member[loan.member].append(loan)
        for card, mine in by_member.items():
            member = self._desk.members.get(card)
            if not member.mail:
                continue
            listed = "\n".join(f"- {loan.copy}, due {loan.due}" for loan in mine)
            values = {"count": len(mine), "due": mine[0].due, "name": member.name, "list": listed}
            self._outbox.put(member.mail, *choose_letter(kind, "en").fill(**values))
        return len(by_member)
