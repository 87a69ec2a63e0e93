"""Patterns that run into the time limit are found before a run, not during one."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import pytest

from cranfield.model import Query, Suite
from cranfield.suites import SuiteSource
from cranfield.suites.checks.query_checks import slow_patterns

LONG = "a" * 60 + "!"
CATASTROPHIC = [
    ("(a|aa)+$", LONG),
    ("(a|aa)+b", LONG),
    ("(?=(a|aa)+$)a", LONG),
    ("(a|b|ab)*c", "ab" * 40 + "!c"),
    ("^docs://(?:[a-z]|[a-z][a-z])+/end$", f"docs://{'z' * 60}/en"),
]
SOUND = [
    "^apple-docs://swift/hashable($|/)",
    "^apple-docs://swiftui($|/[^/]*$)",
    "(.*a){20}",
    r"^https?://[^/]+(/[^/?#]*)*(\?[^#]*)?(#.*)?$",
    r"(?:[^/]+/)*[^/]*\.md$",
    "^(docs|blog)://.*actor.*$",
    r"\p{Lu}\w+$",
]


def findings(*queries: Query) -> list[str]:
    source = SuiteSource(Suite("s", "canonical", queries), Path("suite.toml"), (7,))
    return [finding.message for finding in slow_patterns(source)]


@pytest.mark.corpus
@pytest.mark.parametrize(("pattern", "text"), CATASTROPHIC)
def test_a_catastrophic_pattern_is_reported_by_the_time_limit(pattern: str, text: str) -> None:
    started = perf_counter()
    [message] = findings(Query("q", text, {"matches": pattern}))
    assert message.startswith(f"query 'q': matches: the pattern {pattern!r} took more than 0.5 s")
    assert perf_counter() - started < 20


@pytest.mark.parametrize("pattern", SOUND)
def test_an_ordinary_pattern_is_not(pattern: str) -> None:
    assert findings(Query("q", LONG, {"matches": pattern})) == []


@pytest.mark.corpus
@pytest.mark.parametrize(
    "other",
    [
        Query("other", LONG, {"ids": ["x"]}),
        Query("other", "text", {"ids": [LONG]}),
        Query("other", "text", {"ids": {LONG: 2}}),
        Query("other", "text", {"ids": [{"id": LONG, "grade": 2}]}),
        Query("other", "text", {"ids": LONG}),
    ],
)
def test_texts_and_ids_of_other_queries_are_searched_too(other: Query) -> None:
    [message] = findings(Query("q", "short", {"matches": "(a|aa)+$"}), other)
    assert message.startswith("query 'q': matches: the pattern '(a|aa)+$' took more than")


def test_one_pattern_of_many_queries_is_tried_once() -> None:
    queries = [Query(str(number), LONG, {"matches": "(a|aa)+$"}) for number in range(50)]
    started = perf_counter()
    assert len(findings(*queries)) == 50
    assert perf_counter() - started < 20


def test_what_does_not_compile_and_what_is_deprecated_is_left_to_others() -> None:
    assert findings(Query("q", LONG, {"matches": "("})) == []
    assert findings(Query("q", LONG, {"matches": "(a|aa)+$"}, deprecated=True)) == []
