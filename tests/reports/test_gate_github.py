"""GitHub's summary and comment: readable tables that no query can break."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.runs.samples import right_first, right_never, right_second, small_suite

from cranfield.formats import render
from cranfield.formats.github_format import MARKER, escape
from cranfield.gates.baselines import make_baseline
from cranfield.gates.gated_runs import GatedRun, gate_run
from cranfield.model import Query, RegressionRules, Suite, Threshold
from cranfield.reports.gate_report import report_gates
from cranfield.runs.runner import run_suite

if TYPE_CHECKING:
    from collections.abc import Callable

ACCEPTED = {"date": "2026-11-01", "author": "ann", "reason": "the release", "commit": "abc1234"}
FORMATS = ("github", "comment")
MEASURES = (("RR", 10), ("P", 1), ("P", 5), ("nDCG", 10), ("DCG", 10))
NASTY = "a | b\n| - | <script>alert(1)</script> <!-- @octocat #12 GH-1 `x` ![y](http://z) \\| &lt;"


def gated(
    suite: Suite,
    before: Callable[[str, int], list[str]] = right_first,
    after: Callable[[str, int], list[str]] = right_second,
) -> GatedRun:
    baseline = make_baseline(run_suite(suite, before), "main", ACCEPTED)
    return gate_run(run_suite(suite, after), baseline)


def summary(*gated: GatedRun) -> str:
    return render(report_gates(gated), "github")


def nasty_suite() -> Suite:
    query = Query(NASTY, NASTY, {"ids": f"doc {NASTY}"}, category=NASTY)
    rules = RegressionRules(protected=(NASTY,))
    return Suite("nasty", "canonical", (query,), rules=rules)


def rendered(markdown: str) -> str:
    """Render as GitHub would, tables and raw HTML included."""
    library: Any = pytest.importorskip("markdown_it", reason="needs markdown-it-py to render")
    text: str = library.MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown)
    return text


def rows(markdown: str) -> list[list[str]]:
    """Read the cells of every row that is rendered."""
    found = re.findall(r"<tr>(.*?)</tr>", rendered(markdown), re.S)
    return [
        [
            html.unescape(re.sub(r"<[^>]*>", "", cell)).strip()
            for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)
        ]
        for row in found
    ]


def test_the_headline_has_the_outcome() -> None:
    suite = small_suite(2)
    failed = summary(gated(suite, after=right_never))
    assert failed.startswith("## ❌ Search quality: failed\n\n### ❌ small\n")
    passed = summary(gated(suite, after=right_first))
    assert passed.startswith("## ✅ Search quality: passed\n\n### ✅ small\n")
    assert "- ✅ no query changed\n" in passed


def test_categories_stand_side_by_side_before_and_after() -> None:
    table = rows(summary(gated(small_suite(4, "files"))))
    assert table[4:8] == [
        ["compared, by Pass", "queries", "before", "after", "difference", "worse", "improved"],
        ["all", "4", "4/4", "4/4", "+0", "0", "0"],
        ["even", "2", "2/2", "2/2", "+0", "0", "0"],
        ["odd", "2", "2/2", "2/2", "+0", "0", "0"],
    ]


def test_changed_queries_are_shown_with_ranks_and_hits() -> None:
    text = summary(gated(small_suite(1)))
    moved = "RR@\u200b10 1.0000 → 0.5000"
    assert rows(text)[-2:] == [
        ["query", "text", "category", "change", "value", "rank", "expected", "got"],
        [
            "q0",
            "word0",
            "even",
            "removed from rank 1",
            moved,
            "1 → 2",
            "doc-0",
            "doc-x, doc-0, doc-y",
        ],
    ]
    assert "\ngot worse&#58; 1\n" in text


def test_without_a_baseline_only_what_is_there_is_shown() -> None:
    run = run_suite(small_suite(2, gate=(Threshold("P@1", 0.5),)), right_first)
    right = ["1.0000", "1.0000", "0.2000", "1.0000", "1.0000"]
    table = rows(summary(gate_run(run)))
    assert table == [
        ["", "queries", *(f"{name}@\u200b{cutoff}" for name, cutoff in MEASURES)],
        ["all", "2", *right],
        ["even", "1", *right],
        ["odd", "1", *right],
        ["threshold", "of", "reached", "result"],
        ["P@\u200b1 ≥ 0.5", "all", "1.0000", "reached"],
    ]


@pytest.mark.parametrize(("name", "most"), [("github", 50), ("comment", 10)])
def test_many_changes_are_cut_and_counted(name: str, most: int) -> None:
    text = render(report_gates([gated(small_suite(70))]), name)
    assert text.count("| <code>q") == most
    assert "\ngot worse&#58; 70\n" in text
    assert f"… and {70 - most} more of 70\n" in text


def test_stale_notes_stand_above_the_tables() -> None:
    suite = small_suite(3)
    fewer = replace(suite, queries=suite.queries[:2])
    baseline = make_baseline(run_suite(fewer, right_first), "main", ACCEPTED)
    for name in FORMATS:
        text = render(report_gates([gate_run(run_suite(suite, right_first), baseline)]), name)
        assert text.index("- ⚠️ the baseline is stale&#58; 1 query was added") < text.index("|")
        assert "- ⚠️ not compared&#58; q2\n" in text


def test_a_comment_begins_with_its_mark_and_is_the_shorter_one() -> None:
    report = report_gates([gated(small_suite(30, gate=(Threshold("P@1", 0.5),)))])
    comment = render(report, "comment")
    assert comment.splitlines()[0] == MARKER == "<!-- cranfield gate -->"
    assert len(comment) < len(render(report, "github"))
    assert "RR&#64;&#8203;10" in comment


@pytest.mark.parametrize("name", FORMATS)
def test_a_skipped_gate_says_why(name: str) -> None:
    text = render(report_gates([], "none of the 2 changed paths fits src/**"), name)
    assert "## ⏭️ Search quality: skipped\n" in text
    assert "fits src/&#42;&#42;\n" in text


@pytest.mark.parametrize("name", FORMATS)
def test_no_query_breaks_the_table_or_brings_markup(name: str) -> None:
    suite = nasty_suite()
    good: Callable[[str, int], list[str]] = lambda _text, _limit: [f"doc {NASTY}"]  # noqa: E731
    bad: Callable[[str, int], list[str]] = lambda _text, _limit: [NASTY]  # noqa: E731
    text = render(report_gates([gated(suite, good, bad)]), name)
    page = rendered(text.removeprefix(f"{MARKER}\n"))
    tags = set(re.findall(r"<(/?[a-zA-Z!][^\s>]*)", page))
    known = {"h2", "h3", "p", "ul", "li", "table", "thead", "tbody", "tr", "th", "td", "code"}
    assert {tag.removeprefix("/") for tag in tags} <= known
    assert [len(row) for row in rows(text)[-2:]] == [8, 8]
    shown = html.unescape(page)
    assert "octocat" in shown
    assert not re.search(r"@\w|#\d", shown)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_is_shown_as_it_is_in_one_line(text: str) -> None:
    written = escape(text, 10_000)
    assert not set('<>|`*_[]{}@\\~!"\n\r') & set(written)
    page = rendered(f"x{written}x")
    assert page.startswith("<p>x")
    assert re.fullmatch(r"<p>[^<]*</p>\n", page)


def test_marks_that_turn_the_direction_of_text_are_replaced() -> None:
    assert escape("a\u202eb\u2066c") == "a�b�c"


def test_runs_that_failed_come_first() -> None:
    good = replace(small_suite(2), id="good")
    bad = replace(small_suite(2), id="bad")
    text = render(
        report_gates([gated(good, after=right_first), gated(bad, after=right_never)]), "comment"
    )
    assert text.index("### ❌ bad") < text.index("### ✅ good")


@pytest.mark.corpus
def test_a_comment_stays_within_what_github_takes() -> None:
    words = "&" * 200
    queries = tuple(Query(f"q{n}", f"word{n} {words}", {"ids": f"doc-{n}"}) for n in range(12))
    suites = [Suite(f"s{number}", "canonical", queries) for number in range(30)]

    def right(text: str, limit: int) -> list[str]:
        return right_first(text.split(maxsplit=1)[0], limit)

    def wrong(text: str, limit: int) -> list[str]:
        return [words, words, words]

    text = render(report_gates([gated(suite, right, wrong) for suite in suites]), "comment")
    assert len(text.encode()) < 65_536
    assert re.search(r"… and \d+ more suites, too long to be shown here\n$", text)
