"""Is it good enough to merge? Thresholds, baselines, and rules over a comparison."""

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
from cranfield.gates.query_outcomes import GroupChange, QueryOutcome

__all__ = [
    "DEFAULT_BASELINE",
    "Accepted",
    "Baseline",
    "BaselineArm",
    "BaselineComparison",
    "BaselineQuery",
    "Cause",
    "GatedRun",
    "GroupChange",
    "Judgment",
    "Latency",
    "NetLoss",
    "QueryOutcome",
    "RuleResult",
    "Severity",
    "ThresholdResult",
    "ThresholdResults",
    "apply_thresholds",
    "baseline_path",
    "baseline_runs",
    "compare_to_baseline",
    "find_baseline",
    "find_baselines",
    "find_promotions",
    "first_cause",
    "gate_run",
    "make_arm",
    "make_baseline",
    "read_baseline",
    "read_baselines",
    "write_baseline",
]
