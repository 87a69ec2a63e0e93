"""Requests to a model: within the budget, at its pace, each answer stored before it counts."""

from __future__ import annotations

import threading
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cranfield.judging.models.answer_store import Spending, StoredAnswer
from cranfield.judging.models.model_judge import FailedRequestError
from cranfield_shared.secret_kinds import mask_secrets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from cranfield.judging.models.model_judge import ModelAnswer, ModelJudge
    from cranfield.judging.models.model_settings import ModelSettings
    from cranfield.judging.models.prompts import Messages, Prompt
    from cranfield.judging.pool import PooledHit, PooledQuery

__all__ = [
    "AnswerKeeper",
    "Clock",
    "ModelPlan",
    "ModelTally",
    "Pace",
    "PlannedHit",
    "RequestLoop",
    "estimate_tokens",
    "read_grade",
]

_MOST_FAILURES = 5
"""So many hits in a row without an answer, and the server is taken to be down."""
_KEPT_ANSWER = 300


class AnswerKeeper(Protocol):
    """Who asks, and keeps what is answered."""

    settings: ModelSettings
    prompt: Prompt
    rater: str

    def store_answer(self, planned: PlannedHit, answer: StoredAnswer, *, is_new: bool) -> None:
        """Store an answer, and the judgment if it is one."""

    def judged_items(self) -> set[tuple[str, str, str]]:
        """Return what the rater has judged already, and under which prompt."""


class RequestLoop:
    """Asks about the hits of a plan, several at once, and counts what becomes of them."""

    def __init__(
        self,
        keeper: AnswerKeeper,
        plan: ModelPlan,
        note: Callable[[ModelTally], None],
        hide: Callable[[str], str],
    ) -> None:
        self._keeper = keeper
        self._plan = plan
        self._note = note
        self._hide = hide
        self._counts = {"graded": 0, "unjudged": 0, "from_store": 0, "failed": 0}
        self._reasons: dict[str, int] = {}
        self._spent = Spending()
        self._failures = 0
        self._stopped = ""

    def reuse(self) -> None:
        """Make judgments of answers that are in the store and were not judgments yet."""
        judged = self._keeper.judged_items() if self._plan.known else set()
        for planned in self._plan.hits:
            known = self._plan.known.get(planned.key)
            if known is None:
                continue
            self._counts["from_store"] += 1
            place = planned.query.key, planned.hit.item, self._keeper.prompt.identity
            if place not in judged:
                self._keeper.store_answer(planned, known, is_new=False)

    def ask_all(self, judge: ModelJudge, clock: Clock) -> None:
        """Ask about every hit that has no answer, until something stops it."""
        settings = self._keeper.settings
        pace = Pace(settings.per_minute, settings.attempts, clock)
        waiting = list(reversed(self._plan.to_ask))
        running: dict[Future[ModelAnswer], PlannedHit] = {}
        with ThreadPoolExecutor(settings.jobs) as threads:
            while True:
                while (
                    waiting
                    and len(running) < settings.jobs
                    and self._may_ask(running.values(), waiting[-1])
                ):
                    planned = waiting.pop()
                    running[threads.submit(pace.ask, judge, planned.messages)] = planned
                if not running:
                    return
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for each in done:
                    self._finish(running.pop(each), each)

    def _may_ask(self, running: Iterable[PlannedHit], planned: PlannedHit) -> bool:
        """Return whether one more request stays within the budget, whatever is under way costs."""
        if self._stopped:
            return False
        settings, spent = self._keeper.settings, self._plan.spent
        under_way = [*running, planned]
        calls = spent.calls + self._spent.calls + len(under_way)
        if calls > settings.most_calls:
            self._stopped = f"most_calls is {settings.most_calls}, and they are used up"
        tokens = sum(estimate_tokens(each.messages) for each in under_way)
        cost = settings.cost(
            spent.input_tokens + self._spent.input_tokens + tokens,
            spent.output_tokens
            + self._spent.output_tokens
            + len(under_way) * settings.answer_tokens,
        )
        if settings.budget is not None and cost is not None and cost > settings.budget:
            self._stopped = f"the budget of {settings.budget:g} does not allow one more request"
        return not self._stopped

    def _finish(self, planned: PlannedHit, asked: Future[ModelAnswer]) -> None:
        try:
            answer = asked.result()
        except FailedRequestError as problem:
            self._count("failed", self._hide(str(problem)))
            self._failures += 1
            if problem.is_fatal or self._failures >= _MOST_FAILURES:
                self._stopped = self._stopped or self._hide(str(problem))
            return
        self._failures = 0
        self._spent = Spending(
            self._spent.calls + 1,
            self._spent.input_tokens + answer.input_tokens,
            self._spent.output_tokens + answer.output_tokens,
        )
        stored = self._as_stored(planned, answer)
        self._keeper.store_answer(planned, stored, is_new=True)
        self._count("unjudged" if stored.grade is None else "graded", stored.reason)
        self._note(self.tally())

    def _as_stored(self, planned: PlannedHit, answer: ModelAnswer) -> StoredAnswer:
        grade, reason = read_grade(answer, self._keeper.settings.grades)
        return StoredAnswer(
            key=planned.key,
            rater=self._keeper.rater,
            prompt_digest=self._keeper.prompt.digest,
            query=planned.query.key,
            item=planned.hit.item,
            answer=mask_secrets(self._hide(answer.text[:_KEPT_ANSWER])),
            grade=grade,
            reason=reason,
            input_tokens=answer.input_tokens,
            output_tokens=answer.output_tokens,
            given=datetime.now(UTC).isoformat(timespec="milliseconds"),
        )

    def _count(self, what: str, reason: str) -> None:
        self._counts[what] += 1
        if reason:
            self._reasons[reason] = self._reasons.get(reason, 0) + 1

    def tally(self) -> ModelTally:
        """Return what became of the hits so far."""
        spent = self._spent
        return ModelTally(
            **self._counts,
            input_tokens=spent.input_tokens,
            output_tokens=spent.output_tokens,
            cost=self._keeper.settings.cost(spent.input_tokens, spent.output_tokens),
            stopped=self._stopped,
            reasons=dict(self._reasons),
        )


def read_grade(answer: ModelAnswer, grades: Mapping[str, int]) -> tuple[int | None, str]:
    """Return the grade of an answer that is one of the words and nothing else, or why not."""
    if answer.problem:
        return None, answer.problem
    word = answer.text.strip()
    if word in grades:
        return grades[word], ""
    return None, "the answer is none of the words" if word else "the answer is empty"


_FIRST_WAIT = 1.0
_LONGEST_WAIT = 120.0
"""If a server asks for more, it is better to stop, and to go on later."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The time, and how to wait."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


@dataclass(slots=True)
class Pace:
    """Sends requests of several threads, at most `per_minute` of them, each up to `attempts` times.

    A server that asks to wait holds back the requests of all threads.
    """

    per_minute: float
    attempts: int
    clock: Clock = field(default_factory=Clock)
    _next: float = field(default=0.0, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def ask(self, judge: ModelJudge, messages: Messages) -> ModelAnswer:
        """Return the answer of a judge; the last failure is raised."""
        for attempt in range(1, self.attempts + 1):
            self._await_turn()
            try:
                return judge.ask(messages)
            except FailedRequestError as problem:
                if not problem.is_transient or attempt == self.attempts:
                    raise
                self._hold(problem, attempt)
        raise AssertionError("there is at least one attempt")

    def _await_turn(self) -> None:
        with self._lock:
            now = self.clock.now()
            turn = max(self._next, now)
            self._next = turn + 60.0 / self.per_minute
        if turn > now:
            self.clock.sleep(turn - now)

    def _hold(self, problem: FailedRequestError, attempt: int) -> None:
        """Let nobody send before the server wants it; without a wish, wait twice as long again."""
        wait = _FIRST_WAIT * 2 ** (attempt - 1) if problem.wait is None else problem.wait
        if wait > _LONGEST_WAIT:
            raise FailedRequestError(
                f"{problem}; it asks to wait {wait:.0f} seconds: run the command again later, it "
                "goes on where it stopped",
                is_fatal=True,
            )
        with self._lock:
            self._next = max(self._next, self.clock.now() + wait)


_CHARACTERS_A_TOKEN = 3
"""Fewer than in English prose: an estimate should not be too low for Hindi or code."""


class PlannedHit(NamedTuple):
    """A hit that the model is asked about."""

    query: PooledQuery
    hit: PooledHit
    messages: Messages
    key: str


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """What is to be asked, what is known already, and what it will cost.

    `matched` hits are right by the suite's rules, `left_out` ones are of categories that are never
    sent, `without_text` ones have nothing to judge. The tokens of `hits` are estimated.
    """

    hits: tuple[PlannedHit, ...]
    known: Mapping[str, StoredAnswer]
    matched: int
    left_out: int
    without_text: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    spent: Spending
    spent_cost: float | None

    @property
    def to_ask(self) -> tuple[PlannedHit, ...]:
        """The hits without an answer in the store."""
        return tuple(each for each in self.hits if each.key not in self.known)


@dataclass(frozen=True, slots=True)
class ModelTally:
    """What became of the hits: counts, tokens, and why it stopped before the end, if it did."""

    graded: int = 0
    unjudged: int = 0
    from_store: int = 0
    failed: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    stopped: str = ""
    reasons: Mapping[str, int] = field(default_factory=dict)


def estimate_tokens(messages: Messages) -> int:
    """Estimate the tokens of what a model is sent."""
    return 1 + (len(messages.system) + len(messages.user)) // _CHARACTERS_A_TOKEN
