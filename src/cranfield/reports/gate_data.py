"""Gates as plain values: the document of docs/schemas/gate.json, and a record for each query."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

from cranfield.formats import CellKind, Column, Table
from cranfield.gates import ChangeKind
from cranfield.reports.run_facts import (
    RECORD_COLUMNS,
    REPORT_SCHEMA_VERSION,
    choose_answer,
    group_facts,
    measure_column,
    pick,
    record_cells,
    run_facts,
    threshold_facts,
    volatile_facts,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.gates import Baseline, Change, GatedRun
    from cranfield.runs import Answer

__all__ = ["answers_by_place", "changes_by_query", "gate_data", "gate_records"]


def gate_data(gated: Sequence[GatedRun], skipped: str = "") -> dict[str, Any]:
    """Write everything that was judged; times and ids are under `volatile` and nowhere else."""
    return {
        "kind": "gate",
        "schema_version": REPORT_SCHEMA_VERSION,
        "volatile": [_volatile(each) for each in gated],
        "passed": all(each.passed for each in gated),
        "skipped": skipped,
        "runs": [_run(each) for each in gated],
    }


def answers_by_place(gated: GatedRun) -> dict[int, Answer]:
    """Read one answer a query: of a repetition that failed, or else of the first."""
    chosen: dict[int, Answer] = {}
    for answer in gated.run.store.answers(gated.run.header.id):
        before = [chosen[answer.place]] if answer.place in chosen else []
        ordered = sorted([*before, answer], key=lambda each: each.repeat)
        chosen[answer.place] = choose_answer(ordered) or answer
    return chosen


def changes_by_query(gated: GatedRun) -> dict[str, Change]:
    """Return what became of each query that was compared, by its id."""
    known = gated.regressions.changes if gated.regressions else ()
    return {change.query.id: change for change in known}


def gate_records(gated: Sequence[GatedRun]) -> Table:
    """List every query of every run, with what became of it."""
    measures = {str(measure): measure for each in gated for measure in each.run.measures}
    columns = (
        *RECORD_COLUMNS,
        Column("change"),
        Column("before", CellKind.VALUE),
        Column("after", CellKind.VALUE),
        *map(measure_column, measures.values()),
    )
    rows = []
    for each in gated:
        changes = changes_by_query(each)
        for place, query in enumerate(each.outcomes.queries):
            change = changes.get(query.id)
            moved = (str(change.kind), change.before, change.after) if change else (None,) * 3
            values = dict(zip(each.run.header.measures, each.outcomes.figures(place), strict=True))
            figures = [values.get(name) for name in measures]
            rows.append((*record_cells(each.run, each.outcomes, place), *moved, *figures))
    return Table(columns, tuple(rows), labels=4)


def _volatile(gated: GatedRun) -> dict[str, Any]:
    pairs = zip(gated.outcomes.queries, gated.outcomes.seconds.tolist(), strict=True)
    return {
        **volatile_facts(gated.run.header),
        "latency": {
            each.name: pick(each, "seconds", "before", "at_most") for each in gated.latencies
        },
        "seconds": {query.id: None if isnan(seconds) else seconds for query, seconds in pairs},
    }


def _run(gated: GatedRun) -> dict[str, Any]:
    summary, regressions = gated.summary, gated.regressions
    return {
        **run_facts(gated.run),
        "passed": gated.passed,
        "results": [pick(each, "rule", "severity", "message", "queries") for each in gated.results],
        "baseline": _baseline(gated.baseline) if gated.baseline else None,
        "stale": list(regressions.stale) if regressions else [],
        "left_out": list(regressions.left_out) if regressions else [],
        "statuses": {str(status): count for status, count in sorted(summary.statuses.items())},
        "not_asked": gated.outcomes.statuses.count(None),
        "overall": group_facts(summary.overall),
        "categories": {name: group_facts(group) for name, group in summary.categories.items()},
        "thresholds": threshold_facts(gated.thresholds),
        "compared": _compared(gated) if regressions else None,
        "queries": _queries(gated),
    }


def _baseline(baseline: Baseline) -> dict[str, Any]:
    return {
        **pick(baseline, "name", "suite_hash", "system"),
        "k": baseline.limit,
        **pick(baseline, "repeats", "measures"),
        **pick(baseline.accepted, "run", "date", "author", "reason", "commit", "means"),
        "files": baseline.files,
    }


def _compared(gated: GatedRun) -> dict[str, Any]:
    """Write before and after; if passing is measured, these count queries, else they are means."""
    changes = gated.regressions.changes if gated.regressions else ()
    kinds = [change.kind for change in changes]
    return {
        "measure": gated.measure if changes else None,
        "counts": {str(kind): kinds.count(kind) for kind in ChangeKind},
        "groups": [
            pick(each, "name", "queries", "before", "after", "regressed", "improved")
            for each in gated.groups
        ],
    }


def _queries(gated: GatedRun) -> list[dict[str, Any]]:
    changes, answers = changes_by_query(gated), answers_by_place(gated)
    outcomes, names = gated.outcomes, gated.run.header.measures
    return [
        {
            **pick(query, "id", "text", "category", "language"),
            "status": str(outcomes.statuses[place]) if outcomes.statuses[place] else None,
            "first_rank": outcomes.first_ranks[place],
            "values": dict(zip(names, outcomes.figures(place), strict=True)),
            "change": _change(changes.get(query.id)),
            "expect": dict(query.expect),
            **_answer(answers.get(place)),
        }
        for place, query in enumerate(outcomes.queries)
    ]


def _change(change: Change | None) -> dict[str, Any] | None:
    if change is None:
        return None
    return pick(change, "kind", "before", "after", "rank_before", "rank_after", "chance")


def _answer(answer: Answer | None) -> dict[str, Any]:
    response = answer.response if answer else None
    return {
        "message": response.message if response else "it has not been asked yet",
        "route": response.route if response else "",
        "hits": [hit.id for hit in response.hits] if response else [],
    }
