"""How long the code of one page may take to parse.

On broken code the recovery of a grammar takes time with the length squared, or worse: 40 KB of
`|-|` lines take more than a minute. Time is that of the processor in this thread, so that a busy
machine reads what an idle one reads.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from time import thread_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["PARSING_SECONDS", "ParsingLimit", "SlowCodeError", "get_parsing_limit", "limit_parsing"]

PARSING_SECONDS = 5.0
"""The time for the code of a page, beside what the length of the code allows."""

# Code is parsed at a million characters a second; a page with much of it may take ten times that.
_SECONDS_PER_CHARACTER = 1e-5


class SlowCodeError(Exception):
    """Code that takes too long to parse: its page is kept as text."""


class ParsingLimit:
    """The time that is left for the code of one page."""

    def __init__(self, seconds: float = PARSING_SECONDS) -> None:
        self._left = seconds

    @property
    def is_exceeded(self) -> bool:
        """Whether code of the page was given up."""
        return self._left <= 0

    @contextmanager
    def spend(self, characters: int) -> Iterator[float]:
        """Yield the moment of `thread_time` at which parsing that much code must end.

        Raises `SlowCodeError` afterwards if it did not end before, and at once if there is no
        time left.
        """
        if self.is_exceeded:
            raise SlowCodeError
        began = thread_time()
        self._left += characters * _SECONDS_PER_CHARACTER
        yield began + self._left
        self._left -= thread_time() - began
        if self.is_exceeded:
            raise SlowCodeError


_current: ContextVar[ParsingLimit | None] = ContextVar("parsing limit", default=None)


@contextmanager
def limit_parsing(seconds: float) -> Iterator[ParsingLimit]:
    """Parse all code in the block within one limit; without a block each parsing has its own."""
    limit = ParsingLimit(seconds)
    token = _current.set(limit)
    try:
        yield limit
    finally:
        _current.reset(token)


def get_parsing_limit() -> ParsingLimit:
    """Return the limit of the page that is being read, or a new one."""
    return _current.get() or ParsingLimit()
