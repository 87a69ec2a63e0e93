"""How fast requests are sent: spaced out, held back when a server asks for it, and retried."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cranfield.judging.models.model_judge import FailedRequestError

if TYPE_CHECKING:
    from collections.abc import Callable

    from cranfield.judging.models.model_judge import ModelAnswer, ModelJudge
    from cranfield.judging.models.prompt_file import Messages

__all__ = ["Clock", "Pace"]

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
