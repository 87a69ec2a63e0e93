"""Test corpora of files, as they stand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cranfield.errors import InputError
from cranfield.measures import parse_measure
from cranfield.model import Hit, Query, Response, Threshold
from cranfield.relevance import read_expectation
from cranfield.suites import load_suite

if TYPE_CHECKING:
    from pathlib import Path

BUDGET: dict[str, Any] = {
    "id": "q001",
    "query": "budget",
    "category": "exact_filename",
    "expected_files": ["Documents/budget-2026.xlsx"],
    "pass_rank": 1,
    "rationale": "Exact substring in filename.",
    "notes": "Should be top.",
}


def write(folder: Path, *queries: dict[str, Any]) -> Path:
    corpus = {
        "version": "1.0",
        "fixture_id": "standard_home_v1",
        "created": "2026-02-07",
        "queries": list(queries),
    }
    path = folder / "test_corpus.json"
    path.write_text(json.dumps(corpus, indent=1))
    return path


def expected(folder: Path, *files: str) -> dict[str, Any]:
    return dict(load_suite(write(folder, {**BUDGET, "expected_files": files})).queries[0].expect)


def test_all_that_is_written_is_read(tmp_path: Path) -> None:
    old = {"id": "q002", "query": "old", "expected_files": ["a"], "deprecated": True}
    suite = load_suite(write(tmp_path, BUDGET, old))
    assert (suite.id, suite.query_class) == ("test_corpus", "files")
    assert suite.description == "standard_home_v1, version 1.0, created 2026-02-07"
    assert suite.fixture == "standard_home_v1"
    assert suite.gate == (Threshold("Pass", 0.80),)
    assert suite.queries[0] == Query(
        "q001",
        "budget",
        {"files": ["Documents/budget-2026.xlsx"]},
        category="exact_filename",
        pass_rank=1,
        notes="Exact substring in filename.\nShould be top.",
    )
    assert [query.id for query in suite.asked] == ["q001"]
    assert suite.queries[1].pass_rank == 3


@pytest.mark.parametrize("files", [(), ("(any)",), ("(any `.r` file or reasonable match)",)])
def test_no_file_in_particular_means_any_result(tmp_path: Path, files: tuple[str, ...]) -> None:
    assert expected(tmp_path, *files) == {"anything": True}


def test_a_star_stands_for_every_file_that_ends_so(tmp_path: Path) -> None:
    expect = expected(tmp_path, "*.py", "a.c")
    assert expect == {"files": ["a.c"], "matches": [r"(^|/)[^/]*\.py$"]}
    expectation = read_expectation(Query("q", "x", expect))
    hits = tuple(Hit(name) for name in ("x.pyc", "src/main.py", "lib/a.c"))
    assert expectation.grade(Response.of(hits)).ranked == (None, 1, 1)


@pytest.mark.parametrize(("rank", "passed"), [(1, 1.0), (2, 0.0)])
def test_a_query_passes_within_its_pass_rank(tmp_path: Path, rank: int, passed: float) -> None:
    [query] = load_suite(write(tmp_path, BUDGET)).queries
    hits = [Hit(str(place)) for place in range(5)]
    hits[rank - 1] = Hit("/home/rex/Documents/budget-2026.xlsx")
    grades = read_expectation(query).grade(Response.of(tuple(hits)))
    assert parse_measure("Pass")(grades) == passed


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{}", "test_corpus.json:1: object missing required field `queries`; a test corpus is"),
        ('{"queries": {}}', "queries: expected `array`, got `object`"),
        ('{"queries": []}', "test_corpus.json: has no query to run"),
        ('{"queries": [\n{"id": "a"}]}', "test_corpus.json:2: object missing required field"),
        ('{"queries": [', "test_corpus.json:1: is not JSON: input data was truncated"),
        (
            '{"queries": [\n\n{"id": "a", "query": "b", "expected_files": "c"}]}',
            "test_corpus.json:3: expected_files: expected `array`, got `str`",
        ),
        (
            '{"queries": [\n{"id": "a", "query": "b", "expected_files": ["c"], "pass_rank": 0}]}',
            "test_corpus.json:2: query 'a' has the pass_rank 0; ranks start at 1",
        ),
        (
            '{"queries": [\n{"id": "a", "query": " ", "expected_files": ["c"]}]}',
            "test_corpus.json:2: query 'a' has no text",
        ),
    ],
)
def test_a_broken_corpus_is_refused_with_its_line(
    tmp_path: Path, content: str, message: str
) -> None:
    path = tmp_path / "test_corpus.json"
    path.write_text(content)
    with pytest.raises(InputError) as refused:
        load_suite(path)
    assert message in str(refused.value)


def test_a_corpus_declares_its_own_measures(tmp_path: Path) -> None:
    path = write(tmp_path, BUDGET)
    path.write_text(json.dumps({**json.loads(path.read_text()), "measures": ["RR@10", "Pass"]}))
    assert load_suite(path).measures == ("RR@10", "Pass")
