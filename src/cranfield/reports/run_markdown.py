"""Runs as Markdown: what was run, the means, the gate, what was not answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.reports.facts import gate_rows
from cranfield.reports.markdown import markdown_table, run_cells
from cranfield.reports.runs import RUN_FORMATS, RunFormat
from cranfield.tables import show_value

if TYPE_CHECKING:
    from cranfield.reports.runs import ReportedRun, RunReport

__all__ = ["render_run_markdown"]


def render_run_markdown(report: RunReport) -> str:
    """Write one section a run."""
    return "\n".join(_run(each, per_query=report.per_query) for each in report.runs)


def _run(each: ReportedRun, *, per_query: bool) -> str:
    header = each.run.header
    parts = [
        f"# {header.suite.id}: {header.name}\n",
        markdown_table(
            [["system", "run", "started", "queries", "k", "files"], run_cells(each.run)]
        ),
        "## Means\n",
        _means(each),
        _gate(each),
        _queries(each, per_query=per_query),
    ]
    return "\n".join(part for part in parts if part)


def _means(each: ReportedRun) -> str:
    groups = {"all": each.summary.overall, **each.summary.categories}
    rows = [["", "queries", *map(str, each.run.measures)]]
    rows += [
        [name, str(group.count), *(show_value(group.means[each_]) for each_ in each.run.measures)]
        for name, group in groups.items()
    ]
    return markdown_table(rows)


def _gate(each: ReportedRun) -> str:
    rows = gate_rows(each)
    if not rows:
        return ""
    rows = [["threshold", "of", "reached", "result"], *rows]
    return f"## Gate {'passed' if each.gate.passed else 'failed'}\n\n{markdown_table(rows)}"


def _queries(each: ReportedRun, *, per_query: bool) -> str:
    rows = [
        [
            query.id,
            query.text,
            str(answer.response.status),
            "–" if answer.first_rank is None else str(answer.first_rank),
            answer.response.message,
        ]
        for query, answer in each.answers()
        if per_query or answer.response.status.is_failure
    ]
    if not rows:
        return ""
    title = "Queries" if per_query else "Not answered"
    return (
        f"## {title}\n\n{markdown_table([['query', 'text', 'status', 'rank', 'message'], *rows])}"
    )


RUN_FORMATS.register("markdown", RunFormat("markdown", render_run_markdown))
