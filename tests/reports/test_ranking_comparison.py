"""Two rankings of one query side by side: what became of it is what a comparison says."""

from __future__ import annotations

import pytest

from cranfield.comparisons import compare
from cranfield.model import Hit, Query, Response, Suite
from cranfield.reports.ranking_comparison import report_ranking_change
from cranfield.runs.runner import Run, run_suite

SUITE = Suite("s", "canonical", (Query("q", "word", {"ids": ["a"], "route": "search"}),))


def answered(route: str, *ids: str) -> Run:
    return run_suite(SUITE, lambda *_: Response.of(tuple(map(Hit, ids)), route=route))


@pytest.mark.parametrize(
    ("before", "after", "bucket"),
    [
        (("search", "x", "a"), ("search", "a", "x"), "fixed"),
        (("search", "x", "a"), ("elsewhere", "a", "x"), "degraded"),
        (("search", "a", "x"), ("elsewhere", "a", "x"), "degraded"),
        (("elsewhere", "a", "x"), ("search", "a", "x"), "improved"),
        (("search", "a", "x"), ("search", "x", "a"), "removed from rank 1"),
        (("search", "a"), ("search", "x"), "lost"),
    ],
)
def test_the_bucket_is_that_of_a_comparison(
    before: tuple[str, ...], after: tuple[str, ...], bucket: str
) -> None:
    first, second = answered(*before), answered(*after)
    [change] = compare(first, second).suites[0].changes
    shown = report_ranking_change(first, second, "q").data["bucket"]
    assert (shown, str(change.bucket)) == (bucket, bucket)
