"""The pages of judging: choose what to judge, one hit after the other, two answers side by side."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlencode

from cranfield.defaults import POOL_DEPTH
from cranfield.errors import CranfieldError
from cranfield.evaluation.sessions import set_judging
from cranfield.judging.judging_report import report_progress
from cranfield.judging.judging_round import RoundOptions, choose_runs, open_round, read_guidelines
from cranfield.judging.preference_queue import PreferenceQueue
from cranfield.judging.queue_options import QueueFilter
from cranfield.judging.shown_texts import split_matches
from cranfield.judgments import JudgedItem, JudgmentState, JudgmentStore, PreferredAnswer
from cranfield.reports.additions import NextPage, Page, PageSet, ShownPage, ShownReport
from cranfield.runs.lookup import find_run
from cranfield.runs.records import RunState
from cranfield_shared.plain_text import printable_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from cranfield.judging.judging_round import Guidelines, JudgingRound
    from cranfield.judging.queue import ShownHit
    from cranfield.model import Hit
    from cranfield.reports.additions import Bench, PageRequest

__all__ = [
    "CHOICE",
    "JUDGING_PAGES",
    "PREFERENCES",
    "QUEUE",
    "JudgingDesk",
    "JudgingPages",
    "JudgingTask",
    "PreferenceRound",
    "read_task",
]

CHOICE, QUEUE, PREFERENCES = "/judge", "/judge/queue", "/judge/preferences"
_LONGEST_TEXT = 50_000
_LONGEST_NOTE = 2000
_GRADES_OF_TWO = {0: "no", 1: "yes"}
_GRADES = {0: "irrelevant", 1: "related", 2: "relevant", 3: "exactly right"}
_STATES = {"unrateable": JudgmentState.UNRATEABLE, "skipped": JudgmentState.SKIPPED}
_SIDES = ("left", "right", "neither")


class JudgingPages:
    """Shows what there is to judge, and stores each answer before it shows the next."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._desk = JudgingDesk(bench)

    def choose(self, _: PageRequest) -> ShownPage:
        """Show the runs whose hits can be judged."""
        store = self._bench.store
        headers = [
            header
            for header in reversed(store.headers() if store else [])
            if header.state is not RunState.RUNNING
        ]
        return ShownPage("judge.html", {"headers": headers, "depth": POOL_DEPTH})

    def queue(self, given: PageRequest) -> ShownPage:
        """Show the hit that is judged next, or that there is none left."""
        task = read_task(given)
        with self._desk.lock:
            judging = self._desk.round(task)
            shown = judging.queue.next(task.rater)
            change = judging.queue.change(shown) if shown else None
            values = _round_values(judging, task)
        hit = _hit_values(shown) if shown else {}
        told = {"task": task, "shown": shown, "change": change}
        return ShownPage("judging.html", {**told, **values, **hit})

    def progress(self, given: PageRequest) -> ShownReport:
        """Show how far the pool is judged, and how well raters agree."""
        task = read_task(given)
        with self._desk.lock:
            return ShownReport(report_progress(self._desk.round(task), task.rater))

    def judge(self, form: PageRequest) -> NextPage:
        """Store an answer to what was shown, or take the last one back; return where to go on."""
        task = read_task(form)
        action = form.get("action")
        with self._desk.lock:
            judging = self._desk.round(task)
            if action == "undo":
                judging.queue.undo(task.rater)
            else:
                self._answer(judging, task, action, form)
        return NextPage(task.address(QUEUE))

    def _answer(
        self, judging: JudgingRound, task: JudgingTask, action: str, form: PageRequest
    ) -> None:
        item = JudgedItem(form.get("asked"), form.get("item"))
        if action == "later":
            judging.queue.put_off(task.rater, item)
            return
        state = _STATES.get(action, JudgmentState.GRADED)
        grade = _read_grade(action) if state is JudgmentState.GRADED else None
        note = form.get("note").strip()[:_LONGEST_NOTE]
        # An answer may come twice, if the connection broke before it was acknowledged.
        is_known = any(
            (each.rater, each.grade, each.state, each.note) == (task.rater, grade, state, note)
            for each in judging.queue.judgments_of(item)
        )
        if not is_known:
            judging.queue.judge(task.rater, item, grade, state, note)

    def preferences(self, given: PageRequest) -> ShownPage:
        """Show the two answers that are compared next, or what raters preferred."""
        task = read_task(given)
        with self._desk.lock:
            opened = self._desk.preferences(task)
            shown = opened.queue.next(task.rater)
            progress = opened.queue.progress(task.rater)
        values = {
            "task": task,
            "shown": shown,
            "sides": [_shown_hits(side) for side in (shown.left, shown.right)] if shown else [],
            "progress": progress,
            "test": progress.test,
            "guidelines": opened.guidelines,
            "suite": opened.suite,
            "longest_note": _LONGEST_NOTE,
        }
        return ShownPage("preferences.html", values)

    def prefer(self, form: PageRequest) -> NextPage:
        """Store a preference, or take the last one back; return where to go on."""
        task = read_task(form)
        action = form.get("action")
        with self._desk.lock:
            queue = self._desk.preferences(task).queue
            if action == "undo":
                queue.undo(task.rater)
            else:
                is_swapped = form.get("swapped") == "yes"
                note = form.get("note").strip()[:_LONGEST_NOTE]
                queue.prefer(task.rater, form.get("asked"), _read_side(action, is_swapped), note)
        return NextPage(task.address(PREFERENCES))


def _open_pages(bench: Bench) -> list[Page]:
    pages = JudgingPages(bench)
    return [
        Page(CHOICE, pages.choose),
        Page(QUEUE, pages.queue),
        Page(QUEUE, pages.judge, "POST"),
        Page("/judge/progress", pages.progress),
        Page(PREFERENCES, pages.preferences),
        Page(PREFERENCES, pages.prefer, "POST"),
    ]


JUDGING_PAGES = PageSet("judging", "Judging", CHOICE, "cranfield.judging", _open_pages)


def _read_grade(text: str) -> int:
    if not (text.isdecimal() and len(text) < 4):
        raise CranfieldError(f"an answer is a grade, later, skipped or unrateable, not {text!r}")
    return int(text)


def _read_side(side: str, is_swapped: bool) -> PreferredAnswer:  # noqa: FBT001 - a plain fact
    if side not in _SIDES:
        raise CranfieldError(f"a preference is {', '.join(_SIDES)}, not {side!r}")
    if side == "neither":
        return PreferredAnswer.NEITHER
    return PreferredAnswer.FIRST if (side == "left") != is_swapped else PreferredAnswer.SECOND


def _round_values(judging: JudgingRound, task: JudgingTask) -> dict[str, Any]:
    highest = judging.queue.options.highest
    names = _GRADES_OF_TWO if highest == 1 else _GRADES
    return {
        "grades": [(grade, names.get(grade, "")) for grade in range(highest + 1)],
        "progress": judging.queue.progress(task.rater),
        "decisive": judging.queue.decisive_state(),
        "guidelines": judging.guidelines,
        "longest_note": _LONGEST_NOTE,
    }


def _hit_values(shown: ShownHit) -> dict[str, Any]:
    hit, query = shown.hit, shown.query.query
    title = str(hit.fields.get("title", ""))
    text = hit.text[:_LONGEST_TEXT]
    return {
        "title": title or hit.document,
        "parts": split_matches(printable_lines(text.replace("\r\n", "\n")), query.text),
        "cut": len(hit.text) - len(text),
        "facts": {
            name: str(value)
            for name, value in hit.fields.items()
            if name != "title" and isinstance(value, str | int | float) and str(value)
        },
    }


def _shown_hits(hits: tuple[Hit, ...]) -> list[dict[str, str]]:
    return [
        {
            "id": hit.id,
            "title": str(hit.fields.get("title", "")) or hit.id,
            "text": hit.text[:500],
        }
        for hit in hits
    ]


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


def read_task(given: PageRequest) -> JudgingTask:
    """Read a task from the fields of a form or an address."""
    rater = given.get("rater").strip()
    if not rater:
        raise CranfieldError("say who judges: the name is kept with every judgment")
    if len(rater) > _LONGEST_NAME:
        raise CranfieldError(f"the name of a rater has at most {_LONGEST_NAME} characters")
    if not (runs := given.get_all("run")):
        raise CranfieldError("choose at least one run whose hits are to be judged")
    return JudgingTask(
        runs=tuple(dict.fromkeys(runs)),
        rater=rater,
        depth=_read_depth(given.get("depth", str(POOL_DEPTH))),
        query=given.get("query").strip(),
        document=given.get("document").strip(),
        decisive=bool(given.get("decisive")),
    )


def _read_depth(text: str) -> int:
    if not (text.isdecimal() and 1 <= int(text[:5]) <= _DEEPEST):
        raise CranfieldError(f"depth is a number from 1 to {_DEEPEST}, not {text[:20]!r}")
    return int(text)


class JudgingDesk:
    """Opens rounds of judging; raters with the same task share one, and only one acts at a time."""

    def __init__(self, bench: Bench) -> None:
        self.lock = RLock()
        self._bench = bench
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
        store = self._bench.require_store()
        project = self._bench.project
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
        store = self._bench.require_store()
        if len(task.runs) != 2:
            raise CranfieldError("choose two runs to say which of their answers is better")
        project = self._bench.project
        a, b = (set_judging(project, find_run(store, name)) for name in task.runs)
        guidelines = read_guidelines(a.header.suite)
        queue = PreferenceQueue(
            (a, b), JudgmentStore(store), depth=task.depth, guideline=guidelines.version
        )
        return PreferenceRound(queue, guidelines, a.header.suite.id)
