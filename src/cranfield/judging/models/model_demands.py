"""What a suite demands of figures that use a model, as a gate reports it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.evaluation import Demand
from cranfield.gates import RuleResult, Severity
from cranfield.judging.models import calibrate, current_suite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.evaluation import DemandRequest
    from cranfield.judging.models.corrected_figures import ModelDemand

__all__ = ["MODEL_DEMAND"]


def _judge(request: DemandRequest) -> dict[str, Sequence[RuleResult]]:
    """Judge the demands on corrected figures, for suites that have any."""
    found: dict[str, Sequence[RuleResult]] = {}
    for run in request.runs:
        suite = current_suite(run, request.project)
        if suite.judging.model.get("gate"):
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
