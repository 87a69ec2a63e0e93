"""The house rules: how much, how long, how often."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from bramble.clock import OpeningCalendar
from bramble.members.members import Member


@dataclass(frozen=True)
class Allowance:
    """What a kind of member is entitled to."""

    items: int
    days: int
    renewals: int
    debt_cents: int


ALLOWANCES = {
    "child": Allowance(items=8, days=28, renewals=3, debt_cents=500),
    "adult": Allowance(items=12, days=21, renewals=2, debt_cents=1000),
    "school": Allowance(items=60, days=56, renewals=1, debt_cents=5000),
    "guest": Allowance(items=3, days=14, renewals=0, debt_cents=0),
}


@dataclass(frozen=True)
class Standing:
    """What the desk knows about a member at this moment."""

    member: Member
    items_out: int
    owed_cents: int
    oldest_overdue_days: int = 0


def objections(standing: Standing, today: date) -> list[str]:
    """Every reason to say no to another item; an empty list means go ahead."""
    allowance = ALLOWANCES[standing.member.kind]
    found = []
    if standing.member.blocked:
        found.append(f"card suspended: {standing.member.blocked}")
    if standing.member.has_lapsed(today):
        found.append("membership has run out")
    if standing.items_out >= allowance.items:
        found.append(f"limit of {allowance.items} items reached")
    if standing.owed_cents > allowance.debt_cents:
        found.append("too much is owed")
    if standing.oldest_overdue_days > 30:
        found.append("something is more than a month late")
    return found


def due_date(kind: str, today: date, calendar: OpeningCalendar) -> date:
    """The last day of the loan, moved to a day on which the doors are open."""
    return calendar.next_open_day(today + timedelta(days=ALLOWANCES[kind].days))


def can_prolong(kind: str, renewals: int, is_wanted: bool) -> bool:
    """Not if others wait for it, and not more often than the rules allow."""
    return not is_wanted and renewals < ALLOWANCES[kind].renewals
