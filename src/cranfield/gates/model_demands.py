"""What a suite demands of figures that use a model, as a gate reports it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.gates.gate_rules import RuleResult, Severity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.judging.models import ModelDemand
    from cranfield.projects import Project
    from cranfield.runs import Run, Store

__all__ = ["add_model_demands"]


def add_model_demands(
    demands: Mapping[str, Sequence[RuleResult]],
    runs: Sequence[Run],
    project: Project,
    store: Store,
) -> dict[str, Sequence[RuleResult]]:
    """Return demands with those on corrected figures, for suites that have any."""
    from cranfield.judging.models import calibrate, current_suite

    added = dict(demands)
    for run in runs:
        suite = current_suite(run, project)
        if not suite.judging.model.get("gate"):
            continue
        found = calibrate([run], store, suite=suite)
        name = run.header.suite.id
        results = (_result(each, found.agreement.rater) for each in found.demands[0])
        added[name] = (*added.get(name, ()), *results)
    return added


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
