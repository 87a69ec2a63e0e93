"""Two arms side by side, query by query: what differs, by how much, how surely."""

from cranfield.compare.paired import PairedComparison, compare_columns
from cranfield.compare.runs import RunComparison, compare_runs

__all__ = ["PairedComparison", "RunComparison", "compare_columns", "compare_runs"]
