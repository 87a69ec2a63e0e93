"""Progress on standard error: a bar on a terminal, lines elsewhere."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cranfield.model import Query, Response

__all__ = ["ProgressLines"]

_BAR_WIDTH = 24
_TEXT_WIDTH = 40
_MOST_LINES = 1000


class ProgressLines:
    """Tells of every answer that is stored; of every hundredth part where there are many."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._on_terminal = sys.stderr.isatty()
        self._failed = 0

    def advance(self, done: int, total: int, query: Query, response: Response) -> None:
        """Show one more answer."""
        self._failed += response.status.is_failure
        every = 1 if total <= _MOST_LINES else total // 100
        if done % every and done != total:
            return
        text = " ".join(query.text.split())[:_TEXT_WIDTH]
        failed = f", {self._failed} not answered" if self._failed else ""
        if self._on_terminal:
            filled = _BAR_WIDTH * done // total
            bar = "█" * filled + "·" * (_BAR_WIDTH - filled)
            end = "\n" if done == total else ""
            line = f"\r\x1b[K{self._title} {bar} {done}/{total}{failed} {text}{end}"
        else:
            told = f" ({response.status})" if response.status.is_failure else ""
            line = f"[{done}/{total}] {text}{told}\n"
        sys.stderr.write(line)
        sys.stderr.flush()
