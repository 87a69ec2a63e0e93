"""Whatever a query expects counts: in a measure, the gate, buckets, failures and every report."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest
from tests.shipped.projects import SUITES

from cranfield.comparisons import compare
from cranfield.formats import render
from cranfield.gates.baselines import make_baseline
from cranfield.gates.gated_runs import gate_run
from cranfield.gates.query_outcomes import QueryOutcome
from cranfield.model import Hit, Query, Response, Suite
from cranfield.reports.comparison_report import report_comparison
from cranfield.reports.gate_report import report_gates
from cranfield.reports.run_report import report_runs
from cranfield.runs.runner import run_suite
from cranfield.runs.summaries import summarise
from cranfield.suites import load_suite
from cranfield.systems import SystemSpec, open_system

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cranfield.runs.runner import Run

ACCEPTED = {"date": "2026-11-01", "author": "ann", "reason": "the release", "commit": "abc1234"}
PASSAGE = "calm as a lake at dawn"
FOUND = (Hit("docs://right", 1.0, PASSAGE), Hit("blog://other", 0.5))


@dataclass(frozen=True)
class Case:
    """A check, the measure of it, and answers that differ in nothing but the check."""

    measure: str
    query_class: str
    expect: dict[str, object]
    held: Response
    lost: Response


CASES = {
    "flags": Case(
        "Flags",
        "passages",
        {"passages": PASSAGE, "flags": ["safety"]},
        Response.of(FOUND, flags=("safety",)),
        Response.of(FOUND),
    ),
    "route": Case(
        "Route",
        "passages",
        {"passages": PASSAGE, "route": "search"},
        Response.of(FOUND, route="search"),
        Response.of(FOUND, route="practice_bridge"),
    ),
    "source": Case(
        "TopSource",
        "canonical",
        {
            "matches": "right$",
            "sources": [
                {"source": "docs", "pattern": "^docs://right"},
                {"source": "blog", "pattern": "^blog://right"},
            ],
        },
        Response.of((Hit("docs://right"), Hit("blog://right"))),
        Response.of((Hit("blog://right"), Hit("docs://right"))),
    ),
    "order": Case(
        "Preference",
        "canonical",
        {"matches": "right$", "prefers": {"this": "^new://", "over": "^old://"}},
        Response.of((Hit("new://right"), Hit("old://right"))),
        Response.of((Hit("old://right"), Hit("new://right"))),
    ),
    "no result": Case(
        "NoResult", "passages", {"nothing": True}, Response.of(()), Response.of(FOUND)
    ),
    "exclusion": Case(
        "Exclusion",
        "canonical",
        {"ids": ["docs://right"], "excludes": "^archive://"},
        Response.of((Hit("blog://other"), Hit("docs://right"))),
        Response.of((Hit("archive://other"), Hit("docs://right"))),
    ),
}


def answering(response: Response) -> Callable[[str, int], Response]:
    return lambda _text, _limit: response


@pytest.mark.parametrize("name", CASES)
def test_a_check_that_is_lost_counts_everywhere(name: str) -> None:
    case = CASES[name]
    queries = tuple(Query(f"q{place}", f"word{place}", case.expect) for place in range(8))
    suite = Suite("checked", case.query_class, queries)
    before, after = (run_suite(suite, answering(each)) for each in (case.held, case.lost))
    assert (mean(before, case.measure), mean(after, case.measure)) == (1.0, 0.0)

    gated = gate_run(after, make_baseline(before, "main", ACCEPTED))
    assert not gated.passed
    assert set(gated.query_outcomes) == {QueryOutcome.WORSE}
    failed = [each for each in gated.results if each.severity == "fail"]
    assert any("q0" in each.queries for each in failed)
    report = report_gates([gated])
    for format_name in ("text", "markdown", "github", "comment", "junit", "json", "csv"):
        shown = render(report, format_name)
        assert case.measure in shown, format_name
        assert "q0" in shown, format_name

    alone = gate_run(after)
    assert set(alone.query_outcomes) == {QueryOutcome.WRONG}
    assert alone.unmet[0] == (case.measure,)
    assert f"{case.measure} is 0.0000" in render(report_gates([alone]), "junit")

    [compared] = compare(before, after).suites
    assert all(change.bucket.is_loss for change in compared.changes)
    for format_name in ("text", "json", "markdown", "csv"):
        assert case.measure in render(report_comparison(compare(before, after)), format_name)


def mean(run: Run, measure: str) -> float:
    value = {str(each): value for each, value in summarise(run).overall.means.items()}[measure]
    assert isinstance(value, float)
    return value


def record_right_answers(suite: Suite, path: Path, *, flagged: bool) -> SystemSpec:
    """Record what a perfect portal answers, with or without flags."""
    lines = [json.dumps(right_answer(query, flagged=flagged)) for query in suite.queries]
    path.write_text("\n".join(lines))
    return SystemSpec("portal", "recorded", {"file": path.name, "text": "text"}, path.parent)


def run_recorded(suite: Suite, spec: SystemSpec) -> Run:
    with closing(open_system(spec, {})) as system:
        return run_suite(suite, system, spec=spec)


def right_answer(query: Query, *, flagged: bool) -> dict[str, object]:
    route = query.expect.get("route", "search")
    hits = [
        {"id": f"c{place}", "text": each["text"], "book": each["book"], "chapter": each["chapter"]}
        for place, each in enumerate(query.expect.get("passages", ()))
    ]
    flags = list(query.expect.get("flags", ())) if flagged else []
    return {"id": query.id, "query": query.text, "hits": hits, "route": route, "flags": flags}


def test_the_gate_of_the_golden_set_fails_if_all_flags_are_stripped(tmp_path: Path) -> None:
    suite = load_suite(SUITES / "teachings" / "golden-set-en.json")
    expecting = [query.id for query in suite.queries if "flags" in query.expect]
    assert len(expecting) == 8
    specs = [
        record_right_answers(suite, tmp_path / f"{flagged}.jsonl", flagged=flagged)
        for flagged in (True, False)
    ]
    whole, stripped = (run_recorded(suite, spec) for spec in specs)
    assert gate_run(whole).passed
    gated = gate_run(stripped)
    assert not gated.passed
    assert [each.message for each in gated.results if each.severity == "fail"] == [
        "Flags(of=safety) is 0.0000; at least 1 is required"
    ]
    written = json.loads(render(report_runs([gated]), "golden-set-json"))
    assert [each["id"] for each in written["failures"]] == expecting
    assert written["categories"]["dark_night"]["flag_accuracy"] == 0.0
    assert written["gate_passed"] is False
    compared_with = gate_run(stripped, make_baseline(whole, "main", ACCEPTED))
    assert compared_with.against is not None
    assert {each.query.id for each in compared_with.against.net_loss.lost} == set(expecting)
    [compared] = compare(whole, stripped).suites
    assert [each.query.id for each in compared.changes if each.bucket.is_loss] == expecting


def test_half_of_the_routes_wrong_is_said_beside_a_recall_of_1(tmp_path: Path) -> None:
    suite = load_suite(SUITES / "teachings" / "golden-set-en.json")
    adversarial = tuple(each for each in suite.queries if each.category == "adversarial")
    suite = replace(suite, queries=adversarial, gate=())
    assert any("passages" in query.expect for query in adversarial)
    spec = record_right_answers(suite, tmp_path / "all.jsonl", flagged=True)
    lines = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    for place, line in enumerate(lines):
        line["route"] = line["route"] if place % 2 else "elsewhere"
    (tmp_path / "all.jsonl").write_text("\n".join(map(json.dumps, lines)))
    run = run_recorded(suite, spec)
    written = json.loads(render(report_runs([gate_run(run)]), "golden-set-json"))
    assert written["categories"]["adversarial"]["recall_at_3"] == 1.0
    assert written["categories"]["adversarial"]["routing_accuracy"] == mean(run, "Route") == 0.5
