"""Two arms side by side, query by query: what differs, by how much, how surely."""

from cranfield.compare.buckets import Bucket, bucket_of
from cranfield.compare.grid import Attribution, GridComparison, attribute
from cranfield.compare.paired import PairedComparison, compare_columns
from cranfield.compare.pairing import PairedRuns, pair_runs
from cranfield.compare.runs import RunComparison, compare_runs
from cranfield.compare.suites import (
    CompareOptions,
    Comparison,
    MeasureComparison,
    QueryChange,
    SuiteComparison,
    compare,
)
from cranfield.compare.tests import TESTS, PairedTest, TestResult
from cranfield.compare.verdicts import Verdict, VerdictKind, decide

__all__ = [
    "TESTS",
    "Attribution",
    "Bucket",
    "CompareOptions",
    "Comparison",
    "GridComparison",
    "MeasureComparison",
    "PairedComparison",
    "PairedRuns",
    "PairedTest",
    "QueryChange",
    "RunComparison",
    "SuiteComparison",
    "TestResult",
    "Verdict",
    "VerdictKind",
    "attribute",
    "bucket_of",
    "compare",
    "compare_columns",
    "compare_runs",
    "decide",
    "pair_runs",
]
