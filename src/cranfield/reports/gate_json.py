"""Gates as JSON: everything that was judged, and all that it was judged by."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

from cranfield.gates import ChangeKind
from cranfield.reports.facts import (
    SCHEMA_VERSION,
    as_json,
    group_facts,
    run_facts,
    threshold_facts,
    volatile_facts,
)
from cranfield.reports.gate_facts import (
    choose_answer,
    deciding_measure,
    group_changes,
    latency_facts,
)
from cranfield.reports.gates import GATE_FORMATS, GateFormat

if TYPE_CHECKING:
    from cranfield.gates import Baseline, Change, GatedRun
    from cranfield.reports.gates import GateReport
    from cranfield.runs import Answer

__all__ = ["answers_by_place", "render_gate_json"]


def render_gate_json(report: GateReport) -> str:
    """Write all runs; times and ids are under `volatile` and nowhere else."""
    written = {
        "kind": "gate",
        "schema_version": SCHEMA_VERSION,
        "volatile": [_volatile(each) for each in report.runs],
        "passed": report.passed,
        "skipped": report.skipped,
        "runs": [_run(each) for each in report.runs],
    }
    return as_json(written)


def answers_by_place(gated: GatedRun) -> dict[int, Answer]:
    """Read one answer a query: of a repetition that failed, or else of the first."""
    chosen: dict[int, Answer] = {}
    for answer in gated.run.store.answers(gated.run.header.id):
        before = [chosen[answer.place]] if answer.place in chosen else []
        told = sorted([*before, answer], key=lambda each: each.repeat)
        chosen[answer.place] = choose_answer(told) or answer
    return chosen


def _volatile(gated: GatedRun) -> dict[str, Any]:
    pairs = zip(gated.outcomes.queries, gated.outcomes.seconds.tolist(), strict=True)
    return {
        **volatile_facts(gated.run.header),
        "latency": latency_facts(gated),
        "seconds": {query.id: None if isnan(seconds) else seconds for query, seconds in pairs},
    }


def _run(gated: GatedRun) -> dict[str, Any]:
    summary, regressions = gated.summary, gated.regressions
    return {
        **run_facts(gated.run),
        "passed": gated.passed,
        "results": [
            {
                "rule": each.rule,
                "severity": str(each.severity),
                "message": each.message,
                "queries": list(each.queries),
            }
            for each in gated.results
        ],
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
    accepted = baseline.accepted
    return {
        "name": baseline.name,
        "suite_hash": baseline.suite_hash,
        "system": baseline.system,
        "k": baseline.limit,
        "repeats": baseline.repeats,
        "measures": list(baseline.measures),
        "run": accepted.run,
        "date": accepted.date,
        "author": accepted.author,
        "reason": accepted.reason,
        "commit": accepted.commit,
        "means": dict(accepted.means),
        "files": dict(baseline.files),
    }


def _compared(gated: GatedRun) -> dict[str, Any]:
    """Tell before and after; where passing is measured, these count queries, else are means."""
    changes = gated.regressions.changes if gated.regressions else ()
    kinds = [change.kind for change in changes]
    return {
        "measure": deciding_measure(gated) if changes else None,
        "counts": {str(kind): kinds.count(kind) for kind in ChangeKind},
        "groups": [
            {
                "name": each.name,
                "queries": each.queries,
                "before": each.before,
                "after": each.after,
                "regressed": each.regressed,
                "improved": each.improved,
            }
            for each in group_changes(gated)
        ],
    }


def _queries(gated: GatedRun) -> list[dict[str, Any]]:
    known = gated.regressions.changes if gated.regressions else ()
    changes = {change.query.id: change for change in known}
    answers = answers_by_place(gated)
    outcomes, names = gated.outcomes, gated.run.header.measures
    return [
        {
            "id": query.id,
            "text": query.text,
            "category": query.category,
            "language": query.language,
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
    return {
        "kind": str(change.kind),
        "before": change.before,
        "after": change.after,
        "rank_before": change.rank_before,
        "rank_after": change.rank_after,
        "chance": change.chance,
    }


def _answer(answer: Answer | None) -> dict[str, Any]:
    response = answer.response if answer else None
    return {
        "message": response.message if response else "it has not been asked yet",
        "route": response.route if response else "",
        "hits": [hit.id for hit in response.hits] if response else [],
    }


GATE_FORMATS.register("json", GateFormat("json", render_gate_json))
