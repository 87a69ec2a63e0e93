"""Sweeps: which settings of a system are best, said by queries that did not choose them."""

from cranfield.sweeps.applied_values import apply_winner
from cranfield.sweeps.outcome import (
    CategoryOutcome,
    HeldOut,
    SuiteOutcome,
    SweepOutcome,
    conclude,
    cross_validate,
)
from cranfield.sweeps.parameters import Parameter, Trial
from cranfield.sweeps.query_parts import QueryTable, fold_queries, hold_out
from cranfield.sweeps.searches import SEARCHES, Search, SearchKind
from cranfield.sweeps.sweep import Sweep, SweepOptions, SweepProgress, run_sweep
from cranfield.sweeps.sweep_plan import SweepPlan, open_sweep
from cranfield.sweeps.trial_scores import TrialScores
from cranfield.sweeps.tuning import (
    Alternative,
    TriedTrial,
    Tuning,
    TuningOptions,
    choose_best,
    tune,
)

__all__ = [
    "SEARCHES",
    "Alternative",
    "CategoryOutcome",
    "HeldOut",
    "Parameter",
    "QueryTable",
    "Search",
    "SearchKind",
    "SuiteOutcome",
    "Sweep",
    "SweepOptions",
    "SweepOutcome",
    "SweepPlan",
    "SweepProgress",
    "Trial",
    "TrialScores",
    "TriedTrial",
    "Tuning",
    "TuningOptions",
    "apply_winner",
    "choose_best",
    "conclude",
    "cross_validate",
    "fold_queries",
    "hold_out",
    "open_sweep",
    "run_sweep",
    "tune",
]
