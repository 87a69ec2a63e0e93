"""The HTTP header Retry-After."""

from __future__ import annotations

__all__ = ["read_retry_after"]


def read_retry_after(value: str) -> float | None:
    """Return how many seconds a server asks to wait (a number or a date); None if neither."""
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    if value.strip().isdecimal():
        return float(value)
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max((when - datetime.now(UTC)).total_seconds(), 0.0)
