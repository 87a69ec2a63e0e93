"""Progress of a save on standard error: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from typing import Self

from cranfield_shared.plain_text import printable
from cranfield_shared.terminal import CLEAR_LINE, draw_bar

__all__ = ["SaveProgress"]

_EVERY_ON_TERMINAL = 0.1
_EVERY_ELSEWHERE = 10.0
_LINES = 20


class SaveProgress:
    """Shows pages done, pages a second, and the time left if the total is known.

    Not on a terminal, there is at most one line for every twentieth part.
    """

    def __init__(self) -> None:
        self._on_terminal = sys.stderr.isatty()
        self._what = ""
        self._total: int | None = None
        self._done = self._shown_done = 0
        self._began = self._shown = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.finish()

    def start(self, what: str, total: int | None) -> None:
        """Begin a stage of the work, and finish the one before."""
        self.finish()
        self._what, self._total = printable(what), total
        self._done = self._shown_done = 0
        self._began = self._shown = time.monotonic()
        self._show()

    def advance(self, steps: int = 1) -> None:
        """Count steps, and show them if it is time."""
        self._done += steps
        now = time.monotonic()
        if self._is_due(now):
            self._shown, self._shown_done = now, self._done
            self._show()

    def _is_due(self, now: float) -> bool:
        passed = now - self._shown
        if self._on_terminal:
            return passed >= _EVERY_ON_TERMINAL
        further = _LINES * (self._done - self._shown_done) >= (self._total or 0)
        return passed >= _EVERY_ELSEWHERE and further

    def finish(self) -> None:
        """Leave the count of a stage on a line of its own."""
        if self._what and (self._done or self._on_terminal):
            begin = CLEAR_LINE if self._on_terminal else ""
            count = f" {self._done:,} pages" if self._done else ""
            sys.stderr.write(f"{begin}{self._what}{count}\n")
        self._what = ""

    def _show(self) -> None:
        if self._on_terminal:
            sys.stderr.write(f"{CLEAR_LINE}{self._describe()}")
            sys.stderr.flush()
        elif self._done:
            sys.stderr.write(f"{self._describe()}\n")

    def _describe(self) -> str:
        seconds = time.monotonic() - self._began
        if not self._done:
            return f"{self._what} …"
        rate = self._done / seconds if seconds > 0 else 0.0
        parts = [f"{self._done:,} pages", f"{rate:,.0f} a second"]
        bar = ""
        # A total that was exceeded was an estimate, and is no longer of use.
        if self._total and self._done <= self._total:
            bar = f" {draw_bar(self._done, self._total)}"
            parts[0] = f"{self._done:,}/{self._total:,} pages"
            if rate and self._done < self._total:
                parts.append(f"{(self._total - self._done) / rate:,.0f} s left")
        return f"{self._what}{bar} {', '.join(parts)}"
