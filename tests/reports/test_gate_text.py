"""What a gate says at a terminal: the outcome first, the queries to look at, what to type next."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.runs.samples import right_first, right_never, right_second, small_suite

from cranfield.formats import render
from cranfield.gates.baselines import Baseline, make_baseline
from cranfield.gates.gate_rules import RuleResult, Severity
from cranfield.gates.gated_runs import GatedRun, gate_run
from cranfield.model import Query, RegressionRules, Suite, Threshold
from cranfield.reports.gate_report import report_gates
from cranfield.reports.run_facts import show_expected
from cranfield.runs.runner import Run, run_suite
from gate_simulation import SimulatedRun

if TYPE_CHECKING:
    from collections.abc import Callable

ACCEPTED = {"date": "2026-11-01", "author": "ann", "reason": "the release", "commit": "abc1234"}


def baseline_of(suite: Suite, system: Callable[[str, int], list[str]]) -> Baseline:
    return make_baseline(run_suite(suite, system), "main", ACCEPTED)


def written(*gated: GatedRun, skipped: str = "") -> str:
    return render(report_gates(gated, skipped))


def second_below(number: int) -> Callable[[str, int], list[str]]:
    """Right at rank 2 for the first queries, at rank 1 for the others."""

    def search(text: str, limit: int) -> list[str]:
        place = int(text.removeprefix("word"))
        return (right_second if place < number else right_first)(text, limit)

    return search


def test_the_first_line_is_the_outcome() -> None:
    suite = small_suite(4, gate=(Threshold("P@1", 1.0),))
    assert written(gate_run(run_suite(suite, right_first))).startswith("small: PASSED\n")
    assert written(gate_run(run_suite(suite, right_second))).startswith("small: FAILED\n")


def test_what_failed_stands_above_warnings_and_notes() -> None:
    gate = (Threshold("RR@10", 0.9), Threshold("P@1", 0.5, "odd", diagnostic=True))
    run = run_suite(small_suite(4, gate=gate), right_second)
    notice = RuleResult("promotion", Severity.NOTE, "a threshold can be raised")
    lines = written(gate_run(run, notices=[notice])).splitlines()
    said = [line for line in lines if line.startswith(("failed:", "warning:", "note:"))]
    assert said == [
        "failed: RR@10 is 0.5000; at least 0.9 is required",
        "warning: P@1 in odd is 0.0000; at least 0.5 is required",
        "note: a threshold can be raised",
    ]


def test_a_query_that_got_worse_is_shown_with_what_was_expected_and_got() -> None:
    suite = small_suite(4)
    text = written(gate_run(run_suite(suite, second_below(1)), baseline_of(suite, right_first)))
    assert (
        "  q0: word0, even\n"
        "    RR@10 1.0000 → 0.5000, rank 1 → 2\n"
        "    change removed from rank 1\n"
        "    expected doc-0\n"
        "    got doc-x, doc-0, doc-y\n"
    ) in text
    assert "q1:" not in text


def test_a_query_that_failed_says_how() -> None:
    suite = small_suite(3)

    def breaks(text: str, limit: int) -> list[str]:
        if text == "word1":
            raise RuntimeError("out of order\n\x1b[31m")
        return right_first(text, limit)

    text = written(gate_run(run_suite(suite, breaks), baseline_of(suite, right_first)))
    assert "failed: 1 of 3 queries was not answered (error 1): the system failed" in text
    [row] = [line.split() for line in text.splitlines() if line.startswith("q1 ")]
    assert row[:7] == ["q1", "word1", "odd", "error:", "RuntimeError:", "out", "of"]
    assert "got worse: " not in text
    assert "\x1b" not in text


def test_improved_queries_are_counted_and_named() -> None:
    suite = small_suite(4)
    baseline = baseline_of(suite, second_below(2))
    text = written(gate_run(run_suite(suite, right_first), baseline))
    assert "improved: 2 (q0, q1)\n" in text
    assert "got worse:" not in text


def test_the_last_line_says_what_to_type_with_names_a_shell_can_read() -> None:
    query = Query("it's odd", "word0", {"ids": "doc-0"})
    suite = Suite("small", "canonical", (query,))
    run = run_suite(suite, right_second)
    last = written(gate_run(run, baseline_of(suite, right_first))).splitlines()[-1]
    assert last == (
        f"one query: cranfield runs show {run.header.id} 'it'\"'\"'s odd'; "
        f"accept this run: cranfield baseline accept {run.header.id} --reason …"
    )


def test_a_stale_baseline_is_told_before_anything_is_compared() -> None:
    suite = small_suite(4)
    fewer = replace(suite, queries=suite.queries[:3])
    text = written(gate_run(run_suite(suite, right_second), baseline_of(fewer, right_first)))
    stale = text.index("the baseline is stale: 1 query was added, changed or removed\n")
    assert text.index("not compared: q3\n") < text.index("warning: 3 queries got worse")
    assert stale < text.index("warning: 3 queries got worse")


def test_a_baseline_of_which_nothing_is_left_is_said_to_compare_nothing() -> None:
    suite = small_suite(2)
    other = replace(suite, queries=(Query("z", "word9", {"ids": "doc-9"}),))
    gated = gate_run(run_suite(suite, right_first), baseline_of(other, right_first))
    text = written(gated)
    assert "no query or no measure is still the same: nothing could be compared\n" in text
    assert "compared, by" not in text


def test_without_a_baseline_it_says_so() -> None:
    text = written(gate_run(run_suite(small_suite(2), right_first)))
    assert "there is no baseline, so nothing was compared\n" in text


def test_groups_count_passed_queries_where_passing_is_measured() -> None:
    suite = small_suite(4, "files")
    baseline = baseline_of(suite, right_first)

    def loses_q1(text: str, limit: int) -> list[str]:
        return (right_never if text == "word1" else right_first)(text, limit)

    gated = gate_run(run_suite(suite, loses_q1), baseline)
    groups = gated.groups
    assert [(each.name, each.before, each.after, each.queries) for each in groups] == [
        ("all", 4, 3, 4),
        ("even", 2, 2, 2),
        ("odd", 2, 1, 2),
    ]
    assert [each.difference for each in groups] == [-1, 0, -1]
    assert [each.worse for each in groups] == [1, 0, 1]
    rows = [line.split() for line in written(gated).splitlines()]
    assert ["all", "4", "4/4", "3/4", "-1", "1", "0"] in rows
    assert ["even", "2", "2/2", "2/2", "+0", "0", "0"] in rows


def test_groups_are_means_of_the_deciding_measure_where_it_is_not() -> None:
    suite = small_suite(4)
    gated = gate_run(run_suite(suite, second_below(1)), baseline_of(suite, right_first))
    everything, even, odd = gated.groups
    assert (everything.before, everything.after) == (1.0, 0.875)
    assert (even.before, even.after, even.difference) == (1.0, 0.75, -0.25)
    assert (odd.after, odd.worse) == (1.0, 0)


def test_each_group_of_queries_is_of_one_measure() -> None:
    """A query that expects only a route has no value of the others', and does not raise theirs."""
    queries = (
        Query("routed", "danger", {"route": "search"}),
        Query("found", "word", {"passages": "calm as a lake"}),
        Query("missed", "word", {"passages": "the noise of the sea", "route": "search"}),
    )
    suite = Suite("golden", "passages", queries)

    def search(text: str, limit: int) -> list[dict[str, str]]:
        return [{"id": "a", "text": "calm as a lake"}]

    run = run_suite(suite, search)
    gated = gate_run(run, make_baseline(run, "main", ACCEPTED))
    assert [(each.measure, each.queries, each.after) for each in gated.groups] == [
        ("Success(rel=2)@3", 2, 0.5),
        ("Route", 2, 1.0),
    ]
    text = written(gated)
    assert "compared, by Success(rel=2)@3" in text
    assert "compared, by Route" in text
    rows = [line.split() for line in text.splitlines()]
    assert ["all", "2", "0.5000", "0.5000", "+0.0000", "0", "0"] in rows


def test_swaps_are_not_netted() -> None:
    suite = small_suite(2)

    def other_way(text: str, limit: int) -> list[str]:
        return (right_first if text == "word0" else right_second)(text, limit)

    gated = gate_run(run_suite(suite, other_way), baseline_of(suite, second_below(1)))
    everything = gated.groups[0]
    assert everything.difference == 0
    assert "  +0.0000  " in written(gated)
    assert (everything.worse, everything.improved) == (1, 1)
    assert "got worse: 1\n" in written(gated)


def test_measures_that_nobody_shares_are_no_comparison() -> None:
    suite = small_suite(2)
    baseline = baseline_of(suite, right_first)
    strangers = tuple(replace(query, values={"Gone": 1.0}) for query in baseline.queries)
    baseline = replace(baseline, measures=("Gone",), queries=strangers)
    text = written(gate_run(run_suite(suite, right_never), baseline))
    assert "no query or no measure is still the same: nothing could be compared\n" in text


def test_many_queries_that_got_worse_are_cut_and_counted() -> None:
    suite = small_suite(60)
    text = written(gate_run(run_suite(suite, right_second), baseline_of(suite, right_first)))
    assert text.count("    expected doc-") == 50
    assert "… and 10 more; --report json=FILE has all\n" in text


def test_expected_names_targets_and_shows_other_rules_as_written() -> None:
    many = Query("q", "text", {"ids": ["a", "b", "c", "d", "e"]})
    assert show_expected(many) == "a, b, c and 2 more"
    assert show_expected(Query("q", "text", {"route": "no_results"})) == 'route "no_results"'
    both = Query("q", "text", {"ids": "a", "route": "search"})
    assert show_expected(both) == 'a; route "search"'


def test_a_rule_that_is_not_installed_is_shown_as_written() -> None:
    assert show_expected(Query("q", "text", {"colour": ["red"]})) == 'colour ["red"]'


def test_a_skipped_gate_says_why() -> None:
    assert written(skipped="none of the 3 changed paths fits src/**") == (
        "SKIPPED: none of the 3 changed paths fits src/**\n"
    )
    assert written() == "SKIPPED: there was no run to judge\n"


def timed(run: Run, seconds: list[float]) -> Run:
    """The run, with other times."""
    outcomes = replace(run.outcomes(), seconds=np.array(seconds))
    return SimulatedRun(run.header, run.store, outcomes)


def test_latencies_are_percentiles_of_the_answers_that_took_a_known_time() -> None:
    run = run_suite(small_suite(4), right_first)
    gated = gate_run(timed(run, [0.1, 0.2, 0.3, np.nan]))
    found = {each.name: each.seconds for each in gated.latencies}
    assert found == {"p50": pytest.approx(0.2), "p95": pytest.approx(0.29)}
    assert "time of an answer, not judged: p50 200.0 ms, p95 290.0 ms\n" in written(gated)
    unknown = gate_run(timed(run, [np.nan] * 4))
    assert unknown.latencies == ()
    assert "time of an answer" not in written(unknown)


def test_a_slow_run_is_told_and_fails_nothing() -> None:
    suite = replace(small_suite(4), latency={"p50": 0.25, "p99": 0.25})
    accepted = replace(baseline_of(suite, right_first).accepted, latency={"p50": 0.1, "p95": 0.15})
    baseline = replace(baseline_of(suite, right_first), accepted=accepted)
    gated = gate_run(timed(run_suite(suite, right_first), [0.1, 0.2, 0.3, np.nan]), baseline)
    text = written(gated)
    assert gated.passed
    assert "p50 200.0 ms (baseline 100.0 ms), p95 290.0 ms (baseline 150.0 ms), p99" in text
    rows = [line.split() for line in text.splitlines() if "≤" in line]
    assert [" ".join(row) for row in rows] == [
        "p50 ≤ 250.0 ms all 200.0 ms reached",
        "p99 ≤ 250.0 ms all 298.0 ms above, diagnostic",
    ]


def test_control_characters_of_queries_do_not_reach_the_terminal() -> None:
    nasty = Query("q\x1b[2J", "a\x07\r\nb\u009b", {"ids": "doc\x1b"}, category="c\x00d")
    suite = Suite("small", "canonical", (nasty,), rules=RegressionRules())
    baseline = baseline_of(suite, lambda _text, _limit: ["doc\x1b"])
    text = written(gate_run(run_suite(suite, lambda _text, _limit: ["x\x1b]0;"]), baseline))
    assert not [
        sign for sign in text if sign != "\n" and (ord(sign) < 32 or 127 <= ord(sign) < 160)
    ]


def test_a_baseline_of_another_system_is_said_to_be() -> None:
    suite = small_suite(2)
    run, baseline = run_suite(suite, right_first), baseline_of(suite, right_first)
    assert "another system" not in written(gate_run(run, baseline))
    text = written(gate_run(run, replace(baseline, system="elsewhere")))
    assert "of another system, elsewhere)" in text
