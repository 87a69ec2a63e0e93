"""Scored TREC runs: compared with the first, written as text, JSON, CSV or as trec_eval does."""

from cranfield.scores.formats import SCORE_FORMATS, ScoreFormat, ScoreReport
from cranfield.scores.run_comparisons import RunComparison, compare_runs
from cranfield.scores.trec_eval import TREC_EVAL_MEASURES

__all__ = [
    "SCORE_FORMATS",
    "TREC_EVAL_MEASURES",
    "RunComparison",
    "ScoreFormat",
    "ScoreReport",
    "compare_runs",
]
