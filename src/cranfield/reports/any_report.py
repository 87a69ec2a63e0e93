"""One function that writes any finished value, for programs and notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.comparisons import Comparison, Leaderboard
from cranfield.errors import CranfieldError
from cranfield.evaluation.gate_evaluation import GateResult
from cranfield.formats import SUBJECTS, Subject, render
from cranfield.gates.gated_runs import gate_run
from cranfield.reports.comparison_report import report_comparison
from cranfield.reports.gate_report import report_gates
from cranfield.reports.leaderboard_report import report_leaderboard
from cranfield.reports.run_report import report_runs
from cranfield.runs.runner import Run

if TYPE_CHECKING:
    from cranfield.formats import Report

__all__ = ["find_report", "report"]

for _subject in (
    Subject(Comparison, report_comparison),
    Subject(Leaderboard, report_leaderboard),
    Subject(GateResult, lambda result: report_gates(result.runs)),
    Subject(Run, lambda run: report_runs([gate_run(run)])),
):
    SUBJECTS.register(_subject.name, _subject)


def report(value: object, format_name: str = "text") -> str:
    """Write a run, a comparison, a gate's result or scores as text, JSON, Markdown and so on."""
    return render(find_report(value), format_name)


def find_report(value: object) -> Report:
    """Make the report of a finished value."""
    name = type(value).__name__
    if name in SUBJECTS or name in SUBJECTS.names():
        subject = SUBJECTS.get(name)
        # A class of another program may have the name of ours.
        if isinstance(value, subject.type):
            return subject.make(value)
    raise CranfieldError(f"a {name} has no report; these have: {', '.join(SUBJECTS.names())}")
