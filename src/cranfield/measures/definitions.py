"""The definition of every built-in measure, on one graded ranking.

These are the formulas as one would check them by hand; `kernels` computes the same over columns.
Sums run in rank order and use the same operations as there and as in trec_eval, so that all
three agree to the last bit. A query with nothing relevant scores 0, as in trec_eval.
"""

from __future__ import annotations

from math import floor, log2
from typing import TYPE_CHECKING

from cranfield.model import Undefined

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cranfield.measures.measure import Measure
    from cranfield.model import Grades, Value

__all__ = [
    "average_precision",
    "binary_preference",
    "discounted_gain",
    "expected_reciprocal_rank",
    "f1",
    "inferred_average_precision",
    "interpolated_precision",
    "judged_share",
    "normalised_discounted_gain",
    "precision",
    "r_precision",
    "rank_biased_precision",
    "recall",
    "reciprocal_rank",
    "relevant_count",
    "relevant_retrieved_count",
    "retrieved_count",
    "success",
]

INFERRED_AP_EPSILON = 0.00001
"""Smoothing of infAP's estimated precision; trec_eval's value."""

UNKNOWN_JUDGMENTS = Undefined(
    "how many relevant documents exist is not known; judge a pool or give a set of ids"
)


def precision(grades: Grades, measure: Measure) -> Value:
    """Share of the first k hits that are relevant; without k, of all hits."""
    return _precision(grades, measure.cutoff, measure.number("rel"))


def recall(grades: Grades, measure: Measure) -> Value:
    """Share of the relevant documents found in the first k hits."""
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    return _recall(grades, grades.judgments, measure.cutoff, measure.number("rel"))


def f1(grades: Grades, measure: Measure) -> Value:
    """Harmonic mean of precision and recall."""
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    rel = measure.number("rel")
    found = _recall(grades, grades.judgments, measure.cutoff, rel)
    right = _precision(grades, measure.cutoff, rel)
    return 2.0 * right * found / (right + found) if right + found > 0 else 0.0


def success(grades: Grades, measure: Measure) -> Value:
    """1 if any of the first k hits is relevant, else 0."""
    return float(_count(grades.ranked[: measure.depth], measure.number("rel")) > 0)


def reciprocal_rank(grades: Grades, measure: Measure) -> Value:
    """1 / rank of the first relevant hit; 0 if there is none in the first k."""
    rel = measure.number("rel")
    for rank, grade in enumerate(grades.ranked[: measure.depth], start=1):
        if grade is not None and grade >= rel:
            return 1.0 / rank
    return 0.0


def r_precision(grades: Grades, measure: Measure) -> Value:
    """Precision at R, the number of relevant documents."""
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    rel = measure.number("rel")
    relevant = _count(grades.judgments, rel)
    return _count(grades.earned[:relevant], rel) / relevant if relevant else 0.0


def average_precision(grades: Grades, measure: Measure) -> Value:
    """Mean, over all relevant documents, of the precision at the rank of each one found."""
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    rel = measure.number("rel")
    found, total = 0, 0.0
    for rank, grade in enumerate(grades.earned[: measure.depth], start=1):
        if grade is not None and grade >= rel:
            found += 1
            total += found / rank
    relevant = _count(grades.judgments, rel)
    return total / relevant if relevant else 0.0


def discounted_gain(grades: Grades, measure: Measure) -> Value:
    """Σ gain / log₂(rank + 1) over the first k hits; every match counts."""
    return _discounted(grades.ranked, measure)


def normalised_discounted_gain(grades: Grades, measure: Measure) -> Value:
    """Discounted gain over that of the best possible ranking (Järvelin & Kekäläinen 2002)."""
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    ideal = _discounted(sorted(grades.judgments, reverse=True), measure)
    return _discounted(grades.earned, measure) / ideal if ideal > 0 else 0.0


def expected_reciprocal_rank(grades: Grades, measure: Measure) -> Value:
    """Expected 1 / rank at which a reader is satisfied (Chapelle et al. 2009).

    A hit of grade g satisfies with probability (2^g - 1) / 2^max.
    """
    rel, top = measure.number("rel"), measure.number("max")
    expected, still_reading = 0.0, 1.0
    for rank, grade in enumerate(grades.ranked[: measure.depth], start=1):
        if grade is None or grade < rel:
            continue
        if grade > top:
            return grade_above(grade, top)
        satisfied = (2.0**grade - 1.0) / 2.0**top
        expected += still_reading * satisfied / rank
        still_reading *= 1.0 - satisfied
    return expected


def grade_above(grade: float, top: float) -> Undefined:
    """Say that ERR's scale is too short for the data."""
    return Undefined(f"grade {int(grade)} is above max={int(top)}; ask for ERR(max={int(grade)})")


def rank_biased_precision(grades: Grades, measure: Measure) -> Value:
    """(1 - p) Σ gain · p^(rank - 1) (Moffat & Zobel 2008).

    The gain is the grade over the query's highest judged grade, as in trec_eval; with `rel`
    it is 1 for relevant and 0 for the rest.
    """
    persistence, rel = measure.number("p"), measure.number("rel")
    highest = 1
    if rel == 0:
        if grades.judgments is None:
            return UNKNOWN_JUDGMENTS
        highest = max(grades.judgments, default=0)
    total, weight = 0.0, 1.0
    for grade in grades.ranked[: measure.depth]:
        if grade is not None and grade >= max(rel, 1):
            total += (1.0 if rel else grade / highest) * weight
        weight *= persistence
    return (1.0 - persistence) * total


def binary_preference(grades: Grades, measure: Measure) -> Value:
    """Share of judged pairs ranked the right way round (Buckley & Voorhees 2004)."""
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    rel = measure.number("rel")
    relevant = _count(grades.judgments, rel)
    counted = min(relevant, _count(grades.judgments, 0) - relevant)
    above, total = 0, 0.0
    for grade in grades.earned:
        if grade is None or grade < 0:
            continue
        if grade < rel:
            above += 1
        else:
            total += 1.0 - min(above, relevant) / counted if above else 1.0
    return total / relevant if relevant else 0.0


def inferred_average_precision(grades: Grades, measure: Measure) -> Value:
    """AP estimated from a sampled pool (Yilmaz & Aslam 2006); negative grades were not sampled."""
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    rel = measure.number("rel")
    right, wrong, unsampled, total = 0, 0, 0, 0.0
    for above, grade in enumerate(grades.earned):
        if grade is None:
            continue
        if grade < 0:
            unsampled += 1
        elif grade < rel:
            wrong += 1
        else:
            total += _inferred_precision(above, right, wrong, unsampled)
            right += 1
    relevant = _count(grades.judgments, rel)
    return total / relevant if relevant else 0.0


def _inferred_precision(above: int, right: int, wrong: int, unsampled: int) -> float:
    if above == 0:
        return 1.0
    pooled = (right + wrong + unsampled) / above
    estimate = (right + INFERRED_AP_EPSILON) / (right + wrong + 2 * INFERRED_AP_EPSILON)
    return 1.0 / (above + 1.0) + (above / (above + 1.0)) * pooled * estimate


def interpolated_precision(grades: Grades, measure: Measure) -> Value:
    """Highest precision at any rank where recall is at least the cutoff.

    The recall level becomes a number of documents by rounding half up, as in trec_eval 10
    (version 9 rounded up from 0.1).
    """
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    rel = measure.number("rel")
    level = (measure.cutoff or 0.0) * _count(grades.judgments, rel)
    needed = floor(level) + (level - floor(level) >= 0.5)
    found, best = 0, 0.0
    for rank, grade in enumerate(grades.earned, start=1):
        if grade is not None and grade >= rel:
            found += 1
            if found >= needed:
                best = max(best, found / rank)
    return best


def judged_share(grades: Grades, measure: Measure) -> Value:
    """Share of the first k hits that somebody judged."""
    seen = grades.ranked[: measure.depth]
    if not seen:
        return Undefined("nothing was retrieved")
    return _count(seen, 0) / len(seen)


def retrieved_count(grades: Grades, measure: Measure) -> Value:  # noqa: ARG001 - one signature for all
    """Count the hits."""
    return float(len(grades.ranked))


def relevant_count(grades: Grades, measure: Measure) -> Value:
    """Count the relevant documents that exist."""
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    return float(_count(grades.judgments, measure.number("rel")))


def relevant_retrieved_count(grades: Grades, measure: Measure) -> Value:
    """Count the relevant documents found."""
    return float(_count(grades.earned, measure.number("rel")))


def _gain(grade: float, measure: Measure) -> float:
    if grade < measure.number("rel"):
        return 0.0
    return 2.0**grade - 1.0 if measure.setting("gain") == "exp" else float(grade)


def _count(grades: Iterable[int | None], rel: float) -> int:
    return sum(grade is not None and grade >= rel for grade in grades)


def _precision(grades: Grades, cutoff: float | None, rel: float) -> float:
    depth = len(grades.ranked) if cutoff is None else int(cutoff)
    return _count(grades.ranked[:depth], rel) / depth if depth else 0.0


def _recall(grades: Grades, judgments: Sequence[int], cutoff: float | None, rel: float) -> float:
    depth = None if cutoff is None else int(cutoff)
    relevant = _count(judgments, rel)
    return _count(grades.earned[:depth], rel) / relevant if relevant else 0.0


def _discounted(ranked: Sequence[int | None], measure: Measure) -> float:
    total = 0.0
    for rank, grade in enumerate(ranked[: measure.depth], start=1):
        if grade is not None:
            total += _gain(grade, measure) / log2(rank + 1)
    return total
