"""What the terminal asks in a line: a note, a filter, a grade for many hits at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from cranfield.judging.terminal.hit_text import name_hit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from cranfield.judging.queue import ShownHit

__all__ = ["ConfirmScreen", "QuestionScreen"]

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
