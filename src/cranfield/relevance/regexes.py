"""Regular expressions that cannot run away: each search has a time limit."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from cranfield.errors import ExpectationError

if TYPE_CHECKING:
    import regex

__all__ = ["Pattern", "PatternTimeoutError"]

SEARCH_SECONDS = 0.5
"""An id is searched in microseconds; a pattern that needs so long would never end."""


class PatternTimeoutError(ExpectationError):
    """A pattern that backtracks without end."""


@dataclass(frozen=True)
class Pattern:
    """A regular expression, searched for anywhere in a text, as Python's `re.search` does."""

    text: str
    seconds: float = field(default=SEARCH_SECONDS, compare=False)

    def __post_init__(self) -> None:
        _ = self._compiled

    def is_in(self, text: str) -> bool:
        """Tell whether the pattern matches somewhere in a text."""
        try:
            return self._compiled.search(text, timeout=self.seconds) is not None
        except TimeoutError:
            raise PatternTimeoutError(
                f"the pattern {self.text!r} took more than {self.seconds} s on {text[:80]!r}: "
                "it backtracks without end; make nested repetitions unambiguous"
            ) from None

    @cached_property
    def _compiled(self) -> regex.Pattern[str]:
        return _compile(self.text)


@lru_cache(maxsize=65536)
def _compile(text: str) -> regex.Pattern[str]:
    import regex

    try:
        return regex.compile(text)
    except regex.error as problem:
        raise ExpectationError(f"{text!r} is not a regular expression: {problem}") from None
    except RecursionError:
        raise ExpectationError(f"{text[:40]!r}… is nested too deeply for a pattern") from None
