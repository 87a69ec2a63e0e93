"""What several formats tell of a run in the same words; what may differ is kept apart."""

from __future__ import annotations

from dataclasses import asdict
from math import isnan
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.model import Undefined
from cranfield.suites import hash_suite
from cranfield.tables import show_milliseconds, show_value

if TYPE_CHECKING:
    from cranfield.gates import GatedRun, GateResult
    from cranfield.model import Value
    from cranfield.runs import Group, Run, RunHeader

__all__ = [
    "SCHEMA_VERSION",
    "as_json",
    "gate_rows",
    "group_facts",
    "number",
    "run_facts",
    "threshold_facts",
    "threshold_rows",
    "volatile_facts",
]

SCHEMA_VERSION = 1


def run_facts(run: Run) -> dict[str, Any]:
    """Tell what was run: the same for two runs over the same inputs."""
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
    """Tell the means of some queries, over how many each is, and why one is undefined."""
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


def gate_rows(gated: GatedRun) -> list[list[str]]:
    """List all that is asked of a run: of its measures, and of the time of its answers."""
    rows = threshold_rows(gated)
    rows += [
        [
            f"{each.name} ≤ {show_milliseconds(each.at_most)}",
            "all",
            show_milliseconds(each.seconds),
            "above, diagnostic" if each.is_above else "reached",
        ]
        for each in gated.latencies
        if each.at_most is not None
    ]
    return rows


def threshold_rows(gated: GatedRun) -> list[list[str]]:
    """List the thresholds: what is asked, of whom, what was reached, the result."""
    return [
        [
            f"{each.threshold.measure} ≥ {each.threshold.at_least:g}",
            each.threshold.category or "all",
            show_value(each.value),
            each.outcome,
        ]
        for each in gated.thresholds.thresholds
    ]


def threshold_facts(result: GateResult) -> list[dict[str, Any]]:
    """Tell what was asked of each mean, and whether it was reached."""
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
    """Tell what differs between two runs over the same inputs."""
    return {"id": header.id, "started": header.started, "finished": header.finished}


def number(value: Value | None) -> float | None:
    """Return a value as JSON has it: null where there is none."""
    return value if isinstance(value, float) and not isnan(value) else None


def as_json(written: Any) -> str:
    """Write JSON as people read it, one thing a line."""
    return msgspec.json.format(msgspec.json.encode(written), indent=2).decode() + "\n"
