"""What a suite can show: the spread of paired differences, and what follows from it."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import pytest
from tests.runs.samples import right_first, right_never, right_second, small_suite

from cranfield.comparisons import SuitePower, compare, estimate_power, runs_for_power
from cranfield.formats import render
from cranfield.model import Hit, Query, Response, Status, Suite
from cranfield.reports.power_report import report_power
from cranfield.runs.runner import RunOptions, run_suite
from cranfield.runs.store import open_store
from cranfield.statistics import minimum_detectable_effect, paired_power, queries_needed
from cranfield.systems import FileFingerprint, System

TEN = [0.0] * 5 + [0.5] * 5
"""Differences of RR@10 between `second` and `mixed` over ten queries."""
SD = sqrt(sum((value - 0.25) ** 2 for value in TEN) / 9)


def mixed(text: str, limit: int) -> list[str]:
    """Right at rank 1 for even words, at rank 2 for odd ones."""
    number = int(text.removeprefix("word"))
    return (right_second if number % 2 else right_first)(text, limit)


class Silent(System):
    """Answers nothing."""

    def search(self, query: Query, limit: int) -> Response:  # noqa: ARG002
        return Response.failed(Status.TIMEOUT, "no answer")


class OftenSilent(System):
    """Right at rank 1, and nothing for every third word."""

    def search(self, query: Query, limit: int) -> Response:
        if int(query.text.removeprefix("word")) % 3 == 0:
            return Response.failed(Status.TIMEOUT, "no answer")
        return Response.of(tuple(Hit(each) for each in right_first(query.text, limit)))


def headline(power: SuitePower) -> tuple[int, int, float | None]:
    first = power.measures[0]
    assert str(first.measure) == "RR@10"
    return first.queries, first.pairs, first.sd


def test_the_spread_is_that_of_the_paired_differences() -> None:
    suite = small_suite(10)
    power = estimate_power(suite, [run_suite(suite, right_second), run_suite(suite, mixed)], 0.1)
    queries, pairs, sd = headline(power)
    assert (queries, pairs) == (10, 1)
    assert sd == pytest.approx(SD)
    first = power.measures[0]
    assert first.detectable == minimum_detectable_effect(SD, 10, span=1).value
    assert first.detectable is not None
    assert paired_power(first.detectable, SD, 10, span=1) == pytest.approx(0.8)
    assert first.needed == queries_needed(0.1, SD, span=1).value
    assert first.needed is not None
    assert first.more == first.needed - 10
    assert not first.is_guess


def test_several_pairs_are_pooled_by_their_variances() -> None:
    suite = small_suite(10)
    runs = [run_suite(suite, each) for each in (right_second, mixed, right_never)]
    power = estimate_power(suite, runs)
    # Second and never differ by 0.5 everywhere, without spread; mixed and never by 1 or 0.5, as
    # spread as second and mixed.
    assert power.pairs == 3
    assert headline(power)[1] == 2
    assert headline(power)[2] == pytest.approx(SD)


def test_a_run_of_a_part_does_not_stand_for_the_whole() -> None:
    suite = small_suite(10)
    part = replace(suite, queries=suite.queries[:2])
    store = open_store()
    smoke = run_suite(part, mixed, RunOptions(selection="--smoke"), store=store)
    assert [run.header.id for run in runs_for_power(store, suite)] == [smoke.header.id]
    whole = run_suite(suite, mixed, store=store)
    run_suite(part, mixed, RunOptions(selection="--smoke"), store=store)
    runs = runs_for_power(store, suite)
    assert [run.header.id for run in runs] == [whole.header.id]
    assert estimate_power(suite, runs).unasked == 0


def test_one_run_gives_a_pessimistic_guess_and_says_so() -> None:
    suite = small_suite(10)
    power = estimate_power(suite, [run_suite(suite, mixed)])
    # RR is 1 five times and 0.5 five times: as spread as the differences above.
    assert headline(power)[:2] == (10, 0)
    assert headline(power)[2] == pytest.approx(sqrt(2) * SD)
    assert power.measures[0].is_guess
    shown = render(report_power([power]))
    assert "1 run *" in shown
    assert "* guessed from one run: √2 times" in shown
    assert "no two builds to compare yet" in shown


def test_runs_that_do_not_differ_tell_nothing_and_fall_back_on_the_guess() -> None:
    suite = small_suite(10)
    power = estimate_power(suite, [run_suite(suite, mixed), run_suite(suite, mixed)])
    assert headline(power)[1] == 0
    assert power.measures[0].is_guess


def test_one_build_asked_twice_is_noise_and_no_pair() -> None:
    suite = small_suite(10)
    print_ = {"index.db": FileFingerprint(1, "a")}
    first, second, third = (run_suite(suite, each) for each in (mixed, right_second, right_first))
    of_one_build = [
        replace(run, header=replace(run.header, system="built", files=print_))
        for run in (first, second)
    ]
    power = estimate_power(suite, of_one_build)
    assert (power.pairs, power.repeats) == (0, 1)
    assert "left out: 1 pair that is one build asked twice" in render(report_power([power]))
    rebuilt = replace(
        third,
        header=replace(third.header, system="built", files={"index.db": FileFingerprint(1, "b")}),
    )
    power = estimate_power(suite, [*of_one_build, rebuilt])
    assert (power.pairs, power.repeats) == (2, 1)


def test_no_spread_at_all_is_undefined_and_never_nought() -> None:
    suite = small_suite(10)
    power = estimate_power(suite, [run_suite(suite, right_first)])
    first = power.measures[0]
    assert (first.sd, first.detectable, first.needed, first.more) == (None, None, None, None)
    assert first.reason == "all queries have the same value"
    assert "RR@10: all queries have the same value" in render(report_power([power]))
    assert '"detectable": null' in render(report_power([power]), "json")


def test_without_runs_there_is_nothing_to_tell_and_the_remedy_is_named() -> None:
    power = estimate_power(small_suite(4), [])
    assert not power.is_known
    assert "`cranfield run` makes one" in render(report_power([power]))


def test_fewer_than_six_queries_show_nothing_but_how_many_are_missing() -> None:
    suite = small_suite(4)
    power = estimate_power(suite, [run_suite(suite, right_second), run_suite(suite, mixed)], 0.9)
    first = power.measures[0]
    assert first.detectable is None
    assert "fewer than 6" in first.reason
    assert (first.needed, first.more) == (6, 2)


def test_a_run_without_any_answer_is_no_evidence() -> None:
    suite = small_suite(10)
    runs = [run_suite(suite, mixed), run_suite(suite, Silent())]
    power = estimate_power(suite, runs)
    assert power.systems == ("mixed",)
    assert power.pairs == 0


def test_queries_that_failed_say_nothing_about_quality() -> None:
    suite = small_suite(10)
    power = estimate_power(suite, [run_suite(suite, mixed), run_suite(suite, OftenSilent())])
    queries, pairs, sd = headline(power)
    # Words 1, 2, 4, 5, 7 and 8 are answered by both: odd ones differ by 0.5, even ones by 0.
    assert (queries, pairs, power.unanswered) == (6, 1, 4)
    assert sd == pytest.approx(sqrt(6 * 0.25**2 / 5))
    shown = render(report_power([power]))
    assert "not counted: 4 queries that the newest run failed to answer" in shown


def test_the_report_says_which_pairs_a_measure_leaves_out() -> None:
    suite = small_suite(10)
    runs = [run_suite(suite, each) for each in (right_second, mixed, right_never)]
    shown = render(report_power([estimate_power(suite, runs)]))
    assert "3 pairs to compare" in shown
    assert "left out of a measure: pairs whose differences in it have no spread" in shown
    assert "guarded against changes too rare to have been" in shown
    alone = render(report_power([estimate_power(suite, runs[:1])]))
    assert "left out of a measure" not in alone


def test_runs_that_asked_for_different_numbers_of_hits_are_no_pair() -> None:
    suite = small_suite(10)
    runs = [run_suite(suite, mixed), run_suite(suite, right_second, RunOptions(limit=20))]
    assert estimate_power(suite, runs).pairs == 0


def test_only_queries_as_they_are_now_count() -> None:
    suite = small_suite(10)
    runs = [run_suite(suite, right_second), run_suite(suite, mixed)]
    edited = replace(suite.queries[0], text="another word")
    added = Query("q10", "word10", {"ids": "doc-10"})
    now = replace(suite, queries=(edited, *suite.queries[1:], added))
    power = estimate_power(now, runs)
    assert (power.queries, power.unasked, power.measures[0].queries) == (11, 2, 9)
    assert "not counted: 2 queries not run yet" in render(report_power([power]))


def test_a_suite_of_which_nothing_was_asked_is_unknown() -> None:
    suite = small_suite(4)
    run = run_suite(suite, mixed)
    other = Suite("small", "canonical", (Query("new", "new", {"ids": "doc"}),))
    assert not estimate_power(other, [run]).is_known


def test_deprecated_queries_are_not_counted() -> None:
    suite = small_suite(10)
    runs = [run_suite(suite, right_second), run_suite(suite, mixed)]
    retired = replace(suite.queries[0], deprecated=True)
    power = estimate_power(replace(suite, queries=(retired, *suite.queries[1:])), runs)
    assert (power.queries, power.unasked, power.measures[0].queries) == (9, 0, 9)


def test_runs_are_found_by_suite_and_system() -> None:
    store = open_store()
    suite = small_suite(4)
    for each in (mixed, right_first, mixed):
        run_suite(suite, each, store=store)
    run_suite(replace(suite, id="other"), mixed, store=store)
    assert len(runs_for_power(store, suite)) == 3
    assert [run.header.system for run in runs_for_power(store, suite, "mixed")] == ["mixed"] * 2
    assert runs_for_power(store, suite, "nobody") == []


def test_the_order_of_runs_does_not_change_the_spread() -> None:
    suite = small_suite(10)
    runs = [run_suite(suite, each) for each in (right_second, mixed, right_never, right_first)]
    forward, backward = estimate_power(suite, runs), estimate_power(suite, runs[::-1])
    assert headline(forward)[2] == pytest.approx(headline(backward)[2])


def test_a_comparison_that_cannot_tell_has_a_difference_that_it_could_have_told() -> None:
    suite = small_suite(10)
    result = compare(run_suite(suite, right_second), run_suite(suite, mixed)).suites[0].headline
    assert result.result is not None
    share = 0.05 / result.result.compared
    expected = minimum_detectable_effect(SD, 10, alpha=share, span=1).value
    assert result.detectable == pytest.approx(expected)
    same = compare(run_suite(suite, mixed), run_suite(suite, mixed)).suites[0].headline
    assert same.result is not None
    assert same.detectable is None


def test_two_queries_are_the_fewest_that_have_a_spread() -> None:
    two, one = small_suite(2), small_suite(1)
    spread = estimate_power(two, [run_suite(two, right_second), run_suite(two, mixed)])
    queries, pairs, sd = headline(spread)
    assert (queries, pairs) == (2, 1)
    assert sd == pytest.approx(sqrt(0.125))
    none = estimate_power(one, [run_suite(one, right_second), run_suite(one, mixed)])
    assert none.measures[0].pairs == 0
