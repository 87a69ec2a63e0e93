"""The pages of judging: choose what to judge, one hit after the other, two answers side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError
from cranfield.judging.judging_report import report_progress
from cranfield.judging.matching_words import split_matches
from cranfield.judgments import JudgedItem, JudgmentState, PreferredAnswer
from cranfield.runs import RunState
from cranfield.web.judging_desk import JudgingDesk, read_task
from cranfield.web.live_pages import render_live, render_live_report
from cranfield_shared.plain_text import printable_lines

if TYPE_CHECKING:
    from starlette.datastructures import FormData, QueryParams

    from cranfield.judging.judging_round import JudgingRound
    from cranfield.judging.queue import ShownHit
    from cranfield.model import Hit
    from cranfield.web.judging_desk import JudgingTask
    from cranfield.web.workbench import Workbench

__all__ = ["CHOICE", "PREFERENCES", "QUEUE", "JudgingPages"]

CHOICE, QUEUE, PREFERENCES = "/judge", "/judge/queue", "/judge/preferences"
_HERE = "Judging"
_LONGEST_TEXT = 50_000
_LONGEST_NOTE = 2000
_GRADES_OF_TWO = {0: "no", 1: "yes"}
_GRADES = {0: "irrelevant", 1: "related", 2: "relevant", 3: "exactly right"}
_STATES = {"unrateable": JudgmentState.UNRATEABLE, "skipped": JudgmentState.SKIPPED}
_SIDES = ("left", "right", "neither")


class JudgingPages:
    """Shows what there is to judge, and stores each answer before it shows the next."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._desk = JudgingDesk(workbench)

    def choose(self) -> str:
        """Show the runs whose hits can be judged."""
        store = self._workbench.store
        headers = [
            header
            for header in reversed(store.headers() if store else [])
            if header.state is not RunState.RUNNING
        ]
        return render_live("judge.html", here=_HERE, headers=headers)

    def queue(self, proof: str, given: QueryParams) -> str:
        """Show the hit that is judged next, or that there is none left."""
        task = read_task(given, given.getlist("run"))
        with self._desk.lock:
            judging = self._desk.round(task)
            shown = judging.queue.next(task.rater)
            change = judging.queue.change(shown) if shown else None
            values = _round_values(judging, task)
        return render_live(
            "judging.html",
            here=_HERE,
            proof=proof,
            task=task,
            shown=shown,
            change=change,
            **values,
            **(_hit_values(shown) if shown else {}),
        )

    def progress(self, given: QueryParams) -> str:
        """Show how far the pool is judged, and how well raters agree."""
        task = read_task(given, given.getlist("run"))
        with self._desk.lock:
            return render_live_report(report_progress(self._desk.round(task), task.rater), _HERE)

    def judge(self, form: FormData) -> str:
        """Store an answer to what was shown, or take the last one back; return where to go on."""
        task = _read_form_task(form)
        action = str(form.get("action", ""))
        with self._desk.lock:
            judging = self._desk.round(task)
            if action == "undo":
                judging.queue.undo(task.rater)
            else:
                self._answer(judging, task, action, form)
        return task.address(QUEUE)

    def _answer(
        self, judging: JudgingRound, task: JudgingTask, action: str, form: FormData
    ) -> None:
        item = JudgedItem(str(form.get("asked", "")), str(form.get("item", "")))
        if action == "later":
            judging.queue.put_off(task.rater, item)
            return
        state = _STATES.get(action, JudgmentState.GRADED)
        grade = _read_grade(action) if state is JudgmentState.GRADED else None
        note = str(form.get("note", "")).strip()[:_LONGEST_NOTE]
        # An answer may come twice, if the connection broke before it was acknowledged.
        is_known = any(
            (each.rater, each.grade, each.state, each.note) == (task.rater, grade, state, note)
            for each in judging.queue.judgments_of(item)
        )
        if not is_known:
            judging.queue.judge(task.rater, item, grade, state, note)

    def preferences(self, proof: str, given: QueryParams) -> str:
        """Show the two answers that are compared next, or what raters preferred."""
        task = read_task(given, given.getlist("run"))
        with self._desk.lock:
            opened = self._desk.preferences(task)
            shown = opened.queue.next(task.rater)
            progress = opened.queue.progress(task.rater)
        return render_live(
            "preferences.html",
            here=_HERE,
            proof=proof,
            task=task,
            shown=shown,
            sides=[_shown_hits(side) for side in (shown.left, shown.right)] if shown else [],
            progress=progress,
            test=progress.test,
            guidelines=opened.guidelines,
            suite=opened.suite,
            longest_note=_LONGEST_NOTE,
        )

    def prefer(self, form: FormData) -> str:
        """Store a preference, or take the last one back; return where to go on."""
        task = _read_form_task(form)
        action = str(form.get("action", ""))
        with self._desk.lock:
            queue = self._desk.preferences(task).queue
            if action == "undo":
                queue.undo(task.rater)
            else:
                is_swapped = form.get("swapped") == "yes"
                note = str(form.get("note", "")).strip()[:_LONGEST_NOTE]
                queue.prefer(
                    task.rater, str(form.get("asked", "")), _read_side(action, is_swapped), note
                )
        return task.address(PREFERENCES)


def _read_form_task(form: FormData) -> JudgingTask:
    return read_task(form, [str(each) for each in form.getlist("run")])


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
