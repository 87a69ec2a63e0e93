"""What every report says of a run in the same words: the run itself, its means, its thresholds."""

from __future__ import annotations

from dataclasses import asdict
from math import isnan
from typing import TYPE_CHECKING, Any

from cranfield.formats import Cell, CellKind, Column, Detail, Table
from cranfield.model import Undefined
from cranfield.suites import hash_suite

if TYPE_CHECKING:
    from cranfield.gates import GatedRun, ThresholdResults
    from cranfield.measures import Measure
    from cranfield.model import Value
    from cranfield.runs import Group, Outcomes, Run, RunHeader

__all__ = [
    "RECORD_COLUMNS",
    "RUN_COLUMNS",
    "SCHEMA_VERSION",
    "group_facts",
    "means_table",
    "measure_column",
    "number",
    "record_cells",
    "run_cells",
    "run_facts",
    "threshold_facts",
    "thresholds_table",
    "volatile_facts",
]

SCHEMA_VERSION = 1

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
    return (
        run.header.suite.id,
        run.header.name,
        query.id,
        query.text,
        query.category,
        query.language,
        None if status is None else str(status),
        outcomes.first_ranks[place],
    )


def measure_column(measure: Measure) -> Column:
    """Make the column of a measure's values."""
    return Column(str(measure), CellKind.COUNT if measure.family.is_count else CellKind.VALUE)


def means_table(gated: GatedRun, *, title: str = "", detail: Detail = Detail.NONE) -> Table:
    """Show the means over all queries and over each category."""
    groups = {"all": gated.summary.overall, **gated.summary.categories}
    if len(groups) == 2:
        groups = {"all": gated.summary.overall}
    measures = gated.run.measures
    rows = [
        (name, group.count, *(group.means[measure] for measure in measures))
        for name, group in groups.items()
    ]
    columns = (Column(""), Column("queries", CellKind.COUNT), *map(measure_column, measures))
    return Table(columns, tuple(rows), title=title, detail=detail)


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
            f"{each.threshold.measure} ≥ {each.threshold.at_least:g}",
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
        "surroundings": dict(header.surroundings),
        "warnings": list(header.changes),
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
            "measure": each.threshold.measure,
            "at_least": each.threshold.at_least,
            "category": each.threshold.category,
            "diagnostic": each.threshold.diagnostic,
            "value": number(each.value),
            "reached": each.reached,
        }
        for each in result.thresholds
    ]


def volatile_facts(header: RunHeader) -> dict[str, Any]:
    """Write what differs between two runs over the same inputs."""
    return {"id": header.id, "started": header.started, "finished": header.finished}


def number(value: Value | None) -> float | None:
    """Return a value as JSON has it: null if there is none."""
    return value if isinstance(value, float) and not isnan(value) else None
