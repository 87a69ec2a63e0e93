"""Judging only what can still change a verdict, and stopping when nothing can."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from cranfield.errors import CranfieldError
from cranfield.judging.difference_range import (
    AnswerPair,
    DifferenceRange,
    GradedAnswer,
    find_range,
)
from cranfield.judging.pool import draw, first_answers
from cranfield.judging.verdict_outlook import (
    OutlookOptions,
    VerdictOutlook,
    certain_verdict,
    probable_verdict,
)
from cranfield.judgments import JudgedItem, item_of, judge_query, judged_measures, query_key
from cranfield.relevance import HOLES_IRRELEVANT, hash_content, read_expectation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cranfield.judging.pool import Pool
    from cranfield.judgments import SettledGrade
    from cranfield.model import Hit, Query, Response
    from cranfield.runs import Run

__all__ = ["DecisivePlan", "DecisiveState"]


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

    Queries come in an order drawn at random, so that those that are judged are a random sample of
    those that need it. Of a query only those hits are judged that can change the difference of the
    headline measure. Nothing is left once the verdict is settled.
    """

    def __init__(self, a: Run, b: Run, pool: Pool, options: OutlookOptions) -> None:
        self.measure = judged_measures(a)[0]
        if not self.measure.family.is_bounded:
            raise CranfieldError(
                f"{self.measure} has no highest value, so that no judgment is the last to count; "
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
