"""The shapes that earlier harnesses write, figure by figure."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from math import log2
from typing import Any

import pytest

from cranfield.comparisons import compare
from cranfield.errors import CranfieldError
from cranfield.formats import render
from cranfield.gates.gated_runs import gate_run
from cranfield.model import Hit, Query, Response, Suite, Threshold
from cranfield.reports.comparison_report import report_comparison
from cranfield.reports.run_report import report_runs
from cranfield.runs.runner import Run, run_suite


def report_of(run: Run, name: str) -> str:
    return render(report_runs([gate_run(run)]), name)


def test_cupertino_json_has_the_documented_figures() -> None:
    pattern = "^apple-docs://swift/hashable($|/)"
    suite = Suite("canonical", "canonical", (Query("h", "Hashable", {"matches": pattern}),))
    old = ["apple-docs://swift/equatable", "apple-docs://swift/hashable"]
    new = ["apple-docs://swift/hashable", "apple-docs://swift/hashable/hash"]
    compared = compare(
        run_suite(suite, lambda _text, _limit: old), run_suite(suite, lambda _text, _limit: new)
    )
    written = json.loads(render(report_comparison(compared), "cupertino-json"))
    [record] = written["per_query"]
    assert written["n_queries"] == 1
    assert record["query"] == "Hashable"
    assert record["pattern"] == pattern
    assert record["brew"] == {
        "top10": old,
        "first_rank": 2,
        "mrr": 0.5,
        "p1": 0.0,
        "p5": 0.2,
        "ndcg10": pytest.approx(0.6309, abs=1e-4),
    }
    # A second page of the pattern counts again: this figure may exceed 1.
    assert record["new"]["ndcg10"] == pytest.approx(1 + 1 / log2(3))
    assert record["new"]["p5"] == 0.4


PASSAGE = "the calm of a lake before the sun is up"


def golden_suite() -> Suite:
    expected = [{"text": PASSAGE, "book": "letters", "relevance": "high"}]
    return Suite(
        "golden-set-en",
        "passages",
        (
            Query(
                "en-direct-001", "calm", {"passages": expected, "route": "search"}, "direct", "en"
            ),
            Query(
                "en-direct-002", "lake", {"passages": expected, "route": "search"}, "direct", "en"
            ),
            Query("en-adversarial-001", "weather", {"route": "no_results"}, "adversarial", "en"),
        ),
        gate=(Threshold("Success(rel=2)@3", 0.8), Threshold("Route", 1.0, "adversarial")),
    )


def portal(text: str, _limit: int) -> Response:
    if text == "weather":
        return Response.of((), route="no_results")
    found = Hit("c1", 0.9, f"He knew {PASSAGE}, and said so.", {"book": "letters"})
    others = (
        Hit("c7", 0.8, "Something else."),
        Hit("c8", 0.7, "More."),
        Hit("c9", 0.6, "Yet more."),
    )
    hits = (found, *others) if text == "calm" else (*others, found)
    return Response.of(hits, route="search")


def test_golden_set_json_has_the_documented_shape() -> None:
    written: dict[str, Any] = json.loads(
        report_of(run_suite(golden_suite(), portal), "golden-set-json")
    )
    assert list(written) == [
        "timestamp",
        "language",
        "total_queries",
        "overall_recall_at_3",
        "overall_mrr_at_10",
        "categories",
        "failures",
        "gate_passed",
    ]
    assert written["overall_recall_at_3"] == 0.5
    assert written["overall_mrr_at_10"] == (1 + 1 / 4) / 2
    assert written["categories"] == {
        "direct": {
            "count": 2,
            "recall_at_3": 0.5,
            "mrr_at_10": 0.625,
            "routing_accuracy": 1.0,
        },
        "adversarial": {"count": 1, "routing_accuracy": 1.0},
    }
    [failure] = written["failures"]
    assert failure["id"] == "en-direct-002"
    assert failure["expected_passage"] == PASSAGE
    assert failure["best_match_rank"] == 4
    assert failure["top_3_results"] == ["Something else.", "More.", "Yet more."]
    assert written["gate_passed"] is False


def test_golden_set_json_is_of_one_run() -> None:
    each = gate_run(run_suite(golden_suite(), portal))
    with pytest.raises(CranfieldError, match="one run"):
        render(report_runs([each, each]), "golden-set-json")


def files_suite() -> Suite:
    return Suite(
        "standard_home_v1",
        "files",
        (
            Query("q001", "budget", {"files": ["Documents/budget-2026.xlsx"]}, "exact_filename"),
            Query(
                "q036", "settings", {"files": ["src/config_parser.cpp"]}, "semantic", pass_rank=2
            ),
            Query("q046", "r", {"anything": True}, "edge_case"),
        ),
        gate=(Threshold("Pass", 0.8),),
    )


def lexical(text: str, _limit: int) -> list[Hit]:
    hits = {
        "budget": [Hit("/home/me/Documents/budget-2026.xlsx", 187.5, "", {"fts5_score": 187.5})],
        "settings": [Hit("a"), Hit("b"), Hit("/home/me/src/config_parser.cpp", 1.0)],
    }
    return hits.get(text, [])


def semantic(text: str, limit: int) -> list[Hit]:
    if text == "settings":
        return [Hit("/home/me/src/config_parser.cpp", 32.8, "", {"semantic_score": 0.82})]
    return lexical(text, limit)


def test_relevance_csv_has_the_documented_columns() -> None:
    rows = list(
        csv.DictReader(io.StringIO(report_of(run_suite(files_suite(), semantic), "relevance-csv")))
    )
    assert [row["result"] for row in rows] == ["PASS", "PASS", "FAIL"]
    assert rows[0]["actual_rank"] == "1"
    assert rows[0]["fts5_score"] == "187.5"
    assert rows[1]["semantic_score"] == "0.82"
    assert rows[1]["merged_score"] == "32.8"
    assert rows[2]["expected_file"] == ""
    assert list(rows[0]) == [
        "id", "query", "category", "expected_file", "actual_rank", "actual_top3", "result",
        "fts5_score", "semantic_score", "merged_score",
    ]  # fmt: skip


def test_the_relevance_summary_counts_by_category_and_lists_failures() -> None:
    shown = report_of(run_suite(files_suite(), lexical), "relevance-summary")
    assert "  exact_filename:     1/1 (100%)\n" in shown
    assert "  semantic:           0/1 (  0%)\n" in shown
    assert "TOTAL: 1/3 (33%)  ✗ FAIL (threshold: 80%)" in shown
    assert "q036: settings   expected: src/config_parser.cpp   actual top 3: [a, b, " in shown
    assert "q046: r   expected: (any)   actual top 3: [] (no results)" in shown


@pytest.mark.parametrize(
    ("fixture", "told"), [("standard_home_v1", "standard_home_v1"), ("", "test_corpus")]
)
def test_the_relevance_summary_begins_with_fixture_mode_and_date(fixture: str, told: str) -> None:
    """A suite that names no fixture goes by its id."""
    suite = replace(files_suite(), id="test_corpus", fixture=fixture)
    head = report_of(run_suite(suite, lexical), "relevance-summary").splitlines()[:4]
    assert head[:3] == ["=== Relevance Test ===", f"Fixture:    {told}", "Mode:       lexical"]
    assert re.fullmatch(r"Date:       \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", head[3])


def test_the_relevance_comparison_sets_both_modes_side_by_side() -> None:
    suite = files_suite()
    compared = compare(run_suite(suite, lexical), run_suite(suite, semantic))
    shown = render(report_comparison(compared), "relevance-summary")
    rows = [line.split() for line in shown.splitlines()]
    assert ["semantic", "0/1", "1/1", "+1"] in rows
    assert ["exact_filename", "1/1", "1/1", "0"] in rows
    assert ["TOTAL", "1/3", "2/3", "+1"] in rows
    assert "Regressions: 0 queries worse" in shown


def test_spelunker_json_has_precision_recall_and_f1() -> None:
    chunks = {"hash-a": 1, "hash-b": 1, "hash-c": 0}
    suite = Suite("evals", "chunks", (Query("1", "How is it parsed?", {"chunks": chunks}),))
    run = run_suite(suite, lambda _text, _limit: ["hash-a", "hash-c", "hash-z"])
    [written] = json.loads(report_of(run, "spelunker-json"))
    [question] = written["questions"]
    assert question["precision"] == pytest.approx(1 / 3)
    assert question["recall"] == 0.5
    assert question["f1"] == pytest.approx(0.4)
    assert written["f1"] == pytest.approx(0.4)
    assert question["selected"][0] == {"chunkHash": "hash-a", "relevance": None}


@pytest.mark.parametrize("name", ["relevance-csv", "relevance-summary"])
def test_a_relevance_test_is_of_files(name: str) -> None:
    suite = Suite("small", "canonical", (Query("q", "word", {"ids": "a"}),))
    run = run_suite(suite, lambda _text, _limit: ["a"])
    with pytest.raises(CranfieldError, match="of the class files, and small is canonical"):
        report_of(run, name)
