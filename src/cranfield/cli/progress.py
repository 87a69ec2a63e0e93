"""Progress and messages on standard error: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from cranfield.model import Query, Response
    from cranfield.projects import Session
    from cranfield.runs import Store

__all__ = ["ProgressLines", "StepLines", "open_session", "report"]

_BAR_WIDTH = 24
_TEXT_WIDTH = 40
_MOST_MOVES = 1000
_LINES = 20


def report(text: str) -> None:
    """Write a message to standard error."""
    typer.echo(text, err=True)


def open_session(store: Store) -> Session:
    """Return a session that runs systems in this environment and shows progress here."""
    from cranfield.projects import Session

    return Session(store, dict(os.environ), report, ProgressLines)


class StepLines:
    """Shows steps whose number is known.

    On a terminal every step moves the bar, or every hundredth part if there are many. Elsewhere,
    for instance in the log of a build, there is a line for every twentieth part.
    """

    def __init__(self, title: str) -> None:
        self._title = title
        self._on_terminal = sys.stderr.isatty()
        self._shown = 0

    def advance(self, done: int, total: int, text: str, failed: str = "") -> None:
        """Show how many steps are done, if it is time; `failed` counts failures so far."""
        if not self._is_due(done, total):
            return
        self._shown = done
        if self._on_terminal:
            filled = _BAR_WIDTH * done // total
            bar = "█" * filled + "·" * (_BAR_WIDTH - filled)
            end = "\n" if done == total else ""
            line = f"\r\x1b[K{self._title} {bar} {done}/{total}{failed} {text}{end}"
        else:
            line = f"[{done}/{total}] {text}{failed}\n"
        sys.stderr.write(line)
        sys.stderr.flush()

    def _is_due(self, done: int, total: int) -> bool:
        if done == total:
            return True
        if self._on_terminal:
            return total <= _MOST_MOVES or done % (total // 100) == 0
        return _LINES * done // total > _LINES * self._shown // total


class ProgressLines:
    """Shows stored answers, with the number of queries that were not answered."""

    def __init__(self, title: str) -> None:
        self._lines = StepLines(title)
        self._failed = 0

    def advance(self, done: int, total: int, query: Query, response: Response) -> None:
        """Show one more answer."""
        self._failed += response.status.is_failure
        text = " ".join(query.text.split())[:_TEXT_WIDTH]
        failed = f", {self._failed} not answered" if self._failed else ""
        self._lines.advance(done, total, text, failed)
