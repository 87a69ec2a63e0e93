"""Two columns of values side by side: what differs, by how much, how surely, and the verdict."""

from cranfield.verdicts.corrections import correct_together
from cranfield.verdicts.paired import PairedComparison, compare_columns
from cranfield.verdicts.tests import TESTS, PairedTest, TestResult
from cranfield.verdicts.verdicts import Verdict, VerdictKind, decide

__all__ = [
    "TESTS",
    "PairedComparison",
    "PairedTest",
    "TestResult",
    "Verdict",
    "VerdictKind",
    "compare_columns",
    "correct_together",
    "decide",
]
