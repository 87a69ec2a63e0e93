"""Two arms compared query by query: what differs, by how much, how surely, and due to what."""

from cranfield.comparisons.attribution import Attribution, GridComparison, attribute
from cranfield.comparisons.comparison import (
    CategoryComparison,
    CompareOptions,
    Comparison,
    MeasureComparison,
    SuiteComparison,
    compare,
)
from cranfield.comparisons.paired_runs import PairedRuns, pair_runs
from cranfield.comparisons.query_changes import Bucket, QueryChange, bucket_of
from cranfield.comparisons.suite_power import (
    MeasurePower,
    SuitePower,
    estimate_power,
    runs_for_power,
)
from cranfield.verdicts import Verdict, VerdictKind

__all__ = [
    "Attribution",
    "Bucket",
    "CategoryComparison",
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
    "estimate_power",
    "pair_runs",
    "runs_for_power",
]
