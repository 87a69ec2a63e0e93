"""How well raters agree on hits that several of them judged, per class of queries."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from cranfield.defaults import SEED
from cranfield.judging.kappas import cohen_kappa, fleiss_kappa, krippendorff_alpha
from cranfield.judgments import JudgmentSource, JudgmentState, settle

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cranfield.judging.kappas import Agreement
    from cranfield.judging.pool import Pool
    from cranfield.judgments import Judgment

__all__ = [
    "AgreementFigure",
    "ClassAgreement",
    "RaterShare",
    "measure_agreement",
    "share_of_raters",
]

_DRAWS = 500
_MOST_UNDEFINED = 0.05
_LEVELS = (2.5, 97.5)


@dataclass(frozen=True, slots=True)
class AgreementFigure:
    """A coefficient of agreement with its 95 % interval; None, with a reason, if undefined.

    The interval is that of the percentile bootstrap: queries are drawn with replacement, with all
    their hits, as the hits of one query are not independent of each other.
    """

    name: str
    hits: int
    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ClassAgreement:
    """The agreement on the hits of some queries: a category, or all of them.

    `hits` were judged by two raters or more, and `agreed` of these got the same grade by all.
    """

    name: str
    hits: int
    agreed: int
    figures: tuple[AgreementFigure, ...]


@dataclass(frozen=True, slots=True)
class RaterShare:
    """What a rater did: hits that were graded, those that could not be rated, those left out."""

    rater: str
    source: JudgmentSource
    graded: int
    unrateable: int
    skipped: int


def share_of_raters(judgments: Sequence[Judgment]) -> list[RaterShare]:
    """Count what each rater did, by the judgments that stand."""
    last = {(each.source, each.rater, each.query, each.item): each.state for each in judgments}
    counts: dict[tuple[JudgmentSource, str], Counter[JudgmentState]] = {}
    for (source, rater, _, _), state in last.items():
        counts.setdefault((source, rater), Counter())[state] += 1
    return [
        RaterShare(
            rater,
            source,
            of[JudgmentState.GRADED] + of[JudgmentState.ADJUDICATED],
            of[JudgmentState.UNRATEABLE],
            of[JudgmentState.SKIPPED],
        )
        for (source, rater), of in sorted(counts.items())
    ]


def measure_agreement(
    pool: Pool, judgments: Sequence[Judgment], seed: int = SEED
) -> list[ClassAgreement]:
    """Measure how well people agree on the hits of a pool: on all, and in each category.

    Grades that were adjudicated do not count: raters are compared by what they said themselves.
    """
    items = {(hit.query, hit.item) for hit in pool.hits}
    by_query: dict[str, list[Mapping[str, int]]] = {}
    for item, settled in settle(judgments, JudgmentSource.PEOPLE).items():
        if item in items and len(settled.grades) > 1:
            by_query.setdefault(item.query, []).append(settled.grades)
    names = {key: pooled.query.category for key, pooled in pool.queries.items()}
    groups = {"all": by_query}
    if len(set(names.values())) > 1:
        for name in dict.fromkeys(names.values()):
            of = {key: found for key, found in by_query.items() if names[key] == name}
            groups[name or "no category"] = of
    return [_agreement(name, of, seed) for name, of in groups.items() if of]


def _agreement(
    name: str, by_query: Mapping[str, list[Mapping[str, int]]], seed: int
) -> ClassAgreement:
    ratings = [each for found in by_query.values() for each in found]
    agreed = sum(len(set(each.values())) == 1 for each in ratings)
    raters = sorted({rater for each in ratings for rater in each})
    figures = [_figure("Krippendorff's alpha", by_query, _alpha, seed)]
    figures += [_figure("Fleiss' kappa", by_query, _fleiss, seed)] if len(raters) > 2 else []
    for first, second in combinations(raters, 2):
        both = {
            key: [each for each in found if first in each and second in each]
            for key, found in by_query.items()
        }
        both = {key: found for key, found in both.items() if found}
        if both:
            title = f"Cohen's kappa, {first} and {second}"
            figures.append(_figure(title, both, _cohen(first, second), seed))
    return ClassAgreement(name, len(ratings), agreed, tuple(figures))


def _figure(
    name: str,
    by_query: Mapping[str, list[Mapping[str, int]]],
    measure: Callable[[Sequence[Mapping[str, int]]], Agreement],
    seed: int,
) -> AgreementFigure:
    groups = list(by_query.values())
    whole = measure([each for found in groups for each in found])
    hits = sum(map(len, groups))
    if whole.value is None:
        return AgreementFigure(name, hits, None, reason=whole.reason or "")
    generator = np.random.default_rng(seed)
    drawn = []
    for _ in range(_DRAWS):
        places = generator.integers(0, len(groups), len(groups))
        value = measure([each for place in places for each in groups[place]]).value
        if value is not None:
            drawn.append(value)
    if len(drawn) < (1.0 - _MOST_UNDEFINED) * _DRAWS:
        reason = "too few judgments differ for an interval"
        return AgreementFigure(name, hits, whole.value, reason=reason)
    low, high = (float(each) for each in np.percentile(drawn, _LEVELS))
    return AgreementFigure(name, hits, whole.value, low, high)


def _alpha(ratings: Sequence[Mapping[str, int]]) -> Agreement:
    """Weigh disagreements by how far grades lie apart: they are ordered."""
    raters = sorted({rater for each in ratings for rater in each})
    return krippendorff_alpha(
        [[each.get(rater) for each in ratings] for rater in raters], level="ordinal"
    )


def _fleiss(ratings: Sequence[Mapping[str, int]]) -> Agreement:
    """Take the hits that most often have the same number of grades: kappa needs one number."""
    sizes = Counter(len(each) for each in ratings)
    usual = max(sizes, key=lambda size: (sizes[size], size))
    chosen = [each for each in ratings if len(each) == usual]
    grades = sorted({grade for each in chosen for grade in each.values()})
    return fleiss_kappa([[list(each.values()).count(grade) for grade in grades] for each in chosen])


def _cohen(first: str, second: str) -> Callable[[Sequence[Mapping[str, int]]], Agreement]:
    def measure(ratings: Sequence[Mapping[str, int]]) -> Agreement:
        return cohen_kappa([each[first] for each in ratings], [each[second] for each in ratings])

    return measure
