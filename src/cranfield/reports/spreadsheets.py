"""Runs and comparisons as CSV: one line a query."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from cranfield.reports.comparisons import COMPARE_FORMATS, CompareFormat
from cranfield.reports.runs import RUN_FORMATS, RunFormat

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cranfield.comparisons import QueryChange, SuiteComparison
    from cranfield.reports.comparisons import CompareReport
    from cranfield.reports.runs import ReportedRun, RunReport

__all__ = ["render_compare_csv", "render_run_csv", "write_csv"]


def write_csv(columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> str:
    """Write rows under their columns; what a row does not have stays empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def render_run_csv(report: RunReport) -> str:
    """Write every query of every run; a column for each measure that any run has."""
    measures = dict.fromkeys(name for each in report.runs for name in each.run.header.measures)
    fixed = ("suite", "system", "query", "text", "category", "language", "status", "rank")
    return write_csv([*fixed, *measures], (row for each in report.runs for row in _run_rows(each)))


def _run_rows(each: ReportedRun) -> Iterable[dict[str, Any]]:
    header, outcomes = each.run.header, each.outcomes
    for place, query in enumerate(outcomes.queries):
        yield {
            "suite": header.suite.id,
            "system": header.name,
            "query": query.id,
            "text": query.text,
            "category": query.category,
            "language": query.language,
            "status": outcomes.statuses[place],
            "rank": outcomes.first_ranks[place],
            **dict(zip(header.measures, outcomes.figures(place), strict=True)),
        }


def render_compare_csv(report: CompareReport) -> str:
    """Write every query in both arms, whatever is shown elsewhere."""
    suites = report.comparison.suites
    measures = dict.fromkeys(str(each.measure) for suite in suites for each in suite.measures)
    fixed = ("suite", "query", "text", "category", "bucket", "status_a", "status_b")
    columns = [
        *fixed,
        "rank_a",
        "rank_b",
        *(f"{name} {side}" for name in measures for side in "AB"),
    ]
    rows = (_change_row(suite, change) for suite in suites for change in suite.changes)
    return write_csv(columns, rows)


def _change_row(suite: SuiteComparison, change: QueryChange) -> dict[str, Any]:
    values = {
        f"{each.measure} {side}": found.get(each.measure)
        for each in suite.measures
        for side, found in (("A", change.values_a), ("B", change.values_b))
    }
    return {
        "suite": suite.suite_id,
        "query": change.query.id,
        "text": change.query.text,
        "category": change.query.category,
        "bucket": change.bucket,
        "status_a": change.status_a,
        "status_b": change.status_b,
        "rank_a": change.rank_a,
        "rank_b": change.rank_b,
        **values,
    }


RUN_FORMATS.register("csv", RunFormat("csv", render_run_csv))
COMPARE_FORMATS.register("csv", CompareFormat("csv", render_compare_csv))
