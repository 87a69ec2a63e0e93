"""Is it good enough to merge? Thresholds, baselines, and rules over a comparison."""

from cranfield.gates.acceptance import (
    Acceptance,
    accept_baseline,
    accept_by_rule,
    review_acceptance,
)
from cranfield.gates.baseline_arms import BaselineArm, make_arm
from cranfield.gates.baseline_comparisons import BaselineComparison, compare_to_baseline
from cranfield.gates.baseline_files import (
    DEFAULT_BASELINE,
    baseline_path,
    baseline_runs,
    find_baseline,
    find_baselines,
    read_baseline,
    read_baselines,
    write_baseline,
)
from cranfield.gates.baselines import Accepted, Baseline, BaselineQuery, make_baseline
from cranfield.gates.decision import (
    GateOptions,
    GateResult,
    find_stored_runs,
    gate,
    gate_stored,
    run_for_gate,
)
from cranfield.gates.demands import DEMANDS, Demand, DemandRequest, judge_all_demands
from cranfield.gates.gate_rules import (
    Cause,
    RuleResult,
    Severity,
    ThresholdResult,
    ThresholdResults,
    apply_thresholds,
    first_cause,
)
from cranfield.gates.gated_runs import GatedRun, Judgment, Latency, find_promotions, gate_run
from cranfield.gates.losses import NetLoss
from cranfield.gates.modes import (
    ModeResult,
    compare_in_mode,
    find_candidates,
    judge_demands,
    judge_mode,
)
from cranfield.gates.query_outcomes import GroupChange, QueryOutcome
from cranfield.gates.triggers import find_skip_reason, find_triggers, read_changed_paths

__all__ = [
    "DEFAULT_BASELINE",
    "DEMANDS",
    "Acceptance",
    "Accepted",
    "Baseline",
    "BaselineArm",
    "BaselineComparison",
    "BaselineQuery",
    "Cause",
    "Demand",
    "DemandRequest",
    "GateOptions",
    "GateResult",
    "GatedRun",
    "GroupChange",
    "Judgment",
    "Latency",
    "ModeResult",
    "NetLoss",
    "QueryOutcome",
    "RuleResult",
    "Severity",
    "ThresholdResult",
    "ThresholdResults",
    "accept_baseline",
    "accept_by_rule",
    "apply_thresholds",
    "baseline_path",
    "baseline_runs",
    "compare_in_mode",
    "compare_to_baseline",
    "find_baseline",
    "find_baselines",
    "find_candidates",
    "find_promotions",
    "find_skip_reason",
    "find_stored_runs",
    "find_triggers",
    "first_cause",
    "gate",
    "gate_run",
    "gate_stored",
    "judge_all_demands",
    "judge_demands",
    "judge_mode",
    "make_arm",
    "make_baseline",
    "read_baseline",
    "read_baselines",
    "read_changed_paths",
    "review_acceptance",
    "run_for_gate",
    "write_baseline",
]
