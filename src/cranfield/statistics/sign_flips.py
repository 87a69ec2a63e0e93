"""Sums of numbers under flipped signs: every assignment of signs, or a seeded sample of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.statistics.pairs import FloatArray

__all__ = ["all_signed_sums", "sample_signed_sums"]

_SIGNS_PER_BYTE = 8
_BYTES_PER_WORD = 8

# Measured: 8,192 running sums, their addends and their look-up indices stay in the second-level
# cache; smaller blocks pay more calls, larger ones wait for memory.
_SUMS_AT_ONCE = 8_192

# 2,048 numbers are 256 tables of 256 sums: half a megabyte, whatever the length of the input.
_NUMBERS_AT_ONCE = 2_048

_MANY_NUMBERS = 2_000
_FEW_DIFFERENT = 32


def all_signed_sums(magnitudes: FloatArray) -> FloatArray:
    """Return Σ ±magnitude for all 2ⁿ assignments of signs."""
    return _sums_by_signs(magnitudes[np.newaxis, :]).ravel()


def sample_signed_sums(magnitudes: FloatArray, count: int, *, seed: int) -> FloatArray:
    """Return Σ ±magnitude for `count` independent, uniform assignments of signs.

    A random byte decides eight signs at once: the sums of eight numbers under their 256
    assignments are tabulated, so one look-up and one addition replace eight flips and eight
    additions. Time grows with count × n / 8, memory with `count` alone. Of many numbers with few
    different values, it is enough to draw how many of each keep their sign.
    """
    values, repeats = np.unique(magnitudes, return_counts=True)
    if magnitudes.size >= _MANY_NUMBERS and values.size * _FEW_DIFFERENT <= magnitudes.size:
        return _sums_of_counts(values, repeats, count, seed)
    words = np.random.SFC64(seed)
    sums = np.zeros(count, dtype=np.float64)
    for start in range(0, magnitudes.size, _NUMBERS_AT_ONCE):
        tables = _byte_tables(magnitudes[start : start + _NUMBERS_AT_ONCE])
        for first in range(0, count, _SUMS_AT_ONCE):
            _add_looked_up(sums[first : first + _SUMS_AT_ONCE], tables, words)
    return sums


def _sums_of_counts(
    values: FloatArray, repeats: NDArray[np.int64], count: int, seed: int
) -> FloatArray:
    """Draw for each value how many of its repeats keep their sign; the others are flipped."""
    generator = np.random.Generator(np.random.SFC64(seed))
    sums = np.zeros(count, dtype=np.float64)
    for value, repeated in zip(values.tolist(), repeats.tolist(), strict=True):
        kept = generator.binomial(repeated, 0.5, size=count)
        sums += value * (2 * kept - repeated)
    return sums


def _byte_tables(magnitudes: FloatArray) -> FloatArray:
    """Return one row of 256 sums for each eight magnitudes; the last row is filled up with 0s."""
    missing = -magnitudes.size % _SIGNS_PER_BYTE
    filled = np.concatenate([magnitudes, np.zeros(missing)])
    return _sums_by_signs(filled.reshape(-1, _SIGNS_PER_BYTE))


def _sums_by_signs(rows: FloatArray) -> FloatArray:
    """Return for each row its sums under all assignments of signs; bit j decides number j."""
    sums = np.zeros((rows.shape[0], 1))
    for column in rows.T:
        number = column[:, np.newaxis]
        sums = np.concatenate([sums - number, sums + number], axis=1)
    return sums


def _add_looked_up(sums: FloatArray, tables: FloatArray, words: np.random.SFC64) -> None:
    """Add to each of `sums`, in place, one random entry of every table."""
    words_needed = -(-tables.shape[0] // _BYTES_PER_WORD)
    raw = words.random_raw(words_needed * sums.size)
    rows = raw.view(np.uint8).reshape(-1, sums.size)
    addends = np.empty_like(sums)
    for table, row in zip(tables, rows, strict=False):
        # A byte cannot lie outside 256 entries; "clip" spares the copy that "raise" makes.
        np.take(table, row, out=addends, mode="clip")
        np.add(sums, addends, out=sums)
