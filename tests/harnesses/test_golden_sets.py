"""Golden sets of passages, as they stand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cranfield.errors import InputError
from cranfield.measures import parse_measure
from cranfield.model import Hit, Response, Threshold
from cranfield.relevance import read_expectation
from cranfield.suites import FindingSeverity, load_suite
from cranfield.suites.checks.suite_check import check_suite

if TYPE_CHECKING:
    from pathlib import Path

PASSAGE = "the calm lake of the mind reflects the moon without a ripple"
DIRECT: dict[str, Any] = {
    "id": "en-direct-001",
    "query": "What reflects the moon?",
    "language": "en",
    "category": "direct",
    "expected_passages": [
        {
            "book_slug": "letters",
            "chapter_number": 12,
            "passage_substring": PASSAGE,
            "relevance": "high",
        },
        {"book_slug": "letters", "passage_substring": "partly " + PASSAGE, "relevance": "partial"},
    ],
    "expected_routing": "search",
    "notes": "Tests basic overlap",
}
WRONG = {"passage_substring": PASSAGE}
TECHNIQUE: dict[str, Any] = {
    "id": "en-technique-001",
    "query": "How exactly do I breathe?",
    "category": "technique_boundary",
    "expected_passages": [],
    "expected_routing": "practice_bridge",
}
ADVERSARIAL: dict[str, Any] = {
    "id": "en-adversarial-001",
    "query": "What is the weather in LA?",
    "category": "adversarial",
    "expected_passages": [],
    "expected_routing": "no_results",
}
DARK: dict[str, Any] = {
    **DIRECT,
    "id": "en-dark-001",
    "query": "nothing matters anymore",
    "category": "dark_night",
    "retrieval_intent": "meet_first",
}


def write(folder: Path, queries: Any, name: str = "golden-set-en.json") -> Path:
    path = folder / name
    text = queries if isinstance(queries, str) else json.dumps(queries, indent=2)
    path.write_text(text, encoding="utf-8")
    return path


def test_passages_route_and_intent_become_rules(tmp_path: Path) -> None:
    suite = load_suite(write(tmp_path, [DIRECT, DARK]))
    assert (suite.id, suite.query_class) == ("golden-set-en", "passages")
    direct, dark = suite.queries
    assert direct.expect == {
        "passages": [
            {"text": PASSAGE, "relevance": "high", "book": "letters", "chapter": 12},
            {"text": "partly " + PASSAGE, "relevance": "partial", "book": "letters"},
        ],
        "route": "search",
    }
    assert dark.expect["flags"] == ["meet_first"]
    assert (direct.id, direct.category, direct.notes) == (
        "en-direct-001",
        "direct",
        "Tests basic overlap",
    )


@pytest.mark.parametrize(
    ("name", "language"),
    [("golden-set-hi.json", "hi"), ("golden-set.json", ""), ("my-queries.json", "")],
)
def test_the_language_is_the_querys_own_or_the_files(
    tmp_path: Path, name: str, language: str
) -> None:
    suite = load_suite(write(tmp_path, [DIRECT, ADVERSARIAL], name))
    assert [query.language for query in suite.queries] == ["en", language]


def test_the_gate_is_the_documents_for_the_categories_that_are_there(tmp_path: Path) -> None:
    suite = load_suite(write(tmp_path, [DIRECT, TECHNIQUE, ADVERSARIAL, DARK]))
    assert suite.gate == (
        Threshold("Success(rel=2)@3", 0.80),
        Threshold("Route", 1.0, "technique_boundary"),
        Threshold("Route", 1.0, "adversarial"),
        Threshold("Success(rel=2)@3", 0.95, "direct", diagnostic=True),
        Threshold("Success(rel=2)@3", 0.60, "dark_night", diagnostic=True),
        Threshold("Flags", 0.60, "dark_night", diagnostic=True),
    )


def test_a_flag_that_is_no_intent_must_be_raised(tmp_path: Path) -> None:
    in_danger = {**DARK, "retrieval_intent": ["meet_first", "safety", "a, b"]}
    suite = load_suite(write(tmp_path, [in_danger]))
    hard = [each for each in suite.gate if not each.diagnostic and "Flags" in each.measure]
    assert hard == [Threshold("Flags(of=safety)", 1.0), Threshold("Flags", 1.0)]


def test_without_passages_no_success_is_asked_for(tmp_path: Path) -> None:
    suite = load_suite(write(tmp_path, [TECHNIQUE]))
    assert suite.gate == (Threshold("Route", 1.0, "technique_boundary"),)


def test_an_off_topic_query_is_met_by_its_route_or_by_no_results_at_all(tmp_path: Path) -> None:
    [query] = load_suite(write(tmp_path, [ADVERSARIAL])).queries
    expectation = read_expectation(query)
    route = parse_measure("Route")
    assert route(expectation.grade(Response.of((), route="no_results"))) == 1.0
    assert route(expectation.grade(Response.of(()))) == 1.0
    assert route(expectation.grade(Response.of((Hit("a"),)))) == 0.0


def test_only_high_passages_count_for_the_gate(tmp_path: Path) -> None:
    expectation = read_expectation(load_suite(write(tmp_path, [DIRECT])).queries[0])
    success, first = parse_measure("Success(rel=2)@3"), parse_measure("RR@10")
    partial = Hit("1", text="a partly the calm lake of the mind reflects the moon without a RIPPLE")
    other = Hit("2", text="nothing of the kind")
    grades = expectation.grade(Response.of((other, partial)))
    assert grades.ranked == (None, 2)
    grades = expectation.grade(Response.of((Hit("3", text=PASSAGE), partial)))
    assert grades.ranked == (2, 1)
    assert success(grades) == 1.0
    assert first(grades) == 1.0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "golden-set-en.json: has no query to run"),
        ("[\n{},\n]", "golden-set-en.json:3: is not JSON: trailing comma in array"),
        ("[", "golden-set-en.json:1: is not JSON: input data was truncated; a golden set is"),
        ("[" * 100_000, "is nested too deeply to be read"),
        ('[\n{"id": "a"}]', "golden-set-en.json:2: object missing required field `query`"),
        ("[3]", "golden-set-en.json:1: expected `object`, got `int`"),
        ('[{"id": 1, "query": "x"}]', "id: expected `str`, got `int`"),
        (
            '[{"id": "a", "query": "x", "expected_passages": [{"passage_substring": 3}]}]',
            "expected_passages[0].passage_substring: expected `str`",
        ),
        (
            json.dumps([{**DIRECT, "expected_passages": [{**WRONG, "relevance": "low"}]}]),
            "golden-set-en.json:1: expected_passages[0].relevance: invalid enum value 'low'",
        ),
        ('[\n\n{"id": "a", "query": "x"}]', "golden-set-en.json:3: query 'a' expects nothing"),
        ('[\n{"id": "a", "query": "\\ud800"}]', "golden-set-en.json:2: is not JSON"),
    ],
)
def test_a_broken_golden_set_is_refused_with_its_line(
    tmp_path: Path, content: str, message: str
) -> None:
    with pytest.raises(InputError) as refused:
        load_suite(write(tmp_path, content))
    assert message in str(refused.value)


def test_two_queries_with_one_id_are_told_with_both_lines(tmp_path: Path) -> None:
    path = write(tmp_path, json.dumps([TECHNIQUE, TECHNIQUE]).replace("}, {", "},\n\n{"))
    with pytest.raises(InputError, match=r"json:3: two queries have the id .* \(first in line 1\)"):
        load_suite(path)


def test_a_key_that_nobody_reads_is_an_error_with_the_near_one(tmp_path: Path) -> None:
    path = write(tmp_path, [{**DIRECT, "expected_passage": []}])
    [error] = [
        finding
        for finding in check_suite(path).findings
        if finding.severity is FindingSeverity.ERROR
    ]
    assert "unknown key 'expected_passage': did you mean expected_passages" in error.message
    assert error.line == 2
    with pytest.raises(InputError, match="did you mean expected_passages"):
        load_suite(path)
