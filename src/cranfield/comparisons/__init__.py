"""Two arms side by side, query by query: what differs, by how much, how surely."""

from cranfield.comparisons.buckets import Bucket, bucket_of
from cranfield.comparisons.grid import Attribution, GridComparison, attribute
from cranfield.comparisons.pairing import PairedRuns, pair_runs
from cranfield.comparisons.power import (
    MeasurePower,
    SuitePower,
    detectable_difference,
    estimate_power,
    runs_for_power,
)
from cranfield.comparisons.suites import (
    CompareOptions,
    Comparison,
    MeasureComparison,
    QueryChange,
    SuiteComparison,
    compare,
)
from cranfield.verdicts import Verdict, VerdictKind

__all__ = [
    "Attribution",
    "Bucket",
    "CompareOptions",
    "Comparison",
    "GridComparison",
    "MeasureComparison",
    "MeasurePower",
    "PairedRuns",
    "QueryChange",
    "SuiteComparison",
    "SuitePower",
    "Verdict",
    "VerdictKind",
    "attribute",
    "bucket_of",
    "compare",
    "detectable_difference",
    "estimate_power",
    "pair_runs",
    "runs_for_power",
]
