"""Which hits can still change the verdict of one run against another, and when it is settled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations_with_replacement, product, takewhile
from math import comb, log2
from typing import TYPE_CHECKING, NamedTuple

from cranfield.errors import CranfieldError
from cranfield.judging.pool import draw, first_answers
from cranfield.judging.verdict_outlook import (
    OutlookOptions,
    VerdictOutlook,
    certain_verdict,
    probable_verdict,
)
from cranfield.judgments import JudgedItem, item_of, judge_query, judged_measures, query_key
from cranfield.model import Undefined
from cranfield.relevance import HOLES_IRRELEVANT, hash_content, read_expectation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cranfield.judging.pool import Pool
    from cranfield.judgments import SettledGrade
    from cranfield.measures import Measure
    from cranfield.model import Grades, Hit, Query, Response, Value
    from cranfield.runs.runner import Run

__all__ = [
    "AnswerPair",
    "DecisivePlan",
    "DecisiveState",
    "DifferenceRange",
    "GradedAnswer",
    "find_range",
]


class DecisiveState(NamedTuple):
    """How far a verdict is: the outlook, the queries that are settled, and the hits that matter."""

    outlook: VerdictOutlook | None
    settled_queries: int
    queries: int
    hits_left: int

    @property
    def is_settled(self) -> bool:
        """Whether no further judgment is needed."""
        return self.hits_left == 0 or (self.outlook is not None and self.outlook.is_settled)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A query with the answers of both arms."""

    query: Query
    responses: tuple[Response, Response]


class DecisivePlan:
    """Which hits of a pool to judge for the verdict of B against A.

    Queries come in an order drawn at random, so those that are judged are a random sample of
    those that need it. Of a query only those hits are judged that can change the difference of the
    headline measure. Nothing is left once the verdict is settled.
    """

    def __init__(self, a: Run, b: Run, pool: Pool, options: OutlookOptions) -> None:
        self.measure = judged_measures(a)[0]
        if not self.measure.family.is_bounded:
            raise CranfieldError(
                f"{self.measure} has no highest value, so no judgment is the last to count; "
                "choose a headline such as nDCG@10 with -m"
            )
        self.name = f"decisive {options.seed} {a.header.id} {b.header.id}"
        self._pool = pool
        self._options = options
        self._highest = a.header.suite.judging.highest
        asked = _pair_answers(a, b)
        self._asked = {key: asked[key] for key in sorted(asked, key=partial(draw, options.seed))}
        self._ranges: dict[str, DifferenceRange] = {}
        self._holes: dict[str, list[str]] = {}
        self._probable: tuple[int, VerdictOutlook | None] | None = None
        for key in self._asked:
            self.note(key, ())
        self._settled_before = {key for key, each in self._ranges.items() if each.is_certain}

    def note_earlier(self, key: str, settled: Iterable[SettledGrade]) -> None:
        """Take note of the grades that hits of a query had without the judgments of this plan.

        If they settle the query, its difference is known and belongs to no random sample.
        """
        if key in self._asked:
            pair = self._grade(self._asked[key], settled)
            found = find_range(pair, self.measure, self._highest)
            change = set.add if found.is_certain else set.discard
            change(self._settled_before, key)

    def note(self, key: str, settled: Iterable[SettledGrade]) -> None:
        """Take note of all grades that the hits of a query have by now."""
        if key in self._asked:
            pair = self._grade(self._asked[key], settled)
            self._ranges[key] = find_range(pair, self.measure, self._highest)
            is_certain = self._ranges[key].is_certain
            self._holes[key] = [] if is_certain else pair.holes(self.measure)

    def order(self) -> Iterator[JudgedItem]:
        """Yield the hits that can change a difference, query by query in an order drawn once."""
        return (JudgedItem(key, item) for key in self._asked for item in self._holes[key])

    def state(self) -> DecisiveState:
        """Return how far the verdict is."""
        ranges = list(self._ranges.values())
        settled = sum(each.is_certain for each in ranges)
        return DecisiveState(
            outlook=self._foresee(ranges, settled),
            settled_queries=settled,
            queries=len(ranges),
            hits_left=sum(len(holes) for holes in self._holes.values()),
        )

    def _foresee(self, ranges: list[DifferenceRange], settled: int) -> VerdictOutlook | None:
        """Foresee the verdict; what is probable is asked once for each query that is settled."""
        if (kind := certain_verdict(ranges, self._options)) is not None:
            return VerdictOutlook(kind, 1.0, is_certain=True, is_settled=True)
        if self._probable is None or self._probable[0] != settled:
            self._probable = settled, probable_verdict(ranges, self._sample(), self._options)
        return self._probable[1]

    def _sample(self) -> list[float]:
        """Return the differences of the queries that were judged, up to the first that is open."""
        judged = takewhile(lambda key: self._ranges[key].is_certain, self._asked)
        return [self._ranges[key].lowest for key in judged if key not in self._settled_before]

    def _grade(self, asked: _Asked, settled: Iterable[SettledGrade]) -> AnswerPair:
        query = judge_query(asked.query, settled, self._highest, HOLES_IRRELEVANT)
        expectation = read_expectation(query)
        a, b = (
            GradedAnswer(
                expectation.grade(response), tuple(self._item(hit) for hit in response.hits)
            )
            for response in asked.responses
        )
        return AnswerPair(a, b)

    def _item(self, hit: Hit) -> str:
        return item_of(hit.id, "" if self._pool.is_by_id else hash_content(hit))


def _pair_answers(a: Run, b: Run) -> dict[str, _Asked]:
    """Return the queries that both arms answered, by their keys; first repetitions count."""
    first, second = (first_answers(run) for run in (a, b))
    queries = {query_key(query): query for query in a.header.suite.queries}
    both = [key for key in queries if key in first and key in second]
    if not both:
        raise CranfieldError("the two runs have no query that both of them answered")
    return {key: _Asked(queries[key], (first[key], second[key])) for key in both}


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
