"""Judging in a terminal: the hit to judge, one key a grade, and questions on top of it."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.syntax import Syntax
from rich.text import Text
from textual.app import App
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from cranfield.errors import CranfieldError
from cranfield.judging.judging_round import RoundOptions, open_round
from cranfield.judging.queue_options import QueueFilter
from cranfield.judging.shown_texts import LineState, split_matches
from cranfield.judgments import JudgedItem, JudgmentState
from cranfield_shared.plain_text import printable, printable_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from cranfield.judging.judging_round import JudgingRound
    from cranfield.judging.pool import PooledHit
    from cranfield.judging.queue import ShownHit
    from cranfield.judging.shown_texts import ContentChange
    from cranfield.runs.runner import Run
    from cranfield.runs.store import Store

__all__ = [
    "ConfirmScreen",
    "JudgingApp",
    "QuestionScreen",
    "diff_text",
    "document_text",
    "name_hit",
]

_KEYS = "s skip  x unrateable  l later  u undo  c note  f filter  b bulk  g guidelines  q quit"
_FOLDED_LINES = 3
_SECONDS = 60.0


class JudgingApp(App[None]):
    """Judges the hits of runs for one rater. An answer is stored before the next hit is shown."""

    CSS = """
    #query { background: $primary; color: $text; padding: 0 1; text-style: bold; }
    #guidelines { color: $text-muted; padding: 0 1; }
    #name { padding: 0 1; text-style: underline; }
    #before { padding: 0 1; }
    #document { padding: 0 1; }
    #status, #keys { background: $panel; padding: 0 1; }
    #body { height: 1fr; }
    #question { background: $panel; border: solid $primary; padding: 1; margin: 2 4;
                height: auto; max-height: 90%; }
    """
    BINDINGS = [  # noqa: RUF012 - Textual declares it so
        ("s", "state('skipped')", "Skip"),
        ("x", "state('unrateable')", "Unrateable"),
        ("l", "later", "Later"),
        ("u", "undo", "Undo"),
        ("c", "note", "Note"),
        ("f", "filter", "Filter"),
        ("b", "bulk", "Bulk"),
        ("g", "guidelines", "Guidelines"),
        ("q", "leave", "Quit"),
    ]

    def __init__(
        self, runs: Sequence[Run], store: Store, rater: str, options: RoundOptions
    ) -> None:
        super().__init__()
        self._runs, self._place, self._rater = runs, store, rater
        self._round_options = options
        self.judging: JudgingRound = open_round(runs, store, options)
        self.shown: ShownHit | None = None
        self._note = ""
        self._message = ""
        self._is_unfolded = False
        self._answers: list[float] = []

    def compose(self) -> ComposeResult:
        """Lay the screen out, from the query down to the keys."""
        yield Static(id="query", markup=False)
        yield Static(id="guidelines", markup=False)
        yield Static(id="name", markup=False)
        with VerticalScroll(id="body"):
            yield Static(id="before", markup=False)
            yield Static(id="document", markup=False)
        yield Static(id="status", markup=False)
        yield Static(f"{self._grade_keys()}  {_KEYS}", id="keys", markup=False)

    def on_mount(self) -> None:
        """Show the first hit."""
        for grade in range(self.judging.pool.settings.highest + 1):
            self.bind(str(grade), f"grade({grade})", description=f"Grade {grade}")
        if self.judging.pool.settings.highest == 1:
            self.bind("y", "grade(1)", description="Yes")
            self.bind("n", "grade(0)", description="No")
        self._advance()

    def action_grade(self, grade: int) -> None:
        """Give the hit a grade."""
        self._answer(grade, JudgmentState.GRADED)

    def action_state(self, name: str) -> None:
        """Skip the hit, or say that it cannot be rated."""
        self._answer(None, JudgmentState(name))

    def action_later(self) -> None:
        """Show the hit again after all others."""
        if self.shown is not None:
            self.judging.queue.put_off(self._rater, _item(self.shown))
            self._advance()

    def action_undo(self) -> None:
        """Take the last judgment back, and show its hit again."""
        item = self.judging.queue.undo(self._rater)
        if item is None:
            self._advance("there is nothing to undo")
            return
        self._answers = self._answers[:-1]
        self._advance("taken back", again=item)

    def action_note(self) -> None:
        """Write a note that is stored with the next grade."""

        def keep(given: dict[str, str] | None) -> None:
            if given is not None:
                self._note = given["note"]
                self._refresh_status()

        self.push_screen(QuestionScreen("Note on this hit", {"note": self._note}), keep)

    def action_filter(self) -> None:
        """Choose which hits are shown."""
        chosen = self._round_options.chosen
        fields = {
            "query (text or id)": chosen.query,
            "document (pattern such as src/*.py)": chosen.document,
            "since (review what you judged from this day)": chosen.since,
            "until (to this day)": chosen.until,
        }
        self.push_screen(QuestionScreen("Show only", fields), self._filter)

    def action_bulk(self) -> None:
        """Give many hits one grade, after showing them."""
        fields = {"pattern (such as tests/*)": "", "ids (separated by blanks)": "", "grade": "0"}
        self.push_screen(QuestionScreen("One grade for many hits", fields), self._preview)

    def action_guidelines(self) -> None:
        """Unfold the guidelines, or fold them again."""
        self._is_unfolded = not self._is_unfolded
        self._show()

    def action_leave(self) -> None:
        """Give back what is reserved, and leave."""
        self.judging.queue.release(self._rater)
        self.exit()

    def _answer(self, grade: int | None, state: JudgmentState) -> None:
        if self.shown is None:
            return
        self.judging.queue.judge(self._rater, _item(self.shown), grade, state, self._note)
        self._answers.append(time.monotonic())
        self._advance()

    def _advance(self, message: str = "", again: JudgedItem | None = None) -> None:
        """Show the next hit, or one again."""
        self._note, self._message = "", message
        queue = self.judging.queue
        self.shown = queue.next(self._rater) if again is None else queue.shown(again)
        self._show()
        self.query_one("#body", VerticalScroll).scroll_home(animate=False)

    def _filter(self, given: dict[str, str] | None) -> None:
        if given is None:
            return
        try:
            chosen = QueueFilter(*(value.strip() for value in given.values()))
        except CranfieldError as problem:
            self._message = str(problem)
            self._refresh_status()
            return
        self.judging.queue.release(self._rater)
        self._round_options = replace(self._round_options, chosen=chosen)
        self.judging = open_round(self._runs, self._place, self._round_options)
        self._advance("filtered" if chosen != QueueFilter() else "all hits")

    def _preview(self, given: dict[str, str] | None) -> None:
        if given is None:
            return
        pattern, ids, grade = (value.strip() for value in given.values())
        hits = self.judging.queue.choose(self._rater, pattern, ids.split())
        highest = self.judging.pool.settings.highest
        if not (grade.isdigit() and int(grade) <= highest):
            self._message = f"a grade is from 0 to {highest}, not {grade!r}"
        elif not hits:
            self._message = "no hit that you have not judged fits that"
        else:
            self._confirm(hits, int(grade))
            return
        self._refresh_status()

    def _confirm(self, hits: Sequence[ShownHit], grade: int) -> None:
        """Show hits, and give all of them a grade if that is confirmed."""

        def apply(wanted: bool | None) -> None:  # noqa: FBT001 - Textual passes it so
            if wanted:
                items = [_item(each) for each in hits]
                self.judging.queue.judge_all(self._rater, items, grade, "bulk")
                self._advance(f"grade {grade} for {len(items)} hits; u takes it back")

        self.push_screen(ConfirmScreen(hits, grade), apply)

    def _show(self) -> None:
        """Show the hit that is to be judged, with everything around it."""
        shown = self.shown
        self.query_one("#guidelines", Static).update(self._guidelines())
        self._refresh_status()
        if shown is None:
            self.query_one("#query", Static).update("Nothing is left to judge.")
            for name in ("name", "before", "document"):
                self.query_one(f"#{name}", Static).update("")
            return
        self.query_one("#query", Static).update(printable(shown.query.query.text))
        self.query_one("#name", Static).update(name_hit(shown.hit))
        self.query_one("#document", Static).update(document_text(shown))
        change = self.judging.queue.change(shown)
        self.query_one("#before", Static).update("" if change is None else diff_text(change))

    def _refresh_status(self) -> None:
        self.query_one("#status", Static).update(self._status())

    def _guidelines(self) -> str:
        lines = printable_lines(self.judging.guidelines.text).strip().splitlines()
        if self._is_unfolded or len(lines) <= _FOLDED_LINES:
            return "\n".join(lines)
        return "\n".join([*lines[:_FOLDED_LINES], "… g shows all"])

    def _status(self) -> str:
        progress = self.judging.queue.progress(self._rater)
        parts = [f"{progress.left} of {progress.hits} left", f"{progress.mine} judged by you"]
        if (state := self.judging.queue.decisive_state()) is not None:
            parts.append(
                f"the verdict is settled: {state.outlook.kind}"
                if state.is_settled and state.outlook
                else f"at most {state.hits_left} can change the verdict"
            )
        parts += [f"{pace:.0f} a minute" for pace in self._pace()]
        parts += [self._dispute()] if self._dispute() else []
        parts += [f"note: {printable(self._note)}"] if self._note else []
        if self.shown is not None and self.shown.earlier is not None:
            parts.append(f"changed since it had the grade {self.shown.earlier.grade}")
        return " · ".join([*parts, *filter(None, [self._message])])

    def _pace(self) -> list[float]:
        """Return the answers of the last minute; nothing before the second one."""
        recent = [each for each in self._answers if each > time.monotonic() - _SECONDS]
        if len(recent) < 2:
            return []
        return [(len(recent) - 1) * _SECONDS / max(recent[-1] - recent[0], 0.001)]

    def _dispute(self) -> str:
        if not self._round_options.adjudicates or self.shown is None:
            return ""
        given = self.judging.queue.judgments_of(_item(self.shown))
        return ", ".join(f"{printable(each.rater)}: {each.grade}" for each in given)

    def _grade_keys(self) -> str:
        highest = self.judging.pool.settings.highest
        return "y yes  n no" if highest == 1 else f"0–{highest} grade"


def _item(shown: ShownHit) -> JudgedItem:
    return JudgedItem(shown.query.key, shown.hit.item)


_MOST_LISTED = 15


class QuestionScreen(ModalScreen[dict[str, str] | None]):
    """Asks for texts by name; Enter in any field answers, Escape does not."""

    BINDINGS = [("escape", "leave", "Leave")]  # noqa: RUF012 - Textual declares it so

    def __init__(self, title: str, fields: dict[str, str]) -> None:
        super().__init__()
        self._title = title
        self._fields = fields

    def compose(self) -> ComposeResult:
        """Lay the fields out."""
        with Vertical(id="question"):
            yield Static(self._title, markup=False)
            for name, value in self._fields.items():
                yield Static(name, markup=False)
                yield Input(value=value, id=f"field-{name.partition(' ')[0]}")

    def on_input_submitted(self) -> None:
        """Answer with all fields."""
        values = [each.value for each in self.query(Input)]
        self.dismiss(dict(zip(self._fields, values, strict=True)))

    def action_leave(self) -> None:
        """Answer nothing."""
        self.dismiss(None)


class ConfirmScreen(ModalScreen[bool]):
    """Shows hits before they are graded at once."""

    BINDINGS = [("y", "answer(True)", "Apply"), ("escape,n", "answer(False)", "Leave")]  # noqa: RUF012 - Textual declares it so

    def __init__(self, hits: Sequence[ShownHit], grade: int) -> None:
        super().__init__()
        self._hits = hits
        self._grade = grade

    def compose(self) -> ComposeResult:
        """List the first hits."""
        count = len(self._hits)
        lines = [f"grade {self._grade} for {count} hits that you have not judged:"]
        lines += [
            f"  {name_hit(each.hit)}   ({each.query.query.text})"
            for each in self._hits[:_MOST_LISTED]
        ]
        if count > _MOST_LISTED:
            lines.append(f"  … and {count - _MOST_LISTED} more")
        lines.append("y applies it (u undoes it later), Escape leaves it")
        with Vertical(id="question"):
            yield Static("\n".join(lines), markup=False, id="bulk")

    def action_answer(self, wanted: bool) -> None:  # noqa: FBT001 - Textual passes it so
        """Apply it, or leave it."""
        self.dismiss(wanted)


_MATCH = "bold black on yellow"
_PLAIN = "default"
_MARKS = {LineState.REMOVED: ("-", "red"), LineState.ADDED: ("+", "green")}


def name_hit(hit: PooledHit) -> str:
    """Return the ids of a hit in a line."""
    return printable(" = ".join(hit.documents))


def document_text(shown: ShownHit) -> Text:
    """Return the text of a hit with syntax colours, and the words of its query marked."""
    hit = shown.hit
    text = printable_lines(hit.text) or "(no text; judge by the id above)"
    lexer = Syntax.guess_lexer(str(hit.fields.get("path") or hit.document))
    coloured = Text(text) if lexer == _PLAIN else Syntax(text, lexer).highlight(text)
    start = 0
    for part in split_matches(coloured.plain, shown.query.query.text):
        if part.matches:
            coloured.stylize(_MATCH, start, start + len(part.text))
        start += len(part.text)
    return coloured


def diff_text(change: ContentChange) -> Text:
    """Return the lines that changed in a text since it was judged, removed ones first."""
    coloured = Text()
    for line in change.lines:
        if line.state is not LineState.KEPT:
            mark, style = _MARKS[line.state]
            coloured.append(f"{mark}{printable(line.text)}\n", style)
    return coloured
