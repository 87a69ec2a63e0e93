"""Arrays that grow while a file is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

__all__ = ["Growing"]

Number = TypeVar("Number", bound=np.generic)


class Growing(Generic[Number]):
    """An array that grows; room for what is expected is reserved at once and not touched.

    Touching fresh memory takes as long as reading the file, so that nothing is copied to a
    larger place that can be foreseen.
    """

    def __init__(self, dtype: DTypeLike, expected_blocks: float) -> None:
        self._dtype = dtype
        self._expected_blocks = expected_blocks
        self._room: NDArray[Number] = np.empty(0, dtype=dtype)
        self._size = 0

    def append(self, values: NDArray[Number]) -> None:
        """Put values after those that are there."""
        needed = self._size + len(values)
        if needed > len(self._room):
            room = max(2 * self._size, int(1.2 * self._expected_blocks * len(values)), needed)
            larger: NDArray[Number] = np.empty(room, dtype=self._dtype)
            larger[: self._size] = self._room[: self._size]
            self._room = larger
        self._room[self._size : needed] = values
        self._size = needed

    def array(self) -> NDArray[Number]:
        """Return all values, without copying them."""
        return self._room[: self._size]
