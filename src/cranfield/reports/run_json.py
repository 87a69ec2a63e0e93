"""Runs as JSON, by a published schema: docs/schemas/run.json."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.reports.facts import (
    SCHEMA_VERSION,
    as_json,
    group_facts,
    run_facts,
    threshold_facts,
    volatile_facts,
)
from cranfield.reports.runs import RUN_FORMATS, RunFormat

if TYPE_CHECKING:
    from cranfield.model import Query
    from cranfield.reports.runs import ReportedRun, RunReport
    from cranfield.runs import Answer

__all__ = ["render_run_json"]


def render_run_json(report: RunReport) -> str:
    """Write all runs; times and ids are under `volatile` and nowhere else."""
    runs, volatile = [], []
    for each in report.runs:
        answers = list(each.answers())
        runs.append(_run(each, answers))
        seconds = {query.id: answer.response.seconds for query, answer in answers}
        volatile.append({**volatile_facts(each.run.header), "seconds": seconds})
    written = {
        "kind": "run",
        "schema_version": SCHEMA_VERSION,
        "volatile": volatile,
        "runs": runs,
    }
    return as_json(written)


def _run(each: ReportedRun, answers: list[tuple[Query, Answer]]) -> dict[str, Any]:
    summary = each.summary
    return {
        **run_facts(each.run),
        "statuses": {str(status): count for status, count in sorted(summary.statuses.items())},
        "overall": group_facts(summary.overall),
        "categories": {name: group_facts(group) for name, group in summary.categories.items()},
        "gate": {"passed": each.gate.passed, "thresholds": threshold_facts(each.gate)},
        "queries": [_query(each, query, answer) for query, answer in answers],
    }


def _query(each: ReportedRun, query: Query, answer: Answer) -> dict[str, Any]:
    response = answer.response
    names = each.run.header.measures
    return {
        "id": query.id,
        "text": query.text,
        "category": query.category,
        "language": query.language,
        "status": str(response.status),
        "message": response.message,
        "route": response.route,
        "flags": list(response.flags),
        "first_rank": answer.first_rank,
        "values": dict(zip(names, answer.values, strict=True)),
        "undefined": {names[place]: reason for place, reason in answer.reasons.items()},
        "hits": [{"id": hit.id, "score": hit.score} for hit in response.hits],
    }


RUN_FORMATS.register("json", RunFormat("json", render_run_json))
