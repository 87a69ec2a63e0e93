"""Patterns that cannot run away."""

from __future__ import annotations

from time import perf_counter

import pytest

from cranfield.errors import PatternTimeoutError
from cranfield.model import Hit, Query, Response
from cranfield.relevance import TimedPattern, read_expectation

LOST = ["(a|aa)+$", "(a|aa)+b", "^(a|a)*$", "(?=(a|aa)+$)a"]
LOST_ON_LONG_TEXTS = ["(a+)+$", r"^(([a-z])+.)+[A-Z]([a-z])+$"]
FAMOUS = [*LOST_ON_LONG_TEXTS, "(.*a){20}"]


@pytest.mark.parametrize("pattern", FAMOUS)
@pytest.mark.parametrize("text", ["a" * 19, "a" * 40 + "!", "a" * 19 + "b" * 100])
def test_the_engine_gets_through_famous_traps_of_ordinary_length(pattern: str, text: str) -> None:
    TimedPattern(pattern).is_in(text)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        *((pattern, "a" * 60 + "!") for pattern in LOST),
        *((pattern, "a" * 3000 + "A" + "a" * 3000 + "!") for pattern in LOST_ON_LONG_TEXTS),
    ],
)
def test_a_search_without_end_is_stopped_and_named(pattern: str, text: str) -> None:
    started = perf_counter()
    with pytest.raises(PatternTimeoutError, match=r"took more than 0\.1 s on 'aaaa.*make nested"):
        TimedPattern(pattern, seconds=0.1).is_in(text)
    assert perf_counter() - started < 10


def test_a_runaway_pattern_is_named_while_grading_too() -> None:
    expectation = read_expectation(Query("q", "text", {"matches": "(a|aa)+$"}))
    with pytest.raises(PatternTimeoutError, match="backtracks without end"):
        expectation.grade(Response.of((Hit("a" * 80 + "!"),)))


def test_patterns_are_equal_by_their_text() -> None:
    assert TimedPattern("a", seconds=1) == TimedPattern("a", seconds=2)
    assert len({TimedPattern("a"), TimedPattern("a"), TimedPattern("b")}) == 2


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("b", "abc", True),
        ("^b", "abc", False),
        (r"\p{Devanagari}+", "शांति", True),
        ("", "", True),
        ("(?i)ÉTÉ", "été", True),
        ("a$", "a\n", True),
    ],
)
def test_a_pattern_is_searched_for_anywhere(pattern: str, text: str, found: bool) -> None:
    assert TimedPattern(pattern).is_in(text) is found
