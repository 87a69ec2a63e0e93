"""The mean of a large set that a model labelled, corrected by a small one that people labelled.

Prediction-powered inference (Angelopoulos, Bates, Fannjiang, Jordan, Zrnic, Science 382, 2023): the
labels of people say by how much the model is wrong on average, and that is taken off:

    mean = weight × mean of the model's values elsewhere + mean of (people − weight × model)

Both means are of items drawn at random, so their sum is right on average however biased the model
is: a poor model makes the interval wide, never wrong. The weight is the one with the smallest
variance (PPI++: Angelopoulos, Duchi, Zrnic, arXiv 2311.01453), between 0, people alone, and 1.

The interval is not the normal one of these papers, which is too narrow for small samples. Each of
the two means has the interval of `mean_interval`, which holds for few queries and rare events, and
the two are joined by the squares of their distances from the mean (Zou, Donner, Statistics in
Medicine 27, 2008). The weight is estimated from the same labels, so the spread about it is enlarged
as that about the slope of a regression. `benchmarks/model_corrected.py` prints how often the
interval covers the true mean.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import StatisticsError
from cranfield.statistics import OneSidedTest, require_fraction

if TYPE_CHECKING:
    from cranfield.statistics import FloatArray, Values

__all__ = [
    "FEWEST_LABELS",
    "CorrectedMean",
    "ModelSamples",
    "corrected_difference",
    "corrected_mean",
]

FEWEST_LABELS = 6
"""Fewer labels of people correct nothing: how far they spread is not known."""
_NO_SPREAD = 1e-12


@dataclass(frozen=True, slots=True)
class CorrectedMean:
    """The corrected mean and its interval, with what they are made of.

    `labelled` items have a value of people and of the model, `unlabelled` ones of the model alone.
    `weight` is what the model counts for: 0 if it says nothing about what people say. `uncorrected`
    is the mean of all values of the model, `of_people` that of the labelled items.
    `standard_error` is the one of the papers; the interval does not use it.
    """

    mean: float
    low: float
    high: float
    confidence: float
    labelled: int
    unlabelled: int
    weight: float
    standard_error: float
    uncorrected: float
    of_people: float


def corrected_mean(
    people: Values,
    model: Values,
    elsewhere: Values,
    *,
    confidence: float = 0.95,
    weight: float | None = None,
) -> CorrectedMean:
    """Return the mean, as people would have it, of values from 0 to 1.

    `people` and `model` have the values of the same items, a random sample of all; `elsewhere` has
    the model's values of the other items. Without a `weight`, the best one is estimated.
    """
    samples = ModelSamples.of(people, model, elsewhere)
    if min(each.min(initial=0.0) for each in samples.parts) < 0.0:
        raise StatisticsError("a value is below 0: give differences to corrected_difference")
    return samples.corrected(confidence, weight)


def corrected_difference(
    people: Values,
    model: Values,
    elsewhere: Values,
    *,
    confidence: float = 0.95,
    weight: float | None = None,
) -> CorrectedMean:
    """Return the mean difference of two arms as people would have it, from differences per query.

    No difference is taken to be larger than the largest that people or the model found, and people
    and the model are taken to differ by no more than that.
    """
    samples = ModelSamples.of(people, model, elsewhere, signed=True)
    return samples.corrected(confidence, weight)


@dataclass(frozen=True, slots=True, eq=False)
class ModelSamples:
    """Samples of one size, a row each: labels, the model's guesses at them, and its other guesses.

    Values go from `lowest` to `highest` in every row.
    """

    labels: FloatArray
    guesses: FloatArray
    others: FloatArray
    lowest: FloatArray
    highest: FloatArray

    @property
    def parts(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The three arrays of values."""
        return self.labels, self.guesses, self.others

    @classmethod
    def of(
        cls, people: Values, model: Values, elsewhere: Values, *, signed: bool = False
    ) -> ModelSamples:
        """Check values, of one sample or of a sample in each row; `signed` are differences."""
        labels, guesses, others = (
            np.atleast_2d(np.asarray(each, np.float64)) for each in (people, model, elsewhere)
        )
        if labels.shape != guesses.shape:
            raise StatisticsError(
                f"people have {labels.shape[1]} values and the model {guesses.shape[1]}: give both "
                "of the same items"
            )
        if labels.shape[1] < FEWEST_LABELS:
            raise StatisticsError(
                f"people have labelled {labels.shape[1]} items: at least {FEWEST_LABELS} are needed"
            )
        everything = np.concatenate([labels, guesses, others], axis=1)
        if not np.all(np.isfinite(everything)):
            raise StatisticsError("a value is not a finite number: leave out what is undefined")
        largest = np.max(np.abs(everything), axis=1, keepdims=True)
        highest = np.maximum(largest, 1e-9) if signed else np.maximum(largest, 1.0)
        lowest = -highest if signed else np.zeros_like(highest)
        return cls(labels, guesses, others, lowest, highest)

    def corrected(self, confidence: float, weight: float | None = None) -> CorrectedMean:
        """Return the corrected mean of the only sample."""
        require_fraction(confidence, "confidence")
        weights = self.best_weights() if weight is None else np.full((1, 1), float(weight))
        chosen = float(weights[0, 0])
        if not 0.0 <= chosen <= 1.0:
            raise StatisticsError(f"the weight is {chosen:g}: it is from 0 to 1")
        mean, low, high = (float(each[0]) for each in self.intervals(weights, confidence))
        rest = self.labels - chosen * self.guesses
        return CorrectedMean(
            mean=mean,
            low=low,
            high=high,
            confidence=confidence,
            labelled=self.labels.size,
            unlabelled=self.others.size,
            weight=chosen,
            standard_error=math.hypot(_standard_error(rest), chosen * _standard_error(self.others)),
            uncorrected=float(np.mean(np.concatenate([self.guesses, self.others], axis=1))),
            of_people=float(np.mean(self.labels)),
        )

    def best_weights(self) -> FloatArray:
        """Return the weights of the smallest variance; 0 for a model that always says the same."""
        n, unlabelled = self.labels.shape[1], self.others.shape[1]
        if unlabelled == 0:
            return np.zeros((self.labels.shape[0], 1))
        guesses = np.concatenate([self.guesses, self.others], axis=1)
        spread = np.var(guesses, axis=1, ddof=1, keepdims=True)
        shared = np.mean(_centred(self.labels) * _centred(self.guesses), axis=1, keepdims=True)
        is_used = spread > _NO_SPREAD * self.highest**2
        shrunk = (1.0 + n / unlabelled) * np.where(is_used, spread, 1.0)
        return np.asarray(np.where(is_used, np.clip(shared / shrunk, 0.0, 1.0), 0.0))

    def intervals(
        self, weights: FloatArray, confidence: float
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the corrected mean of each sample, and the two ends of its interval."""
        rest = self.labels - weights * self.guesses
        known = weights * self.others
        centre = rest.mean(axis=1, keepdims=True)
        enlarged = centre + _centred(rest) * self._enlargement(weights)
        reach = weights * np.maximum(-self.lowest, self.highest)
        parts = [
            _distances(
                enlarged,
                (1.0 - weights) * self.lowest - reach,
                (1.0 - weights) * self.highest + reach,
                (1.0 - confidence) / 2.0,
            )
        ]
        mean = centre[:, 0]
        if known.shape[1]:
            mean = mean + known.mean(axis=1)
            limits = weights * self.lowest, weights * self.highest
            parts.append(_distances(known, *limits, (1.0 - confidence) / 2.0))
        below, above = (
            np.sqrt(np.sum(np.square(each), axis=0)) for each in zip(*parts, strict=True)
        )
        low = np.maximum(mean - below, self.lowest[:, 0])
        return mean, low, np.minimum(mean + above, self.highest[:, 0])

    def _enlargement(self, weights: FloatArray) -> FloatArray:
        """Return by how much the spread about an estimated weight is larger than it looks."""
        n = self.guesses.shape[1]
        spread = np.sum(_centred(self.guesses) ** 2, axis=1, keepdims=True)
        is_used = (weights > 0.0) & (spread > 0.0)
        if not np.any(is_used):
            return np.ones_like(weights)
        apart = self.others.mean(axis=1, keepdims=True) - self.guesses.mean(axis=1, keepdims=True)
        leverage = np.divide(n * apart**2, spread, out=np.zeros_like(spread), where=is_used)
        return np.where(is_used, np.sqrt((n - 1.0) / (n - 2.0) * (1.0 + leverage)), 1.0)


def _distances(
    values: FloatArray, lowest: FloatArray, highest: FloatArray, alpha: float
) -> tuple[FloatArray, FloatArray]:
    """Return how far the interval of each mean reaches below and above it.

    The test has values from −1 up, so the worst that can happen lies at one of the limits.
    """
    span = np.where(highest > lowest, highest - lowest, 1.0)
    mean = values.mean(axis=1)
    low = OneSidedTest.of((values - highest) / span, 1.0).bounds(alpha)
    high = OneSidedTest.of((lowest - values) / span, 1.0).bounds(alpha)
    below = mean - (highest + span * low[:, np.newaxis])[:, 0]
    above = (lowest - span * high[:, np.newaxis])[:, 0] - mean
    has_room = (highest > lowest)[:, 0]
    return np.where(has_room, below, 0.0).clip(0.0), np.where(has_room, above, 0.0).clip(0.0)


def _centred(values: FloatArray) -> FloatArray:
    return np.asarray(values - values.mean(axis=1, keepdims=True))


def _standard_error(values: FloatArray) -> float:
    return float(np.std(values) / np.sqrt(values.size)) if values.size else 0.0
