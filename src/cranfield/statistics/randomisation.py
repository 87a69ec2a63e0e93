"""The paired sign-flip randomisation test on the mean difference, and sums under flipped signs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from cranfield.statistics.distributions import as_p_value
from cranfield.statistics.paired_tests import PAIRED_TESTS, FullResult, PairedTest, TestResult
from cranfield.statistics.pairs import pair_differences, require_at_least, require_seed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.statistics.pairs import FloatArray, PairedDifferences, Values

__all__ = [
    "RandomisationResult",
    "all_signed_sums",
    "sample_signed_sums",
    "sign_flip_randomisation",
]

USUAL_PERMUTATIONS = 100_000
_LARGEST_ENUMERATED = 16

# Adding n numbers errs by at most n·1.1e-16 of the sum of their sizes; 1e-12 covers 9,000
# pairs in the worst order and millions in practice.
_EQUAL_SUMS = 1e-12

_SIGNS_PER_BYTE = 8
_BYTES_PER_WORD = 8

# Measured: 8,192 running sums, their addends and their look-up indices stay in the second-level
# cache; smaller blocks pay more calls, larger ones wait for memory.
_SUMS_AT_ONCE = 8_192

# 2,048 numbers are 256 tables of 256 sums: half a megabyte, whatever the length of the input.
_NUMBERS_AT_ONCE = 2_048

_MANY_NUMBERS = 2_000
_FEW_DIFFERENT = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomisationResult(FullResult):
    """How often random signs make a mean difference at least as large as the observed one.

    `permutations` is the number of sign assignments looked at: all 2^n_nonzero when the
    method is exact, the number asked for when it is Monte Carlo. The p-values and the method
    are None, with a reason, when no pair differs.
    """

    n: int
    n_nonzero: int
    mean_difference: float
    method: Literal["exact", "monte carlo"] | None
    permutations: int
    seed: int


def sign_flip_randomisation(
    a: Values, b: Values, *, permutations: int = USUAL_PERMUTATIONS, seed: int
) -> RandomisationResult:
    """Test whether the mean of b − a differs from 0 by flipping the signs of the differences.

    If A and B are exchangeable within each pair, every assignment of signs to the differences
    is equally likely (Fisher, The Design of Experiments, 1935; for retrieval Smucker, Allan
    and Carterette, CIKM 2007). Two-sided counts the sums at least as large in size as the
    observed one, `p_greater` those at least as large, `p_less` those at most as large. Ties
    between A and B are dropped first: they change no sum.

    Up to 16 non-zero pairs all assignments are enumerated and p = hits / 2ⁿ. Beyond, p =
    (hits + 1) / (permutations + 1), which counts the observed assignment among the sampled
    ones and so is never 0 (Phipson and Smyth, 2010). Sums closer than 1e-12 of Σ|b − a| are
    equal. The same seed gives the same result whatever the order of the pairs, and swapping
    a and b swaps the one-sided p-values.
    """
    require_at_least(permutations, 1, "permutations")
    require_seed(seed)
    differences = pair_differences(a, b)
    kept = differences.values[differences.comparable != 0.0]
    if kept.size == 0:
        return _nothing_to_flip(differences, seed)
    exact = kept.size <= _LARGEST_ENUMERATED
    # Sorted sizes: the result cannot depend on the order of the pairs or on who is called A.
    sizes = np.sort(np.abs(kept))
    sums = all_signed_sums(sizes) if exact else sample_signed_sums(sizes, permutations, seed=seed)
    observed = math.fsum(kept)
    slack = _EQUAL_SUMS * math.fsum(sizes)
    two_sided, along, against = _shares(sums, abs(observed), slack, exact=exact)
    return RandomisationResult(
        n=differences.n,
        n_nonzero=int(kept.size),
        mean_difference=differences.mean,
        method="exact" if exact else "monte carlo",
        permutations=int(sums.size),
        seed=seed,
        p_two_sided=two_sided,
        p_greater=along if observed >= 0.0 else against,
        p_less=along if observed <= 0.0 else against,
    )


def _shares(sums: FloatArray, observed: float, slack: float, *, exact: bool) -> list[float]:
    """Return the shares of sums that are as large in size, as far along, as far against."""
    hits = [
        np.count_nonzero(np.abs(sums) >= observed - slack),
        np.count_nonzero(sums >= observed - slack),
        np.count_nonzero(sums <= observed + slack),
    ]
    counted_observed = 0 if exact else 1
    return [as_p_value((hit + counted_observed) / (sums.size + counted_observed)) for hit in hits]


def _nothing_to_flip(differences: PairedDifferences, seed: int) -> RandomisationResult:
    return RandomisationResult(
        n=differences.n,
        n_nonzero=0,
        mean_difference=differences.mean,
        method=None,
        permutations=0,
        seed=seed,
        reason="no pair differs: there is no sign to flip",
    )


def _run_randomisation(a: FloatArray, b: FloatArray, seed: int) -> TestResult:
    result = sign_flip_randomisation(a, b, seed=seed)
    detail = f"{result.n_nonzero} of {result.n} pairs differ"
    return TestResult.of("randomisation", detail, result)


PAIRED_TESTS.register(
    "randomisation", PairedTest("randomisation", "sign-flip randomisation", _run_randomisation)
)


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
