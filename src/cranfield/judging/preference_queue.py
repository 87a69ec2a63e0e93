"""Which of two answers is better: both lists of hits side by side, the sides balanced."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cranfield.defaults import POOL_DEPTH, SEED
from cranfield.errors import CranfieldError
from cranfield.judging.pool import draw, first_answers
from cranfield.judgments import Preference, PreferredAnswer, query_key
from cranfield.relevance import hash_content
from cranfield.statistics import sign_test_counts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cranfield.judgments import JudgmentStore
    from cranfield.model import Hit, Query
    from cranfield.runs.runner import Run
    from cranfield.statistics import SignTestResult

__all__ = ["PreferenceProgress", "PreferenceQueue", "ShownAnswers", "hash_answer"]

_OPPOSITE = {
    PreferredAnswer.FIRST: PreferredAnswer.SECOND,
    PreferredAnswer.SECOND: PreferredAnswer.FIRST,
}


@dataclass(frozen=True, slots=True)
class ShownAnswers:
    """Both answers to a query; `is_swapped` if the second run's stands on the left."""

    query: Query
    first: tuple[Hit, ...]
    second: tuple[Hit, ...]
    is_swapped: bool

    @property
    def key(self) -> str:
        """The key of what is asked."""
        return query_key(self.query)

    @property
    def left(self) -> tuple[Hit, ...]:
        """The hits on the left."""
        return self.second if self.is_swapped else self.first

    @property
    def right(self) -> tuple[Hit, ...]:
        """The hits on the right."""
        return self.first if self.is_swapped else self.second


class PreferenceProgress(NamedTuple):
    """How many queries have a preference, and what raters said, query by query, by majority.

    `identical` queries have the same answer in both runs; nobody is asked about them.
    """

    queries: int
    judged: int
    mine: int
    identical: int
    first: int
    second: int
    neither: int

    @property
    def left(self) -> int:
        """The number of queries without a preference."""
        return self.queries - self.judged

    @property
    def test(self) -> SignTestResult:
        """The sign test of the second run against the first."""
        return sign_test_counts(self.second, self.first, ties=self.neither)


class PreferenceQueue:
    """The answers of two runs to the same queries, for any number of raters.

    Half of the queries show the first run on the left, the other half the second, by an order that
    is drawn once. A query with a preference is shown to nobody else before all have one.
    """

    def __init__(
        self,
        runs: tuple[Run, Run],
        store: JudgmentStore,
        *,
        depth: int = POOL_DEPTH,
        seed: int = SEED,
        guideline: str = "",
    ) -> None:
        self._ids = (runs[0].header.id, runs[1].header.id)
        self._suite = runs[0].header.suite.id
        self._store = store
        self._guideline = guideline
        self._pairs, self._identical = _pair_answers(runs, depth, seed)

    def next(self, rater: str) -> ShownAnswers | None:
        """Return the answers that a rater should compare next; None if there are none left."""
        if not rater.strip():
            raise CranfieldError("a preference needs the name of its rater")
        standing = self._standing()
        counts = Counter(key for key, _ in standing)
        waiting = [key for key in self._pairs if (key, rater) not in standing]
        chosen = min(waiting, key=lambda key: counts[key], default=None)
        return None if chosen is None else self._pairs[chosen]

    def prefer(self, rater: str, key: str, choice: PreferredAnswer, note: str = "") -> Preference:
        """Store a preference; it is on disk when this returns."""
        if key not in self._pairs:
            raise CranfieldError("these answers are not in the queue; reload to see what is")
        shown = self._pairs[key]
        given = Preference(
            query=key,
            first_answer=hash_answer(shown.first),
            second_answer=hash_answer(shown.second),
            choice=choice,
            rater=rater,
            first_run=self._ids[0],
            second_run=self._ids[1],
            is_swapped=shown.is_swapped,
            note=note,
            guideline=self._guideline,
            suite=self._suite,
            query_id=shown.query.id,
        )
        self._store.add_preference(given, shown.query)
        return given

    def undo(self, rater: str) -> str | None:
        """Take back the last preference of a rater; return the key of its query, None if none."""
        mine = [each for (_, name), each in self._standing().items() if name == rater]
        if not mine:
            return None
        last = max(mine, key=lambda each: each.number or 0)
        self.prefer(rater, last.query, PreferredAnswer.WITHDRAWN)
        return last.query

    def progress(self, rater: str = "") -> PreferenceProgress:
        """Return how far the queries are, and how often each run was preferred."""
        votes: dict[str, Counter[PreferredAnswer]] = {}
        standing = self._standing()
        for (key, _), each in standing.items():
            votes.setdefault(key, Counter())[each.choice] += 1
        outcomes = Counter(map(_majority, votes.values()))
        return PreferenceProgress(
            queries=len(self._pairs),
            judged=len(votes),
            mine=sum(name == rater for _, name in standing),
            identical=self._identical,
            first=outcomes[PreferredAnswer.FIRST],
            second=outcomes[PreferredAnswer.SECOND],
            neither=outcomes[PreferredAnswer.NEITHER],
        )

    def _standing(self) -> dict[tuple[str, str], Preference]:
        """Return the last preference of each rater about these very answers, either way round."""
        standing: dict[tuple[str, str], Preference] = {}
        for each in self._store.preferences():
            turned = self._turn(each)
            if turned is not None:
                standing[turned.query, turned.rater] = turned
        return {
            key: each
            for key, each in standing.items()
            if each.choice is not PreferredAnswer.WITHDRAWN
        }

    def _turn(self, given: Preference) -> Preference | None:
        """Return a preference as one about our first and second answer; None if it is not."""
        shown = self._pairs.get(given.query)
        if shown is None:
            return None
        ours = (hash_answer(shown.first), hash_answer(shown.second))
        theirs = (given.first_answer, given.second_answer)
        if theirs == ours:
            return given
        if theirs != ours[::-1]:
            return None
        return replace(
            given,
            first_answer=ours[0],
            second_answer=ours[1],
            choice=_OPPOSITE.get(given.choice, given.choice),
        )


def hash_answer(hits: Iterable[Hit]) -> str:
    """Return what identifies a list of hits: their ids and contents, in their order."""
    listed = [(hit.id, hash_content(hit)) for hit in hits]
    return hashlib.sha256(msgspec.json.encode(listed)).hexdigest()[:32]


def _pair_answers(
    runs: tuple[Run, Run], depth: int, seed: int
) -> tuple[dict[str, ShownAnswers], int]:
    """Return queries with two different answers, in an order drawn once, and count the others."""
    answers = [first_answers(run) for run in runs]
    queries = {query_key(query): query for query in runs[0].header.suite.queries}
    both = [key for key in queries if all(key in each for each in answers)]
    if not both:
        raise CranfieldError("the two runs have no query that both of them answered")
    pairs: dict[str, ShownAnswers] = {}
    for key in sorted(both, key=partial(draw, seed)):
        first, second = (each[key].hits[:depth] for each in answers)
        if hash_answer(first) != hash_answer(second):
            pairs[key] = ShownAnswers(queries[key], first, second, is_swapped=len(pairs) % 2 == 1)
    return pairs, len(both) - len(pairs)


def _majority(votes: Counter[PreferredAnswer]) -> PreferredAnswer:
    """Return what most raters said; neither if as many prefer the one as the other."""
    first, second = votes[PreferredAnswer.FIRST], votes[PreferredAnswer.SECOND]
    if first == second or votes[PreferredAnswer.NEITHER] > max(first, second):
        return PreferredAnswer.NEITHER
    return PreferredAnswer.FIRST if first > second else PreferredAnswer.SECOND
