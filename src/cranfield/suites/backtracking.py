"""Patterns that backtrack without end, found by searching texts that they nearly match."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from cranfield.errors import ExpectationError
from cranfield.relevance import Pattern, PatternTimeoutError
from cranfield.suites.patterns import patterns_in
from cranfield.suites.probes import probe_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cranfield.suites.findings import Finding
    from cranfield.suites.sources import SuiteSource

__all__ = ["runaway_patterns"]

_SEARCH_SECONDS = 0.2
_CONFIRM_SECONDS = 0.6
"""A machine may stall for a moment; what is slow is slow again."""

_PATTERN_SECONDS = 2.0
"""How long all texts of one pattern may take together."""


def runaway_patterns(source: SuiteSource) -> Iterator[Finding]:
    """Find patterns that take too long on texts made for them or on their query's own text.

    They are judged by the engine that grades: it gets through some patterns quickly on which
    others are lost.
    """
    known: dict[str, str] = {}
    for place, query in enumerate(source.suite.queries):
        if query.deprecated:
            continue
        for rule, value in query.expect.items():
            for pattern in patterns_in(rule, value):
                if pattern not in known:
                    known[pattern] = _what_is_slow(pattern, probe_texts(pattern))
                problem = known[pattern] or _what_is_slow(pattern, [query.text])
                if problem:
                    yield source.error(f"query {query.id!r}: {rule}: {problem}", place)


def _what_is_slow(pattern: str, texts: Iterable[str]) -> str:
    """Search the texts until one takes too long, and say which; nothing if none does."""
    try:
        search, confirm = Pattern(pattern, _SEARCH_SECONDS), Pattern(pattern, _CONFIRM_SECONDS)
    except ExpectationError:
        return ""  # found and reported where expectations are read
    deadline = monotonic() + _PATTERN_SECONDS
    for text in texts:
        try:
            search.is_in(text)
        except PatternTimeoutError:
            try:
                confirm.is_in(text)
            except PatternTimeoutError as problem:
                return str(problem)
        if monotonic() > deadline:
            break
    return ""
