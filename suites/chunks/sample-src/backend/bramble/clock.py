"""Time as the library sees it: the clock, and the days on which doors open."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, timezone


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(timezone.utc)

    def today(self) -> date:
        return self.now().date()


@dataclass(frozen=True)
class OpeningCalendar:
    """Weekdays (0 is Monday) on which a branch is closed, and single closed dates."""

    closed_weekdays: frozenset[int] = frozenset({6})
    holidays: frozenset[date] = field(default_factory=frozenset)

    def is_open(self, day: date) -> bool:
        return day.weekday() not in self.closed_weekdays and day not in self.holidays

    def next_open_day(self, day: date) -> date:
        """The day itself, or the first one after it when somebody is at the desk."""
        for offset in range(60):
            candidate = day + timedelta(days=offset)
            if self.is_open(candidate):
                return candidate
        raise ValueError(f"no opening day within two months after {day}")

    def count_open_days(self, start: date, end: date) -> int:
        """Count opening days after `start`, up to and including `end`."""
        span = (end - start).days
        return sum(self.is_open(start + timedelta(days=n)) for n in range(1, span + 1))
