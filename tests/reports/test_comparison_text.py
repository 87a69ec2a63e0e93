"""The text of a comparison: what a first screen shows of it, and what only the whole does."""

from __future__ import annotations

from tests.comparisons.test_comparison import mixed
from tests.runs.samples import right_second, small_suite

from cranfield.comparisons import compare
from cranfield.formats import Detail, render
from cranfield.reports import report_comparison
from cranfield.runs import run_suite


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
