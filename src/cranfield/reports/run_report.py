"""The report of runs: the means, what was asked of them, what was not answered, each query."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cranfield.formats import (
    CellKind,
    Chart,
    Column,
    Detail,
    Line,
    Lines,
    Report,
    Section,
    Series,
    Table,
    Tone,
    count_of,
    count_queries,
    name_queries,
)
from cranfield.gates.gate_rules import Severity
from cranfield.model import Status
from cranfield.reports.additions import list_sections, supplement_data
from cranfield.reports.comparison_report import report_comparison
from cranfield.reports.query_rankings import run_rankings
from cranfield.reports.run_facts import (
    RECORD_COLUMNS,
    REPORT_SCHEMA_VERSION,
    RUN_COLUMNS,
    count_lines,
    group_facts,
    hole_facts,
    holes_table,
    means_table,
    measure_column,
    pick,
    record_cells,
    run_cells,
    run_facts,
    threshold_facts,
    thresholds_table,
    volatile_facts,
)
from cranfield.runs.summaries import find_doubts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.evaluation.run_evaluation import ModeResult
    from cranfield.gates.gate_rules import RuleResult
    from cranfield.gates.gated_runs import GatedRun
    from cranfield.measures import Measure
    from cranfield.model import Query
    from cranfield.reports.additions import Supplements
    from cranfield.runs.records import Answer

__all__ = [
    "first_answers",
    "report_mode",
    "report_runs",
]

_MOST_SHOWN = 10


def report_runs(
    runs: Sequence[GatedRun],
    *,
    per_query: bool = False,
    supplements: Supplements = MappingProxyType({}),
) -> Report:
    """Report runs, each held to its thresholds and to no baseline, and what slices add."""
    names = [f"{each.run.header.suite.id}: {each.run.header.name}" for each in runs]
    return Report(
        kind="run",
        title="; ".join(names),
        sections=(
            *(_section(each, per_query=per_query) for each in runs),
            *list_sections(supplements, Detail.NONE),
        ),
        passed=_have_passed(runs),
        subject=tuple(runs),
        make_records=lambda: _records(runs),
        make_data=lambda: {**_data(runs), **supplement_data(supplements)},
        make_rankings=lambda: run_rankings(runs),
    )


def _have_passed(runs: Sequence[GatedRun]) -> bool | None:
    """Return whether all thresholds were reached; None if there are none to reach."""
    if not all(each.is_reached for each in runs):
        return False
    return True if any(each.thresholds.thresholds for each in runs) else None


def first_answers(each: GatedRun) -> list[tuple[Query, Answer]]:
    """Read every query with its answer of the first repetition."""
    queries = each.run.header.suite.queries
    answers = each.run.store.answers(each.run.header.id)
    return [(queries[answer.place], answer) for answer in answers if answer.repeat == 0]


def _section(each: GatedRun, *, per_query: bool) -> Section:
    header = each.run.header
    query_class = header.suite.query_class
    queries = count_of(each.summary.overall.count, "query", "queries")
    outcome = "passed" if each.is_reached else "FAILED"
    stored = f"run {header.id} is stored in {each.run.store.name}"
    return Section(
        title=f"{header.suite.id}: {header.name}, {queries} of the class {query_class}",
        blocks=(
            Table(RUN_COLUMNS, (run_cells(each.run),), title="Run", detail=Detail.AUDIT),
            means_table(each, title="Means"),
            Lines(tuple(_notes(each))),
            holes_table({header.name: each.holes}),
            thresholds_table(each, caption=f"gate {outcome}"),
            _queries(each) if per_query else _unanswered(each),
            _chart(each),
            Lines((Line(stored),)),
        ),
    )


def _notes(each: GatedRun) -> list[Line]:
    statuses, overall = each.summary.statuses, each.summary.overall
    failed = {status: count for status, count in statuses.items() if status.is_failure}
    lines = []
    if failed:
        counts = ", ".join(f"{count} {status}" for status, count in failed.items())
        queries = count_of(sum(failed.values()), "query was", "queries were")
        text = f"{queries} not answered ({counts}) and scored 0"
        lines.append(Line(text, Tone.WARNING))
    if ungraded := each.outcomes.ungraded:
        reason = next(iter(ungraded.values()))
        named = name_queries([each.outcomes.queries[place].id for place in ungraded])
        are = "was not graded and is" if len(ungraded) == 1 else "were not graded and are"
        text = f"{len(ungraded)} of {overall.count} queries {are} in no mean ({reason}): {named}"
        lines.append(Line(text, Tone.BAD))
    lines += [
        Line(f"{measure} not met: {name_queries(unmet)}", Tone.WARNING)
        for measure, unmet in _unmet_checks(each).items()
    ]
    if statuses.get(Status.EMPTY):
        lines.append(Line(f"{count_queries(statuses[Status.EMPTY])} had no result"))
    if each.not_judged.count:
        lines.append(Line(f"not judged: {each.not_judged}", Tone.WARNING))
    lines += [Line(text) for text in count_lines(each)]
    warnings = [*each.run.header.warnings, *find_doubts(each.run, each.outcomes)]
    return [*lines, *(Line(warning, Tone.WARNING, "warning") for warning in warnings)]


def _unmet_checks(each: GatedRun) -> dict[Measure, list[str]]:
    """Return the queries whose answer did not meet a check, by check."""
    outcomes = each.outcomes
    unmet = {
        measure: [
            query.id
            for query, value in zip(outcomes.queries, outcomes.values[:, column], strict=True)
            if value < 1
        ]
        for column, measure in enumerate(each.run.measures)
        if measure.is_check
    }
    return {measure: queries for measure, queries in unmet.items() if queries}


def _unanswered(each: GatedRun) -> Table:
    """List the queries that were not answered."""
    columns = (
        Column("query", CellKind.ID),
        Column("text", CellKind.QUERY),
        Column("status"),
        Column("message", CellKind.MESSAGE),
    )
    rows = []
    if any(status.is_failure for status in each.summary.statuses):
        rows = [
            (query.id, query.text, str(answer.response.status), answer.response.message)
            for query, answer in first_answers(each)
            if answer.response.status.is_failure
        ]
    return Table(
        columns,
        tuple(rows),
        labels=4,
        caption="not answered:",
        most=_MOST_SHOWN,
        rest="--verbose shows every query",
    )


def _queries(each: GatedRun) -> Table:
    columns = (
        Column("query", CellKind.ID),
        Column("text", CellKind.QUERY),
        Column("status"),
        Column("rank", CellKind.RANK),
        *map(measure_column, each.run.measures),
    )
    outcomes = each.outcomes
    rows = [
        (
            query.id,
            query.text,
            str(outcomes.statuses[place] or "not asked"),
            outcomes.first_ranks[place],
            *outcomes.figures(place),
        )
        for place, query in enumerate(outcomes.queries)
    ]
    return Table(columns, tuple(rows), labels=3, title="Queries")


def _chart(each: GatedRun) -> Chart:
    measure = each.run.measures[0]
    groups = {"all": each.summary.overall, **each.summary.categories}
    means = [(name, group.means[measure]) for name, group in groups.items()]
    points = [(name, (mean,)) for name, mean in means if isinstance(mean, float)]
    return Chart("bars", f"{measure} by category", (Series(str(measure), tuple(points)),))


def _records(runs: Sequence[GatedRun]) -> Table:
    """List every query of every run; a column for each measure that any run has."""
    measures = {str(measure): measure for each in runs for measure in each.run.measures}
    columns = (*RECORD_COLUMNS, *map(measure_column, measures.values()))
    rows = []
    for each in runs:
        for place in range(len(each.outcomes.queries)):
            values = dict(zip(each.run.header.measures, each.outcomes.figures(place), strict=True))
            figures = [values.get(name) for name in measures]
            rows.append((*record_cells(each.run, each.outcomes, place), *figures))
    return Table(columns, tuple(rows), labels=4)


def _data(runs: Sequence[GatedRun]) -> dict[str, Any]:
    """Write all runs by docs/schemas/run.json; times and ids are under `volatile` alone."""
    written, volatile = [], []
    for each in runs:
        answers = first_answers(each)
        written.append(_run_data(each, answers))
        seconds = {query.id: answer.response.seconds for query, answer in answers}
        volatile.append({**volatile_facts(each.run.header), "seconds": seconds})
    return {
        "kind": "run",
        "schema_version": REPORT_SCHEMA_VERSION,
        "volatile": volatile,
        "runs": written,
    }


def _run_data(each: GatedRun, answers: Sequence[tuple[Query, Answer]]) -> dict[str, Any]:
    summary, gate = each.summary, each.thresholds
    return {
        **run_facts(each.run),
        "doubts": find_doubts(each.run, each.outcomes),
        "statuses": {str(status): count for status, count in sorted(summary.statuses.items())},
        "overall": group_facts(summary.overall),
        "categories": {name: group_facts(group) for name, group in summary.categories.items()},
        "holes": hole_facts(each.holes),
        "gate": {"passed": each.is_reached, "thresholds": threshold_facts(gate)},
        "queries": [_query_data(each, query, answer) for query, answer in answers],
    }


def _query_data(each: GatedRun, query: Query, answer: Answer) -> dict[str, Any]:
    response = answer.response
    names = each.run.header.measures
    return {
        **pick(query, "id", "text", "category", "language"),
        "status": str(response.status),
        "message": response.message,
        "route": response.route,
        "flags": list(response.flags),
        "first_rank": answer.first_rank,
        "values": dict(zip(names, answer.values, strict=True)),
        "undefined": {names[place]: reason for place, reason in answer.reasons.items()},
        "hits": [{"id": hit.id, "score": hit.score} for hit in response.hits],
    }


def report_mode(
    result: ModeResult,
    *,
    per_query: bool = False,
    supplements: Supplements = MappingProxyType({}),
) -> Report:
    """Report what a mode ran, shown as a comparison if it has several systems."""
    if result.comparison is None:
        shown = report_runs(result.runs, per_query=per_query, supplements=supplements)
    else:
        shown = report_comparison(result.comparison, supplements=supplements)
    return replace(
        shown,
        lines=(*shown.lines, *map(_line, result.demands)),
        passed=result.passed,
        make_data=lambda: {
            **shown.data,
            "demands": [_demand_data(each) for each in result.demands],
        },
    )


def _line(demand: RuleResult) -> Line:
    is_met = demand.severity is not Severity.FAIL
    label = "✓ PASS" if is_met else "✗ FAIL"
    return Line(demand.message, Tone.GOOD if is_met else Tone.BAD, label)


def _demand_data(demand: RuleResult) -> dict[str, object]:
    return {
        "rule": demand.rule,
        "met": demand.severity is not Severity.FAIL,
        "message": demand.message,
    }
