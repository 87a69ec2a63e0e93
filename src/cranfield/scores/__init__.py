"""Scored TREC runs: each compared with the first, and the report of it."""

from cranfield.scores.measure_list import report_measures
from cranfield.scores.run_comparisons import (
    RunComparison,
    ScoreOptions,
    Scores,
    compare_runs,
    score,
)
from cranfield.scores.score_report import default_measures, report_scores
from cranfield.scores.trec_eval_format import TREC_EVAL_MEASURES

__all__ = [
    "TREC_EVAL_MEASURES",
    "RunComparison",
    "ScoreOptions",
    "Scores",
    "compare_runs",
    "default_measures",
    "report_measures",
    "report_scores",
    "score",
]
