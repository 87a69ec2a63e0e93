"""Where the real collections are, and what to say when they are not there."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Shared machines stall for seconds at times; a slow example is not a wrong one.
settings.register_profile("cranfield", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("cranfield")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def collections() -> Path:
    if not SHARED.is_dir():
        pytest.skip(f"the real collections are not at {SHARED}")
    return SHARED
