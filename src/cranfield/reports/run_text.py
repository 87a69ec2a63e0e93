"""Runs as plain text: the means, the gate, what failed, and each query if asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.model import Status
from cranfield.reports.facts import gate_rows
from cranfield.reports.runs import RUN_FORMATS, RunFormat
from cranfield.runs import find_doubts
from cranfield.tables import align, printable, show_value

if TYPE_CHECKING:
    from cranfield.model import Query
    from cranfield.reports.runs import ReportedRun, RunReport
    from cranfield.runs import Answer

__all__ = ["render_run_text", "shorten"]

_MOST_SHOWN = 10
_QUERY_WIDTH = 44


def render_run_text(report: RunReport) -> str:
    """Write one part a run."""
    return "\n".join(_run(each, per_query=report.per_query) for each in report.runs)


def shorten(text: str, width: int = _QUERY_WIDTH) -> str:
    """Cut a query's text to one line of a table."""
    line = printable(" ".join(text.split()))
    return line if len(line) <= width else line[: width - 1] + "…"


def _run(each: ReportedRun, *, per_query: bool) -> str:
    header = each.run.header
    count, query_class = each.summary.overall.count, header.suite.query_class
    parts = [
        f"{header.suite.id}: {header.name}, {count} queries of the class {query_class}\n",
        _means(each),
        _notes(each),
        _gate(each),
        _per_query(each) if per_query else _failed(each),
        f"run {header.id} is stored in {each.run.store.name}\n",
    ]
    return "\n".join(part for part in parts if part)


def _means(each: ReportedRun) -> str:
    summary = each.summary
    groups = {"all": summary.overall, **summary.categories}
    if len(groups) == 2:
        del groups[next(iter(summary.categories))]
    measures = each.run.measures
    rows = [["", "queries", *map(str, measures)]]
    for name, group in groups.items():
        shown = [
            show_value(group.means[measure], is_count=measure.family.is_count)
            for measure in measures
        ]
        rows.append([name, str(group.count), *shown])
    return align(rows)


def _notes(each: ReportedRun) -> str:
    statuses = each.summary.statuses
    failed = {status: count for status, count in statuses.items() if status.is_failure}
    lines = []
    if failed:
        counts = ", ".join(f"{count} {status}" for status, count in failed.items())
        lines.append(f"{sum(failed.values())} queries were not answered ({counts}) and score 0\n")
    if statuses.get(Status.EMPTY):
        lines.append(f"{statuses[Status.EMPTY]} queries had no result\n")
    lines += [
        f"{measure} is over the {defined} queries that have a value\n"
        for measure, defined in each.summary.overall.defined.items()
        if 0 < defined < each.summary.overall.count
    ]
    told = [*each.run.header.changes, *find_doubts(each.run, each.outcomes)]
    lines += [f"warning: {change}\n" for change in told]
    return "".join(lines)


def _gate(each: ReportedRun) -> str:
    rows = gate_rows(each)
    if not rows:
        return ""
    verdict = "passed" if each.gate.passed else "FAILED"
    return f"gate {verdict}\n" + align(rows, left=2)


def _failed(each: ReportedRun) -> str:
    """List the first queries that were not answered."""
    lines = [
        f"  {query.id}  {shorten(query.text)}  {answer.response.status}: "
        f"{shorten(answer.response.message, 80)}\n"
        for query, answer in _first_failures(each)
    ]
    return "".join(["not answered:\n", *lines]) if lines else ""


def _first_failures(each: ReportedRun) -> list[tuple[Query, Answer]]:
    if not any(status.is_failure for status in each.summary.statuses):
        return []
    failures = [
        (query, answer) for query, answer in each.answers() if answer.response.status.is_failure
    ]
    return failures[:_MOST_SHOWN]


def _per_query(each: ReportedRun) -> str:
    measures = each.run.measures
    rows = [["query", "text", "status", "rank", *map(str, measures)]]
    outcomes = each.outcomes
    for place, query in enumerate(outcomes.queries):
        values = ["–" if value is None else f"{value:.4f}" for value in outcomes.figures(place)]
        rank = outcomes.first_ranks[place]
        rows.append(
            [
                query.id,
                shorten(query.text),
                str(outcomes.statuses[place] or "not asked"),
                "–" if rank is None else str(rank),
                *values,
            ]
        )
    return align(rows, left=3)


RUN_FORMATS.register("text", RunFormat("text", render_run_text))
