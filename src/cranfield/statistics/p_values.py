"""A p-value is above 0 and at most 1; two tails make the two-sided one."""

from __future__ import annotations

import sys
from typing import NamedTuple

__all__ = ["Tails", "as_p_value", "tails"]


class Tails(NamedTuple):
    """The p-values of one test against its three alternatives."""

    two_sided: float
    greater: float
    less: float


def as_p_value(probability: float) -> float:
    """Return `probability` kept within (0, 1].

    Every test here has the observed outcome among the possible ones, so a 0 can only be a
    number too small for a float (2,000 wins in 2,000 pairs); it becomes the smallest normal
    float, about 2.2e-308. A sum of rounded terms just above 1 becomes 1.
    """
    return min(1.0, max(sys.float_info.min, float(probability)))


def tails(greater: float, less: float) -> Tails:
    """Return both tails and the two-sided p-value, twice the smaller tail but at most 1."""
    return Tails(
        two_sided=as_p_value(2.0 * min(greater, less)),
        greater=as_p_value(greater),
        less=as_p_value(less),
    )
