"""Agreement of judges beyond chance, as one kind of answer."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Agreement", "beyond_chance"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """1 − observed / expected disagreement: 1 is full agreement, 0 what chance would give.

    `value` is None, with a reason, when chance leaves no room to disagree or nothing can be
    compared; the disagreements are None when there was nothing to take them from.
    """

    value: float | None
    observed_disagreement: float | None
    expected_disagreement: float | None
    reason: str | None


def beyond_chance(observed: float, expected: float) -> Agreement:
    """Return the agreement that these two disagreements amount to."""
    if expected == 0.0:
        reason = "only one category was used: chance leaves no room to disagree"
        return Agreement(None, observed, expected, reason)
    return Agreement(1.0 - observed / expected, observed, expected, None)
