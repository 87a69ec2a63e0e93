"""Two runs of queries that nobody has judged: how alike they are, and no more."""

from __future__ import annotations

from cranfield.comparisons import compare
from cranfield.model import Hit, Query, Suite
from cranfield.reports.any_report import report
from cranfield.runs.runner import run_suite

TEXTS = ("same", "half", "none", "empty")
A = {"same": ["a", "b"], "half": ["a", "b"], "none": ["a"], "empty": []}
B = {"same": ["a", "b"], "half": ["b", "a", "c", "d"], "none": ["b"], "empty": []}


def test_unjudged_runs_are_compared_by_the_hits_they_share() -> None:
    queries = tuple(Query(text, text, {"anything": True}) for text in TEXTS)
    suite = Suite("list", "unjudged", queries)
    a, b = (
        run_suite(suite, lambda text, _, hits=hits: [Hit(name) for name in hits[text]])
        for hits in (A, B)
    )
    said = (
        "nothing says which hits are right, so this is not a verdict on quality; the first 10 hits "
        "of both share 62% on average, and 2 of 4 rankings are the same"
    )
    compared = compare(a, b)
    assert said in compared.suites[0].warnings
    assert f"warning: {said}" in report(compared)


def test_judged_runs_say_nothing_of_shared_hits() -> None:
    suite = Suite("list", "judged", (Query("q", "q", {"ids": ["a"]}),))
    a, b = (run_suite(suite, lambda *_: [Hit("a")]) for _ in range(2))
    assert compare(a, b).suites[0].warnings == ()
