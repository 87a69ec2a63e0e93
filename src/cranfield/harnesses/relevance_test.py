"""Runs in the shape of the desktop search's relevance test: its CSV and its summary."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError
from cranfield.formats import Detail, align, write_csv
from cranfield.measures import parse_measure
from cranfield.runs.grading import remeasure
from cranfield.runs.regrading import regrade_by
from cranfield_shared.plain_text import printable, printable_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cranfield.comparisons import Comparison, SuiteComparison
    from cranfield.formats import Report
    from cranfield.model import Query
    from cranfield.runs.records import Answer
    from cranfield.runs.runner import Run

__all__ = ["render_csv", "render_summary"]

_CLASS = "files"
_PASS = parse_measure("Pass")
_COLUMNS = (
    "id", "query", "category", "expected_file", "actual_rank", "actual_top3", "result",
    "fts5_score", "semantic_score", "merged_score",
)  # fmt: skip
_DEFAULT_THRESHOLD = 0.80
_MOSTLY = 0.5


def render_csv(report: Report) -> str:
    """Write one line a query; scores are those of the hit that was expected."""
    return write_csv(_COLUMNS, (row for each in report.subject for row in _rows(each.run)))


def _rows(run: Run) -> Iterator[tuple[Any, ...]]:
    for query, answer in _judged(run):
        hits = answer.response.hits
        rank = answer.first_rank
        found = hits[rank - 1] if rank is not None and rank <= len(hits) else None
        yield (
            query.id,
            query.text,
            query.category,
            "|".join(_expected(query)),
            rank if _expected(query) else None,
            "|".join(hit.id for hit in hits[:3]),
            "PASS" if answer.values[0] == 1.0 else "FAIL",
            found and found.fields.get("fts5_score"),
            found and found.fields.get("semantic_score"),
            found and found.score,
        )


def _judged(run: Run) -> list[tuple[Query, Answer]]:
    """Return every query with its first answer; it passed if most of its repetitions did."""
    if (query_class := run.header.suite.query_class) != _CLASS:
        raise CranfieldError(
            f"relevance-csv and relevance-summary report suites of the class {_CLASS}, and "
            f"{run.header.suite.id} is {query_class}"
        )
    passed = regrade_by(run, [_PASS]).outcomes().values[:, 0]
    return [
        (query, replace(answer, values=(float(passed[answer.place] > _MOSTLY),)))
        for query, answer in remeasure(run, [_PASS])
    ]


def render_summary(report: Report) -> str:
    """Write each run's counts by category, and its failures; of a comparison, both arms."""
    if report.kind == "comparison":
        parts = [_comparison(report.subject)]
    else:
        parts = [_summary(each.run) for each in report.subject]
    demands = [line for line in report.lines if line.detail is Detail.NONE]
    shown = "\n".join([*parts, *(f"{line.label} {line.text}\n" for line in demands)])
    return printable_lines(shown)


def _summary(run: Run) -> str:
    header = run.header
    answered = _judged(run)
    passed, total = _passes(answered)
    threshold = next(
        (
            each.at_least
            for each in header.suite.gate
            if each.measure == str(_PASS) and not each.category
        ),
        _DEFAULT_THRESHOLD,
    )
    ok = passed / total >= threshold
    categories = dict.fromkeys(query.category for query, _ in answered)
    width = max(map(len, categories), default=0) + 1
    lines = []
    for name in categories:
        right, count = _passes([pair for pair in answered if pair[0].category == name])
        share = f"({right / count:4.0%})"
        lines.append(f"  {name + ':':<{width}} {f'{right}/{count}':>7} {share}\n")
    mark = "✓ PASS" if ok else "✗ FAIL"
    failures = [(query, answer) for query, answer in answered if answer.values[0] != 1.0]
    return (
        "=== Relevance Test ===\n"
        f"Fixture:    {header.suite.fixture or header.suite.id}\n"
        f"Mode:       {header.name}\n"
        f"Date:       {_to_the_second(header.started)}\n\n"
        f"Results by category:\n{''.join(lines)}\n"
        f"TOTAL: {passed}/{total} ({passed / total:.0%})  {mark} (threshold: {threshold:.0%})\n"
        + _failures(failures)
    )


def _to_the_second(started: str) -> str:
    return f"{datetime.fromisoformat(started).astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _passes(answered: list[tuple[Query, Answer]]) -> tuple[int, int]:
    return sum(answer.values[0] == 1.0 for _, answer in answered), len(answered)


def _failures(failures: list[tuple[Query, Answer]]) -> str:
    if not failures:
        return ""
    lines = [
        printable(
            f"  {query.id}: {query.text}   expected: {' or '.join(_expected(query)) or '(any)'}   "
            f"actual top 3: [{', '.join(hit.id for hit in answer.response.hits[:3])}]"
            f"{_why(answer)}"
        )
        + "\n"
        for query, answer in failures
    ]
    return "\nFailures:\n" + "".join(lines)


def _why(answer: Answer) -> str:
    if answer.response.status.is_failure:
        return f" ({answer.response.status}: {answer.response.message})"
    return "" if answer.response.hits else " (no results)"


def _expected(query: Query) -> list[str]:
    expected = query.expect.get("files", query.expect.get("matches", []))
    return [expected] if isinstance(expected, str) else [str(each) for each in expected]


def _comparison(comparison: Comparison) -> str:
    """Write the summary of both arms and the table that sets them side by side."""
    parts = []
    for suite in comparison.suites:
        parts += [_summary(run) for run in (suite.runs.a, suite.runs.b)]
        parts.append(_side_by_side(comparison, suite))
    return "\n".join(parts)


def _side_by_side(comparison: Comparison, suite: SuiteComparison) -> str:
    names = (comparison.name_a, comparison.name_b)
    paired = {change.query.id for change in suite.changes}
    passes = [
        {
            query.id: (query.category, answer.values[0] == 1.0)
            for query, answer in _judged(run)
            if query.id in paired
        }
        for run in (suite.runs.a, suite.runs.b)
    ]
    categories = dict.fromkeys(category for category, _ in passes[0].values())
    rows = [["", *names, "Delta"]]
    for category in [*categories, "TOTAL"]:
        counts = [
            [right for name, right in arm.values() if category in (name, "TOTAL")] for arm in passes
        ]
        delta = sum(counts[1]) - sum(counts[0])
        shown = [f"{sum(each)}/{len(each)}" for each in counts]
        rows.append([category, *shown, f"{delta:+d}" if delta else "0"])
    better = sum(passes[1][name][1] and not right for name, (_, right) in passes[0].items())
    worse = sum(right and not passes[1][name][1] for name, (_, right) in passes[0].items())
    return (
        f"A/B comparison:\n{align(rows)}\n"
        f"Improved:    {better} queries\n"
        f"Regressions: {worse} queries worse\n"
    )
