"""The shapes of earlier harnesses have the figures of every other format, for shipped suites."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from tests.shipped.projects import SUITES

from cranfield.comparisons import compare
from cranfield.formats import render
from cranfield.gates.baselines import make_baseline
from cranfield.gates.gated_runs import gate_run
from cranfield.model import Hit, Response
from cranfield.reports.comparison_report import report_comparison
from cranfield.reports.gate_report import report_gates
from cranfield.reports.run_report import report_runs
from cranfield.runs.runner import Run, RunOptions, run_suite
from cranfield.suites import load_suite

if TYPE_CHECKING:
    from collections.abc import Callable

    from cranfield.model import Query

ACCEPTED = {"date": "2026-11-01", "author": "ann", "reason": "the release", "commit": "abc1234"}
GOLDEN = ("golden-set-en.json", "golden-set-es.json", "golden-set-hi.json")
NAMES = {
    "recall_at_3": "Success(rel=2)@3",
    "mrr_at_10": "RR@10",
    "routing_accuracy": "Route",
    "flag_accuracy": "Flags",
}


def answer_some(step: int) -> Callable[[str, int, Query], Response]:
    """Make a system that answers right, but for each so manyth query, by the length of its text."""

    def search(text: str, limit: int, query: Query) -> Response:
        expect = query.expect
        if len(text) % step == 0:
            return Response.of((Hit("wrong"),), route="elsewhere")
        hits = [Hit("x"), *_right_hits(expect)][len(text) % 2 :]
        hits = (
            hits
            if any(rule in expect for rule in ("passages", "files", "chunks", "matches", "ids"))
            else []
        )
        return Response.of(
            tuple(hits[:limit]), route=expect.get("route", ""), flags=tuple(expect.get("flags", ()))
        )

    return search


def _right_hits(expect: Any) -> list[Hit]:
    passages = [
        Hit(f"p{place}", text=each["text"], fields={"book": each["book"]})
        for place, each in enumerate(expect.get("passages", ()))
    ]
    files = [Hit(path) for path in expect.get("files", ())]
    chunks = [Hit(name) for name, grade in expect.get("chunks", {}).items() if grade > 0]
    patterns = expect.get("matches", [])
    patterns = [patterns] if isinstance(patterns, str) else patterns
    named = expect.get("ids", [])
    files += [Hit(name) for name in ([named] if isinstance(named, str) else named)]
    ids = [re.sub(r"\(.*?\)|[\^$\\?]", "", str(each)) for each in patterns]
    return [*passages, *files, *chunks[:4], *map(Hit, ids)]


def ask(path: str, step: int) -> Run:
    return run_suite(load_suite(SUITES / path), answer_some(step), RunOptions(limit=10))


def data_of(run: Run) -> dict[str, Any]:
    [written] = json.loads(render(report_runs([gate_run(run)]), "json"))["runs"]
    return dict(written)


@pytest.mark.parametrize("file", GOLDEN)
def test_a_golden_set_has_the_figures_of_all_formats(file: str) -> None:
    run = ask(f"teachings/{file}", 3)
    data = data_of(run)
    golden = json.loads(render(report_runs([gate_run(run)]), "golden-set-json"))
    assert golden["overall_recall_at_3"] == data["overall"]["means"]["Success(rel=2)@3"]
    assert golden["overall_mrr_at_10"] == data["overall"]["means"]["RR@10"]
    assert 0 < golden["overall_recall_at_3"] < 1
    for name, figures in golden["categories"].items():
        group = data["categories"][name]
        assert figures["count"] == group["queries"]
        for figure, measure in NAMES.items():
            assert figures.get(figure) == group["means"].get(measure), (name, figure)
    compared = report_gates([gate_run(run, make_baseline(run, "main", ACCEPTED))])
    overall = data["overall"]
    for measure in ("Success(rel=2)@3", "Route", "Flags"):
        figure = f"{overall['means'][measure]:.4f}"
        count = str(overall["defined"][measure])
        for format_name in ("text", "markdown", "github", "comment"):
            rows = [
                re.split(r"\s*\|\s*|\s{2,}", line)
                for line in render(compared, format_name).splitlines()
            ]
            rows = [[cell for cell in row if cell] for row in rows]
            assert any(row[:4] == ["all", count, figure, figure] for row in rows), format_name


def test_the_relevance_test_counts_what_all_formats_count() -> None:
    run = ask("home/test_corpus.json", 4)
    data, gated = data_of(run), gate_run(run)
    summary = render(report_runs([gated]), "relevance-summary")
    rows = list(csv.DictReader(io.StringIO(render(report_runs([gated]), "relevance-csv"))))
    for name, group in data["categories"].items():
        passed = round(group["means"]["Pass"] * group["queries"])
        own = [row["result"] for row in rows if row["category"] == name]
        assert own.count("PASS") == passed
        assert f"{passed}/{group['queries']}" in next(
            line for line in summary.splitlines() if line.startswith(f"  {name}:")
        )
    total = round(data["overall"]["means"]["Pass"] * data["overall"]["queries"])
    assert 0 < total < len(rows)
    assert f"TOTAL: {total}/{len(rows)} " in summary


def test_chunk_selection_has_the_figures_of_all_formats() -> None:
    run = ask("chunks/evals.db", 3)
    data = data_of(run)
    [written] = json.loads(render(report_runs([gate_run(run)]), "spelunker-json"))
    assert written["f1"] == pytest.approx(data["overall"]["means"]["F1"], abs=1e-12)
    for question, query in zip(written["questions"], data["queries"], strict=True):
        values = [query["values"][name] for name in ("P", "R", "F1")]
        assert [question[name] for name in ("precision", "recall", "f1")] == values


@pytest.mark.parametrize("file", ["apple-docs/canonical.toml", "python-docs/canonical.toml"])
def test_the_paired_harness_has_the_figures_of_all_formats(file: str) -> None:
    compared = report_comparison(compare(ask(file, 4), ask(file, 7)))
    written = json.loads(render(compared, "cupertino-json"))
    [suite] = json.loads(render(compared, "json"))["suites"]
    measures = {each["measure"]: each for each in suite["measures"]}
    names = {"mrr": "RR@10", "p1": "P@1", "p5": "P@5", "ndcg10": "DCG@10"}
    for arm, side in (("brew", "a"), ("new", "b")):
        for figure, measure in names.items():
            values = [record[arm][figure] for record in written["per_query"]]
            mean = sum(values) / written["n_queries"]
            assert mean == pytest.approx(measures[measure][side], abs=1e-12)
            assert mean > 0


def test_repetitions_count_alike_in_every_shape() -> None:
    """A system that is right every second time has half of everything."""
    suite = load_suite(SUITES / "chunks/evals.db")
    asked: dict[str, int] = {}

    def search(text: str, limit: int, query: Query) -> Response:
        asked[query.id] = asked.get(query.id, 0) + 1
        return answer_some(1 if asked[query.id] % 2 else 10**6)(text, limit, query)

    run = run_suite(suite, search, RunOptions(repeats=2))
    [written] = json.loads(render(report_runs([gate_run(run)]), "spelunker-json"))
    mean = data_of(run)["overall"]["means"]["F1"]
    assert written["f1"] == pytest.approx(mean, abs=1e-12)
    assert mean > 0
