"""Queries that depend on unjudged hits are a finding of their own, as failures are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.judging.samples import Listed, judge, listed_run, unjudged_suite

from cranfield.comparisons import (
    MOST_OPEN,
    Bucket,
    SuiteComparison,
    VerdictKind,
    attribute,
    compare,
    compare_arms,
)
from cranfield.formats import render
from cranfield.judgments import JudgedBy, JudgmentStore, judge_runs
from cranfield.reports.comparison_report import report_comparison
from cranfield.runs.runner import Run, RunOptions, run_suite
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from collections.abc import Sequence

QUERIES = 40


def arms(behind: int, *, holes: str | None = None) -> tuple[Run, Run]:
    """A finds the right hit of all but six queries first, B of all, but behind holes for some."""
    suite = unjudged_suite(QUERIES)
    ids = {query.text: f"right-{query.id}" for query in suite.queries}
    texts = list(ids)
    found_a = {text: [ids[text]] if place < QUERIES - 6 else [] for place, text in enumerate(texts)}
    found_b = {
        text: [f"new-{text}", ids[text]] if place < behind else [ids[text]]
        for place, text in enumerate(texts)
    }
    runs = [
        run_suite(suite, Listed(hits), RunOptions(label=label), store=open_store())
        for label, hits in (("old", found_a), ("new", found_b))
    ]
    store = JudgmentStore(open_store())
    store.add([judge(query, ids[query.text], 1) for query in suite.queries], [*suite.queries])
    first, second = judge_runs(runs, store.store, JudgedBy(), holes)
    return first, second


def only(runs: Sequence[Run]) -> SuiteComparison:
    first, second = runs
    [suite] = compare(first, second).suites
    return suite


def test_losses_behind_unjudged_hits_are_no_verdict_of_better() -> None:
    suite = only(arms(20))
    assert str(suite.verdict) == (
        "cannot tell: 20 of 40 queries depend on unjudged hits; judge them with "
        "`cranfield judge --decisive old new`, which says when the verdict is settled, or set "
        'holes = "irrelevant" in [judging]'
    )
    assert suite.not_judged.ids == tuple(f"q{place}" for place in range(20))
    assert suite.has_ungraded
    # The figures are of the others, where B is indeed better.
    assert suite.headline.result is not None
    assert suite.headline.result.pairs == 20
    quality = [each for each in suite.measures if not each.measure.is_check]
    assert all(each.verdict.kind is VerdictKind.CANNOT_TELL for each in quality)


def test_up_to_a_stated_share_the_others_decide() -> None:
    most = int(QUERIES * MOST_OPEN)
    assert only(arms(most)).verdict.kind is VerdictKind.BETTER
    assert not only(arms(most)).has_ungraded
    assert only(arms(most + 1)).verdict.kind is VerdictKind.CANNOT_TELL


def test_holes_that_count_as_irrelevant_leave_nothing_open() -> None:
    suite = only(arms(34, holes="irrelevant"))
    assert suite.not_judged.count == 0
    assert suite.buckets[Bucket.REMOVED] == len(suite.fallen) == 34


def test_words_and_buckets_agree_and_sum_to_the_queries() -> None:
    suite = only(arms(20))
    assert suite.headline.result is not None
    outcomes = suite.headline.result.effects.outcomes
    assert (outcomes.wins, outcomes.losses, outcomes.ties) == (6, 0, 14)
    assert suite.buckets[Bucket.ADDED] == 6
    assert suite.buckets[Bucket.UNCHANGED_FIRST] == 14
    assert suite.buckets[Bucket.UNJUDGED] == 20
    assert sum(suite.buckets.values()) == QUERIES


def test_what_nobody_judged_is_not_called_never_found() -> None:
    suite = unjudged_suite(QUERIES)
    nothing: dict[str, list[str]] = {query.text: [] for query in suite.queries}
    right = {query.text: [f"right-{query.id}"] for query in suite.queries[:25]}
    runs = [listed_run(suite, nothing), listed_run(suite, {**nothing, **right})]
    store = JudgmentStore(open_store())
    store.add(
        [judge(query, f"right-{query.id}", 1) for query in suite.queries[:25]],
        list(suite.queries[:25]),
    )
    compared = only(judge_runs(runs, store.store, JudgedBy()))
    assert compared.never_found == ()
    assert compared.buckets[Bucket.UNJUDGED] == 15
    assert compared.buckets[Bucket.ADDED] == 25
    assert compared.headline.result is not None
    assert compared.headline.result.pairs == 25


def test_reports_say_it_before_any_figure_and_say_the_same() -> None:
    comparison = compare(*arms(20))
    report = report_comparison(comparison)
    text = render(report, "text")
    first, second, third = text.split("\n")[1:4]
    assert "cannot tell: 20 of 40 queries depend on unjudged hits" in first
    assert "(6 improved, 0 worse, 14 the same, 20 not judged)" in first
    assert second.startswith("not judged: 20 of 40 queries depend on unjudged hits; left")
    assert third == "nDCG@10 is of the 20 queries that depend on no such hit"
    for name in ("markdown", "html"):
        assert "20 of 40 queries depend on unjudged hits" in render(report, name)
    assert "No query got worse" not in report.lead
    assert report.lead.endswith("depend on unjudged hits. 20 queries are not judged.")
    [suite] = report.data["suites"]
    assert suite["not_judged"] == [f"q{place}" for place in range(20)]
    assert suite["buckets"]["not judged"] == 20
    assert suite["left_out"][0].startswith("20 of 40 queries depend on unjudged hits: q0")
    assert suite["verdict"] == "cannot tell"


def test_a_verdict_on_the_others_says_how_many_are_left_out() -> None:
    comparison = compare(*arms(2))
    lead = report_comparison(comparison).lead
    assert comparison.verdict.kind is VerdictKind.BETTER
    assert lead.endswith("is better at judged queries. 2 queries are not judged.")


def test_grids_and_leaderboards_follow_the_same_rule() -> None:
    first, second = arms(20)
    grid = attribute([[first], [first], [second], [second]])
    assert {each.kind for each in grid.verdicts} == {VerdictKind.CANNOT_TELL}
    assert grid.suites[0].not_judged.count == 20
    assert grid.has_ungraded
    board = compare_arms([first, second, second])
    assert {each.kind for each in board.verdicts} == {VerdictKind.CANNOT_TELL}
    assert board.has_ungraded


@pytest.mark.parametrize("turned", [False, True])
def test_a_list_of_queries_has_no_verdict_of_quality(turned: bool) -> None:
    suite = unjudged_suite(QUERIES)
    some = {query.text: ["a"] for query in suite.queries[: QUERIES // 2]}
    every = {query.text: ["a"] for query in suite.queries}
    runs = [listed_run(suite, some), listed_run(suite, every)]
    comparison = compare(*(reversed(runs) if turned else runs))
    [compared] = comparison.suites
    assert compared.verdict.kind is VerdictKind.CANNOT_TELL
    assert compared.verdict.reason.startswith("nothing says what is right: judge")
    assert all(each.verdict.kind is VerdictKind.CANNOT_TELL for each in compared.measures)
    assert compared.fallen == ()
    assert compared.buckets[Bucket.UNJUDGED] == QUERIES
    # It is not a fault of either system: the command does not fail.
    assert not compared.has_ungraded
    report = report_comparison(comparison)
    assert "nothing says what is right" in report.lead
    text = render(report, "text")
    assert "AnyResult" in text
    assert "not luck" not in text
    assert "better" not in text.split("test  ")[0]
