"""What every report says of a run in the same words: the run itself, its means, its thresholds."""

from __future__ import annotations

from dataclasses import asdict
from math import isnan
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.errors import CranfieldError
from cranfield.formats import (
    Cell,
    CellKind,
    Column,
    Detail,
    Table,
    count_of,
    name_queries,
    shorten,
    show_rank,
    show_value,
)
from cranfield.model import Undefined
from cranfield.relevance import RULES, RuleContext
from cranfield.suites import hash_suite

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.comparisons import QueryChange
    from cranfield.gates.gate_rules import ThresholdResults
    from cranfield.gates.gated_runs import GatedRun
    from cranfield.measures import Measure
    from cranfield.model import Query, Threshold, Value
    from cranfield.runs.holes import HoleBounds
    from cranfield.runs.records import Answer, Outcomes, RunHeader
    from cranfield.runs.runner import Run
    from cranfield.runs.summaries import Group

__all__ = [
    "RECORD_COLUMNS",
    "REPORT_SCHEMA_VERSION",
    "RUN_COLUMNS",
    "choose_answer",
    "count_lines",
    "group_facts",
    "hole_facts",
    "holes_table",
    "means_table",
    "measure_column",
    "number",
    "pick",
    "record_cells",
    "run_cells",
    "run_facts",
    "show_change",
    "show_expected",
    "show_got",
    "stale_lines",
    "threshold_facts",
    "thresholds_table",
    "volatile_facts",
]

REPORT_SCHEMA_VERSION = 1
_MOST_HITS = 3
_WIDTH = 160
_ROUTE_WIDTH = 44

RUN_COLUMNS = (
    Column("system"),
    Column("run", CellKind.ID),
    Column("started"),
    Column("queries"),
    Column("k", CellKind.COUNT),
    Column("files"),
)
"""What identifies a run in a document; `run_cells` has the values."""

RECORD_COLUMNS = (
    Column("suite"),
    Column("system"),
    Column("query", CellKind.ID),
    Column("text", CellKind.QUERY),
    Column("category"),
    Column("language"),
    Column("status"),
    Column("rank", CellKind.RANK),
)
"""What a record says of a query of a run; `record_cells` has the values."""


def run_cells(run: Run) -> tuple[Any, ...]:
    """Identify a run: system, id, start, queries and their hash, number of hits, fingerprints."""
    header = run.header
    files = "; ".join(
        f"{name} {fingerprint.sha256[:12]}" for name, fingerprint in header.files.items()
    )
    suite = f"{len(header.suite.queries)} ({hash_suite(header.suite)})"
    return (header.system, header.id, header.started, suite, header.limit, files or None)


def record_cells(run: Run, outcomes: Outcomes, place: int) -> tuple[Any, ...]:
    """Write what a record says of a query, but for its values."""
    query, status = outcomes.queries[place], outcomes.statuses[place]
    named = (run.header.suite.id, run.header.name)
    asked = (query.id, query.text, query.category, query.language)
    return (*named, *asked, status and str(status), outcomes.first_ranks[place])


def measure_column(measure: Measure) -> Column:
    """Make the column of a measure's values."""
    return Column(str(measure), CellKind.COUNT if measure.family.is_count else CellKind.VALUE)


def means_table(gated: GatedRun, *, title: str = "", detail: Detail = Detail.NONE) -> Table:
    """Show the means over all queries and over each category.

    If queries are left out because they are not judged, it counts those that the headline has.
    """
    groups = {"all": gated.summary.overall, **gated.summary.categories}
    if len(groups) == 2:
        groups = {"all": gated.summary.overall}
    measures = gated.run.measures
    rows = [
        (name, _count(gated, group), *(group.means[measure] for measure in measures))
        for name, group in groups.items()
    ]
    columns = (Column(""), Column("queries", CellKind.COUNT), *map(measure_column, measures))
    return Table(columns, tuple(rows), title=title, detail=detail)


def _count(gated: GatedRun, group: Group) -> int:
    headline = next((each for each in gated.run.measures if each.family.is_quality), None)
    return group.defined[headline] if headline and gated.not_judged.count else group.count


def count_lines(gated: GatedRun) -> list[str]:
    """Say which means are over fewer queries than were asked."""
    overall = gated.summary.overall
    return [
        f"{measure} is over {count_of(defined, 'query that has', 'queries that have')} a value"
        for measure, defined in overall.defined.items()
        if 0 < defined < overall.count
    ]


def thresholds_table(gated: GatedRun, *, caption: str = "", detail: Detail = Detail.NONE) -> Table:
    """Show everything that is asked of a run: of its measures, and of the time of its answers."""
    columns = (
        Column("threshold"),
        Column("of"),
        Column("reached", CellKind.VALUE),
        Column("result"),
    )
    rows: list[tuple[Any, ...]] = [
        (
            f"{each.threshold.measure} ≥ {each.threshold.at_least:g}{_milestone(each.threshold)}",
            each.threshold.category or "all",
            each.value,
            each.outcome,
        )
        for each in gated.thresholds.thresholds
    ]
    rows += [
        (
            f"{each.name} ≤ {each.at_most * 1000:.1f} ms",
            "all",
            Cell(each.seconds, CellKind.SECONDS),
            "above, diagnostic" if each.is_above else "reached",
        )
        for each in gated.latencies
        if each.at_most is not None
    ]
    return Table(columns, tuple(rows), labels=2, caption=caption, detail=detail)


def _milestone(threshold: Threshold) -> str:
    return f" ({threshold.milestone})" if threshold.milestone else ""


def run_facts(run: Run) -> dict[str, Any]:
    """Write what was run: the same for two runs over the same inputs."""
    header = run.header
    return {
        "suite": {
            "id": header.suite.id,
            "class": header.suite.query_class,
            "description": header.suite.description,
            "hash": hash_suite(header.suite),
            "queries": len(header.suite.queries),
        },
        "system": {
            "name": header.system,
            "label": header.label,
            "spec": dict(header.spec),
            "files": {name: asdict(print_) for name, print_ in header.files.items()},
        },
        "k": header.limit,
        "repeats": header.repeats,
        "measures": list(header.measures),
        "truth": [asdict(each) for each in header.truth],
        "surroundings": dict(header.surroundings),
        "warnings": list(header.warnings),
    }


def group_facts(group: Group) -> dict[str, Any]:
    """Write the means of some queries, over how many each is, and why one is undefined."""
    return {
        "queries": group.count,
        "means": {str(measure): number(value) for measure, value in group.means.items()},
        "defined": {str(measure): count for measure, count in group.defined.items()},
        "undefined": {
            str(measure): value.reason
            for measure, value in group.means.items()
            if isinstance(value, Undefined)
        },
    }


def threshold_facts(result: ThresholdResults) -> list[dict[str, Any]]:
    """Write what was asked of each mean, and whether it was reached."""
    return [
        {
            **pick(each.threshold, "measure", "at_least", "category", "diagnostic"),
            "value": number(each.value),
            "reached": each.reached,
            "not_judged": each.not_judged,
        }
        for each in result.thresholds
    ]


def volatile_facts(header: RunHeader) -> dict[str, Any]:
    """Write what differs between two runs over the same inputs."""
    return pick(header, "id", "started", "finished")


def number(value: Value | None) -> float | None:
    """Return a value as JSON has it: null if there is none."""
    return value if isinstance(value, float) and not isnan(value) else None


def pick(value: object, *names: str) -> dict[str, Any]:
    """Return some attributes of a value by their names, as JSON has them."""
    return {name: getattr(value, name) for name in names}


def show_expected(query: Query) -> str:
    """Say in a line what a query expects: its targets by name, other rules as they are written."""
    return "; ".join(_rule(name, value) for name, value in query.expect.items())


def _rule(name: str, value: object) -> str:
    try:
        targets = RULES.get(name).read(value, RuleContext()).targets
    except CranfieldError:
        targets = ()
    named = [target.name for target in targets if target.grade > 0]
    if not named:
        return shorten(f"{name} {msgspec.json.encode(value, enc_hook=str).decode()}", _WIDTH)
    more = len(named) - _MOST_HITS
    shown = ", ".join(shorten(each, _WIDTH) for each in named[:_MOST_HITS])
    return f"{shown} and {more} more" if more > 0 else shown


def choose_answer(answers: Sequence[Answer]) -> Answer | None:
    """Choose the repetition to report: the first that failed, or else the first."""
    failed = [each for each in answers if each.response.status.is_failure]
    return next(iter([*failed, *answers]), None)


def show_got(answer: Answer | None) -> str:
    """Say in a line what came back: the first hits, or why there are none."""
    if answer is None:
        return "it has not been asked yet"
    response = answer.response
    if response.status.is_failure:
        return shorten(f"{response.status}: {response.message}", _WIDTH)
    hits = ", ".join(shorten(hit.id, _WIDTH) for hit in response.hits[:_MOST_HITS])
    named = {"route": response.route, "flags": ", ".join(response.flags)}
    parts = [f"{name} {shorten(text, _ROUTE_WIDTH)}" for name, text in named.items() if text]
    return (hits or "no result") + (f" ({'; '.join(parts)})" if parts else "")


def show_change(change: QueryChange) -> str:
    """Say how a query's value and rank moved."""
    ranks = f"rank {show_rank(change.rank_a)} → {show_rank(change.rank_b)}"
    by = change.deciding
    if by is None:
        return ranks
    return f"{by.measure} {show_value(by.a)} → {show_value(by.b)}, {ranks}"


def stale_lines(gated: GatedRun) -> list[str]:
    """Say what changed since the baseline was accepted, and which queries are not compared."""
    against = gated.against
    if against is None:
        return []
    lines = [f"the baseline is stale: {each}" for each in against.stale]
    if against.left_out:
        lines.append(f"not compared: {name_queries(against.left_out)}")
    if not against.changes:
        lines.append("no query or no measure is still the same: nothing could be compared")
    return lines


_COLUMNS = (
    Column("arm"),
    Column("measure"),
    Column("not judged", CellKind.SHARE),
    Column("if irrelevant", CellKind.VALUE),
    Column("if relevant", CellKind.VALUE),
)


def holes_table(arms: Mapping[str, Sequence[HoleBounds]], *, detail: Detail = Detail.NONE) -> Table:
    """Show for each arm how many hits are unjudged, and what its means may come to."""
    rows = tuple(
        (name, str(each.measure), (each.holes, each.hits), each.low, each.high)
        for name, holes in arms.items()
        for each in holes
    )
    return Table(
        _COLUMNS,
        rows,
        labels=2,
        title="Unjudged hits",
        caption="unjudged hits, and the means if all were irrelevant, or all relevant:",
        detail=detail,
    )


def hole_facts(holes: Sequence[HoleBounds]) -> list[dict[str, Any]]:
    """Write the holes of a run, by measure; an empty list if there are none."""
    return [
        {
            "measure": str(each.measure),
            "depth": each.depth,
            "unjudged": each.holes,
            "hits": each.hits,
            "share": each.share,
            "low": each.low,
            "high": each.high,
        }
        for each in holes
    ]
