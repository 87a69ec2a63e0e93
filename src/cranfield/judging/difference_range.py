"""How far the difference between two answers can still go: over all grades of their holes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, product
from math import comb, log2
from typing import TYPE_CHECKING, NamedTuple

from cranfield.model import Undefined

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cranfield.measures import Measure
    from cranfield.model import Grades, Value

__all__ = ["AnswerPair", "DifferenceRange", "GradedAnswer", "find_range"]

_MOST_CASES = 2000
_BY_GAIN = frozenset(("nDCG", "DCG"))
"""Measures of a sum of gains, weighted by rank, over something that depends only on how many hits
have each grade: of all ways to give out the same grades, the extremes follow the weights."""
_BY_OWN_HITS = frozenset(("P", "RR", "Success"))
"""Measures of an answer that only rise with the grades of its hits, and depend on nothing else."""


class DifferenceRange(NamedTuple):
    """The lowest and the highest difference that B − A may come to."""

    lowest: float
    highest: float

    @property
    def is_certain(self) -> bool:
        """Whether no judgment can change the difference any more."""
        return self.lowest == self.highest


@dataclass(frozen=True, slots=True)
class GradedAnswer:
    """The grades of an answer, and what identifies each of its hits."""

    grades: Grades
    items: tuple[str, ...]

    def fill(self, given: Mapping[str, int]) -> Grades:
        """Return the grades if these items had been judged; all other holes are irrelevant."""
        numbers = {item: -1 - place for place, item in enumerate(given)}
        old, judgments = self.grades, self.grades.judgments
        targets = old.targets or (None,) * len(old.ranked)
        pairs = list(zip(old.ranked, self.items, strict=True))
        return replace(
            old,
            ranked=tuple(given.get(item, 0) if grade is None else grade for grade, item in pairs),
            targets=tuple(
                numbers.get(item) if grade is None else target
                for (grade, item), target in zip(pairs, targets, strict=True)
            ),
            judgments=None if judgments is None else (*judgments, *given.values()),
            hole_grade=None,
        )

    def holes(self, depth: int | None) -> list[tuple[int, str]]:
        """List the items that nobody judged with their ranks, down to a rank."""
        ranked = enumerate(zip(self.grades.ranked, self.items, strict=True), start=1)
        return [(rank, item) for rank, (grade, item) in ranked if grade is None][:depth]


@dataclass(frozen=True, slots=True)
class AnswerPair:
    """The answers of both arms to a query."""

    a: GradedAnswer
    b: GradedAnswer

    def holes(self, measure: Measure) -> list[str]:
        """List the items that a measure looks at and nobody judged, in the order of their ranks."""
        depth = measure.depth
        ranked = sorted(
            (rank, item)
            for arm in (self.a, self.b)
            for rank, item in arm.holes(None)
            if depth is None or rank <= depth
        )
        return list(dict.fromkeys(item for _, item in ranked))

    def difference(self, measure: Measure, given: Mapping[str, int]) -> float:
        """Return B − A if holes had these grades, and all others none."""
        return _number(measure(self.b.fill(given))) - _number(measure(self.a.fill(given)))


def find_range(pair: AnswerPair, measure: Measure, highest: int) -> DifferenceRange:
    """Find the range of B − A over all grades from 0 to `highest` that the holes may have.

    It is exact for few holes, and for measures of gain; for others it may be wider than what can
    happen, and is never narrower.
    """
    holes = pair.holes(measure)
    if measure.name in _BY_GAIN and comb(len(holes) + highest, highest) <= _MOST_CASES:
        cases = list(_extreme_cases(pair, measure, holes, highest))
    elif (highest + 1) ** len(holes) <= _MOST_CASES:
        grades = product(range(highest + 1), repeat=len(holes))
        cases = [dict(zip(holes, each, strict=True)) for each in grades]
    elif measure.name in _BY_OWN_HITS:
        return _range_of_own_hits(pair, measure, holes, highest)
    else:
        span = 1.0 if measure.family.is_bounded else float("inf")
        return DifferenceRange(-span, span)
    found = [pair.difference(measure, case) for case in cases]
    return DifferenceRange(min(found), max(found))


def _extreme_cases(
    pair: AnswerPair, measure: Measure, holes: Sequence[str], highest: int
) -> Iterator[dict[str, int]]:
    """Yield who has the highest grades if B wins, and if A does, for all numbers of each grade."""
    weights = dict.fromkeys(holes, 0.0)
    for arm, sign in ((pair.a, -1.0), (pair.b, 1.0)):
        first = {item: rank for rank, item in reversed(arm.holes(None))}
        for item, rank in first.items():
            if item in weights and (measure.depth is None or rank <= measure.depth):
                weights[item] += sign / log2(rank + 1)
    ordered = sorted(holes, key=lambda item: weights[item])
    for falling in combinations_with_replacement(range(highest, -1, -1), len(holes)):
        yield dict(zip(ordered, falling, strict=True))
        yield dict(zip(reversed(ordered), falling, strict=True))


def _range_of_own_hits(
    pair: AnswerPair, measure: Measure, holes: Sequence[str], highest: int
) -> DifferenceRange:
    """Bound each answer by itself: its holes all irrelevant, or all of the highest grade."""
    none, all_right = dict.fromkeys(holes, 0), dict.fromkeys(holes, highest)
    (low_a, high_a), (low_b, high_b) = (
        [_number(measure(arm.fill(given))) for given in (none, all_right)]
        for arm in (pair.a, pair.b)
    )
    return DifferenceRange(low_b - high_a, high_b - low_a)


def _number(value: Value) -> float:
    """Return a value; one that is undefined because nothing is relevant counts as 0."""
    return 0.0 if isinstance(value, Undefined) else value
