"""Two arms side by side, query by query: what differs, by how much, how surely."""

from cranfield.compare.paired import PairedComparison, compare_columns
from cranfield.compare.runs import RunComparison, compare_runs
from cranfield.compare.verdicts import Verdict, VerdictKind, decide

__all__ = [
    "PairedComparison",
    "RunComparison",
    "Verdict",
    "VerdictKind",
    "compare_columns",
    "compare_runs",
    "decide",
]
