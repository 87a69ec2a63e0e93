"""A comparison as JSON, by a published schema: docs/schemas/comparison.json."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cranfield.reports.comparisons import COMPARE_FORMATS, CompareFormat
from cranfield.reports.facts import SCHEMA_VERSION, as_json, run_facts, volatile_facts

if TYPE_CHECKING:
    from cranfield.comparisons import Comparison, MeasureComparison, QueryChange, SuiteComparison
    from cranfield.reports.comparisons import CompareReport

__all__ = ["render_compare_json"]


def render_compare_json(report: CompareReport) -> str:
    """Write the whole comparison; times and ids are under `volatile` and nowhere else."""
    comparison = report.comparison
    written = {
        "kind": "comparison",
        "schema_version": SCHEMA_VERSION,
        "volatile": [
            {
                "suite": suite.suite_id,
                "a": volatile_facts(suite.runs.a.header),
                "b": volatile_facts(suite.runs.b.header),
            }
            for suite in comparison.suites
        ],
        "a": comparison.name_a,
        "b": comparison.name_b,
        "margin": comparison.options.margin,
        "seed": comparison.options.seed,
        "tests": comparison.tests,
        "suites": [_suite(comparison, suite) for suite in comparison.suites],
    }
    return as_json(written)


def _suite(comparison: Comparison, suite: SuiteComparison) -> dict[str, Any]:
    failures_a, failures_b = suite.failures
    return {
        "id": suite.suite_id,
        "class": suite.query_class,
        "queries": len(suite.changes),
        "verdict": str(suite.verdict.kind),
        "queries_needed": suite.verdict.queries_needed,
        "margin": comparison.options.margin,
        "headline": str(suite.headline.measure),
        "left_out": list(suite.runs.left_out),
        "failures": {
            "a": {str(status): count for status, count in sorted(failures_a.items())},
            "b": {str(status): count for status, count in sorted(failures_b.items())},
        },
        "runs": {"a": run_facts(suite.runs.a), "b": run_facts(suite.runs.b)},
        "measures": [_measure(each) for each in suite.measures],
        "buckets": {str(bucket): count for bucket, count in suite.buckets.items()},
        "per_query": [_change(change) for change in suite.changes],
    }


def _measure(each: MeasureComparison) -> dict[str, Any]:
    named = {"measure": str(each.measure), "noise": each.noise}
    if each.result is None:
        return {**named, "verdict": "undefined", "reason": each.reason}
    result = each.result
    return {
        **named,
        "verdict": str(each.verdict.kind),
        "queries_needed": each.verdict.queries_needed,
        "pairs": result.pairs,
        "a": result.mean_a,
        "b": result.mean_b,
        "difference": result.difference,
        "interval": asdict(result.interval),
        "test": asdict(result.test),
        "p_adjusted": result.p_adjusted,
        "effects": asdict(result.effects),
        "equivalence": None if result.equivalence is None else asdict(result.equivalence),
    }


def _change(change: QueryChange) -> dict[str, Any]:
    sides = {
        "a": (change.status_a, change.rank_a, change.values_a),
        "b": (change.status_b, change.rank_b, change.values_b),
    }
    return {
        "id": change.query.id,
        "text": change.query.text,
        "category": change.query.category,
        "bucket": str(change.bucket),
        **{
            side: {
                "status": str(status),
                "first_rank": rank,
                "values": {str(measure): value for measure, value in values.items()},
            }
            for side, (status, rank, values) in sides.items()
        },
    }


COMPARE_FORMATS.register("json", CompareFormat("json", render_compare_json))
