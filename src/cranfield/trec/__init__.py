"""TREC files in, graded columns out, as fast as the disk allows."""

from cranfield.trec.grading import GradedRun, grade_run
from cranfield.trec.matching import JudgedIndex
from cranfield.trec.qrels import Qrels, read_qrels
from cranfield.trec.scoring import Bounds, ScoredRun, Warned, score_run, score_runs

__all__ = [
    "Bounds",
    "GradedRun",
    "JudgedIndex",
    "Qrels",
    "ScoredRun",
    "Warned",
    "grade_run",
    "read_qrels",
    "score_run",
    "score_runs",
]
