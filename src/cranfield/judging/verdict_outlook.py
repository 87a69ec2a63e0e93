"""What the verdict of a comparison will be once everything is judged: for certain, or probably.

Some queries are judged as far as they matter; of the others we know how far their differences can
go. The verdict is *certain* if every outcome gives it: the bounds of the p-values over all outcomes
(`UncertainPairs`) lie on one side of what decides. It is *probable* if all outcomes give it that
are drawn from the differences of a random sample of those queries that judgments had to settle: the
Bayesian bootstrap. Queries that were settled from the start are no such sample: two equal answers
differ by 0, and say nothing about answers that differ.

How many outcomes are drawn follows from how often a probable verdict may be wrong: 400 for 5 %.
That is strict because the question is asked after every query, and a verdict that stays close until
the end looks decided for another one on the way. `benchmarks/decisive_judging.py` prints how often
a probable verdict is wrong.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.defaults import MARGIN, SEED, TOLERATED_ERROR
from cranfield.errors import CranfieldError
from cranfield.statistics import ALPHA, FEWEST_PAIRS, OneSidedTest, UncertainPairs, VerdictKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cranfield.judging.decisive import DifferenceRange
    from cranfield.statistics import FloatArray

__all__ = ["OutlookOptions", "VerdictOutlook", "certain_verdict", "probable_verdict"]

_KINDS = (
    VerdictKind.EQUIVALENT,
    VerdictKind.BETTER,
    VerdictKind.WORSE,
    VerdictKind.CANNOT_TELL,
)
_BATCH = 100
_OUTCOMES = 20
"""Outcomes that must agree, times the tolerated error."""
_LEAST_ERROR = 0.001


@dataclass(frozen=True, slots=True)
class OutlookOptions:
    """What the verdict is about, and how often a probable one may be wrong.

    `compared` is the number of headlines that are corrected together. With an `error` of 0, only
    certainty counts. The sample has `fewest` queries before anything is settled by probability.
    """

    margin: float = MARGIN
    compared: int = 1
    error: float = TOLERATED_ERROR
    fewest: int = 20
    seed: int = SEED
    span: float = 1.0

    def __post_init__(self) -> None:
        """Refuse an error that would take forever to show."""
        if 0.0 < self.error < _LEAST_ERROR:
            raise CranfieldError(
                f"a verdict that may be wrong in {self.error:g} of rounds takes too many outcomes "
                f"to foresee; tolerate {_LEAST_ERROR} or more, or 0 for one that is certain"
            )


@dataclass(frozen=True, slots=True)
class VerdictOutlook:
    """The verdict that is to be expected, its share of the outcomes, and whether it is settled."""

    kind: VerdictKind
    probability: float
    is_certain: bool
    is_settled: bool


def probable_verdict(
    ranges: Sequence[DifferenceRange], sample: Sequence[float], options: OutlookOptions
) -> VerdictOutlook | None:
    """Foresee the verdict over all queries; None if the sample is too small to say anything.

    `sample` has the differences of queries that were drawn at random and then judged. The verdict
    is settled if all of 20 / `error` outcomes have it; no more are drawn once two of them differ.
    """
    if len(sample) < FEWEST_PAIRS:
        return None
    seen = _add_unseen(sample, options.span)
    enough = options.error > 0.0 and len(sample) >= options.fewest
    needed = math.ceil(_OUTCOMES / options.error / _BATCH) if enough else 1
    counts = np.zeros(len(_KINDS), dtype=np.int64)
    for batch in range(needed):
        drawn = _draw_outcomes(ranges, seen, [options.seed, batch])
        counts += np.bincount(_verdicts(drawn, options), minlength=len(_KINDS))
        if np.count_nonzero(counts) > 1:
            break
    place = int(np.argmax(counts))
    return VerdictOutlook(
        _KINDS[place],
        float(counts[place] / counts.sum()),
        is_certain=False,
        is_settled=enough and np.count_nonzero(counts) == 1,
    )


def certain_verdict(
    ranges: Sequence[DifferenceRange], options: OutlookOptions
) -> VerdictKind | None:
    """Return the verdict that every outcome gives; None if that cannot be shown.

    Corrected p-values are at most `compared` times as large as they are, and never smaller.
    """
    lowest, highest = (np.array(each) for each in zip(*ranges, strict=True))
    if np.mean(lowest) <= -options.margin and np.mean(highest) >= options.margin:
        return None  # far too open for any verdict: spare the rest
    pairs = UncertainPairs(lowest, highest, options.span)
    least_alike, most_alike = (
        max(each) for each in zip(*_equivalence(pairs, options.margin), strict=True)
    )
    if most_alike * options.compared < ALPHA:
        return VerdictKind.EQUIVALENT
    if least_alike < ALPHA:
        return None
    least, most = pairs.two_sided()
    for side, kind in ((pairs, VerdictKind.BETTER), (pairs.turned, VerdictKind.WORSE)):
        largest = max(most, side.sign_flip(options.seed)) if most < ALPHA else 1.0
        if largest * options.compared < ALPHA:
            return kind
    return VerdictKind.CANNOT_TELL if least >= ALPHA else None


def _equivalence(pairs: UncertainPairs, margin: float) -> list[tuple[float, float]]:
    """Return the bounds of the p-values against a difference beyond the margin, on either side."""
    return [pairs.p_values(-margin), pairs.turned.p_values(-margin)]


def _add_unseen(sample: Sequence[float], span: float) -> FloatArray:
    """Add a gain and a loss to a sample, as large as the largest in it, or complete ones.

    Of 20 queries none may have lost, though one in ten does: Laplace's rule of succession.
    """
    largest = max(map(abs, sample)) or span
    return np.array([-largest, largest, *sample])


def _draw_outcomes(
    ranges: Sequence[DifferenceRange], sample: FloatArray, seed: list[int]
) -> FloatArray:
    """Draw the queries that are not judged; each row is an outcome of all queries.

    A query has the same random numbers whatever else is judged by then: the outcomes change
    because of what is known, and not by chance from one question to the next.
    """
    of_sample, of_queries = (np.random.default_rng([*seed, part]) for part in (0, 1))
    weights = of_sample.standard_exponential((sample.size, _BATCH)).T
    chances = of_queries.random((len(ranges), _BATCH)).T
    shares = np.cumsum(weights, axis=1)
    chosen = [
        np.searchsorted(share, chance * share[-1])
        for share, chance in zip(shares, chances, strict=True)
    ]
    lowest, highest = np.array(ranges).T
    drawn: FloatArray = np.clip(sample[np.minimum(chosen, sample.size - 1)], lowest, highest)
    return drawn


def _verdicts(samples: FloatArray, options: OutlookOptions) -> NDArray[np.int64]:
    """Return the place of the verdict on each row."""
    up, down = (OneSidedTest.of(side * samples, options.span) for side in (1.0, -1.0))
    alpha = ALPHA / options.compared
    is_alike = np.minimum(up.bounds(alpha), down.bounds(alpha)) > -options.margin
    is_better, is_worse = (side.bounds(alpha / 2.0) > 0.0 for side in (up, down))
    return np.select([is_alike, is_better, is_worse], [0, 1, 2], 3)
