"""The HTTP header Retry-After is a number of seconds or a date."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from cranfield_shared.packed_bodies import read_retry_after


@pytest.mark.parametrize(("value", "seconds"), [("3", 3.0), (" 120 ", 120.0), ("0", 0.0)])
def test_seconds_are_read(value: str, seconds: float) -> None:
    assert read_retry_after(value) == seconds


@pytest.mark.parametrize("value", ["", "soon", "-1", "1.5"])
def test_other_text_is_no_delay(value: str) -> None:
    assert read_retry_after(value) is None


def test_a_date_is_the_time_until_then() -> None:
    later = datetime.now(UTC) + timedelta(seconds=100)
    delay = read_retry_after(format_datetime(later, usegmt=True))
    assert delay is not None
    assert 95 < delay <= 100


def test_a_date_in_the_past_is_no_wait() -> None:
    assert read_retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0.0


def test_a_date_of_an_unknown_zone_is_taken_as_utc() -> None:
    assert read_retry_after("Wed, 21 Oct 2015 07:28:00 -0000") == 0.0
