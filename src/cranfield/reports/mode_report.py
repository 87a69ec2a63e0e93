"""The report of a mode: its comparison or its runs, and whether its demands were met."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from cranfield.formats import Line, Report, Tone
from cranfield.gates.gate_rules import Severity
from cranfield.reports.comparison_report import report_comparison
from cranfield.reports.run_report import report_runs

if TYPE_CHECKING:
    from cranfield.evaluation.run_evaluation import ModeResult
    from cranfield.gates.gate_rules import RuleResult
    from cranfield.reports.supplements import Supplements

__all__ = ["report_mode"]


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
        make_data=lambda: {**shown.data, "demands": [_data(each) for each in result.demands]},
    )


def _line(demand: RuleResult) -> Line:
    is_met = demand.severity is not Severity.FAIL
    label = "✓ PASS" if is_met else "✗ FAIL"
    return Line(demand.message, Tone.GOOD if is_met else Tone.BAD, label)


def _data(demand: RuleResult) -> dict[str, object]:
    return {
        "rule": demand.rule,
        "met": demand.severity is not Severity.FAIL,
        "message": demand.message,
    }
