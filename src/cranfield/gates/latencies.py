"""How long answers took, beside the suite's limits and the times of the baseline.

Latencies are reported but never fail a gate: build machines vary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cranfield.runs import Outcomes

__all__ = ["Latency", "find_latencies", "take_percentiles"]

_ALWAYS = ("p50", "p95")


@dataclass(frozen=True, slots=True)
class Latency:
    """A percentile of the response time, such as `p95`, in seconds; `before` is the baseline's."""

    name: str
    seconds: float
    before: float | None = None
    at_most: float | None = None

    @property
    def is_above(self) -> bool:
        """Whether it is above the limit of the suite."""
        return self.at_most is not None and self.seconds > self.at_most


def take_percentiles(outcomes: Outcomes, wanted: Iterable[str] = ()) -> dict[str, float]:
    """Return p50, p95 and the wanted percentiles; empty if no time is known."""
    seconds = outcomes.seconds[~np.isnan(outcomes.seconds)]
    if not len(seconds):
        return {}
    parts = sorted({int(name.removeprefix("p")) for name in (*_ALWAYS, *wanted)})
    return {f"p{part}": float(np.percentile(seconds, part)) for part in parts}


def find_latencies(
    outcomes: Outcomes, at_most: Mapping[str, float], before: Mapping[str, float]
) -> tuple[Latency, ...]:
    """Return the times of a run with their limits and those of the baseline, by percentile."""
    return tuple(
        Latency(name, seconds, before.get(name), at_most.get(name))
        for name, seconds in take_percentiles(outcomes, at_most).items()
    )
