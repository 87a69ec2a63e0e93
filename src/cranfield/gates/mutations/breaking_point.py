"""The fewest broken queries that turn a gate red, found with few judgments."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from cranfield.statistics import TIE_TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cranfield.gates.mutations.simulation import BrokenQuery, Graded, SimulatedGate
    from cranfield.model import Status

__all__ = ["ORDERS", "BreakingPoint"]

ORDERS = 5
"""The number of seeded orders in which queries are broken one after the other."""


class BreakingPoint:
    """Finds the number of broken queries from which a gate is red.

    `changed` are the places of queries whose break any rule could detect.
    """

    def __init__(self, gate: SimulatedGate, broken: Mapping[int, BrokenQuery], name: str) -> None:
        self._gate = gate
        self._broken = broken
        self._name = name
        places = list(broken)
        outcomes = gate.simulation.outcomes
        before = outcomes.by_repeat[:, places]
        after = np.stack([each.graded.values for each in broken.values()], axis=1)
        close = np.isclose(before, after, 0.0, TIE_TOLERANCE, equal_nan=True)
        moved = _select(places, np.any(~close, axis=(0, 2)))
        self.changed = [place for place in places if place in moved or self._failure_changed(place)]
        means, broken_means = outcomes.values[places], after.mean(axis=0)
        came_or_went = np.isnan(means) != np.isnan(broken_means)
        # If a value rose, or became defined or undefined, a mean may rise.
        rises = (came_or_went | (broken_means > means + TIE_TOLERANCE)).any(axis=1)
        self._rising = _select(places, rises)

    def _failure_changed(self, place: int) -> bool:
        before = self._gate.simulation.outcomes.statuses[place]
        return _has_failed(before) != _has_failed(self._broken[place].graded.status)

    def counts(self, places: Sequence[int]) -> list[int | None]:
        """Break the queries at these places in several orders; return how many it took in each.

        If no value rises, one more broken query can only make things worse, and the number is
        found by bisection. If some rise, the others are tried first. If these are not enough, a
        mean may fall and rise again: then stretches that cannot be red are skipped.
        """
        falling = [place for place in places if place not in self._rising]
        if self._is_red(falling):
            return self._bisect_all(self._orders(falling))
        if len(falling) == len(places) or not self._could_be_red((), places):
            return [None] * ORDERS
        return [self._find_first(order, 0, len(order)) for order in self._orders(places)]

    def _orders(self, places: Sequence[int]) -> list[list[int]]:
        return [
            Random(f"{self._name}/order {number}").sample(places, len(places))  # noqa: S311
            for number in range(ORDERS)
        ]

    def _is_red(self, places: Sequence[int]) -> bool:
        return bool(places) and bool(
            self._gate.judge({place: self._broken[place] for place in places})
        )

    def _bisect_all(self, orders: Sequence[Sequence[int]]) -> list[int | None]:
        """Find the numbers for orders that turn the gate red as a whole.

        The number of one order is a good guess for the next.
        """
        found: list[int | None] = []
        guess = 1
        for order in orders:
            guess = self._bisect(order, guess)
            found.append(guess)
        return found

    def _bisect(self, order: Sequence[int], guess: int) -> int:
        """Find the number for one order, first around the guess in doubling steps."""
        low, high = 0, len(order)  # so many are green, so many are red
        step = 1
        if self._is_red(order[:guess]):
            high = guess
            while high - step > low and self._is_red(order[: high - step]):
                high, step = high - step, 2 * step
            low = max(low, high - step)
        else:
            low = guess
            while low + step < high and not self._is_red(order[: low + step]):
                low, step = low + step, 2 * step
            high = min(high, low + step)
        between = range(low + 1, high)
        return low + 1 + bisect_left(between, x=True, key=lambda count: self._is_red(order[:count]))

    def _find_first(self, order: Sequence[int], low: int, high: int) -> int | None:
        """Find the least number above `low` and up to `high` that is red, whatever lies between."""
        if high - low == 1:
            return high if self._is_red(order[:high]) else None
        if not self._could_be_red(order[:low], order[low:high]):
            return None
        middle = (low + high) // 2
        found = self._find_first(order, low, middle)
        return self._find_first(order, middle, high) if found is None else found

    def _could_be_red(self, places: Sequence[int], others: Sequence[int]) -> bool:
        """Return whether any choice of the others could be red: all keep or lose, none gains.

        Those at `places` are broken as they are.
        """
        worst = {place: self._broken[place] for place in places}
        return bool(self._gate.judge(worst | {place: self._worst[place] for place in others}))

    @cached_property
    def _worst(self) -> dict[int, BrokenQuery]:
        return self._gate.compare(
            {place: self._take_worst(place, each.graded) for place, each in self._broken.items()}
        )

    def _take_worst(self, place: int, after: Graded) -> Graded:
        outcomes = self._gate.simulation.outcomes
        before = outcomes.by_repeat[:, place]
        least = np.minimum(before, after.values)
        # A value that became defined or undefined counts as zero, the worst for any mean.
        least[np.isnan(before) != np.isnan(after.values)] = 0.0
        return after._replace(values=least, failed=after.failed | outcomes.failed[:, place])


def _select(places: Sequence[int], marks: NDArray[np.bool_]) -> set[int]:
    return {place for place, is_marked in zip(places, marks.tolist(), strict=True) if is_marked}


def _has_failed(status: Status | None) -> bool:
    return status is None or status.is_failure
