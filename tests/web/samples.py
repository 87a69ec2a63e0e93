"""A comparison to look at, with hostile content in every place that a system or suite fills."""

from __future__ import annotations

from functools import cache

from cranfield.comparisons import compare
from cranfield.formats import render
from cranfield.model import Hit, Query, Response, Status, Suite
from cranfield.reports.comparison_report import report_comparison
from cranfield.runs.runner import run_suite

__all__ = ["HOSTILE", "hostile_page", "plain_page", "two_class_page"]

HOSTILE = (
    "<script>window.pwned = 1</script>",
    "</script><script>window.pwned = 2</script>",
    '"><img src=x onerror="window.pwned = 3">',
    "javascript:window.pwned=4",
    "\u202egnp.exe\u202c",
    "\x1b[31mred\x1b[0m",
    "{{ 7 * 7 }}{% raw %}",
    "x" * 100_000,
)


def _answer(text: str, *, is_good: bool) -> Response:
    number = int(text.rpartition(" ")[2])
    right = Hit(f"doc-{number}", 2.0, f"The page about {text}", {"title": f"Page {number}"})
    other = Hit("https://example.org/other", 1.0, "", {"kind": "guide"})
    if number == 3 and is_good:
        return Response.failed(Status.TIMEOUT, "no answer within 5 s")
    first = right if is_good or number % 5 == 0 else other
    return Response.of((first, other if first is right else right))


def good(text: str, limit: int) -> Response:
    return _answer(text, is_good=number_of(text) != 7)


def poor(text: str, limit: int) -> Response:
    return _answer(text, is_good=number_of(text) == 7)


def number_of(text: str) -> int:
    return int(text.rpartition(" ")[2])


@cache
def plain_page(count: int = 40) -> str:
    queries = tuple(
        Query(
            f"q{number}",
            f"how to find {number}",
            {"ids": f"doc-{number}"},
            category="even" if number % 2 == 0 else "odd",
        )
        for number in range(count)
    )
    suite = Suite("small", "canonical", queries)
    return render(
        report_comparison(compare(run_suite(suite, poor), run_suite(suite, good))), "html"
    )


@cache
def two_class_page() -> str:
    """Compare two suites of different classes, whose rules are patterns."""
    made = [
        Suite(
            name,
            query_class,
            tuple(
                Query(f"q{number}", f"how to find {number}", {"matches": f"^doc-{number}$"})
                for number in range(count)
                if number != 3
            ),
        )
        for name, query_class, count in (("names", "canonical", 6), ("short", "acronym", 3))
    ]
    first, second = ([run_suite(suite, system) for suite in made] for system in (poor, good))
    return render(report_comparison(compare(first, second)), "html")


@cache
def hostile_page(texts: tuple[str, ...] = HOSTILE) -> str:
    """Put hostile text into query, id, title, field, route, flag, message and label."""
    queries = tuple(
        Query(f"q{place} {text[:200]}", text, {"ids": text}, category=text[:200])
        for place, text in enumerate(texts)
    )
    suite = Suite("<b>suite</b>", "canonical", queries)

    def echo(text: str, limit: int) -> Response:
        hit = Hit(text, 1.0, text, {"title": text, "explanation": text, text[:50]: text})
        return Response.of((hit,), route=text, flags=(text[:50],))

    def fail(text: str, limit: int) -> Response:
        return Response.failed(Status.ERROR, text)

    return render(
        report_comparison(compare(run_suite(suite, fail), run_suite(suite, echo))), "html"
    )
