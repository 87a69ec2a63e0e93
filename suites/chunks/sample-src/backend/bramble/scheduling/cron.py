"""Five-field time tables: minute, hour, day, month, weekday."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

BOUNDS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 6))


@dataclass(frozen=True)
class TimeTable:
    fields: tuple[frozenset[int], ...]

    @classmethod
    def parse(cls, text: str) -> TimeTable:
        parts = text.split()
        if len(parts) != len(BOUNDS):
            raise ValueError(f"{text!r} has {len(parts)} fields instead of five")
        return cls(tuple(expand(part, *bounds) for part, bounds in zip(parts, BOUNDS)))

    def fits(self, moment: datetime) -> bool:
        values = (moment.minute, moment.hour, moment.day, moment.month, moment.weekday())
        return all(value in allowed for value, allowed in zip(values, self.fields))

    def next_after(self, moment: datetime) -> datetime:
        """The first full minute behind `moment` that fits, within a year."""
        candidate = moment.replace(second=0, microsecond=0)
        for _ in range(366 * 24 * 60):
            candidate += timedelta(minutes=1)
            if self.fits(candidate):
                return candidate
        raise ValueError("this time table never comes up")


def expand(part: str, low: int, high: int) -> frozenset[int]:
    """Read `*`, `5`, `1-5`, `*/10` and lists of these."""
    found: set[int] = set()
    for piece in part.split(","):
        span, _, step = piece.partition("/")
        first, _, last = span.partition("-")
        if span == "*":
            start, end = low, high
        else:
            start, end = int(first), int(last or first)
        if not low <= start <= end <= high:
            raise ValueError(f"{piece!r} is outside {low}-{high}")
        found.update(range(start, end + 1, int(step or 1)))
    return frozenset(found)
