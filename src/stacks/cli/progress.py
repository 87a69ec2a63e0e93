"""How far a save is, on standard error: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time

__all__ = ["SaveProgress"]

_BAR_WIDTH = 24
_EVERY_ON_TERMINAL = 0.1
_EVERY_ELSEWHERE = 10.0


class SaveProgress:
    """Shows pages done, pages a second, and the time left where the total is known."""

    def __init__(self) -> None:
        self._on_terminal = sys.stderr.isatty()
        self._what = ""
        self._total: int | None = None
        self._done = 0
        self._began = self._shown = time.monotonic()

    def start(self, what: str, total: int | None) -> None:
        """Begin a stretch of work; the one before is finished."""
        self.finish()
        self._what, self._total, self._done = what, total, 0
        self._began = self._shown = time.monotonic()
        self._show()

    def advance(self, steps: int = 1) -> None:
        """Count steps, and show them when it is time."""
        self._done += steps
        now = time.monotonic()
        if now - self._shown >= (_EVERY_ON_TERMINAL if self._on_terminal else _EVERY_ELSEWHERE):
            self._shown = now
            self._show()

    def finish(self) -> None:
        """Leave the last state of a stretch on its own line."""
        if self._what:
            self._show(end="\n")
            self._what = ""

    def _show(self, end: str = "") -> None:
        if not self._on_terminal:
            if self._done:
                sys.stderr.write(f"{self._describe()}\n")
            return
        sys.stderr.write(f"\r\x1b[K{self._describe()}{end}")
        sys.stderr.flush()

    def _describe(self) -> str:
        seconds = time.monotonic() - self._began
        if not self._done:
            return f"{self._what} …"
        rate = self._done / seconds if seconds > 0 else 0.0
        parts = [f"{self._done:,} pages", f"{rate:,.0f} a second"]
        bar = ""
        if self._total:
            filled = min(_BAR_WIDTH, _BAR_WIDTH * self._done // self._total)
            bar = " " + "█" * filled + "·" * (_BAR_WIDTH - filled)
            parts[0] = f"{self._done:,}/{self._total:,} pages"
            if rate and self._done < self._total:
                parts.append(f"{(self._total - self._done) / rate:,.0f} s left")
        return f"{self._what}{bar} {', '.join(parts)}"
