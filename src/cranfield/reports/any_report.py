"""One function that writes any finished value, for programs and notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.comparisons import Comparison, Leaderboard
from cranfield.errors import CranfieldError
from cranfield.evaluation import GateResult
from cranfield.formats import Report, render
from cranfield.gates import gate_run
from cranfield.reports.comparison_report import report_comparison
from cranfield.reports.gate_report import report_gates
from cranfield.reports.leaderboard_report import report_leaderboard
from cranfield.reports.run_report import report_runs
from cranfield.runs import Run
from cranfield.scores import Scores, report_scores

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["find_report", "report"]

_SUBJECTS: dict[type, Callable[[Any], Report]] = {
    Comparison: report_comparison,
    Leaderboard: report_leaderboard,
    GateResult: lambda result: report_gates(result.runs),
    Run: lambda run: report_runs([gate_run(run)]),
    Scores: lambda scores: report_scores(scores.runs, scores.comparisons),
}


def report(
    value: Run | Comparison | Leaderboard | GateResult | Scores, format_name: str = "text"
) -> str:
    """Write a run, a comparison, a gate's result or scores as text, JSON, Markdown and so on."""
    return render(find_report(value), format_name)


def find_report(value: object) -> Report:
    """Make the report of a finished value."""
    subject = _SUBJECTS.get(type(value))
    if subject is None:
        known = ", ".join(sorted(each.__name__ for each in _SUBJECTS))
        raise CranfieldError(f"a {type(value).__name__} has no report; these have: {known}")
    return subject(value)
