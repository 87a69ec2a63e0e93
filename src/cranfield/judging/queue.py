"""Who judges what next: each answer is stored before the next hit is shown."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from cranfield.errors import CranfieldError
from cranfield.judging.pool import draw
from cranfield.judging.queue_options import QueueOptions, fits_pattern
from cranfield.judging.shown_texts import ContentChange
from cranfield.judgments import (
    JudgedItem,
    Judgment,
    JudgmentSource,
    JudgmentState,
    settle,
    standing_judgments,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cranfield.judging.decisive import DecisivePlan, DecisiveState
    from cranfield.judging.pool import Pool, PooledHit, PooledQuery
    from cranfield.judgments import JudgmentStore

__all__ = ["JudgingProgress", "JudgingQueue", "ShownHit"]

_CLAIM_SECONDS = 600.0
_BULK = "bulk"
_NOBODY = (JudgmentState.SKIPPED,)
"""States of judgments that leave an item to others."""


class ShownHit(NamedTuple):
    """A hit as it is shown to a rater, with the last judgment of other content under its id."""

    query: PooledQuery
    hit: PooledHit
    earlier: Judgment | None = None


class JudgingProgress(NamedTuple):
    """How far a pool is judged: hits in all, those that need nothing more, one's own judgments.

    `finished_queries` have no hit left to judge.
    """

    hits: int
    judged: int
    mine: int
    queries: int
    finished_queries: int

    @property
    def left(self) -> int:
        """The number of hits that still need a judgment."""
        return self.hits - self.judged


class JudgingQueue:
    """The hits of a pool for any number of raters, in one process or many.

    Hits come query by query, in an order that is the same for everybody; those with the fewest
    judgments first. A hit that is shown is reserved for ten minutes, so two people do not
    judge the same by accident.
    """

    def __init__(
        self,
        pool: Pool,
        store: JudgmentStore,
        options: QueueOptions | None = None,
        plan: DecisivePlan | None = None,
    ) -> None:
        self.pool = pool
        self.options = options or QueueOptions()
        self._plan = plan
        self._store = store
        self._later: dict[str, set[JudgedItem]] = {}
        self._hits = {
            JudgedItem(query.key, hit.item): ShownHit(query, hit)
            for query in pool.queries.values()
            for hit in query.hits
            if self.options.chosen.admits(query, hit)
        }
        self._order = sorted(self._hits, key=self._place)
        self._needed = {item: self._raters_of(item) for item in self._hits}
        self._judgments: list[Judgment] = []
        self._standing: dict[JudgedItem, list[Judgment]] = {}
        self._last: int | None = None
        self._opened: int | None = None

    def next(self, rater: str) -> ShownHit | None:
        """Return the hit that a rater should judge next; None if there is none left."""
        _require_rater(rater)
        self._refresh()
        known = self._last or 0
        claimed = self._store.claim(rater, self._waiting(rater), _CLAIM_SECONDS, after=known)
        return None if claimed is None else self.shown(claimed)

    def shown(self, item: JudgedItem) -> ShownHit:
        """Return a hit as it is shown, with the last judgment of other content under its id."""
        shown = self._hits[item]
        return shown._replace(earlier=self._find_earlier(shown.hit))

    def change(self, shown: ShownHit) -> ContentChange | None:
        """Return what changed in a hit since it was judged; None if its content is new or the same.

        Old and new text are compared, so a rater sees whether the grade still holds.
        """
        if shown.earlier is None:
            return None
        before = self._store.text(shown.earlier.content)
        after = shown.hit.text
        return None if before == after else ContentChange(shown.earlier, before, after)

    def judge(
        self,
        rater: str,
        item: JudgedItem,
        grade: int | None,
        state: JudgmentState = JudgmentState.GRADED,
        note: str = "",
    ) -> Judgment:
        """Store a judgment; it is on disk when this returns."""
        if self.options.adjudicates and state is JudgmentState.GRADED:
            state = JudgmentState.ADJUDICATED
        batch = "" if self._plan is None else self._plan.name
        judgment = replace(self._make(rater, item, grade, state), note=note, batch=batch)
        query, hit, _ = self._hits[item]
        self._store.add([judgment], [query.query], {hit.content: hit.text})
        self._later.get(rater, set()).discard(item)
        return judgment

    def judge_all(self, rater: str, items: Sequence[JudgedItem], grade: int, note: str = "") -> str:
        """Give hits the same grade at once, all of them or none; return the name of the batch."""
        batch = f"{_BULK} {_now()} {rater}"
        judgments = [
            replace(self._make(rater, item, grade, JudgmentState.GRADED), note=note, batch=batch)
            for item in items
        ]
        shown = [self._hits[item] for item in items]
        texts = {each.hit.content: each.hit.text for each in shown}
        self._store.add(judgments, [each.query.query for each in shown], texts)
        return batch

    def choose(self, rater: str, pattern: str = "", ids: Collection[str] = ()) -> list[ShownHit]:
        """List hits by a file pattern or by their ids, but for those that a rater has judged."""
        self._refresh()
        return [
            shown
            for item, shown in ((item, self._hits[item]) for item in self._order)
            if (pattern and fits_pattern(shown.hit, pattern)) or set(ids) & {*shown.hit.documents}
            if not any(each.rater == rater for each in self._standing.get(item, ()))
        ]

    def _make(
        self, rater: str, item: JudgedItem, grade: int | None, state: JudgmentState
    ) -> Judgment:
        _require_rater(rater)
        if item not in self._hits:
            raise CranfieldError("this hit is not in the pool; reload to see what is")
        self._check_grade(grade, state)
        query, hit, _ = self._hits[item]
        return Judgment(
            query=item.query,
            document=hit.document,
            rater=rater,
            grade=grade,
            content=hit.content,
            state=state,
            given=_now(),
            guideline=self.options.guideline,
            suite=query.suite,
            query_id=query.query.id,
        )

    def put_off(self, rater: str, item: JudgedItem) -> None:
        """Show a hit again after all others."""
        self._later.setdefault(rater, set()).add(item)
        self._store.release(rater)

    def undo(self, rater: str) -> JudgedItem | None:
        """Take back the last judgment of a rater on this pool; None if there is none.

        If it was given to many hits at once, it is taken back from all of them.
        """
        self._refresh()
        mine = [
            each
            for item, standing in self._standing.items()
            if item in self._hits
            for each in standing
            if each.rater == rater
        ]
        if not mine:
            return None
        last = max(mine, key=lambda each: each.number or 0)
        is_bulk = last.batch.startswith(_BULK)
        taken = [each for each in mine if each.batch == last.batch] if is_bulk else [last]
        withdrawn = replace(last, state=JudgmentState.WITHDRAWN, grade=None, given=_now(), note="")
        self._store.add(
            [
                replace(withdrawn, query=each.query, document=each.document, content=each.content)
                for each in taken
            ]
        )
        self._store.release(rater)
        return JudgedItem(last.query, last.item)

    def release(self, rater: str) -> None:
        """Give back the hit that is reserved for a rater."""
        self._store.release(rater)

    def progress(self, rater: str = "") -> JudgingProgress:
        """Return how far the pool is judged."""
        self._refresh()
        counts = self._counts()
        unfinished = {item.query for item in self._hits if counts[item] < self._needed[item]}
        queries = {item.query for item in self._hits}
        mine = sum(
            any(each.rater == rater for each in self._standing.get(item, ())) for item in self._hits
        )
        judged = sum(counts[item] >= self._needed[item] for item in self._hits)
        return JudgingProgress(
            len(self._hits), judged, mine, len(queries), len(queries - unfinished)
        )

    def disputed(self) -> list[ShownHit]:
        """List the hits that raters disagree about and nobody has adjudicated."""
        self._refresh()
        settled = settle(self._judgments)
        return [
            self._hits[item]
            for item in self._order
            if item in settled and settled[item].is_disputed
        ]

    def judgments(self) -> list[Judgment]:
        """List all judgments of people on the queries of the pool, in the order they were given."""
        self._refresh()
        return list(self._judgments)

    def judgments_of(self, item: JudgedItem) -> list[Judgment]:
        """List the judgments of a hit that stand."""
        self._refresh()
        return self._standing.get(item, [])

    def count_waiting(self, rater: str) -> int:
        """Count the hits that a rater may judge."""
        self._refresh()
        return len(self._waiting(rater))

    def _waiting(self, rater: str) -> dict[JudgedItem, int]:
        """Return what a rater may judge, with the number of judgments that each still needs.

        Fewest judgments first, then query by query; what was put off comes last.
        """
        counts = self._counts()
        later = self._later.get(rater, set())
        waiting = self._candidates(rater, counts)
        return dict(sorted(waiting.items(), key=lambda each: (each[0] in later, counts[each[0]])))

    def _candidates(self, rater: str, counts: Counter[JudgedItem]) -> dict[JudgedItem, int]:
        if self.options.adjudicates:
            disputed = (JudgedItem(each.query.key, each.hit.item) for each in self.disputed())
            return dict.fromkeys(disputed, 1)
        if self.options.chosen.is_review:
            return {item: 1 for item in self._order if self._is_under_review(item, rater)}
        return {
            item: self._needed[item] - counts[item]
            for item in self._planned()
            if counts[item] < self._needed[item]
            and not any(each.rater == rater for each in self._standing.get(item, ()))
        }

    def _is_under_review(self, item: JudgedItem, rater: str) -> bool:
        """Return whether a rater judged a hit in the time that is reviewed, and not since then."""
        return any(
            each.rater == rater
            and self.options.chosen.was_given(each.given)
            and (each.number or 0) <= (self._opened or 0)
            for each in self._standing.get(item, ())
        )

    def decisive_state(self) -> DecisiveState | None:
        """Return how far the verdict is that the queue works for; None if it is for none."""
        self._refresh()
        return None if self._plan is None else self._plan.state()

    def _planned(self) -> list[JudgedItem]:
        """List what is to be judged, in its order: of a plan, only what can change its verdict."""
        if self._plan is None:
            return self._order
        if self._plan.state().is_settled:
            return []
        return [item for item in self._plan.order() if item in self._hits]

    def _counts(self) -> Counter[JudgedItem]:
        """Count the judgments of each hit that say something about it."""
        counts: Counter[JudgedItem] = Counter()
        for item, standing in self._standing.items():
            counts[item] = sum(each.state not in _NOBODY for each in standing)
        return counts

    def _refresh(self) -> None:
        """Read the judgments that were added since, by whatever process."""
        added = self._store.judgments(self.pool.queries.keys(), after=self._last)
        if added:
            self._last = added[-1].number
            self._judgments += [each for each in added if each.source is JudgmentSource.PEOPLE]
            self._standing = standing_judgments(self._judgments)
            self._tell_plan({each.query for each in added})
        if self._opened is None:
            self._opened = self._last or 0

    def _tell_plan(self, queries: set[str]) -> None:
        """Tell the plan which grades the hits of some queries have by now."""
        if self._plan is None:
            return
        about = [each for each in self._judgments if each.query in queries]
        earlier = [each for each in about if each.batch != self._plan.name]
        for note, judgments in ((self._plan.note_earlier, earlier), (self._plan.note, about)):
            settled = settle(judgments)
            for key in {each.query for each in judgments}:
                note(key, [each for each in settled.values() if each.query == key])

    def _place(self, item: JudgedItem) -> tuple[str, str]:
        return self._draw(item.query), self._draw(f"{item.query} {item.item}")

    def _raters_of(self, item: JudgedItem) -> int:
        drawn = int(self._draw(f"overlap {item.query} {item.item}")[:12], 16) / 16**12
        return self.options.raters if drawn < self.options.overlap else 1

    def _draw(self, text: str) -> str:
        """Draw a place that depends on nothing but the seed and what is drawn for."""
        return draw(self.options.seed, text)

    def _find_earlier(self, hit: PooledHit) -> Judgment | None:
        """Find the last grade of other content that stands under one of a hit's ids."""
        found = [
            each
            for item, standing in self._standing.items()
            if item.query == hit.query
            for each in standing
            if each.document in hit.documents
            and each.content not in ("", hit.content)
            and each.grade is not None
        ]
        return max(found, key=lambda each: each.number or 0, default=None)

    def _check_grade(self, grade: int | None, state: JudgmentState) -> None:
        graded = state in (JudgmentState.GRADED, JudgmentState.ADJUDICATED)
        if graded and (grade is None or not 0 <= grade <= self.options.highest):
            raise CranfieldError(f"a grade is from 0 to {self.options.highest}, not {grade}")
        if not graded and grade is not None:
            raise CranfieldError(f"what is {state} has no grade")


def _require_rater(name: str) -> None:
    if not name.strip():
        raise CranfieldError("a judgment needs the name of its rater; give one with --rater NAME")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
