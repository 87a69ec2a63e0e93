"""Two columns of values: what differs, by how much, how surely, and the verdict."""

from cranfield.verdicts.margins import require_margin
from cranfield.verdicts.paired import ColumnPair, PairedComparison, compare_columns
from cranfield.verdicts.verdict import (
    ALPHA,
    FEWEST_PAIRS,
    UNDECIDED,
    Verdict,
    VerdictKind,
    detectable_difference,
    settle_verdict,
)

__all__ = [
    "ALPHA",
    "FEWEST_PAIRS",
    "UNDECIDED",
    "ColumnPair",
    "PairedComparison",
    "Verdict",
    "VerdictKind",
    "compare_columns",
    "detectable_difference",
    "require_margin",
    "settle_verdict",
]
