"""Checks of the numbers that steer a procedure, so that a slip is named and not computed with."""

from __future__ import annotations

import math

from cranfield.errors import StatisticsError

__all__ = ["require_at_least", "require_fraction", "require_positive", "require_seed"]


def require_fraction(value: float, name: str) -> None:
    """Refuse a confidence, power or error rate that is not strictly between 0 and 1."""
    if not 0.0 < value < 1.0:
        raise StatisticsError(f"{name} is {value}: give a fraction between 0 and 1, such as 0.05")


def require_positive(value: float, name: str) -> None:
    """Refuse zero, a negative number, infinity and nan."""
    if not (math.isfinite(value) and value > 0.0):
        raise StatisticsError(f"{name} is {value}: give a finite number above 0")


def require_at_least(value: int, least: int, name: str) -> None:
    """Refuse a count below `least`."""
    if value < least:
        raise StatisticsError(f"{name} is {value}: give {least} or more")


def require_seed(seed: int) -> None:
    """Refuse a negative seed, which no bit generator accepts."""
    if seed < 0:
        raise StatisticsError(f"seed is {seed}: give a whole number from 0 up")
