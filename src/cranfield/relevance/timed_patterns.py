"""Regular expressions with a time limit on each search."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from cranfield.errors import ExpectationError, PatternTimeoutError

if TYPE_CHECKING:
    import regex

__all__ = ["TimedPattern"]

_SEARCH_SECONDS = 0.5
"""An id is searched in microseconds; a pattern that takes so long would never end."""


@dataclass(frozen=True)
class TimedPattern:
    """A regular expression, searched anywhere in a text, as `re.search` does."""

    text: str
    seconds: float = field(default=_SEARCH_SECONDS, compare=False)

    def __post_init__(self) -> None:
        _ = self._compiled

    def is_in(self, text: str) -> bool:
        """Return whether the pattern matches anywhere in a text."""
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
