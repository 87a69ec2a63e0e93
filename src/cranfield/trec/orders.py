"""Sorting helpers that the readers of runs and judgments share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.trec.keys import Keys

__all__ = ["repeated_keys", "stable_order"]


def stable_order(numbers: NDArray[np.integer], below: int) -> NDArray[np.int64]:
    """Return the order that sorts numbers from 0 to `below` - 1 and keeps equals as they are."""
    # numpy sorts 16-bit numbers by radix, in linear time.
    narrow = numbers.astype(np.uint16) if below <= 1 << 16 else numbers
    return np.argsort(narrow, kind="stable")


def repeated_keys(keys: Keys) -> Keys:
    """Return the keys that occur more than once."""
    in_order = np.sort(keys)
    return np.unique(in_order[1:][in_order[1:] == in_order[:-1]])
