"""Results as text, JSON and CSV; nothing is computed here."""

from cranfield.reports.scores import SCORE_FORMATS, ScoreFormat, ScoreReport
from cranfield.reports.tables import align
from cranfield.reports.trec_eval import TREC_EVAL_MEASURES

__all__ = ["SCORE_FORMATS", "TREC_EVAL_MEASURES", "ScoreFormat", "ScoreReport", "align"]
