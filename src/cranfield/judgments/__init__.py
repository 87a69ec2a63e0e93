"""Judgments: what people, models and clicks said of documents as answers to queries."""

from cranfield.judgments.judged_runs import (
    JudgedBy,
    judge_query,
    judge_run,
    judge_runs,
    judge_suite,
    judged_measures,
    read_judged_by,
)
from cranfield.judgments.judgment import (
    UNRATEABLE_GRADE,
    JudgedItem,
    Judgment,
    JudgmentSource,
    JudgmentState,
    Preference,
    PreferredAnswer,
    SettledGrade,
    item_of,
    query_key,
    settle,
    standing_judgments,
)
from cranfield.judgments.judgment_store import JudgmentStore

__all__ = [
    "UNRATEABLE_GRADE",
    "JudgedBy",
    "JudgedItem",
    "Judgment",
    "JudgmentSource",
    "JudgmentState",
    "JudgmentStore",
    "Preference",
    "PreferredAnswer",
    "SettledGrade",
    "item_of",
    "judge_query",
    "judge_run",
    "judge_runs",
    "judge_suite",
    "judged_measures",
    "query_key",
    "read_judged_by",
    "settle",
    "standing_judgments",
]
