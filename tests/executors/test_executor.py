"""Executors are found by name, with or without an address."""

from __future__ import annotations

import pytest

from cranfield.errors import CranfieldError, UnknownNameError
from cranfield.executors import find_workers


def test_unknown_executors_and_stray_addresses_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="ray"):
        find_workers("rai")
    with pytest.raises(CranfieldError, match="takes no address"):
        find_workers("local=here")
    with pytest.raises(CranfieldError, match="an address comes after ="):
        find_workers("ray=")


def test_work_stays_in_this_process_unless_it_is_sent_away() -> None:
    assert find_workers("local") is None
    assert find_workers("ray=10.0.0.1:6379") is not None
