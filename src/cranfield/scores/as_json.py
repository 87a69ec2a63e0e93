"""Scores as JSON, schema `cranfield.score/1`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cranfield.model import Undefined

if TYPE_CHECKING:
    from cranfield.model import Value
    from cranfield.scores.formats import ScoreReport
    from cranfield.scores.run_comparisons import RunComparison
    from cranfield.trec import ScoredRun

__all__ = ["SCHEMA", "render_json"]

SCHEMA = "cranfield.score/1"


def render_json(report: ScoreReport) -> str:
    """Write everything that is known; an undefined value is null and its reason stands apart."""
    import msgspec

    document = {
        "schema": SCHEMA,
        "runs": [_run(run) for run in report.runs],
        "comparisons": [_comparison(each) for each in report.comparisons],
        "warnings": [
            {"run": run.name, **asdict(warned)} for run in report.runs for warned in run.warnings
        ],
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"


def _run(run: ScoredRun) -> dict[str, Any]:
    figures = {str(measure): run.value(measure) for measure in run.columns}
    columns = {str(measure): column for measure, column in run.columns.items()}
    return {
        "name": run.name,
        "tag": run.tag,
        "measures": {name: _number(value) for name, value in figures.items()},
        "undefined": {
            name: value.reason for name, value in figures.items() if isinstance(value, Undefined)
        },
        "tie_bounds": {
            str(measure): [_number(bounds.worst), _number(bounds.best)]
            for measure, bounds in run.tie_bounds.items()
        },
        "queries": {
            query: {name: _number(column.value(place)) for name, column in columns.items()}
            for place, query in enumerate(run.queries)
        },
    }


def _comparison(comparison: RunComparison) -> dict[str, Any]:
    names = {"measure": str(comparison.measure), "a": comparison.run_a, "b": comparison.run_b}
    if comparison.result is None:
        return {**names, "reason": "no query has a value in both runs"}
    result = comparison.result
    return {
        **names,
        "verdict": asdict(comparison.verdict),
        "pairs": result.pairs,
        "difference": result.difference,
        "p_adjusted": result.p_adjusted,
        "randomisation": asdict(result.test.full),
        **{
            key: value
            for key, value in asdict(result).items()
            if key not in ("p_adjusted", "test", "verdict")
        },
    }


def _number(value: Value) -> float | None:
    return None if isinstance(value, Undefined) else value
