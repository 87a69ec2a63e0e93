"""Gates: whether a run is good enough, by the thresholds of its suite."""

from cranfield.gates.thresholds import GateResult, ThresholdResult, apply_gate

__all__ = ["GateResult", "ThresholdResult", "apply_gate"]
