"""Patterns that run away are found before a run, not during one."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.model import Query, Suite
from cranfield.suites import SuiteSource
from cranfield.suites.backtracking import runaway_patterns
from cranfield.suites.probes import probe_texts

RUNAWAY = [
    "(a+)+$",
    r"^(([a-z])+.)+[A-Z]([a-z])+$",
    "(a|aa)+$",
    "(a|aa)+b",
    "(a|b|ab)*c",
    "^docs://(?:[a-z]|[a-z][a-z])+/end$",
    "(?=(a|aa)+$)a",
    "([^!x]|[^!y]x?)+z",
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


def findings(pattern: str, text: str = "text", rule: str = "matches") -> list[str]:
    query = Query("q", text, {rule: pattern})
    source = SuiteSource(Suite("s", "canonical", (query,)), Path("suite.toml"), (7,))
    return [finding.message for finding in runaway_patterns(source)]


@pytest.mark.parametrize("pattern", RUNAWAY)
def test_a_pattern_without_end_is_found_in_seconds(pattern: str) -> None:
    started = perf_counter()
    [message] = findings(pattern)
    assert message.startswith(f"query 'q': matches: the pattern {pattern!r} took more than")
    assert perf_counter() - started < 20


@pytest.mark.parametrize("pattern", SOUND)
def test_an_ordinary_pattern_is_not(pattern: str) -> None:
    assert findings(pattern) == []


def test_the_querys_own_text_is_searched_too() -> None:
    only_here = r"\p{Lu}(?:ä|ää)+$"
    assert findings(only_here) == []
    assert len(findings(only_here, "Ä" + "ä" * 60 + "!")) == 1


def test_one_pattern_of_many_queries_is_tried_once() -> None:
    queries = tuple(Query(str(number), "x", {"matches": "(a|aa)+$"}) for number in range(50))
    source = SuiteSource(Suite("s", "canonical", queries), Path("suite.toml"))
    started = perf_counter()
    assert len(list(runaway_patterns(source))) == 50
    assert perf_counter() - started < 20


def test_what_does_not_compile_and_what_is_deprecated_is_left_to_others() -> None:
    assert findings("(") == []
    deprecated = Query("q", "x", {"matches": "(a|aa)+$"}, deprecated=True)
    source = SuiteSource(Suite("s", "canonical", (deprecated,)), Path("suite.toml"))
    assert list(runaway_patterns(source)) == []


@given(st.text(alphabet="ab()[]{}*+?|\\^$.-,<>=!:Pwds1é", max_size=12))
def test_probes_of_any_text_are_few_and_short(pattern: str) -> None:
    texts = probe_texts(pattern)
    assert len(texts) <= 2 * 12 * 4 * 9
    assert all(len(text) <= 12_000 for text in texts)


@pytest.mark.parametrize(
    "pattern", ["(?:a{1000}){1000}", "((((a{99}){99}){99}){99}){99}", "a{0}b*"]
)
def test_probes_of_vast_repetitions_stay_short(pattern: str) -> None:
    assert all(len(text) < 12_000 for text in probe_texts(pattern))


def test_a_probe_draws_one_repetition_out_and_then_breaks() -> None:
    texts = probe_texts("^x(ab)+y$")
    assert texts[:3] == ["x" + "ab" * 40 + "!", "x" + "ab" * 40 + "y!", "x" + "ab" * 40 + "!xaby"]
    assert "x" + "ab" * 500 + "!" in texts
