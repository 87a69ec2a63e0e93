"""The text of a comparison: what a first screen shows of it, and what only the whole does."""

from __future__ import annotations

from dataclasses import replace

from tests.comparisons.test_comparison import mixed
from tests.runs.samples import right_second, small_suite

from cranfield.comparisons import compare, compare_arms
from cranfield.formats import Detail, render
from cranfield.reports.comparison_report import report_comparison
from cranfield.reports.leaderboard_report import report_leaderboard
from cranfield.runs.runner import run_suite


def test_a_category_too_small_for_a_verdict_is_counted_and_shown_with_everything() -> None:
    suite = small_suite(11)
    compared = compare(run_suite(suite, right_second), run_suite(suite, mixed))
    short, whole = (
        render(report_comparison(compared, detail), "text")
        for detail in (Detail.MEASURES, Detail.ALL)
    )
    assert "even" in short
    assert "\nodd" not in short
    assert "1 category of fewer than 6 pairs cannot have a verdict; --show all has them" in short
    assert "\nodd" in whole
    assert "fewer than 6 pairs" not in whole


def test_identical_arms_have_no_headline_to_correct_over() -> None:
    suite = small_suite(10)
    runs = [run_suite(suite, mixed) for _ in range(3)]
    alike = report_comparison(compare(runs[0], runs[1]))
    board = report_leaderboard(compare_arms([[run] for run in runs]))
    for report in (alike, board):
        for name in ("text", "markdown", "html"):
            assert "0 headlines" not in render(report, name)
    assert "the larger of the sign-flip test's and the interval's\n" in render(alike)
    other = report_comparison(compare(runs[0], run_suite(suite, right_second)))
    assert "interval's, corrected (Holm) over 1 headline\n" in render(other)
    assert "corrected together" not in render(other, "markdown")
    more = [replace(suite, id=name) for name in ("small", "other")]
    first, second = ([run_suite(each, by) for each in more] for by in (mixed, right_second))
    page = render(report_comparison(compare(first, second)), "markdown")
    assert "all 2 headlines are corrected together (Holm)." in page
