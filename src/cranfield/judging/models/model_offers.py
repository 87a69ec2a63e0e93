"""What gates and reports ask of models: each of them loads this, so it is quick to say nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.evaluation.gate_evaluation import Demand
from cranfield.evaluation.sessions import set_judging
from cranfield.gates.gate_rules import RuleResult, Severity
from cranfield.judging.models.model_settings import current_suite
from cranfield.reports.additions import Supplement, SupplementKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.evaluation.gate_evaluation import DemandRequest
    from cranfield.evaluation.project import Project
    from cranfield.judging.models.corrected_figures import ModelDemand
    from cranfield.runs.runner import Run
    from cranfield.runs.store import Store

__all__ = [
    "MODEL_DEMAND",
    "MODEL_SUPPLEMENTS",
]


def _judge(request: DemandRequest) -> dict[str, Sequence[RuleResult]]:
    """Judge the demands on corrected figures, for suites that have any."""
    found: dict[str, Sequence[RuleResult]] = {}
    for run in request.runs:
        suite = current_suite(run, request.project)
        if suite.judging.model.get("gate"):
            # Every gate loads this module, and nearly no suite demands anything of a model.
            from cranfield.judging.models.corrected_figures import calibrate

            measured = calibrate([run], request.store, suite=suite)
            rater = measured.agreement.rater
            found[run.header.suite.id] = [_result(each, rater) for each in measured.demands[0]]
    return found


MODEL_DEMAND = Demand("model", _judge)


def _result(demand: ModelDemand, rater: str) -> RuleResult:
    wanted = f"{demand.threshold.measure} with {rater}, corrected by people"
    if demand.is_met is None:
        message = f"{wanted}: withheld, {demand.reason}"
        return RuleResult("model", Severity.WARN, message)
    corrected = demand.figure.corrected if demand.figure else None
    shown = f"{corrected.mean:.4f} [{corrected.low:.4f}, {corrected.high:.4f}]" if corrected else ""
    if demand.is_met:
        message = f"{wanted}: {shown}, at least {demand.threshold.at_least:g}"
        return RuleResult("model", Severity.NOTE, message)
    message = f"{wanted}: {shown}, below {demand.threshold.at_least:g}"
    return RuleResult("model", Severity.FAIL, message)


def _find_supplements(
    compared: Sequence[Sequence[Run]], project: Project, store: Store
) -> Sequence[Supplement]:
    """Return the figures that use the models of suites, for each run or pair of runs."""
    suites = [set_judging(project, runs[-1]).header.suite for runs in compared]
    if not any(suite.judging.model for suite in suites):
        return ()
    # Models take a second to import, and nearly no suite has one.
    from cranfield.judging.models.model_report import find_model_columns, supplement_columns

    return supplement_columns(find_model_columns(compared, project, store))


MODEL_SUPPLEMENTS = SupplementKind("models", _find_supplements)
