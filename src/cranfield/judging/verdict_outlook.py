"""What the verdict of a comparison will be once everything is judged: for certain, or probably.

Some queries are judged as far as they matter; of the others we know how far their differences can
go. The verdict is *certain* if every outcome gives it: the bounds of the p-values over all outcomes
(`UncertainPairs`) lie on one side of what decides. It is *probable* if most outcomes give it that
are drawn from the differences of a random sample of those queries that judgments had to settle: the
Bayesian bootstrap. Queries that were settled from the start are no such sample: two equal answers
differ by 0, and say nothing about answers that differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.statistics import OneSidedTest, UncertainPairs
from cranfield.verdicts import ALPHA, FEWEST_PAIRS, VerdictKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cranfield.judging.difference_range import DifferenceRange
    from cranfield.statistics import FloatArray

__all__ = ["OutlookOptions", "VerdictOutlook", "certain_verdict", "probable_verdict"]

_KINDS = (
    VerdictKind.EQUIVALENT,
    VerdictKind.BETTER,
    VerdictKind.WORSE,
    VerdictKind.CANNOT_TELL,
)
_DRAWS = 400
_USED_ERROR = 0.4


@dataclass(frozen=True, slots=True)
class OutlookOptions:
    """What the verdict is about, and how often a probable one may be wrong.

    `compared` is the number of headlines that are corrected together. With an `error` of 0, only
    certainty counts. The sample has `fewest` queries before anything is settled by probability.
    """

    margin: float = 0.02
    compared: int = 1
    error: float = 0.05
    fewest: int = 20
    seed: int = 1967
    span: float = 1.0


@dataclass(frozen=True, slots=True)
class VerdictOutlook:
    """The verdict that is to be expected, how probable it is, and whether it is settled."""

    kind: VerdictKind
    probability: float
    is_certain: bool
    is_settled: bool


def probable_verdict(
    ranges: Sequence[DifferenceRange], sample: Sequence[float], options: OutlookOptions
) -> VerdictOutlook | None:
    """Foresee the verdict over all queries; None if the sample is too small to say anything.

    `sample` has the differences of queries that were drawn at random and then judged. The verdict
    is settled if at least 1 − 0.4 × `error` of the outcomes have it: the question is asked after
    every query, and every time it could be wrong.
    """
    if len(sample) < FEWEST_PAIRS:
        return None
    counts = np.bincount(_drawn_verdicts(ranges, np.array(sample), options), minlength=len(_KINDS))
    place = int(np.argmax(counts))
    probability = float(counts[place]) / _DRAWS
    enough = options.error > 0.0 and len(sample) >= options.fewest
    return VerdictOutlook(
        _KINDS[place],
        probability,
        is_certain=False,
        is_settled=enough and probability >= 1.0 - _USED_ERROR * options.error,
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


def _drawn_verdicts(
    ranges: Sequence[DifferenceRange], sample: FloatArray, options: OutlookOptions
) -> NDArray[np.int64]:
    """Draw outcomes of the queries that are not judged, and return the places of their verdicts."""
    known = [each.lowest for each in ranges if each.is_certain]
    unknown = [each for each in ranges if not each.is_certain]
    generator = np.random.default_rng([options.seed, sample.size])
    weights = generator.standard_exponential((_DRAWS, sample.size))
    shares = np.cumsum(weights / weights.sum(axis=1, keepdims=True), axis=1)
    chances = generator.random((_DRAWS, len(unknown)))
    places = np.array(
        [np.searchsorted(share, chance) for share, chance in zip(shares, chances, strict=True)]
    )
    drawn = np.clip(
        sample[np.minimum(places, sample.size - 1)],
        [each.lowest for each in unknown],
        [each.highest for each in unknown],
    )
    seen = np.broadcast_to(known, (_DRAWS, len(known)))
    return _verdicts(np.concatenate([seen, drawn], axis=1), options)


def _verdicts(samples: FloatArray, options: OutlookOptions) -> NDArray[np.int64]:
    up, down = (OneSidedTest.of(side * samples, options.span) for side in (1.0, -1.0))
    alike = np.maximum(up.p_values(-options.margin), down.p_values(-options.margin))
    differ = 2.0 * np.minimum(up.p_values(0.0), down.p_values(0.0))
    signed = np.where(samples.mean(axis=1) > 0.0, 1, 2)
    decided = np.where(differ * options.compared < ALPHA, signed, 3)
    return np.where(alike * options.compared < ALPHA, 0, decided)
