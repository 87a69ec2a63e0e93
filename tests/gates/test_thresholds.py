"""Thresholds: reached, missed, diagnostic, undefined."""

from __future__ import annotations

from tests.runs.samples import right_first, right_second, small_suite

from cranfield.gates.gate_rules import ThresholdResult, apply_thresholds
from cranfield.model import Query, Suite, Threshold
from cranfield.runs.runner import run_suite
from cranfield.runs.summaries import summarise


def test_a_gate_passes_when_every_threshold_that_counts_is_reached() -> None:
    gate = (Threshold("RR@10", 0.5), Threshold("P@1", 1.0, diagnostic=True))
    suite = small_suite(4, gate=gate)
    result = apply_thresholds(suite, summarise(run_suite(suite, right_second)))
    assert result.passed
    assert [each.outcome for each in result.thresholds] == ["reached", "below, diagnostic"]


def test_one_category_below_its_threshold_fails_the_gate() -> None:
    suite = small_suite(4, gate=(Threshold("P@1", 1.0, "odd"), Threshold("P@1", 0.4)))

    def only_even(text: str, limit: int) -> list[str]:
        number = int(text.removeprefix("word"))
        return (right_second if number % 2 else right_first)(text, limit)

    result = apply_thresholds(suite, summarise(run_suite(suite, only_even)))
    assert not result.passed
    assert [each.reached for each in result.thresholds] == [False, True]


def test_a_mean_that_is_below_by_rounding_alone_reaches_its_threshold() -> None:
    eighth_tenth = 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1
    assert eighth_tenth < 0.8
    assert ThresholdResult(Threshold("P@1", 0.8), eighth_tenth).reached
    assert not ThresholdResult(Threshold("P@1", 0.8), 0.8 - 1e-6).reached


def test_an_undefined_value_reaches_nothing() -> None:
    queries = (Query("q", "weather", {"route": "no_results"}),)
    suite = Suite("golden", "passages", queries, gate=(Threshold("RR@10", 0.0),))
    result = apply_thresholds(suite, summarise(run_suite(suite, right_first)))
    assert not result.passed


def test_a_category_that_was_not_asked_is_left_out() -> None:
    suite = small_suite(4, gate=(Threshold("P@1", 1.0, "elsewhere"),))
    assert apply_thresholds(suite, summarise(run_suite(suite, right_first))).thresholds == ()
