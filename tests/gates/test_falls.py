"""Queries that fell: what fails a gate by default, what a suite asks for, and what is said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cranfield.comparisons import Direction, compare
from cranfield.gates.baselines import compare_with_baselines, make_baseline, pair_baseline
from cranfield.gates.gate_rules import Cause, Severity
from cranfield.gates.gated_runs import GatedRun, gate_run
from cranfield.gates.losses import fewest_beyond_noise
from cranfield.model import Hit, Query, RegressionRules, Response, Suite, Threshold
from cranfield.runs.runner import Run, run_suite
from cranfield.statistics import Verdict, VerdictKind
from cranfield.systems import System
from gate_simulation import SimulatedRun

ACCEPTED = {"date": "", "author": "", "reason": ""}
LOST = 0
FAILS = -1


class Ranked(System):
    """Has the right hit of each query at a given rank, or nowhere, or fails."""

    def __init__(self, ranks: list[int]) -> None:
        self.ranks = ranks

    def search(self, query: Query, limit: int) -> Response:
        number = int(query.id.removeprefix("q"))
        rank = self.ranks[number]
        if rank == FAILS:
            raise RuntimeError("the server is down")
        ids = [f"other-{place}" for place in range(1, limit + 1)]
        if rank:
            ids[rank - 1] = f"doc-{number}"
        return Response.of(tuple(map(Hit, ids)))


def suite_of(count: int, rules: RegressionRules | None = None, **fields: Any) -> Suite:
    queries = tuple(
        Query(f"q{n}", f"word{n}", {"matches": f"^doc-{n}$"}, "even" if n % 2 == 0 else "odd")
        for n in range(count)
    )
    return Suite("made", "canonical", queries, rules=rules or RegressionRules(), **fields)


def run_of(ranks: list[int], rules: RegressionRules | None = None, **fields: Any) -> Run:
    return run_suite(suite_of(len(ranks), rules, **fields), Ranked(ranks))


def gated(
    before: list[int], after: list[int], rules: RegressionRules | None = None, **fields: Any
) -> GatedRun:
    baseline = make_baseline(run_of(before, rules, **fields), "main", ACCEPTED)
    return gate_run(run_of(after, rules, **fields), baseline)


def said(judged: GatedRun) -> list[tuple[str, Severity]]:
    return [(each.rule, each.severity) for each in judged.results]


def verdict_on(judged: GatedRun) -> Verdict:
    assert judged.against is not None
    assert judged.against.comparison is not None
    return judged.against.comparison.verdict


BEFORE = [2] * 15 + [1] * 25
FIFTEEN_UP_THREE_DOWN = [1] * 15 + [1] * 22 + [2] * 3
FALLEN = ("q37", "q38", "q39")


def test_a_better_build_with_a_few_fallen_queries_passes_and_names_them() -> None:
    judged = gated(BEFORE, FIFTEEN_UP_THREE_DOWN)
    assert verdict_on(judged).kind is VerdictKind.BETTER
    assert judged.passed
    [fallen] = judged.results
    assert (fallen.rule, fallen.severity, fallen.queries) == ("fallen", Severity.WARN, FALLEN)
    assert "3 queries got worse, although the comparison says better (RR@10" in fallen.message


@pytest.mark.parametrize(
    ("rules", "fields", "rule"),
    [
        (RegressionRules(at_most=0), {}, "at_most"),
        (RegressionRules(protected=("odd",)), {}, "protected"),
        (RegressionRules(), {"gate": (Threshold("RR@10", 0.99),)}, "threshold"),
    ],
)
def test_a_rule_of_the_suite_that_fails_a_better_build_says_both(
    rules: RegressionRules, fields: dict[str, Any], rule: str
) -> None:
    judged = gated(BEFORE, FIFTEEN_UP_THREE_DOWN, rules, **fields)
    assert not judged.passed
    failed = next(each for each in judged.results if each.severity is Severity.FAIL)
    assert failed.rule == rule
    assert "although the comparison says better (RR@10 0.8125 → 0.9625, p 0.0" in failed.message


def test_the_count_that_a_suite_asks_for_is_named_in_its_failure() -> None:
    [failed] = gated([1] * 9, [2] + [1] * 8, RegressionRules(at_most=0)).results
    assert failed.message == ("1 query got worse; at most 0 may, by the suite's rule at_most = 0")


@pytest.mark.parametrize(
    ("lost", "found", "passed"), [(1, 0, True), (2, 0, True), (3, 0, False), (4, 2, True)]
)
def test_queries_that_lost_their_answers_fail_a_gate_if_noise_does_not_explain_them(
    lost: int, found: int, *, passed: bool
) -> None:
    before = [1] * 38 + [LOST] * 2
    after = [LOST] * lost + [1] * (38 - lost) + [1] * found + [LOST] * (2 - found)
    judged = gated(before, after)
    assert judged.passed is passed
    [result] = judged.results
    assert result.rule == ("fallen" if passed else "lost")
    assert result.queries == tuple(f"q{number}" for number in range(lost))


def test_a_net_loss_says_what_noise_would_explain() -> None:
    [lost] = gated([1] * 40, [LOST] * 3 + [1] * 37).results
    assert lost.message == (
        "3 queries of 40 lost their right answers and none found one: noise explains a net loss "
        "of fewer than 3"
    )


def test_a_better_build_passes_though_a_check_was_lost_by_more_than_noise_explains() -> None:
    """20 of 40 queries rise from rank 5 to 1, and all of these take a wrong route."""
    queries = tuple(
        Query(f"q{n}", f"word{n}", {"matches": f"^doc-{n}$", "route": "search"}) for n in range(40)
    )
    suite = Suite("made", "canonical", queries)

    def run_routed(ranks: list[int], route: str) -> Run:
        class Routed(Ranked):
            def search(self, query: Query, limit: int) -> Response:
                answer = super().search(query, limit)
                number = int(query.id.removeprefix("q"))
                return replace(answer, route=route if number < 20 else "search")

        return run_suite(suite, Routed(ranks))

    known = make_baseline(run_routed([5] * 20 + [1] * 20, "search"), "main", ACCEPTED)
    judged = gate_run(run_routed([1] * 40, "elsewhere"), known)
    assert judged.against is not None
    assert judged.against.comparison is not None
    assert judged.against.comparison.verdict.kind is VerdictKind.BETTER
    assert len(judged.against.beyond_noise(Direction.WORSE)) == 20
    assert (said(judged), judged.passed) == ([("fallen", Severity.WARN)], True)
    # The same routes without a gain fail.
    failed = gate_run(run_routed([5] * 20 + [1] * 20, "elsewhere"), known)
    assert (said(failed), failed.passed) == ([("lost", Severity.FAIL)], False)


def test_a_lower_rank_is_no_lost_answer() -> None:
    judged = gated([1] * 40, [9] * 4 + [1] * 36)
    assert (said(judged), judged.passed) == ([("fallen", Severity.WARN)], True)


def test_gains_that_outweigh_lost_answers_make_no_net_loss() -> None:
    before = [3] * 8 + [1] * 32
    assert gated(before, [1] * 8 + [LOST] * 3 + [1] * 29).passed
    assert not gated(before, [1] * 2 + [3] * 6 + [LOST] * 3 + [1] * 29).passed


def test_a_significant_fall_fails_though_no_answer_was_lost() -> None:
    judged = gated([1] * 40, [2] * 10 + [1] * 30)
    assert said(judged) == [("worse", Severity.FAIL)]
    assert "the comparison with the baseline says worse (RR@10 1.0000 → 0.8750" in (
        judged.results[0].message
    )


def test_a_count_that_allows_a_significant_fall_says_both() -> None:
    judged = gated([1] * 40, [LOST] * 10 + [1] * 30, RegressionRules(at_most=10))
    assert judged.passed
    assert said(judged) == [("worse", Severity.WARN)]
    assert judged.results[0].message.endswith("; the suite's rule at_most = 10 allows it")


def test_the_verdict_is_that_of_compare_corrected_over_all_suites_at_once() -> None:
    after = [[2] * 6 + [1] * 34, [2] * 6 + [1] * 34, [2] * 20 + [1] * 20]
    suites = [replace(suite_of(40), id=name) for name in ("first", "second", "third")]
    before = [run_suite(suite, Ranked([1] * 40)) for suite in suites]
    now = [run_suite(suite, Ranked(ranks)) for suite, ranks in zip(suites, after, strict=True)]
    pairs = [
        pair_baseline(run, make_baseline(known, "main", ACCEPTED))
        for run, known in zip(now, before, strict=True)
    ]
    together = [each for each in compare_with_baselines(pairs) if each]
    kinds = [each.verdict.kind for each in together]
    assert kinds == [each.verdict.kind for each in compare(before, now).suites]
    assert kinds == [VerdictKind.CANNOT_TELL, VerdictKind.CANNOT_TELL, VerdictKind.WORSE]
    [alone] = compare_with_baselines(pairs[:1])
    assert alone is not None
    once, thrice = alone.headline.result, together[0].headline.result
    assert once is not None
    assert thrice is not None
    assert thrice.p_adjusted == pytest.approx(2 * (once.p_adjusted or 0))


def test_failures_of_the_system_fail_the_gate_as_failures_and_not_as_quality() -> None:
    judged = gated([1] * 40, [FAILS] * 17 + [1] * 23)
    assert said(judged) == [("failures", Severity.FAIL)]
    assert judged.cause is Cause.FAILURES
    assert judged.results[0].message == (
        "17 of 40 queries were not answered (error 17): the system failed, which says nothing of "
        "its quality"
    )
    assert judged.against is not None
    assert len(judged.against.changes) == 23


def test_too_many_failures_leave_no_verdict_as_in_compare() -> None:
    before, after = [1] * 40, [FAILS] * 17 + [2] * 23
    judged = gated(before, after)
    verdict = verdict_on(judged)
    assert verdict.kind is compare(run_of(before), run_of(after)).verdict.kind
    assert str(verdict) == "cannot tell: 17 of 40 queries failed in this run"
    few = gated(before, [FAILS] * 2 + [2] * 23 + [1] * 15)
    assert verdict_on(few).kind is VerdictKind.WORSE


def test_a_threshold_that_failures_alone_miss_is_no_fault_of_quality() -> None:
    gate = (Threshold("RR@10", 0.9),)
    judged = gated([1] * 40, [FAILS] * 17 + [1] * 23, gate=gate)
    assert judged.cause is Cause.FAILURES
    assert judged.results[1].message.endswith(
        "Unanswered queries count as 0; without them it is 1.0000"
    )
    slipped = gated([1] * 40, [FAILS] * 17 + [2] * 23, gate=gate)
    assert slipped.cause is Cause.QUALITY


def test_a_regression_beside_failures_is_a_regression() -> None:
    judged = gated([1] * 40, [FAILS] * 2 + [LOST] * 8 + [1] * 30)
    assert not judged.passed
    assert judged.cause is Cause.QUALITY
    assert {each.rule for each in judged.results} >= {"failures", "worse", "lost"}


def test_failures_that_a_suite_allows_are_a_warning() -> None:
    judged = gated([1] * 40, [FAILS] * 2 + [1] * 38, RegressionRules(most_failures=2))
    assert (said(judged), judged.passed) == ([("failures", Severity.WARN)], True)
    assert not gated([1] * 40, [FAILS] * 3 + [1] * 37, RegressionRules(most_failures=2)).passed


def test_queries_that_the_baseline_did_not_answer_are_no_gains() -> None:
    judged = gated([FAILS] * 5 + [1] * 35, [1] * 5 + [LOST] * 3 + [1] * 32)
    assert [each.rule for each in judged.results] == ["lost"]


def ungraded(ranks: list[int], places: list[int]) -> Run:
    """A run in which no measure has a value for the queries at these places."""
    run = run_of(ranks)
    known = run.outcomes()
    values, rows = known.values.copy(), known.by_repeat.copy()
    values[places], rows[:, places] = np.nan, np.nan
    reasons = {(place, 0): "nothing is judged" for place in places}
    outcomes = replace(known, values=values, by_repeat=rows, reasons=reasons)
    return SimulatedRun(run.header, run.store, outcomes)


def test_queries_that_were_not_graded_are_named_and_fail_the_gate() -> None:
    run = ungraded([1] * 5, [3, 4])
    judged = gate_run(run, make_baseline(run, "main", ACCEPTED))
    assert said(judged) == [("graded", Severity.FAIL)]
    assert judged.cause is Cause.GRADING
    assert judged.results[0].queries == ("q3", "q4")
    assert judged.results[0].message == (
        "2 of 5 queries were not graded (nothing is judged): no figure has them; fix what they "
        "expect, or choose a measure that they have a value of"
    )
    assert not judged.is_reached
    assert gate_run(run_of([1] * 5)).is_reached
    [failed, _] = gate_run(ungraded([1] * 5, list(range(5)))).results
    assert (failed.rule, failed.severity) == ("graded", Severity.FAIL)


def test_a_query_that_could_not_be_graded_is_no_regression_and_no_noise() -> None:
    judged = gate_run(ungraded([1] * 5, [4]), make_baseline(run_of([1] * 5), "main", ACCEPTED))
    assert said(judged) == [("graded", Severity.FAIL)]
    assert judged.against is not None
    assert len(judged.against.changes) == 4
    slipped = gate_run(
        ungraded([LOST] * 4 + [1], [4]), make_baseline(run_of([1] * 5), "main", ACCEPTED)
    )
    assert slipped.cause is Cause.QUALITY


@pytest.mark.parametrize(
    ("queries", "fewest"),
    [
        (0, 1),
        (2, 1),
        (3, 2),
        (21, 2),
        (22, 3),
        (40, 3),
        (57, 3),
        (58, 4),
        (100, 4),
        (100_000, 1066),
    ],
)
def test_the_fewest_lost_queries_beyond_noise_grow_with_the_suite(
    queries: int, fewest: int
) -> None:
    assert fewest_beyond_noise(queries) == fewest


def test_a_noisy_query_is_lost_if_its_repetitions_make_that_unlikely() -> None:
    """Right in 4 of 5: three zeros have a chance of (2 / 7)³ = 0.023; one zero has 0.29."""
    run = run_of([1] * 40)
    known = run.outcomes()

    def repeated(count: int, zeros: int, queries: int) -> Run:
        rows = np.repeat(known.by_repeat, count, axis=0)
        rows[:zeros, :queries] = 0.0
        ranks = tuple(None if zeros == count and n < queries else 1 for n in range(40))
        failed = np.zeros(rows.shape[:2], dtype=np.bool_)
        changed = {"values": rows.mean(axis=0), "by_repeat": rows, "failed": failed}
        outcomes = replace(known, **changed, first_ranks=ranks)
        return SimulatedRun(replace(run.header, repeats=count), run.store, outcomes)

    baseline = make_baseline(repeated(5, 1, 10), "main", ACCEPTED)
    judged = gate_run(repeated(3, 3, 3), baseline)
    assert judged.against is not None
    assert judged.against.beyond_noise(Direction.WORSE) == ()
    assert next(each.queries for each in judged.results if each.rule == "lost") == (
        "q0",
        "q1",
        "q2",
    )
    assert "lost" not in {each.rule for each in gate_run(repeated(1, 1, 3), baseline).results}
