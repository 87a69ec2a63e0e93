"""Gates as plain text: the outcome first, then what failed and why, then the queries to look at."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from cranfield.gates import ChangeKind, Severity
from cranfield.reports.facts import gate_rows
from cranfield.reports.gate_facts import (
    choose_answer,
    compared_line,
    deciding_measure,
    group_changes,
    latency_line,
    name_queries,
    show_change,
    show_expected,
    show_got,
    stale_lines,
)
from cranfield.reports.gates import GATE_FORMATS, GateFormat
from cranfield.reports.run_text import shorten
from cranfield.tables import align, show_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.gates import Change, GatedRun
    from cranfield.reports.gates import GateReport

__all__ = ["render_gate_text"]

_MOST_SHOWN = 50
_WORDS = {Severity.FAIL: "failed", Severity.WARN: "warning", Severity.NOTE: "note"}
_WIDTH = 160


def render_gate_text(report: GateReport) -> str:
    """Write one part a run; a gate that was skipped says so and why."""
    if not report.runs:
        return f"SKIPPED: {shorten(report.skipped or 'there was no run to judge', 1000)}\n"
    parts = [_run(each, report.options) for each in report.runs]
    if len(parts) > 1:
        parts.append(_total(report.runs))
    return "\n".join(parts)


def _total(runs: Sequence[GatedRun]) -> str:
    """Write the last line of several runs: how many passed, and which did not."""
    failed = [each.run.header.suite.id for each in runs if not each.passed]
    told = f"; FAILED: {', '.join(failed)}" if failed else ""
    return f"{len(runs) - len(failed)} of {len(runs)} gates passed{told}\n"


def _run(gated: GatedRun, options: str) -> str:
    head = [
        f"{gated.run.header.suite.id}: {'PASSED' if gated.passed else 'FAILED'}",
        compared_line(gated),
        *stale_lines(gated),
        *(f"warning: {change}" for change in gated.run.header.changes),
    ]
    parts = [
        _lines(head),
        _results(gated),
        _means(gated),
        align(rows, left=2) if (rows := gate_rows(gated)) else "",
        _groups(gated),
        _regressed(gated),
        _improved(gated),
        _lines(filter(None, [latency_line(gated)])),
        _next(gated, options),
    ]
    return "\n".join(part for part in parts if part)


def _lines(lines: Sequence[str] | filter[str]) -> str:
    return "".join(f"{shorten(line, 2000)}\n" for line in lines)


def _results(gated: GatedRun) -> str:
    return _lines(
        [
            f"{_WORDS[each.severity]}: {each.message}"
            + (f" ({name_queries(each.queries)})" if each.queries else "")
            for each in gated.results
        ]
    )


def _means(gated: GatedRun) -> str:
    measures = gated.run.measures
    groups = {"all": gated.summary.overall, **gated.summary.categories}
    rows = [["", "queries", *map(str, measures)]]
    rows += [
        [
            name,
            str(group.count),
            *(show_value(group.means[each], is_count=each.family.is_count) for each in measures),
        ]
        for name, group in groups.items()
    ]
    return align(rows)


def _groups(gated: GatedRun) -> str:
    if gated.regressions is None or not gated.regressions.changes:
        return ""
    title = f"compared, by {deciding_measure(gated)}"
    rows = [[title, "queries", "before", "after", "difference", "regressed", "improved"]]
    rows += [
        [
            each.name,
            str(each.queries),
            each.show(each.before),
            each.show(each.after),
            each.difference,
            str(each.regressed),
            str(each.improved),
        ]
        for each in group_changes(gated)
    ]
    return align(rows)


def _regressed(gated: GatedRun) -> str:
    fallen = gated.regressions.of_kind(ChangeKind.REGRESSED) if gated.regressions else ()
    if not fallen:
        return ""
    more = len(fallen) - _MOST_SHOWN
    return (
        f"regressed: {len(fallen)}\n"
        + "".join(_query(gated, change) for change in fallen[:_MOST_SHOWN])
        + (f"… and {more} more; --report json=FILE has all\n" if more > 0 else "")
    )


def _query(gated: GatedRun, change: Change) -> str:
    query, run = change.query, gated.run
    place = [each.id for each in gated.outcomes.queries].index(query.id)
    answer = choose_answer(list(run.store.answers(run.header.id, place)))
    category = f", {query.category}" if query.category else ""
    first, *rest = [
        f"{query.id}: {shorten(query.text, _WIDTH)}{category}",
        show_change(change),
        f"expected {show_expected(query)}",
        f"got {show_got(answer)}",
    ]
    return f"  {shorten(first, 2000)}\n" + "".join(f"    {shorten(line, 2000)}\n" for line in rest)


def _improved(gated: GatedRun) -> str:
    risen = gated.regressions.of_kind(ChangeKind.IMPROVED) if gated.regressions else ()
    if not risen:
        return ""
    return _lines([f"improved: {len(risen)} ({name_queries([each.query.id for each in risen])})"])


def _next(gated: GatedRun, options: str) -> str:
    run = f"{gated.run.header.id}{options}"
    named = [query for each in gated.results for query in each.queries]
    query = shlex.quote(next(iter(named), "QUERY"))
    look = f"one query: cranfield runs show {gated.run.header.id} {query}{options}"
    return _lines([f"{look}; accept this run: cranfield baseline accept {run} --reason …"])


GATE_FORMATS.register("text", GateFormat("text", render_gate_text))
