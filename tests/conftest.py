"""Where the real collections are, and what to say when they are not there."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from real_data import COLLECTIONS, reason_to_skip

if TYPE_CHECKING:
    from pathlib import Path

# Shared machines stall for seconds at times; a slow example is not a wrong one.
settings.register_profile("cranfield", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("cranfield")

# A shell that starts the tests in the background has them ignore interrupts, and with them the
# processes that they start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def collections() -> Path:
    if not COLLECTIONS.is_dir():
        pytest.skip(reason_to_skip())
    return COLLECTIONS
