"""What several formats tell of a run in the same words; what may differ is kept apart."""

from __future__ import annotations

from dataclasses import asdict
from math import isnan
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.suites import hash_suite

if TYPE_CHECKING:
    from cranfield.model import Value
    from cranfield.runs import Run, RunHeader

__all__ = ["SCHEMA_VERSION", "as_json", "number", "run_facts", "volatile_facts"]

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


def volatile_facts(header: RunHeader) -> dict[str, Any]:
    """Tell what differs between two runs over the same inputs."""
    return {"id": header.id, "started": header.started, "finished": header.finished}


def number(value: Value | None) -> float | None:
    """Return a value as JSON has it: null where there is none."""
    return value if isinstance(value, float) and not isnan(value) else None


def as_json(written: Any) -> str:
    """Write JSON as people read it, one thing a line."""
    return msgspec.json.format(msgspec.json.encode(written), indent=2).decode() + "\n"
