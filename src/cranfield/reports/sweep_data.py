"""A sweep as plain values: the document of docs/schemas/sweep.json."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.reports.run_facts import REPORT_SCHEMA_VERSION, number

if TYPE_CHECKING:
    from cranfield.statistics import MeanInterval
    from cranfield.sweeps import SuiteOutcome, Sweep, TriedTrial
    from cranfield.verdicts import PairedComparison

__all__ = ["sweep_data"]


def sweep_data(sweep: Sweep) -> dict[str, Any]:
    """Write a sweep; counts of stored runs and times are under `volatile` alone."""
    plan, tuning, outcome = sweep.plan, sweep.tuning, sweep.outcome
    parts = plan.parts
    return {
        "kind": "sweep",
        "schema_version": REPORT_SCHEMA_VERSION,
        "sweep": plan.file.path.stem,
        "system": plan.file.system,
        "measures": dict(plan.table.measures),
        "parameters": {name: each.default for name, each in plan.parameters.items()},
        "split": {
            "method": "held out" if parts.folds is None else "nested cross-validation",
            "reason": parts.reason,
            "tuning": int(parts.tuning.sum()),
            "held_out": int(parts.held_out.sum()),
            "folds": None if parts.folds is None else int(parts.folds.max()) + 1,
            "seed": plan.file.split.seed,
        },
        "search": {"method": plan.file.search.method, "seed": plan.file.search.seed},
        "ended_by": sweep.ended_by,
        "winner": dict(tuning.winner.values),
        "is_default": tuning.best == 0,
        "is_shown_better": sweep.is_shown_better,
        "alternatives": _alternatives(sweep, "simpler"),
        "suites": [_suite(each) for each in outcome.suites] if outcome else [],
        "categories": [
            {
                "suite": each.suite,
                "category": each.category,
                "verdict": str(each.verdict.kind),
                **_compared(each.comparison),
            }
            for each in (outcome.categories if outcome else ())
        ],
        "fold_winners": [dict(each.values) for each in outcome.fold_winners] if outcome else [],
        "trials": [
            _trial(each, changes)
            for each, changes in zip(tuning.trials, sweep.changes, strict=True)
        ],
        "volatile": {
            "made": sweep.made,
            "reused": sweep.reused,
            "alternatives": _alternatives(sweep, "faster"),
            "seconds": [each.seconds for each in tuning.trials],
        },
    }


def _alternatives(sweep: Sweep, because: str) -> list[dict[str, Any]]:
    return [
        {
            "because": each.because,
            "values": dict(each.trial.values),
            "held_out_gain": _gain(sweep.gains.get(each.trial)),
        }
        for each in sweep.tuning.alternatives
        if each.because == because
    ]


def _suite(each: SuiteOutcome) -> dict[str, Any]:
    held = each.held_out
    return {
        "suite": each.suite,
        "measure": each.measure,
        "verdict": str(each.verdict.kind),
        "queries_needed": each.verdict.queries_needed,
        "held_out_default": number(each.held_out_default),
        "held_out_winner": None if held is None else held.mean,
        "held_out_interval": None if held is None else [held.low, held.high],
        "tuning_default": number(each.tuning_default),
        "tuning_winner": number(each.tuning_winner),
        "optimism": number(each.optimism),
        "failures": each.failures,
        **_compared(each.comparison),
    }


def _compared(comparison: PairedComparison | None) -> dict[str, Any]:
    if comparison is None:
        return {"queries": 0, "gain": None, "interval": None, "p": None}
    interval = comparison.interval
    return {
        "queries": comparison.pairs,
        "gain": comparison.difference,
        "interval": [interval.low, interval.high],
        "p": comparison.p_adjusted,
    }


def _trial(each: TriedTrial, changes: Any) -> dict[str, Any]:
    compared = each.comparison
    return {
        "values": dict(each.trial.values),
        "objective": number(each.objective),
        "gain": compared.difference if compared else None,
        "p": compared.p_adjusted if compared else None,
        "verdict": str(each.verdict.kind) if compared else None,
        "is_within_noise": each.is_within_noise,
        "refused": each.refused,
        "changes": [
            {"suite": suite, "category": category, "change": number(change)}
            for (suite, category), change in changes.items()
        ],
    }


def _gain(gain: MeanInterval | None) -> dict[str, Any] | None:
    return None if gain is None else {"mean": gain.mean, "interval": [gain.low, gain.high]}
