"""How far a save is, on standard error: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from typing import Self

__all__ = ["SaveProgress"]

_BAR_WIDTH = 24
_EVERY_ON_TERMINAL = 0.1
_EVERY_ELSEWHERE = 10.0
_LINES = 20


class SaveProgress:
    """Shows pages done, pages a second, and the time left where the total is known.

    Elsewhere than on a terminal lines stay: there is one for every twentieth part at most.
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
        """Begin a stretch of work; the one before is finished."""
        self.finish()
        self._what, self._total, self._done, self._shown_done = what, total, 0, 0
        self._began = self._shown = time.monotonic()
        self._show()

    def advance(self, steps: int = 1) -> None:
        """Count steps, and show them when it is time."""
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
        """Leave how much was done in a stretch on its own line."""
        if self._what and (self._done or self._on_terminal):
            begin = "\r\x1b[K" if self._on_terminal else ""
            count = f" {self._done:,} pages" if self._done else ""
            sys.stderr.write(f"{begin}{self._what}{count}\n")
        self._what = ""

    def _show(self) -> None:
        if self._on_terminal:
            sys.stderr.write(f"\r\x1b[K{self._describe()}")
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
        # A total that was passed was an estimate, and tells nothing any more.
        if self._total and self._done <= self._total:
            filled = _BAR_WIDTH * self._done // self._total
            bar = " " + "█" * filled + "·" * (_BAR_WIDTH - filled)
            parts[0] = f"{self._done:,}/{self._total:,} pages"
            if rate and self._done < self._total:
                parts.append(f"{(self._total - self._done) / rate:,.0f} s left")
        return f"{self._what}{bar} {', '.join(parts)}"
