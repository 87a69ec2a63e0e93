"""Is it good enough to merge? Thresholds, baselines and rules for what may be lost."""

from cranfield.gates.baselines import (
    Accepted,
    Baseline,
    BaselineQuery,
    baseline_path,
    find_baselines,
    make_baseline,
    read_baseline,
    write_baseline,
)
from cranfield.gates.judging import GatedRun, find_promotions
from cranfield.gates.latencies import Latency
from cranfield.gates.moves import LEVEL, ChangeKind
from cranfield.gates.regressions import (
    Change,
    Regressions,
    RuleResult,
    Severity,
    compare_to_baseline,
)
from cranfield.gates.thresholds import GateResult, ThresholdResult, apply_gate
from cranfield.gates.triggers import find_triggers, read_changed_paths

__all__ = [
    "LEVEL",
    "Accepted",
    "Baseline",
    "BaselineQuery",
    "Change",
    "ChangeKind",
    "GateResult",
    "GatedRun",
    "Latency",
    "Regressions",
    "RuleResult",
    "Severity",
    "ThresholdResult",
    "apply_gate",
    "baseline_path",
    "compare_to_baseline",
    "find_baselines",
    "find_promotions",
    "find_triggers",
    "make_baseline",
    "read_baseline",
    "read_changed_paths",
    "write_baseline",
]
