"""How fast the sign-flip randomisation test is against SciPy's, same differences, same run."""

from __future__ import annotations

import sys
import time

import numpy as np
from scipy import stats

from cranfield.statistics import sign_flip_randomisation

QUERIES, PERMUTATIONS = 6980, 100_000
FLOOR = 50.0
"""How many times as fast as SciPy we promise to be."""


def main() -> None:
    """Time both and exit with 1 if the promise was not kept."""
    chance = np.random.default_rng(3)
    before = chance.uniform(size=QUERIES)
    after = before + chance.normal(0.002, 0.2, size=QUERIES)
    ours = []
    for _ in range(5):
        started = time.perf_counter()
        result = sign_flip_randomisation(before, after, permutations=PERMUTATIONS, seed=1967)
        ours.append(time.perf_counter() - started)
    started = time.perf_counter()
    reference = stats.permutation_test(
        (after - before,),
        lambda values, axis: np.mean(values, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=PERMUTATIONS,
        batch=1000,
        rng=np.random.default_rng(3),
    )
    scipy = time.perf_counter() - started
    ratio = scipy / min(ours)
    print(f"{PERMUTATIONS} permutations of {QUERIES} differences")
    print(f"  cranfield {min(ours):6.2f} s  p = {result.p_two_sided:.4f}")
    print(f"  scipy     {scipy:6.2f} s  p = {reference.pvalue:.4f}")
    print(f"  {ratio:.0f} times as fast (promised {FLOOR:g}: {'yes' if ratio >= FLOOR else 'NO'})")
    sys.exit(ratio < FLOOR)


if __name__ == "__main__":
    main()
