"""Noise and falls: what a query does by itself is none, and what it lost is seen all the same."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from cranfield.comparisons.certainty import (
    SIGNIFICANCE_LEVEL,
    Direction,
    can_detect_drop,
    classify_change,
    repeats_needed,
)
from cranfield.formats import render
from cranfield.gates.baselines import make_baseline
from cranfield.gates.gate_rules import Severity
from cranfield.gates.gated_runs import GatedRun, gate_run
from cranfield.model import Query, RegressionRules, Suite
from cranfield.reports.gate_report import report_gates
from cranfield.runs.runner import Run, run_suite
from gate_simulation import SimulatedRun

if TYPE_CHECKING:
    from numpy.typing import NDArray

ACCEPTED = {"date": "", "author": "", "reason": ""}
QUERIES = 40
WORSE, SAME, IMPROVED = Direction.WORSE, Direction.SAME, Direction.IMPROVED


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ([1.0], [0.0], WORSE),
        ([1.0], [0.99], WORSE),
        ([0.0], [1.0], IMPROVED),
        ([1.0], [1.0], SAME),
        ([0.1 + 0.2], [0.3], SAME),
        # Ranks 1 and 2 before, now 4.
        ([1.0, 0.5], [0.25], WORSE),
        ([1.0, 0.5], [0.5], SAME),
        # One slip among three is none; half of the repetitions are more than a slip.
        ([1.0], [1.0, 1.0, 0.0], SAME),
        ([1.0], [1.0, 0.0], WORSE),
        ([1.0], [1.0, 1.0, 0.0, 0.0], WORSE),
        ([1.0] * 5, [0.0], WORSE),
        # 27 of 30: one failure is as before, twelve of twelve are not. Three of three: the urn has
        # six zeros of 33, C(6, 3) / C(33, 3) = 20 / 5456 = 0.004; two of two: 10 / 496 = 0.02.
        ([1.0] * 27 + [0.0] * 3, [0.0], SAME),
        ([1.0] * 27 + [0.0] * 3, [0.0] * 2, SAME),
        ([1.0] * 27 + [0.0] * 3, [0.0] * 3, WORSE),
        ([1.0] * 27 + [0.0] * 3, [0.0] * 12, WORSE),
        ([1.0] * 27 + [0.0] * 3, [1.0] * 10 + [0.0] * 2, SAME),
        ([0.0] * 27 + [1.0] * 3, [1.0] * 3, IMPROVED),
    ],
)
def test_a_query_has_moved_where_noise_does_not_explain_it(
    before: list[float], after: list[float], kind: Direction
) -> None:
    assert classify_change(tuple(before), tuple(after)) is kind
    turned = {WORSE: IMPROVED, IMPROVED: WORSE, SAME: SAME}
    upside_down = classify_change(tuple(1 - v for v in before), tuple(1 - v for v in after))
    assert upside_down is turned[kind]


def test_a_thousand_repetitions_are_judged_too() -> None:
    before = (1.0,) * 900 + (0.0,) * 100
    assert classify_change(before, before) is SAME
    assert classify_change(before, (1.0,) * 500 + (0.0,) * 500) is WORSE
    assert classify_change(before, (1.0,) * 995 + (0.0,) * 5) is IMPROVED


def test_how_often_to_ask_is_told_where_a_fall_could_not_be_seen() -> None:
    unsure = (1.0,) * 27 + (0.0,) * 3
    assert [can_detect_drop(unsure, count) for count in (1, 2, 3)] == [False, False, True]
    assert repeats_needed(unsure) == 3
    # Five askings of which one failed: C(m + 1, m) / C(m + 5, m) is 0.0110 with 16, 0.0099 with 17.
    assert repeats_needed((1.0,) * 4 + (0.0,)) == next(
        m
        for m in range(1, 99)
        if 120 / ((m + 5) * (m + 4) * (m + 3) * (m + 2)) < SIGNIFICANCE_LEVEL
    )
    assert repeats_needed((1.0,)) == 1


def plain_run(at_most: int = 2) -> Run:
    queries = tuple(
        Query(f"q{number}", f"word{number}", {"files": ["right"]}, pass_rank=1)
        for number in range(QUERIES)
    )
    suite = Suite("made", "files", queries, rules=RegressionRules(at_most))
    return run_suite(suite, lambda _, limit: ["right"][:limit])


def repeated(run: Run, passed: NDArray[np.float64]) -> SimulatedRun:
    """The run as if asked so often, each query passed as the array says."""
    known = run.outcomes()
    rows = np.repeat(passed[:, :, None], known.values.shape[1], axis=2)
    outcomes = replace(
        known,
        values=rows.mean(axis=0),
        by_repeat=rows,
        failed=np.zeros(passed.shape, dtype=np.bool_),
    )
    return SimulatedRun(replace(run.header, repeats=len(passed)), run.store, outcomes)


def draw(random: np.random.Generator, repeats: int) -> NDArray[np.float64]:
    """Every query is right nine times of ten."""
    return (random.random((repeats, QUERIES)) < 0.9).astype(np.float64)


def test_ten_lost_queries_of_a_system_that_is_right_nine_times_of_ten_are_red_every_time() -> None:
    run, random = plain_run(), np.random.default_rng(1)
    for _ in range(25):
        baseline = make_baseline(repeated(run, draw(random, 30)), "main", ACCEPTED)
        now = draw(random, 12)
        now[:, :10] = 0.0
        gated = gate_run(repeated(run, now), baseline)
        assert gated.against is not None
        fallen = {change.query.id for change in gated.against.beyond_noise(WORSE)}
        assert not gated.passed
        assert {f"q{number}" for number in range(10)} <= fallen


@pytest.mark.corpus
def test_such_a_system_unchanged_stays_green() -> None:
    run, random = plain_run(), np.random.default_rng(2)
    green = 0
    for _ in range(100):
        baseline = make_baseline(repeated(run, draw(random, 30)), "main", ACCEPTED)
        green += gate_run(repeated(run, draw(random, 12)), baseline).passed
    assert green >= 98


def gated_pair(before: NDArray[np.float64], now: NDArray[np.float64]) -> GatedRun:
    run = plain_run()
    return gate_run(repeated(run, now), make_baseline(repeated(run, before), "main", ACCEPTED))


def test_queries_too_noisy_to_get_worse_are_named_and_counted_in_the_comment() -> None:
    before, now = np.ones((30, QUERIES)), np.ones((1, QUERIES))
    before[:3, :4] = 0.0
    gated = gated_pair(before, now)
    [noise] = gated.results
    assert (noise.rule, noise.severity) == ("noise", Severity.NOTE)
    assert noise.queries == ("q0", "q1", "q2", "q3")
    assert noise.message == (
        "4 queries are too noisy in the baseline for a loss to be detected; repeat each "
        "query 3 times or more (--repeat 3)"
    )
    now[0, :2] = 0.0
    gated = gated_pair(before, now)
    [noise] = gated.results
    assert (noise.severity, noise.queries) == (Severity.WARN, ("q0", "q1"))
    assert noise.message.endswith("2 queries of them scored lower")
    assert gated.passed
    for each in (gated, gated_pair(before, np.ones((1, QUERIES)))):
        assert "4 queries are too noisy" in render(report_gates([each]), "comment")


def test_a_gate_that_could_detect_no_loss_of_most_queries_fails() -> None:
    before, now = np.ones((30, QUERIES)), np.ones((1, QUERIES))
    before[:3, :21] = 0.0
    # Of the others ten never passed: they have nothing to lose.
    before[:, 30:] = now[:, 30:] = 0.0
    gated = gated_pair(before, now)
    assert [(each.rule, each.severity) for each in gated.results] == [
        ("compared", Severity.FAIL),
        ("noise", Severity.NOTE),
    ]
    assert "21 of the 30 queries" in gated.results[0].message
    assert "--repeat 3" in gated.results[0].message
    assert gated_pair(before, np.tile(now, (3, 1))).passed


def test_before_and_after_are_counted_alike_whatever_the_numbers_of_repetitions() -> None:
    before, now = np.ones((30, QUERIES)), np.ones((5, QUERIES))
    before[:3] = now[0] = 0.0
    [whole, *_] = gated_pair(before, now).groups
    assert (whole.before, whole.after, whole.queries) == (40, 40, 40)


def test_half_of_an_even_number_of_repetitions_is_not_the_better_half() -> None:
    now = np.ones((2, QUERIES))
    now[0, :3] = 0.0
    gated = gated_pair(np.ones((1, QUERIES)), now)
    assert [each.rule for each in gated.results] == ["at_most"]


def test_the_baseline_keeps_every_value_with_how_often_it_came() -> None:
    before = np.ones((30, QUERIES))
    before[:3, 0] = 0.0
    first, second, *_ = make_baseline(repeated(plain_run(), before), "main", ACCEPTED).queries
    assert first.seen["Pass"] == {"1.0": 27, "0.0": 3}
    assert first.repetitions("Pass") == (1.0,) * 27 + (0.0,) * 3
    assert first.values["Pass"] == 0.9
    assert second.seen == {}
    assert second.repetitions("Pass") == (1.0,) * 30
