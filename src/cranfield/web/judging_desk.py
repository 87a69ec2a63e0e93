"""What is judged in the browser: rounds of judging and preferences, opened once, shared by all."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlencode

from cranfield.defaults import POOL_DEPTH
from cranfield.errors import CranfieldError
from cranfield.evaluation import set_judging
from cranfield.judging import (
    PreferenceQueue,
    QueueFilter,
    RoundOptions,
    choose_runs,
    open_round,
    read_guidelines,
)
from cranfield.judgments import JudgmentStore
from cranfield.runs import find_run

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping
    from typing import Any

    from cranfield.judging import Guidelines, JudgingRound
    from cranfield.web.workbench import Workbench

__all__ = ["JudgingDesk", "JudgingTask", "PreferenceRound", "read_task"]

_MOST_KEPT = 8
_DEEPEST = 1000
_LONGEST_NAME = 200

Kept = TypeVar("Kept")


@dataclass(frozen=True, slots=True)
class JudgingTask:
    """What a rater does: of which runs hits are judged, or preferred, and by whom."""

    runs: tuple[str, ...]
    rater: str
    depth: int = POOL_DEPTH
    query: str = ""
    document: str = ""
    decisive: bool = False

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The task as fields of a form or an address."""
        given = [("run", run) for run in self.runs]
        given += [("rater", self.rater), ("depth", str(self.depth))]
        chosen = (("query", self.query), ("document", self.document))
        given += [(name, value) for name, value in chosen if value]
        return [*given, ("decisive", "yes")] if self.decisive else given

    def address(self, page: str) -> str:
        """Return the address of a page for this task."""
        return f"{page}?{urlencode(self.fields)}"


@dataclass(frozen=True, slots=True)
class PreferenceRound:
    """Two runs whose answers are preferred, with what raters go by."""

    queue: PreferenceQueue
    guidelines: Guidelines
    suite: str


def read_task(given: Mapping[str, Any], runs: list[str]) -> JudgingTask:
    """Read a task from the fields of a form or an address."""
    rater = str(given.get("rater", "")).strip()
    if not rater:
        raise CranfieldError("say who judges: the name is kept with every judgment")
    if len(rater) > _LONGEST_NAME:
        raise CranfieldError(f"the name of a rater has at most {_LONGEST_NAME} characters")
    if not runs:
        raise CranfieldError("choose at least one run whose hits are to be judged")
    return JudgingTask(
        runs=tuple(dict.fromkeys(runs)),
        rater=rater,
        depth=_read_depth(str(given.get("depth", "10"))),
        query=str(given.get("query", "")).strip(),
        document=str(given.get("document", "")).strip(),
        decisive=bool(given.get("decisive")),
    )


def _read_depth(text: str) -> int:
    if not (text.isdecimal() and 1 <= int(text[:5]) <= _DEEPEST):
        raise CranfieldError(f"depth is a number from 1 to {_DEEPEST}, not {text[:20]!r}")
    return int(text)


class JudgingDesk:
    """Opens rounds of judging; raters with the same task share one, and only one acts at a time."""

    def __init__(self, workbench: Workbench) -> None:
        self.lock = RLock()
        self._workbench = workbench
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()

    def round(self, task: JudgingTask) -> JudgingRound:
        """Return the round of a task."""
        key = ("grades", task.runs, task.depth, task.query, task.document, task.decisive)
        return self._keep(key, lambda: self._open_round(task))

    def preferences(self, task: JudgingTask) -> PreferenceRound:
        """Return the preferences of a task."""
        key = ("preferences", task.runs, task.depth)
        return self._keep(key, lambda: self._open_preferences(task))

    def _keep(self, key: Hashable, make: Callable[[], Kept]) -> Kept:
        kept: Kept = self._kept[key] if key in self._kept else make()
        self._kept[key] = kept
        self._kept.move_to_end(key)
        while len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return kept

    def _open_round(self, task: JudgingTask) -> JudgingRound:
        store = self._workbench.require_store()
        project = self._workbench.project
        runs = [set_judging(project, run) for run in choose_runs(store, task.runs)]
        if task.decisive and len(runs) != 2:
            raise CranfieldError("choose two runs, A and B, to judge what decides between them")
        options = RoundOptions(
            depth=task.depth,
            chosen=QueueFilter(task.query, task.document),
            decisive=(runs[0], runs[1]) if task.decisive else None,
        )
        return open_round(runs, store, options)

    def _open_preferences(self, task: JudgingTask) -> PreferenceRound:
        store = self._workbench.require_store()
        if len(task.runs) != 2:
            raise CranfieldError("choose two runs to say which of their answers is better")
        project = self._workbench.project
        a, b = (set_judging(project, find_run(store, name)) for name in task.runs)
        guidelines = read_guidelines(a.header.suite)
        queue = PreferenceQueue(
            (a, b), JudgmentStore(store), depth=task.depth, guideline=guidelines.version
        )
        return PreferenceRound(queue, guidelines, a.header.suite.id)
